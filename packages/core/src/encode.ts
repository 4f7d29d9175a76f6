// Percent-encoding: a path pattern's bytes → the ASCII that is compared; a URL → its path, as Google's parser cuts it.
import { textOf, utf8Of } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";

const hexDigits = "0123456789ABCDEF";
const isHexDigit: Uint8Array = new Uint8Array(256);
for (const digit of "0123456789abcdefABCDEF") isHexDigit[digit.charCodeAt(0)] = 1;

/** Value of a hex digit's byte, or -1. */
function hexValueOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * Writes the escaped form of a range of bytes to `out` from `to` on and gives the position after it; needs at most
 * three times the range. Bytes of 0x80 and above become `%XX`, escapes get upper-case digits, nothing is decoded.
 * Google-only: this is all the normalization patterns get; RFC 9309 §2.2.2 asks for more.
 */
export function writeEscaped(bytes: Uint8Array, start: number, end: number, out: Uint8Array, to: number): number {
  let at = to;
  for (let from = start; from < end; from++) {
    const byte = bytes[from]!;
    if (byte >= 0x80) {
      out[at++] = 0x25;
      out[at++] = hexDigits.charCodeAt(byte >> 4);
      out[at++] = hexDigits.charCodeAt(byte & 15);
    } else if (byte === 0x25 && from + 2 < end && isHexDigit[bytes[from + 1]!]! + isHexDigit[bytes[from + 2]!]! === 2) {
      out[at++] = 0x25;
      out[at++] = upperHex(bytes[from + 1]!);
      out[at++] = upperHex(bytes[from + 2]!);
      from += 2;
    } else out[at++] = byte;
  }
  return at;
}

function upperHex(byte: number): number {
  return byte >= 0x61 ? byte - 0x20 : byte;
}

/**
 * Writes the form in which RFC 9309 compares octets (§2.2.2), the same for a pattern and for a target: `%XX` in upper
 * case for all that is neither unreserved nor reserved (RFC 3986 §2.2, §2.3), the raw character for what is. The
 * standard has reserved octets encoded on both sides before comparing; left raw on both sides they compare alike.
 * `*` and `$` that are meant literally are written `%2A` and `%24` (§2.2.3): in a target all of them, in a pattern
 * the escaped ones and a `$` before the end. A `%` that begins no escape stands for itself, `%25` (RFC 3986 §2.4).
 * Needs at most three times the range.
 */
function writeNormalized(
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Uint8Array,
  to: number,
  isPattern: boolean,
): number {
  let at = to;
  for (let from = start; from < end; from++) {
    let byte = bytes[from]!;
    let special = isPattern && (byte === 0x2a || (byte === 0x24 && from === end - 1));
    if (byte === 0x25 && from + 2 < end) {
      const high = hexValueOf(bytes[from + 1]!);
      const low = hexValueOf(bytes[from + 2]!);
      if (high >= 0 && low >= 0) {
        byte = high * 16 + low;
        special = false;
        from += 2;
      }
    }
    if (special || uriCharacters[byte] === 1) out[at++] = byte;
    else {
      out[at++] = 0x25;
      out[at++] = hexDigits.charCodeAt(byte >> 4);
      out[at++] = hexDigits.charCodeAt(byte & 15);
    }
  }
  return at;
}

/** Writes a pattern as a dialect compares it; gives the position after it. Needs at most three times the range. */
export function writePattern(
  bytes: Uint8Array,
  start: number,
  end: number,
  dialect: Dialect,
  out: Uint8Array,
  to: number,
): number {
  return dialect.normalizes
    ? writeNormalized(bytes, start, end, out, to, true)
    : writeEscaped(bytes, start, end, out, to);
}

/** A pattern as a dialect compares it. */
export function patternOf(bytes: Uint8Array, start: number, end: number, dialect: Dialect): string {
  const out = new Uint8Array((end - start) * 3);
  return textOf(out, 0, writePattern(bytes, start, end, dialect, out, 0));
}

/** Unreserved and reserved characters (RFC 3986 §2.2, §2.3) but for `*` and `$`, which are written apart, and `#`; no `%`. */
const uriCharacters: Uint8Array = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=") {
  uriCharacters[character.charCodeAt(0)] = 1;
}

/** A target in the form in which RFC 9309 compares it; linear in the target. */
export function normalizedTargetOf(target: string): string {
  if (!/[^A-Za-z0-9\-._~:/?[\]@!&'()+,;=]/.test(target)) return target;
  const bytes = utf8Of(target);
  const out = new Uint8Array(bytes.length * 3);
  return textOf(out, 0, writeNormalized(bytes, 0, bytes.length, out, 0, false));
}

/** The position of the first `/`, `?` or `;` from `from` on, or -1. */
function pathStartOf(url: string, from: number): number {
  for (let at = from; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code === 0x2f || code === 0x3f || code === 0x3b) return at;
  }
  return -1;
}

/**
 * The path and query of a URL, or of a path, as Google's parser cuts it out: no validation, no lower-casing, no
 * normalization; the fragment is dropped; never empty and always starting with `/`. Linear in the URL.
 */
export function pathOf(urlOrPath: string): string {
  const cut = cutPathOf(urlOrPath);
  const nul = cut.indexOf("\0");
  return nul < 0 ? cut : cut.slice(0, nul);
}

/**
 * Where the path starts in a URL (or a path) whose rest from there on is the path: the usual case, in which nothing
 * has to be copied. -1 when there is a fragment, a NUL, or a path that does not begin with `/`.
 */
export function pathOffsetOf(url: string): number {
  const size = url.length;
  let at = 0;
  let code = 0;
  while (at < size && (code = url.charCodeAt(at)) !== 0x2f && code !== 0x3f && code !== 0x3b) at++;
  if (at === size || code !== 0x2f) return -1;
  if (url.charCodeAt(at + 1) === 0x2f) {
    if (at === 0) return -1;
    if (url.charCodeAt(at - 1) === 0x3a) {
      at += 2;
      while (at < size && (code = url.charCodeAt(at)) !== 0x2f && code !== 0x3f && code !== 0x3b) at++;
      if (at === size || code !== 0x2f) return -1;
    }
  }
  return url.includes("#") || url.includes("\0") ? -1 : at;
}

/** The path as it is cut out of the URL, before it ends at its first NUL. */
export function cutPathOf(url: string): string {
  const from = url.startsWith("//") ? 2 : 0;
  const early = pathStartOf(url, from);
  const protocolEnd = url.indexOf("://", from);
  const start = protocolEnd < 0 || (early >= 0 && early < protocolEnd) ? from : protocolEnd + 3;
  const pathStart = start === from ? early : pathStartOf(url, start);
  if (pathStart < 0) return "/";
  const fragment = url.indexOf("#", from);
  if (fragment >= 0 && fragment < pathStart) return "/";
  const path = fragment < 0 ? url.slice(pathStart) : url.slice(pathStart, fragment);
  return path.charCodeAt(0) === 0x2f ? path : `/${path}`;
}
