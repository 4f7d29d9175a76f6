// Bytes of a URL as they stand in a log → where its authority and its target end, for URLs whose text needs no change at all.
import { tableOf } from "./characters.ts";
import { endsAuthority, inAuthority, inTarget, kindOf, kindOfPair } from "./kinds.ts";

const isUpperHex = new Uint8Array(256);
isUpperHex.set(tableOf("0123456789ABCDEF"));

/** "http" and "s://" as words, their first byte lowest; `plain` is "://" of "http://", three bytes. */
const http = 0x70747468;
const secure = 0x2f2f3a73;
const plain = 0x2f2f3a;

/**
 * Scans URLs in buffers. Keeps a view of the buffer that it read last, so a scanner is fastest for URLs of one buffer after
 * another; one scanner serves one reader.
 */
export class RawUrlScanner {
  #bytes: Uint8Array = kindOf;
  /** `#bytes.length` when `#view` was made: a resizable buffer may shrink, a transferred one has no bytes. */
  #size: number = kindOf.length;
  /** The same bytes, to be read four at a time. */
  #view: DataView = new DataView(kindOf.buffer);

  /**
   * The position behind the authority of the URL that stands in `bytes` from `start` to `end`, or -1 where the URL does not
   * begin with `http://` or `https://` and a host's first character, or has a control, a space or a byte beyond ASCII in its
   * authority. URLs whose bytes up to there are the same have the same origin, or none.
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
   * The position behind the target that stands in `bytes` from `start` on, where its authority ends, to the URL's `end`:
   * what `parseTarget` gives is those very bytes. -1 where it would give others, as for a target without its `/`.
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
    // Behind a fragment nothing counts but white space, which would have to be cut off first.
    return bytes[at] === 0x23 && isPrintable(bytes[end - 1]!) ? at : -1;
  }

  /** Makes `#view` show `bytes`; false where there are fewer than `least`. */
  #open(bytes: Uint8Array, least: number): boolean {
    if (least > bytes.length) return false;
    if (bytes !== this.#bytes || bytes.length !== this.#size) {
      this.#bytes = bytes;
      this.#size = bytes.length;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return true;
  }

  /** The position of the first byte that is not of this kind, from `from` on, or `end`. `#view` shows `bytes`. */
  #kindEndOf(bytes: Uint8Array, from: number, end: number, kind: number): number {
    const view = this.#view;
    const size = this.#size;
    let at = from;
    // All bytes before `at` are of this kind; four are looked at together as long as four are left.
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
