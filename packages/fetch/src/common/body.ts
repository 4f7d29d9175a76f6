// Joins the pieces of a body as they arrive, and cuts a body at a size limit so that only whole lines are left (RFC 9309 §2.5): the beginning
// of a rule is not a rule. The memory in use grows with the length of the body, not with the number of pieces.
import type { ExchangeResponse, StoredRobots } from "./types.ts";

/** The beginning of a body. */
export type BodyBeginning = Pick<ExchangeResponse, "body" | "truncated" | "endsLine">;

/** Up to this number of pieces, `Pieces` keeps the pieces themselves, so that each byte is copied only once, at the end. */
const mostPieces = 64;

/** Joins pieces. The caller must not change a piece before calling `whole`. */
export class Pieces {
  #pieces: Uint8Array[] = [];
  /** Contains all bytes once there are more than `mostPieces` pieces: an array of one byte takes more than 100 bytes of memory. */
  #buffer: Uint8Array | undefined;
  #length = 0;

  /** Number of bytes added. */
  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const at = this.#length;
    this.#length += piece.length;
    if (this.#buffer === undefined) {
      this.#pieces.push(piece);
      if (this.#pieces.length <= mostPieces) return;
      this.#buffer = joined(this.#pieces, this.#length, 2 * this.#length);
      this.#pieces = [];
      return;
    }
    if (this.#length > this.#buffer.length) this.#buffer = joined([this.#buffer], at, 2 * this.#length);
    this.#buffer.set(piece, at);
  }

  /** The members of a response with the first `maxBytes` bytes as its body. */
  bodyUpTo(maxBytes: number): BodyBeginning {
    const truncated = this.#length > maxBytes;
    const body = this.whole(maxBytes);
    return truncated && isLineEnd(this.#byteAt(maxBytes)) ? { body, truncated, endsLine: true } : { body, truncated };
  }

  #byteAt(position: number): number {
    if (this.#buffer !== undefined) return this.#buffer[position]!;
    let at = position;
    for (const piece of this.#pieces) {
      if (at < piece.length) return piece[at]!;
      at -= piece.length;
    }
    return 0;
  }

  /** The first `maxBytes` bytes, in a buffer of exactly their size: a piece may be a view of a larger buffer. */
  whole(maxBytes: number): Uint8Array {
    const length = Math.min(this.#length, maxBytes);
    if (this.#buffer !== undefined) return this.#buffer.slice(0, length);
    const [only] = this.#pieces;
    // A piece that is all of its buffer needs no copy.
    if (only !== undefined && only.length === length && only.buffer.byteLength === length) return only;
    return joined(this.#pieces, length, length);
  }
}

/** Copies the first `length` bytes of the pieces to the beginning of a new array of `size` bytes. */
function joined(pieces: readonly Uint8Array[], length: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, length - at), at);
    at += Math.min(piece.length, length - at);
  }
  return bytes;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * The bytes, if they are not more than `maxBytes`; otherwise the whole lines among the first `maxBytes`. A line is whole if it ends at
 * `maxBytes` and its line end follows. Bytes without a line end have no whole line. The result is a view of `bytes`.
 */
export function wholeLinesOf(bytes: Uint8Array, maxBytes: number): Uint8Array {
  if (bytes.length <= maxBytes) return bytes;
  return isLineEnd(bytes[maxBytes]!) ? bytes.subarray(0, maxBytes) : withoutCutLine(bytes.subarray(0, maxBytes));
}

/** The bytes up to the last line end, for bytes that were cut at an unknown place. The result is a view of `bytes`. */
export function withoutCutLine(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && !isLineEnd(bytes[end - 1]!)) end--;
  return bytes.subarray(0, end);
}

/** The whole lines of an entry's body: an entry without `cutAtBytes` may end with a part of a line. */
export function wholeBodyOf({ body, truncated, cutAtBytes }: StoredRobots): Uint8Array | undefined {
  return body !== undefined && truncated === true && cutAtBytes === undefined ? withoutCutLine(body) : body;
}

/** Whether a byte ends a line. */
function isLineEnd(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn;
}
