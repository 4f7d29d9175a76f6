// Finds product tokens and other names of crawlers in user-agent lines (RFC 9309 §2.2.1).
import { isBlank, isTokenByte, lowerByte } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";
import { CoreError, shownValueOf } from "./errors.ts";
import type { TokenMatch } from "./types.ts";

/** Whether a name is a product token (RFC 9309 §2.2.1): non-empty, only `[A-Za-z_-]`. Google's parser finds no other names. */
export function isProductToken(name: string): boolean {
  return /^[A-Za-z_-]+$/.test(name);
}

/**
 * The names to look for. A list is used as given, and so is any string if `tokenMatch` is `"whole"`. Otherwise a string shaped like a
 * User-Agent header (with "/" and a version, or a comment) is replaced by the product token at its start or, if that is "Mozilla", after
 * "compatible;". The unchanged string would name no group, and the groups for `*` would decide. Throws a {@link CoreError} with code
 * `ERR_NO_PRODUCT_TOKEN` if the product token in such a string is uncertain, for a URL, a path or a file, as with swapped arguments, and for
 * a value that is neither a string nor a list of strings.
 */
export function tokensOf(productTokens: string | readonly string[], tokenMatch: TokenMatch): readonly string[] {
  if (typeof productTokens === "string") {
    if (tokenMatch === "whole" || !/\/ ?v?\d|\(|^\/|^\w+:\/\/|\n/.test(productTokens)) return [productTokens];
    const [, first, second] =
      /^(?!mozilla\b)([a-z_-]+)(?:\/ ?v?\d| ?\()|^mozilla\b.*?compatible; ([a-z_-]+)\/ ?v?\d/i.exec(productTokens) ??
      [];
    const token = first ?? second;
    if (token !== undefined) return [token];
    // A caller in JavaScript may pass any value.
  } else if (productTokens?.every?.((token) => typeof token === "string")) return [...productTokens];
  throw new CoreError(
    "ERR_NO_PRODUCT_TOKEN",
    `${shownValueOf(productTokens)} is a User-Agent header, a URL, or not a string.`,
  );
}

/**
 * Whether a user-agent value begins with `name` (given in lower case; ASCII case is ignored) and then ends or continues with
 * white space, `/`, `*`, `;` or `(`.
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

/** The end of the whole name at the start of a user-agent value. */
export function endOfName(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && !endsName(bytes[at]!)) at++;
  return at;
}

/** Whether the bytes from `start` on begin with `name`, given in lower case; ASCII case is ignored. */
export function beginsWith(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let at = 0; at < name.length; at++) if (lowerByte(bytes[start + at]!) !== name[at]) return false;
  return true;
}

/** A result in place of the length of a product token: the user-agent value is `*` (RFC 9309 §2.2.1). */
export const EVERYBODY = -1;
/** A result in place of the length of a product token: the value is not a product token, and the dialect does not cut it to one. */
export const NOBODY = -2;

/** The length of the product token at the start of a user-agent value, or {@link EVERYBODY} or {@link NOBODY}. */
export function tokenLengthOf(bytes: Uint8Array, start: number, end: number, dialect: Dialect): number {
  // Google-only: "* text" also means `*`.
  if (bytes[start] === 0x2a && start < end) {
    if (end === start + 1 || (dialect.cutsTokens && isBlank(bytes[start + 1]!))) return EVERYBODY;
  }
  let at = start;
  while (at < end && isTokenByte(bytes[at]!)) at++;
  // Google-only: a value is cut at the first byte outside `[A-Za-z_-]`, so the token may be empty.
  return dialect.cutsTokens || (at === end && at > start) ? at - start : NOBODY;
}
