// Percent-encodes path patterns to the ASCII form that is compared, and cuts the path out of a URL as Google's parser does.
import { textOf } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";

const hexDigits = "0123456789ABCDEF";
/** The value of each byte as a hex digit; 256 for bytes that are not hex digits. */
const hexValues: Uint16Array = new Uint16Array(256).fill(256);
for (const digits of [hexDigits, hexDigits.toLowerCase()]) {
  for (let value = 0; value < 16; value++) hexValues[digits.charCodeAt(value)] = value;
}

/** Characters neither unreserved nor reserved (RFC 3986 §2.2, §2.3), and `*`, `$`, `#`, `%`, which are handled separately. */
export const isForeign: readonly boolean[] = Array.from({ length: 256 }, (_, byte) =>
  /[^A-Za-z0-9\-._~:/?[\]@!&'()+,;=]/.test(String.fromCharCode(byte)),
);

/**
 * Writes to `out`, from `to` on, the form of a pattern or target `bytes[start, end)` that is compared; returns the position after the last
 * byte written. The result has at most three times as many bytes. Google-only: without `normalizes`, bytes of 0x80 and above become `%XX`, escapes get
 * upper-case digits, and nothing is decoded.
 *
 * With `normalizes`, patterns and targets take the form in which RFC 9309 compares octets (§2.2.2): unreserved characters, and reserved
 * characters except `#`, are raw; all others are `%XX` in upper case. The standard encodes reserved octets on both sides before comparing;
 * leaving them raw on both sides gives the same result. A literal `*` or `$` becomes `%2A` or `%24` (§2.2.3). In a target, every `*` and
 * `$` is literal. In a pattern, a `*` is literal if it is escaped; a `$` is literal if it is escaped or not the last byte. A `%` that
 * begins no escape becomes `%25` (RFC 3986 §2.4).
 */
export function writeCompared(
  bytes: Uint8Array,
  start: number,
  end: number,
  out: Uint8Array,
  to: number,
  normalizes: boolean,
  isPattern: boolean,
): number {
  let at = to;
  for (let from = start; from < end; from++) {
    let byte = bytes[from]!;
    let isRaw = !normalizes
      ? byte < 0x80
      : (isPattern && (byte === 0x2a || (byte === 0x24 && from === end - 1))) || !isForeign[byte];
    if (byte === 0x25 && from + 2 < end) {
      const value = hexValues[bytes[from + 1]!]! * 16 + hexValues[bytes[from + 2]!]!;
      if (value < 256) {
        byte = value;
        isRaw = normalizes && !isForeign[byte];
        from += 2;
      }
    }
    if (isRaw) out[at++] = byte;
    else {
      out[at++] = 0x25;
      out[at++] = hexDigits.charCodeAt(byte >> 4);
      out[at++] = hexDigits.charCodeAt(byte & 15);
    }
  }
  return at;
}

/** A pattern in the form that the dialect compares; without a dialect, in the form that Google's parser compares. */
export function patternOf(bytes: Uint8Array, start: number, end: number, dialect?: Dialect): string {
  const out = new Uint8Array((end - start) * 3);
  return textOf(out, 0, writeCompared(bytes, start, end, out, 0, dialect?.normalizes ?? false, true));
}

/** Whether a target has the form that RFC 9309 compares. */
export function isNormalized(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isForeign[bytes[at]!]) return false;
  return true;
}

/**
 * The path and query of a URL or a path, cut out as Google's parser does: no validation, no lower-casing, no normalization,
 * no fragment. A NUL ends the path. The result is never empty and always starts with `/`. Linear in the URL.
 */
export function pathOf(urlOrPath: string): string {
  return cutPathOf(urlOrPath).split("\0", 1)[0]!;
}

/** The path and query of a URL as `pathOf` cuts them out, but including any NUL and the text after it. */
export function cutPathOf(url: string): string {
  const start = pathOffsetOf(url);
  if (start < 0) return "/";
  const fragment = url.indexOf("#", start);
  const path = url.slice(start, fragment < 0 ? undefined : fragment);
  return path.startsWith("/") ? path : `/${path}`;
}

/**
 * The offset of the path and query in a URL or a path: of the first `/`, `?` or `;`, after the host if there is a scheme or the text begins
 * with `//`. -1 when the path is `/` because the text has none, or a fragment comes first.
 */
export function pathOffsetOf(url: string): number {
  const from = url.charCodeAt(0) === 0x2f && url.charCodeAt(1) === 0x2f ? 2 : 0;
  const at = delimiterFrom(url, from);
  const isAfterScheme = at > from && url.charCodeAt(at - 1) === 0x3a && url.startsWith("//", at);
  return isAfterScheme ? delimiterFrom(url, at + 2) : at;
}

/** The position of the first `/`, `?` or `;` from `from` on; -1 when there is none, or a `#` comes first. */
function delimiterFrom(url: string, from: number): number {
  for (let at = from; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code > 0x3f || (code !== 0x2f && code !== 0x3f && code !== 0x3b && code !== 0x23)) continue;
    return code === 0x23 ? -1 : at;
  }
  return -1;
}
