// Reads the entries of an archive: an NDJSON export of a cache, or a WARC file of this app or of any crawler, compressed or not. Writes the
// line of an entry in an export.
import type { StoredRobots } from "@robots-stream/fetch";
import { storedOfJson, jsonOfStored } from "@robots-stream/fetch/json";
import { visibleJsonOf } from "@robots-stream/core/internal";
import { parseTarget, robotsUrlOf } from "@robots-stream/url";
import { peekBytes } from "../../sources/peek.ts";
import { unpack } from "../../sources/unpack.ts";
import { shownWordOf } from "../../common/text.ts";
import { checksumOf } from "./checksum.ts";
import { type ArchivedRobots, type OtherRecords, WarcEntries } from "../../formats/warc/warc-entry.ts";
import { readWarc, WarcError, type WarcRecord } from "../../formats/warc/records.ts";
import { periodOf } from "../../common/times.ts";

/** Maximum size of a line in bytes: enough for an entry with two fully escaped bodies of the largest size that a run reads. */
const maxLineBytes = 64 * 1_048_576;

/**
 * Called for a line or record that is not a valid entry, with its place ("line 3") and the reason. `isDamaged` is false for a dated capture
 * of another program that cannot be read, such as a redirect: `OtherRecords` are told of it. Absent: true.
 */
export type Rejected = (where: string, why: string, isDamaged?: boolean) => void;

/** The first characters of a WARC file. */
const warcBeginning = "WARC/";

/** The entries of a file, which is an NDJSON export or a WARC file, compressed or not. */
export async function* entriesOf(source: AsyncIterable<Uint8Array>, reject: Rejected): AsyncGenerator<StoredRobots> {
  const { chunks } = await unpack(source);
  const peeked = await peekBytes(chunks, warcBeginning.length);
  const beginning = Buffer.from(peeked.beginning).toString("latin1", 0, warcBeginning.length);
  yield* beginning === warcBeginning ? warcEntriesOf(peeked.chunks, reject) : lineEntriesOf(peeked.chunks, reject);
}

const checksumMember = Buffer.from('"checksum"');

/** Whether a line has a checksum; in a JSON string, quotation marks are escaped. */
export function hasChecksum(line: Buffer): boolean {
  return line.includes(checksumMember);
}

/** The reason why a line without a checksum is rejected if other lines of its export have one. */
export const withoutChecksum = "is damaged: it has no checksum, as other lines have";

/** The maximum number of entries without a checksum, and of their bytes, that wait for a line with one. */
const [mostWaiting, mostWaitingBytes] = [1_000, 4 * 1_048_576] as const;

/**
 * The entries of a decompressed NDJSON export. Exports of other programs and earlier versions have no checksums; if one line has a checksum,
 * lines without are damaged.
 */
export async function* lineEntriesOf(
  chunks: AsyncIterable<Uint8Array>,
  reject: Rejected,
): AsyncGenerator<StoredRobots> {
  let number = 0;
  let isChecked = false;
  // Undefined once more entries without a checksum were found than may wait.
  let waiting: { readonly where: string; readonly entry: StoredRobots }[] | undefined = [];
  let waitingBytes = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const { bytes } of linesOf(chunks)) {
      const where = `line ${++number}`;
      const isSealed = bytes !== undefined && hasChecksum(bytes);
      if (isSealed && !isChecked) {
        isChecked = true;
        for (const each of waiting ?? []) reject(each.where, withoutChecksum);
        waiting = undefined;
      }
      const entry = bytes === undefined ? "is too long" : isBlank(bytes) ? undefined : entryOfLine(bytes);
      if (entry === undefined) continue;
      if (typeof entry === "string") reject(where, entry);
      else if (isSealed || (waiting === undefined && !isChecked)) yield entry;
      else if (waiting === undefined) reject(where, withoutChecksum);
      else {
        waiting.push({ where, entry });
        waitingBytes += bytes!.length;
        if (waiting.length < mostWaiting && waitingBytes < mostWaitingBytes) continue;
        yield* waiting.map((each) => each.entry);
        waiting = undefined;
      }
    }
  } catch (error) {
    // The entries before the fault of a compressed file are valid.
    failure = { error };
  }
  yield* (waiting ?? []).map(({ entry }) => entry);
  if (failure !== undefined) throw failure.error;
}

