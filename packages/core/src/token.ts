// Product tokens: what is one (RFC 9309 §2.2.1), and how names that are none are found in user-agent lines.
import { isTokenByte, lowerByte } from "./bytes.ts";

/** Whether a name is a product token as RFC 9309 §2.2.1 has it: not empty, only `[A-Za-z_-]`. Google's parser finds no other. */
export function isProductToken(name: string): boolean {
  return /^[A-Za-z_-]+$/.test(name);
}

/** The leading `[A-Za-z_-]` of a name: all that Google's parser sees of it in a user-agent line. */
export function cutTokenOf(name: string): string {
  let end = 0;
  while (end < name.length && name.charCodeAt(end) < 0x80 && isTokenByte(name.charCodeAt(end))) end++;
  return name.slice(0, end);
}

/**
 * Whether a user-agent value is the whole lower-case name: equal to it without regard to ASCII case, or going on
 * after it with white space, `/`, `*`, `;` or `(`.
 */
export function namesWhole(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  const after = start + name.length;
  if (name.length === 0 || after > end) return false;
  for (let at = 0; at < name.length; at++) if (lowerByte(bytes[start + at]!) !== name[at]) return false;
  if (after === end) return true;
  const next = bytes[after]!;
  return (next >= 0x09 && next <= 0x0d) || next === 0x20 || next === 0x2f || next === 0x2a || next === 0x3b || next === 0x28;
}
