// Finds the end of the authority in the bytes of a URL, and the end of the target if the target needs no change.
import { tableOf } from "./characters.ts";
import { endsAuthority, inAuthority, inTarget, kindOf, kindOfPair } from "./kinds.ts";

const isUpperHex = new Uint8Array(256);
isUpperHex.set(tableOf("0123456789ABCDEF"));

/** "http" and "s://" as little-endian words; `plain` is the three bytes "://" of "http://". */
const http = 0x70747468;
const secure = 0x2f2f3a73;
const plain = 0x2f2f3a;

/**
 * Scans URLs in buffers. A scanner keeps a view of the last buffer, so it is fastest when consecutive URLs are in the same
 * buffer. A program that reads several inputs by turns should have a scanner for each input.
 */
export class RawUrlScanner {
  #bytes: Uint8Array = kindOf;
  /** `#bytes.length` when `#view` was made. The length changes when the buffer is resized or transferred. */
  #size: number = kindOf.length;
  /** A view of `#bytes`, to read four bytes at a time. */
  #view: DataView = new DataView(kindOf.buffer);

  /**
   * The position after the authority of the URL in `bytes` from `start` to `end`. -1 if the URL does not begin with `http://` or
   * `https://` and a non-empty authority, or if the authority has a control character, a space or a non-ASCII byte. URLs with
   * the same bytes up to this position have the same origin, or none of them has an origin.
   */
  authorityEndOf(bytes: Uint8Array, start: number, end: number): number {
    if (start + 8 > end || !this.#open(bytes, start + 8)) return -1;
    const view = this.#view;
    if (view.getInt32(start, true) !== http) return -1;
    const word = view.getInt32(start + 4, true);
    if (word !== secure && (word & 0xffffff) !== plain) return -1;
    const first = start + (word === secure ? 8 : 7);
    const at = this.#kindEndOf(bytes, first, end, inAuthority);
    if (at === first) return -1;
    if (at === end) return at;
    const code = bytes[at]!;
    return code < 0x80 && endsAuthority[code] === 1 ? at : -1;
  }

  /**
   * The position after the target of a URL whose authority ends at `start` and whose last byte is before `end`. The target that
   * `parseTarget` returns is exactly the bytes from `start` to this position. -1 if `parseTarget` would change the target, for example add
   * a missing `/`. Also -1 if the target has an invalid escape, or if the fragment ends in white space or a control character.
   */
  targetEndOf(bytes: Uint8Array, start: number, end: number): number {
    if (start >= end || bytes[start] !== 0x2f || !this.#open(bytes, start + 1)) return -1;
    let at = start + 1;
    for (;;) {
      at = this.#kindEndOf(bytes, at, end, inTarget);
      if (at === end) return at;
      if (bytes[at] !== 0x25) break;
      if (at + 2 >= end || isUpperHex[bytes[at + 1]!] === 0 || isUpperHex[bytes[at + 2]!] === 0) return -1;
      at += 3;
    }
    // A fragment may have any text, except white space at the end, which would have to be cut off first.
    return bytes[at] === 0x23 && isPrintable(bytes[end - 1]!) ? at : -1;
  }

  /** Makes `#view` a view of `bytes`; returns false if there are fewer than `least` bytes. */
  #open(bytes: Uint8Array, least: number): boolean {
    if (least > bytes.length) return false;
    if (bytes !== this.#bytes || bytes.length !== this.#size) {
      this.#bytes = bytes;
      this.#size = bytes.length;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return true;
  }

  /** The position of the first byte from `from` on that is not of `kind`, or `end`. `#view` must be a view of `bytes`. */
  #kindEndOf(bytes: Uint8Array, from: number, end: number, kind: number): number {
    const view = this.#view;
    const size = this.#size;
    let at = from;
    // Invariant: all bytes from `from` to `at` are of this kind. Four bytes are checked at once while four are left.
    for (const lastWord = (end < size ? end : size) - 4; at <= lastWord; at += 4) {
      const four = view.getInt32(at, true);
      if ((kindOfPair[four & 0xffff]! & kindOfPair[four >>> 16]! & kind) === 0) break;
    }
    while (at < end && (kindOf[bytes[at]!]! & kind) !== 0) at++;
    return at;
  }
}

function isPrintable(byte: number): boolean {
  return byte > 0x20;
}
