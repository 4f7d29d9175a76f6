// Reads a text with one reader and joins its batches, for the tests of all readers.
import { outputFormats } from "../src/formats/registry/registry.ts";
import type { WriterKnowledge } from "../src/formats/types.ts";
import type { InputFormat, ReadOptions } from "../src/formats/input-format.ts";
import type { Batch } from "../src/records/batch.ts";
import { RowHeads } from "../src/records/row-heads.ts";

/** The result of reading a whole source. */
export interface ReadResult extends Pick<Batch, "rejects"> {
  readonly heads: readonly string[];
  readonly urls: readonly string[];
  readonly header: string;
  /** The User-Agent headers of the records, as Latin-1 strings of bytes; none without `agentField`. */
  readonly agents: readonly string[];
}

/** The options of reading, and of the writer that makes the heads. */
export interface ReadAllOptions extends Partial<ReadOptions> {
  readonly output?: string;
  /** Whether heads are strings although they could be bytes: the general path of the readers of objects and tables. Only for ndjson. */
  readonly asStrings?: boolean;
  readonly csvSafe?: boolean;
  readonly known?: WriterKnowledge;
}

/** The result of reading a part of a source: one batch. */
export interface ReadPart extends ReadResult, Pick<Batch, "place"> {
  /** The state of the writer after this part. */
  readonly writer: WriterKnowledge;
}

/** Reads bytes given in chunks; returns a part for each batch. */
export async function batchesOf(
  format: InputFormat,
  chunks: readonly Uint8Array[],
  options: ReadAllOptions = {},
): Promise<ReadPart[]> {
  const { output = "ndjson", asStrings = false, csvSafe = false, known, ...rest } = options;
  const found = outputFormats.find(({ name }) => name === output);
  if (found === undefined) throw new Error(output);
  const own = found.createWriter({ resultKey: "robots", csvSafe, hasDialect: false, hasKind: false }, known);
  const writer = asStrings ? { ...own, keepsObjects: false, memberOpenings: () => undefined } : own;
  const settings: ReadOptions = {
    source: "test",
    lineEnd: "\n",
    maxLineBytes: 1_048_576,
    urlField: undefined,
    base: undefined,
    writer,
    ...rest,
  };
  const parts: ReadPart[] = [];
  for await (const { records, rejects, place } of format.read(streamOf(chunks), settings)) {
    const each = <Text>(textOf: (record: number) => Text): Text[] =>
      Array.from({ length: records.count }, (_, record) => textOf(record));
    parts.push({
      heads: each((record) => records.headOf(record)),
      urls: each((record) => records.urlOf(record)),
      agents: options.agentField === undefined ? [] : each((record) => records.fieldOf("agent", record)),
      rejects,
      header: writer.header(),
      place,
      writer: writer.known(),
    });
    // As in a run after its rows are built: the memory of the heads is reused.
    records.recycle?.();
  }
  return parts;
}

export function joined(parts: readonly ReadPart[]): ReadResult {
  return {
    heads: parts.flatMap(({ heads }) => heads),
    urls: parts.flatMap(({ urls }) => urls),
    agents: parts.flatMap(({ agents }) => agents),
    rejects: parts.flatMap(({ rejects }) => rejects),
    header: parts.at(-1)?.header ?? "",
  };
}

/** Reads bytes given in chunks, as one part. */
export async function readAll(
  format: InputFormat,
  chunks: readonly Uint8Array[],
  options: ReadAllOptions = {},
): Promise<ReadResult> {
  return joined(await batchesOf(format, chunks, options));
}

/** A batch of records whose heads, URLs and User-Agent headers are strings. */
export function batchOf(
  all: readonly { readonly head: string; readonly url: string; readonly agent?: string | undefined }[],
): Batch {
  const heads = new RowHeads();
  heads.begin();
  for (const { head, url, agent } of all) heads.add(head, url, { agent });
  return { records: heads.finish(), rejects: [] };
}

/** Bytes cut into chunks of one length. */
export function chunksOf(bytes: Uint8Array, length: number): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += length) chunks.push(bytes.subarray(at, at + length));
  return chunks;
}

/** The chunks, one after another in the same buffer: each is overwritten when the next is requested. */
export async function* streamOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  const memory = new Uint8Array(Math.max(0, ...chunks.map(({ length }) => length)));
  for (const chunk of chunks) {
    await Promise.resolve();
    memory.set(chunk);
    yield memory.subarray(0, chunk.length);
    memory.fill(0xff);
  }
}
