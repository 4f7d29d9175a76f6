// Converts an entry to its value in Redis and back: a version, a checksum and two lengths, then JSON and bodies, compressed together.
import zlib from "node:zlib";
import type { StoredRobots } from "../types.ts";
import { storedOfJson } from "./json.ts";
import { packedOf, unpackedOf } from "./pack.ts";

// No named import: an old Node without `crc32` would throw for it before supported-node.ts can refuse that Node.
const { crc32 } = zlib;

/** Largest JSON of a value: a hundred redirects with URLs of 40 KB, and the stored header fields. */
const maxJsonBytes = 4 * 1_048_576;

/**
 * The first four bytes of a value; the fourth is the format's version. Values of the first version begin with their total length instead.
 * Read as a length, this number is larger than any value: programs of the first version ignore values of this version, and programs of
 * this version ignore values of the first.
 */
const beginning = 0xf252_5302;

/**
 * Header of four numbers: `beginning`; the CRC-32 of all bytes after the CRC-32; the length of the unpacked content; the length of its
 * JSON.
 */
const headBytes = 16;
const checkedFrom = 8;

/** Converts an entry to the bytes of its value. */
export function bytesOfEntry({ body, lastCopy, ...rest }: StoredRobots): Buffer {
  const { body: lastBody, ...copy } = lastCopy ?? {};
  const head = { ...rest, lastCopy: lastCopy && copy, bodyBytes: body?.byteLength, lastBytes: lastBody?.byteLength };
  const json = Buffer.from(JSON.stringify(head), "utf8");
  const whole = Buffer.concat([json, body ?? new Uint8Array(0), lastBody ?? new Uint8Array(0)]);
  const bytes = Buffer.concat([Buffer.alloc(headBytes), packedOf(whole)]);
  bytes.writeUInt32BE(beginning, 0);
  bytes.writeUInt32BE(whole.byteLength, 8);
  bytes.writeUInt32BE(json.byteLength, 12);
  bytes.writeUInt32BE(crc32(bytes.subarray(checkedFrom)), 4);
  return bytes;
}

/** Whether bytes begin like a value of this version. */
export function isOfThisVersion(bytes: Buffer): boolean {
  return bytes.byteLength >= headBytes && bytes.readUInt32BE(0) === beginning;
}

/** Whether the header states a length that no entry with two bodies of `maxBytes` has. Such a value is not unpacked. */
export function isTooLarge(bytes: Buffer, maxBytes: number): boolean {
  if (!isOfThisVersion(bytes)) return false;
  return bytes.readUInt32BE(12) > maxJsonBytes || bytes.readUInt32BE(8) > 2 * maxBytes + maxJsonBytes;
}

/** Converts the bytes of a value to its entry; undefined for another version and for damaged bytes. */
export function entryOfBytes(bytes: Buffer): StoredRobots | undefined {
  if (!isOfThisVersion(bytes)) return undefined;
  // The checksum covers the compressed bytes, so it detects every change of up to 32 adjacent bits of the value.
  if (bytes.readUInt32BE(4) !== crc32(bytes.subarray(checkedFrom))) return undefined;
  const size = bytes.readUInt32BE(8);
  const jsonBytes = bytes.readUInt32BE(12);
  if (jsonBytes > size) return undefined;
  const whole = unpackedOf(bytes.subarray(headBytes), size);
  if (whole === undefined) return undefined;
  let head: unknown;
  try {
    head = JSON.parse(Buffer.from(whole.subarray(0, jsonBytes)).toString("utf8"));
  } catch {
    return undefined;
  }
  const entry = storedOfJson(head);
  if (entry === undefined) return undefined;
  const { bodyBytes, lastBytes } = head as { readonly bodyBytes?: unknown; readonly lastBytes?: unknown };
  const body = partOf(whole, jsonBytes, bodyBytes);
  const lastBody = partOf(whole, jsonBytes + (body?.byteLength ?? 0), lastBytes);
  if (body === null || lastBody === null) return undefined;
  if (jsonBytes + (body?.byteLength ?? 0) + (lastBody?.byteLength ?? 0) !== size) return undefined;
  const { lastCopy } = entry;
  return {
    ...entry,
    ...(body === undefined ? {} : { body }),
    ...(lastCopy === undefined || lastBody === undefined ? {} : { lastCopy: { ...lastCopy, body: lastBody } }),
  };
}

/** Copies a body out of `whole`; undefined without a length, null for an invalid length. */
function partOf(whole: Uint8Array, from: number, length: unknown): Uint8Array | undefined | null {
  if (length === undefined) return undefined;
  const isLength =
    Number.isSafeInteger(length) && (length as number) >= 0 && from + (length as number) <= whole.byteLength;
  return isLength ? whole.slice(from, from + (length as number)) : null;
}
