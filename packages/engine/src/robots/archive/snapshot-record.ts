// Converts an entry to its record in a snapshot and back: a checksum and lengths, the members as compressed JSON, the bodies, compressed
// if that saves enough.
//
//     CRC-32 (4 bytes) of the origin and all that follows · flags (4)
//     lengths of the JSON, packed and not (4 + 4), of the body (4 + 4), of the copy's body, not packed (4)
//     JSON · body · body of the copy from before an outage
import type { StoredRobots } from "@robots-stream/fetch";
import { packedOf, unpackedOf } from "@robots-stream/fetch/archives";
import { jsonOfStored, storedOfJson } from "@robots-stream/fetch/json";
import { crc32 } from "./crc32.ts";

const flagsAt = 4;
const packedJsonAt = 8;
const jsonAt = 12;
const packedBodyAt = 16;
const bodyAt = 20;
const lastBodyAt = 24;
const headBytes = 28;

const hasBody = 1;
const hasLastBody = 2;
/** Flag: the access result is "successful", the code is "ok", and the body is the whole file. A decision needs nothing but this body. */
const isOrdinary = 4;

/** Limit of a body and of the JSON in bytes, because unpacking allocates the length that a record states. */
const mostBytes = 64 * 1_048_576;

/** Bytes that compressing a body must save. Otherwise the body is not compressed, because copying is several times as fast as unpacking. */
const leastSaved = 256;

/** The bytes of an entry's record; undefined for an entry whose JSON or body is longer than `mostBytes`. */
export function bytesOfRecord(entry: StoredRobots): Buffer | undefined {
  const { body, lastCopy, ...rest } = entry;
  const { body: lastBody, ...copy } = lastCopy ?? {};
  const members = lastCopy === undefined ? rest : { ...rest, lastCopy: copy as typeof lastCopy };
  const json = Buffer.from(JSON.stringify(jsonOfStored(members)), "utf8");
  const sizes = [json, body, lastBody].map((bytes) => bytes?.byteLength ?? 0);
  if (sizes.some((size) => size > mostBytes)) return undefined;
  const packedJson = packedOf(json);
  const [packedBody, packedLast] = [packedBodyOf(body), packedBodyOf(lastBody)];
  const isQuick =
    entry.access === "successful" && entry.code === "ok" && entry.truncated !== true && body !== undefined;
  const head = Buffer.alloc(headBytes);
  const flags =
    (body === undefined ? 0 : hasBody) | (lastBody === undefined ? 0 : hasLastBody) | (isQuick ? isOrdinary : 0);
  head.writeUInt32BE(flags, flagsAt);
  head.writeUInt32BE(packedJson.byteLength, packedJsonAt);
  head.writeUInt32BE(sizes[0]!, jsonAt);
  head.writeUInt32BE(packedBody.byteLength, packedBodyAt);
  head.writeUInt32BE(sizes[1]!, bodyAt);
  head.writeUInt32BE(sizes[2]!, lastBodyAt);
  const record = Buffer.concat([head, packedJson, packedBody, packedLast]);
  record.writeUInt32BE(checksumOf(record, entry.origin), 0);
  return record;
}

/** A body as the record holds it: compressed if that saves at least `leastSaved` bytes; empty for no body. */
function packedBodyOf(body: Uint8Array | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array(0);
  if (body.byteLength <= leastSaved) return body;
  const packed = packedOf(body);
  return packed.byteLength + leastSaved <= body.byteLength ? packed : body;
}

/** The record of an origin, a view of `bytes`. Undefined for damaged bytes and for the record of another origin. */
export function recordOf(bytes: Buffer, origin: string): SnapshotRecord | undefined {
  if (bytes.length < headBytes || bytes.readUInt32BE(0) !== checksumOf(bytes, origin)) return undefined;
  const [packedJson, packedBody] = [bytes.readUInt32BE(packedJsonAt), bytes.readUInt32BE(packedBodyAt)];
  return headBytes + packedJson + packedBody <= bytes.length
    ? new SnapshotRecord(bytes, packedJson, packedBody)
    : undefined;
}

/** A record with a valid checksum: a view of its bytes, valid until the bytes are overwritten. */
export class SnapshotRecord {
  readonly #bytes: Buffer;
  readonly #bodyStart: number;
  readonly #bodyEnd: number;

  constructor(bytes: Buffer, packedJson: number, packedBody: number) {
    this.#bytes = bytes;
    this.#bodyStart = headBytes + packedJson;
    this.#bodyEnd = this.#bodyStart + packedBody;
  }

  /** The body of an ordinary entry (`isOrdinary`); undefined for any other entry, and for a damaged one. */
  ordinaryBody(): Uint8Array | undefined {
    return (this.#bytes.readUInt32BE(flagsAt) & isOrdinary) === 0 ? undefined : (this.#body() ?? undefined);
  }

  /** The entry; undefined for a damaged one. Never throws, although a hostile record may have a valid checksum and any content. */
  entry(): StoredRobots | undefined {
    const bytes = this.#bytes;
    const json = unpacked(bytes.subarray(headBytes, this.#bodyStart), bytes.readUInt32BE(jsonAt));
    const flags = bytes.readUInt32BE(flagsAt);
    const body = (flags & hasBody) === 0 ? undefined : this.#body();
    const lastBody =
      (flags & hasLastBody) === 0 ? undefined : unpacked(bytes.subarray(this.#bodyEnd), bytes.readUInt32BE(lastBodyAt));
    if (json === null || body === null || lastBody === null) return undefined;
    try {
      const entry = storedOfJson(JSON.parse(Buffer.from(json).toString("utf8")));
      // A missing file must not be treated as an empty one, which allows everything.
      if (entry === undefined || (entry.access === "successful" && body === undefined)) return undefined;
      const { lastCopy } = entry;
      return {
        ...entry,
        ...(body === undefined ? {} : { body }),
        ...(lastCopy === undefined || lastBody === undefined ? {} : { lastCopy: { ...lastCopy, body: lastBody } }),
      };
    } catch {
      return undefined;
    }
  }

  #body(): Uint8Array | null {
    return unpacked(this.#bytes.subarray(this.#bodyStart, this.#bodyEnd), this.#bytes.readUInt32BE(bodyAt));
  }
}

/** The `size` unpacked bytes, which do not share memory with `packed`; null when `packed` is damaged or `size` too large. */
function unpacked(packed: Buffer, size: number): Uint8Array | null {
  if (size > mostBytes) return null;
  const bytes = size === 0 && packed.length === 0 ? packed : unpackedOf(packed, size);
  if (bytes === undefined) return null;
  return bytes === packed ? Uint8Array.prototype.slice.call(packed) : bytes;
}

/** The CRC-32 of the origin and the record. The origin is included so that a record is never read as that of another origin. */
function checksumOf(record: Buffer, origin: string): number {
  return crc32(record.subarray(flagsAt), crc32(origin));
}
