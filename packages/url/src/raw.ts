// Bytes of a URL as they stand in a log in, where its authority and its target end out, for those that need no change at all.
import { tableOf } from "./characters.ts";
import { plainTarget } from "./encode.ts";

/** Characters of a target that stay as they are. */
const inTarget = 1;
/** Characters that stand within an authority, whatever they mean there. */
const inAuthority = 2;
const kindOf = new Uint8Array(256);
const endsAuthority = tableOf("/?#\\");
for (let code = 0x21; code < 0x7f; code++) {
  kindOf[code] = plainTarget[code]! * inTarget + (1 - endsAuthority[code]!) * inAuthority;
}

const isUpperHex = new Uint8Array(256);
isUpperHex.set(tableOf("0123456789ABCDEF"));

/**
 * The position behind the authority of the URL that stands in `bytes` from `start` to `end`, or -1 where the URL does not
 * begin with `http://` or `https://` and a host's first character, or has a control, a space or a byte beyond ASCII in its
 * authority. URLs whose bytes up to there are the same have the same origin, or none.
 */
export function rawAuthorityEndOf(bytes: Uint8Array, start: number, end: number): number {
  let at = start + 7;
  if (at >= end || bytes[start] !== 0x68 || bytes[start + 1] !== 0x74) return -1;
  if (bytes[start + 2] !== 0x74 || bytes[start + 3] !== 0x70) return -1;
  if (bytes[start + 4] === 0x73) {
    if (bytes[start + 5] !== 0x3a || bytes[start + 6] !== 0x2f || bytes[at] !== 0x2f) return -1;
    at++;
  } else if (bytes[start + 4] !== 0x3a || bytes[start + 5] !== 0x2f || bytes[start + 6] !== 0x2f) return -1;
  const first = at;
  while (at < end && (kindOf[bytes[at]!]! & inAuthority) !== 0) at++;
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
  if (start >= end || bytes[start] !== 0x2f) return -1;
  let at = start + 1;
  for (;;) {
    while (at < end && (kindOf[bytes[at]!]! & inTarget) !== 0) at++;
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
