// Reads the bytes of one source into batches of records. For output as rows, a batch contains the records' bytes. For output as decisions,
// the records are held as objects.
import { IoError } from "../common/errors.ts";
import { type InputOptions, readWithBase } from "../sources/open.ts";
import { withFirstUrl } from "../sources/first-urls.ts";
import { prepare } from "../sources/prepare.ts";
import type { Batch } from "../records/batch.ts";
import type { AskedField } from "../records/packed.ts";
import { RowHeads } from "../records/row-heads.ts";
import { DamagedError } from "../sources/unpack.ts";
import type { RecordWriter } from "../formats/types.ts";
import { printableOf, utf8TextOf } from "../common/text.ts";
import type { HeldRecords } from "./held-records.ts";

export interface ByteRecordsOptions {
  /** The source's name, for messages; its ending helps to detect the format. */
  readonly name: string;
  readonly read: InputOptions;
  /** Holds the records as objects while their heads pass through the engine; undefined for output as rows. */
  readonly held: HeldRecords | undefined;
  readonly writer: RecordWriter;
}

/** Reads one source. Throws a `UsageError` when none of its first records has a URL, an `IoError` when its compressed data is damaged. */
export async function* byteBatchesOf(
  bytes: AsyncIterable<Uint8Array>,
  { name, read, held, writer }: ByteRecordsOptions,
): AsyncGenerator<Batch> {
  const source = printableOf(name);
  const { maxLineBytes, urlField, agentField, texts, base, logRows, logClock } = read;
  const heads = new RowHeads();
  try {
    const { format, lineEnd, isUnexamined, chunks } = await prepare(name, bytes, { ...read, isLive: true });
    const options = {
      source,
      lineEnd,
      isUnexamined,
      maxLineBytes,
      urlField,
      agentField,
      texts,
      base,
      logRows,
      logClock,
      writer,
    };
    const batches = withFirstUrl(readWithBase(format, chunks, options), { ...options, format }, read.clock);
    for await (const batch of batches) {
      if (held === undefined) yield batch;
      else {
        yield heldBatchOf(batch, held, heads);
        await held.room();
      }
    }
  } catch (error) {
    throw error instanceof DamagedError ? new IoError("input", source, error) : error;
  }
}

/**
 * Holds the records of a batch as objects, and returns the batch with their heads from `held`, which `heads` stores, in place of the
 * records' bytes.
 */
function heldBatchOf({ records, rejects }: Batch, held: HeldRecords, heads: RowHeads): Batch {
  const names = Object.keys(records.fields) as AskedField[];
  heads.begin();
  for (let record = 0; record < records.count; record++) {
    const head = records.headOf(record);
    // Copies the URL, because a slice of a longer string would keep all of that string in memory.
    const url = Buffer.from(records.urlOf(record), "utf16le").toString("utf16le");
    const fields = Object.fromEntries(names.map((name) => [name, records.fieldOf(name, record)]));
    heads.add(held.hold(JSON.parse(`${utf8TextOf(head)}}`), url, head.length + url.length), url, fields);
  }
  records.recycle?.();
  return { records: heads.finish(), rejects };
}
