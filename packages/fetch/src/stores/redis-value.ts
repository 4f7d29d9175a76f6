// An entry ↔ the bytes that stand for it in Redis: a length, then JSON and the bodies, packed together.
import type { StoredRobots } from "../types.ts";
import { storedOfJson } from "./json.ts";
import { packedOf, unpackedOf } from "./pack.ts";

/** What a value may unpack to: the largest body that anybody asks for, twice, and some room. */
const maxBytes = 600 * 1_048_576;

/** Bytes of the two lengths before what is packed: of it all, and of the JSON in it. */
const headBytes = 8;

/** The bytes of an entry. */
export function bytesOfEntry({ body, lastCopy, ...rest }: StoredRobots): Buffer {
  const { body: lastBody, ...copy } = lastCopy ?? {};
  const head = { ...rest, lastCopy: lastCopy && copy, bodyBytes: body?.byteLength, lastBytes: lastBody?.byteLength };
  const json = Buffer.from(JSON.stringify(head), "utf8");
  const whole = Buffer.concat([json, body ?? new Uint8Array(0), lastBody ?? new Uint8Array(0)]);
  const lengths = Buffer.alloc(headBytes);
  lengths.writeUInt32BE(whole.byteLength, 0);
  lengths.writeUInt32BE(json.byteLength, 4);
  return Buffer.concat([lengths, packedOf(whole)]);
}

/** The entry of such bytes; undefined for any others. */
export function entryOfBytes(bytes: Buffer): StoredRobots | undefined {
  if (bytes.byteLength < headBytes) return undefined;
  const size = bytes.readUInt32BE(0);
  const jsonBytes = bytes.readUInt32BE(4);
  if (size > maxBytes || jsonBytes > size) return undefined;
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

/** A copy of its own size; undefined where there is none, null for one that cannot be. */
function partOf(whole: Uint8Array, from: number, length: unknown): Uint8Array | undefined | null {
  if (length === undefined) return undefined;
  const isLength =
    Number.isSafeInteger(length) && (length as number) >= 0 && from + (length as number) <= whole.byteLength;
  return isLength ? whole.slice(from, from + (length as number)) : null;
}
