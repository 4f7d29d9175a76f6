// Text in, the batches of one reader out, joined: what the tests of the readers share.
import { outputFormats } from "../src/output/formats.ts";
import type { Batch, InputFormat, ReadOptions } from "../src/input/types.ts";

/** What a reader made of a whole source. */
export interface ReadResult extends Batch {
  readonly header: string;
}

/** Reads bytes given in chunks. */
export async function readAll(
  format: InputFormat,
  chunks: readonly Uint8Array[],
  options: Partial<ReadOptions> & { readonly output?: string; readonly csvSafe?: boolean } = {},
): Promise<ReadResult> {
  const { output = "ndjson", csvSafe = false, ...rest } = options;
  const found = outputFormats.find(({ name }) => name === output);
  if (found === undefined) throw new Error(output);
  const writer = found.createWriter({ resultKey: "robots", csvSafe, hasDialect: false, hasKind: false });
  const result = { heads: [] as string[], urls: [] as string[], rejects: [] as Batch["rejects"] };
  const settings: ReadOptions = {
    source: "test",
    lineEnd: "\n",
    maxLineBytes: 1_048_576,
    urlField: undefined,
    base: undefined,
    writer,
    ...rest,
  };
  for await (const { heads, urls, rejects, packed } of format.read(streamOf(chunks), settings)) {
    result.heads.push(...heads);
    result.urls.push(...urls);
    for (let record = 0; record < (packed?.count ?? 0); record++) {
      result.heads.push(packed!.headOf(record));
      result.urls.push(packed!.urlOf(record));
    }
    result.rejects.push(...rejects);
  }
  return { ...result, header: writer.header() };
}

/** Bytes cut into chunks of one length. */
export function chunksOf(bytes: Uint8Array, length: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length) chunks.push(bytes.subarray(at, at + length));
  return chunks;
}

async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await Promise.resolve();
    yield chunk;
  }
}
