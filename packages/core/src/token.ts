// Product tokens (RFC 9309 §2.2.1), and how they and other names are found in user-agent lines.
import { isBlank, isTokenByte, lowerByte } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";

/** Whether a name is a product token (RFC 9309 §2.2.1): not empty, only `[A-Za-z_-]`. Google's parser finds no other names. */
export function isProductToken(name: string): boolean {
  return name !== "" && cutTokenOf(name) === name;
}

/** The leading `[A-Za-z_-]` of a name: the part that Google's parser reads in a user-agent line. */
export function cutTokenOf(name: string): string {
  return /^[A-Za-z_-]*/.exec(name)![0];
}

/**
 * Whether a user-agent value begins with a lower-case name, ASCII case ignored, and then ends or continues with white space,
 * `/`, `*`, `;` or `(`.
 */
export function namesWhole(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  const after = start + name.length;
  if (name.length === 0 || after > end) return false;
  if (!beginsWith(bytes, start, name)) return false;
  if (after === end) return true;
  return endsName(bytes[after]!);
}

/** Whether a byte ends a whole name: white space, `/`, `*`, `;` or `(`. */
export function endsName(byte: number): boolean {
  return isBlank(byte) || byte === 0x2f || byte === 0x2a || byte === 0x3b || byte === 0x28;
}

/** Whether the bytes from `start` on are a lower-case name, ASCII case ignored. */
export function beginsWith(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let at = 0; at < name.length; at++) if (lowerByte(bytes[start + at]!) !== name[at]) return false;
  return true;
}

/** Stands for a length of a product token: the user-agent value is `*` (RFC 9309 §2.2.1). */
export const EVERYBODY = -1;
/** Stands for a length of a product token: the user-agent value names no crawler, not even one with an empty name. */
export const NOBODY = -2;

/** Length of the product token at the start of a user-agent value, {@link EVERYBODY} or {@link NOBODY}. */
export function tokenLengthOf(bytes: Uint8Array, start: number, end: number, dialect: Dialect): number {
  // Google-only: "* text" means `*`, too.
  if (bytes[start] === 0x2a && start < end) {
    if (end === start + 1 || (dialect.cutsTokens && isBlank(bytes[start + 1]!))) return EVERYBODY;
  }
  let at = start;
  while (at < end && isTokenByte(bytes[at]!)) at++;
  // Google-only: a value is cut at the first other byte, and the token may be empty.
  return dialect.cutsTokens || (at === end && at > start) ? at - start : NOBODY;
}
