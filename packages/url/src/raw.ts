// Bytes of a URL as they stand in a log in, where its authority and its target end out, for those that need no change at all.
import { tableOf } from "./characters.ts";
import { endsAuthority, inAuthority, inTarget, kindOf, kindOfPair } from "./kinds.ts";

const isUpperHex = new Uint8Array(256);
isUpperHex.set(tableOf("0123456789ABCDEF"));

/** "http" and "s://" as words, their first byte lowest; the latter without its last byte is what follows in "http://". */
const http = 0x70747468;
const secure = 0x2f2f3a73;
const plain = 0x2f2f3a;

// What was read last and is kept until something else is, and the same to be read four bytes at a time: URLs of a block come
// one after another. Its size is that of the view: memory may shrink, or go elsewhere.
let last: Uint8Array = kindOf;
let size = last.length;
let view = new DataView(last.buffer);

/** Whether there are as many bytes as that, which `view` then shows. */
function look(bytes: Uint8Array, least: number): boolean {
  if (least > bytes.length) return false;
  if (bytes !== last || bytes.length !== size) {
    last = bytes;
    size = bytes.length;
    view = new DataView(bytes.buffer, bytes.byteOffset, size);
  }
  return true;
}

/** The position of the first byte that is not of this kind, from `from` on, or `end`. */
function kindEndOf(bytes: Uint8Array, from: number, end: number, kind: number): number {
  const words = view;
  let at = from;
  for (const lastWord = (end < size ? end : size) - 4; at <= lastWord; at += 4) {
    const four = words.getInt32(at, true);
    if ((kindOfPair[four & 0xffff]! & kindOfPair[four >>> 16]! & kind) === 0) break;
  }
  while (at < end && (kindOf[bytes[at]!]! & kind) !== 0) at++;
  return at;
}

/**
 * The position behind the authority of the URL that stands in `bytes` from `start` to `end`, or -1 where the URL does not
 * begin with `http://` or `https://` and a host's first character, or has a control, a space or a byte beyond ASCII in its
 * authority. URLs whose bytes up to there are the same have the same origin, or none.
 */
export function rawAuthorityEndOf(bytes: Uint8Array, start: number, end: number): number {
  if (start + 8 > end || !look(bytes, start + 8)) return -1;
  if (view.getInt32(start, true) !== http) return -1;
  const word = view.getInt32(start + 4, true);
  if (word !== secure && (word & 0xffffff) !== plain) return -1;
  const first = start + (word === secure ? 8 : 7);
  const at = kindEndOf(bytes, first, end, inAuthority);
  if (at === first) return -1;
  if (at === end) return at;
  const code = bytes[at]!;
  return code < 0x80 && endsAuthority[code] === 1 ? at : -1;
}

/**
 * The position behind the target that stands in `bytes` from `start` on, where its authority ends, to the URL's `end`:
 * what {@link parseTarget} gives is those very bytes. -1 where it would give others, as for a target without its `/`.
 */
export function rawTargetEndOf(bytes: Uint8Array, start: number, end: number): number {
  if (start >= end || bytes[start] !== 0x2f || !look(bytes, start + 1)) return -1;
  let at = start + 1;
  for (;;) {
    at = kindEndOf(bytes, at, end, inTarget);
    if (at === end) return at;
    if (bytes[at] !== 0x25) break;
    if (at + 2 >= end || isUpperHex[bytes[at + 1]!] === 0 || isUpperHex[bytes[at + 2]!] === 0) return -1;
    at += 3;
  }
  // Behind a fragment nothing counts but white space, which would have to be cut off first.
  return bytes[at] === 0x23 && isPrintable(bytes[end - 1]!) ? at : -1;
}

function isPrintable(byte: number): boolean {
  return byte > 0x20;
}
