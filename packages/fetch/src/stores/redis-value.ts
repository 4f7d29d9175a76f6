// Converts an entry to its value in Redis and back: a head with lengths, the row of the SQLite store as JSON, then its packed bodies.
import type { StoredRobots } from "../common/types.ts";
import { entryOfRow, type FetchRow, packedEntryOf } from "./entry-row.ts";

/** Largest JSON of a value: a hundred redirects with URLs of 40 KB, and the stored header fields. */
const maxJsonBytes = 4 * 1_048_576;

/**
 * The first four bytes of a value; the fourth is the format's version. Values of the first version begin with their total length instead.
 * Read as a length, this number is larger than any value: programs of the first version ignore values of later versions, and programs of
 * this version ignore values of earlier ones.
 */
const beginning = 0xf252_5303;

/**
 * Header of six numbers: `beginning`; the lengths of the JSON, of the packed body and of the packed body of the last copy; the unpacked lengths
 * of both, or `none`.
 */
const headBytes = 24;
const none = 0xffff_ffff;

/** Converts an entry to the bytes of its value. */
export function bytesOfEntry(entry: StoredRobots): Buffer {
  const { row, body, lastBody } = packedEntryOf(entry);
  const json = Buffer.from(JSON.stringify(row), "utf8");
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(beginning, 0);
  head.writeUInt32BE(json.byteLength, 4);
  head.writeUInt32BE(body?.packed.byteLength ?? 0, 8);
  head.writeUInt32BE(lastBody?.packed.byteLength ?? 0, 12);
  head.writeUInt32BE(body?.size ?? none, 16);
  head.writeUInt32BE(lastBody?.size ?? none, 20);
  return Buffer.concat([head, json, body?.packed ?? new Uint8Array(0), lastBody?.packed ?? new Uint8Array(0)]);
}

/** Whether bytes begin like a value of this version. */
export function isOfThisVersion(bytes: Buffer): boolean {
  return bytes.byteLength >= headBytes && bytes.readUInt32BE(0) === beginning;
}

/** Whether the header states a length that no entry with two bodies of `maxBytes` has. Such a value is not unpacked. */
export function isTooLarge(bytes: Buffer, maxBytes: number): boolean {
  if (!isOfThisVersion(bytes)) return false;
  const isLong = (at: number): boolean => (sizeAt(bytes, at) ?? 0) > maxBytes;
  return bytes.readUInt32BE(4) > maxJsonBytes || isLong(16) || isLong(20);
}

/** Converts the bytes of a value to its entry; undefined for another version and for damaged bytes. Never throws. */
export function entryOfBytes(bytes: Buffer): StoredRobots | undefined {
  if (!isOfThisVersion(bytes)) return undefined;
  const bodyAt = headBytes + bytes.readUInt32BE(4);
  const lastAt = bodyAt + bytes.readUInt32BE(8);
  if (lastAt + bytes.readUInt32BE(12) !== bytes.byteLength) return undefined;
  const [size, lastSize] = [sizeAt(bytes, 16), sizeAt(bytes, 20)];
  // Copies: a body that is not compressed must not keep, or share, the memory of the value.
  const body = size === null ? null : new Uint8Array(bytes.subarray(bodyAt, lastAt));
  try {
    const row = JSON.parse(bytes.toString("utf8", headBytes, bodyAt)) as readonly unknown[];
    if (row.length !== rowLength || typeof row[0] !== "string") return undefined;
    const fetched = [0, ...row, size, body, null] as unknown as FetchRow;
    return entryOfRow(fetched, lastSize === null ? undefined : [lastSize, new Uint8Array(bytes.subarray(lastAt))]);
  } catch {
    return undefined;
  }
}

/** Number of columns in the JSON of a value. */
const rowLength = 8;

/** The length of a body that the header states; null for no body. */
function sizeAt(bytes: Buffer, at: number): number | null {
  const size = bytes.readUInt32BE(at);
  return size === none ? null : size;
}