interface Line {
  /** The line without its line feed, valid until the next line is requested; undefined for a line that is too long. */
  readonly bytes: Buffer | undefined;
  /** Offset of the line in the (decompressed) file. */
  readonly offset: number;
}

/** Whether a line is empty or white space; false for a line of 1,024 bytes or more. */
export function isBlank(line: Buffer): boolean {
  return line.length < 1_024 && line.toString("latin1").trim() === "";
}

export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let offset = 0;
  const take = (): Line => {
    const bytes = heldBytes > maxLineBytes ? undefined : held.length === 1 ? asBuffer(held[0]!) : Buffer.concat(held);
    const line = { bytes, offset };
    offset += heldBytes + 1;
    held = [];
    heldBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength;) {
      const end = chunk.indexOf(0x0a, at);
      const piece = chunk.subarray(at, end === -1 ? undefined : end);
      heldBytes += piece.byteLength;
      // A piece that is held until the next chunk is copied, because the source may reuse the chunk's memory.
      if (heldBytes <= maxLineBytes) held.push(end === -1 ? Buffer.from(piece) : piece);
      else held = [];
      if (end === -1) break;
      yield take();
      at = end + 1;
    }
  }
  if (heldBytes > 0) yield take();
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The entry in a line, or a sentence with the reason why there is none. */
export function entryOfLine(line: Buffer): StoredRobots | string {
  let entry: StoredRobots | string | undefined;
  try {
    entry = checkedEntry(JSON.parse(line.toString("utf8")));
  } catch {
    // Not JSON.
  }
  return entry ?? `is not an entry of a cache (${line.length} bytes)`;
}

/**
 * The entry in a JSON value, completed by `body` if the body is stored separately. Returns a sentence when the checksum does not match,
 * and undefined when the value is not an entry. An entry without a checksum is accepted here; see `lineEntriesOf`.
 */
function checkedEntry(value: unknown, body?: Uint8Array): StoredRobots | string | undefined {
  const stored = storedOfJson(value);
  if (stored === undefined || parseTarget(robotsUrlOf(stored.origin))?.origin !== stored.origin) return undefined;
  const entry = body === undefined ? stored : { ...stored, body };
  const { checksum } = value as { readonly checksum?: unknown };
  if (checksum !== undefined && checksum !== checksumOf(entry)) {
    return `${shownWordOf(entry.origin, 200)}: is damaged, or was changed: its checksum does not match its content`;
  }
  // A missing file must not be treated as an empty one, which allows everything.
  return entry.access === "successful" && entry.body === undefined
    ? `${shownWordOf(entry.origin, 200)}: its robots.txt is missing`
    : entry;
}

/** The entries of a decompressed WARC file. `others`: what to do with records that are no entries; default: they are rejected. */
export async function* warcEntriesOf(
  chunks: AsyncIterable<Uint8Array>,
  reject: Rejected,
  others?: OtherRecords,
): AsyncGenerator<ArchivedRobots> {
  const entries = new WarcEntries(checkedEntry, others);
  let number = 0;
  try {
    for await (const record of readWarc(chunks)) {
      number++;
      const found = entries.take(record);
      if (typeof found === "string") reject(`record ${number}`, found, !isDatedCapture(record));
      else if (found !== undefined) yield found;
    }
    const lost = entries.end();
    if (lost !== undefined) reject(`record ${number}`, lost);
  } catch (error) {
    // The records before the error are valid.
    if (!(error instanceof WarcError)) throw error;
    reject(`record ${number + 1}`, error.message);
  }
}

function isDatedCapture({ fields }: WarcRecord): boolean {
  const { fromSeconds = -1 } = periodOf(fields.get("warc-date") ?? "") ?? {};
  return ["response", "revisit"].includes(fields.get("warc-type") ?? "") && fromSeconds >= 0;
}

/** The line of an entry, with its line end. */
export function lineOfEntry(entry: StoredRobots): string {
  // Control characters are escaped, because the line may be shown on a terminal and contains text that a server chose.
  return `${visibleJsonOf(JSON.stringify({ ...jsonOfStored(entry), checksum: checksumOf(entry) }))}\n`;
}
