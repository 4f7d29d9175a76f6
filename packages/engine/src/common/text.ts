// Converts byte strings to text and text to byte strings, and makes text safe for a terminal. A byte string is a Latin-1 string: each of
// its UTF-16 units is one byte of the input, and is written as the same byte. So the output repeats the input byte for byte, in any
// encoding. Only URLs, field names and other interpreted parts are decoded.
import { isUtf8 } from "node:buffer";
import { visibleTextOf } from "@robots-stream/core/internal";

// oxlint-disable-next-line no-control-regex
const beyondAscii = /[^\x00-\x7f]/;

/** The percent-escapes of the bytes beyond ASCII. */
const escapes = Array.from({ length: 0x80 }, (_, code) => `%${(code + 0x80).toString(16).toUpperCase()}`);

/** Decodes the bytes in a Latin-1 string as UTF-8; invalid UTF-8 becomes U+FFFD. */
export function utf8TextOf(bytes: string): string {
  return beyondAscii.test(bytes) ? Buffer.from(bytes, "latin1").toString("utf8") : bytes;
}

/** The UTF-8 bytes of a text, as a Latin-1 string. */
export function byteStringOf(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text, "utf8").toString("latin1") : text;
}

/**
 * Decodes the bytes of a URL in a Latin-1 string. When they are not valid UTF-8, each byte beyond ASCII becomes a percent-escape, as in a
 * request. So U+FFFD never replaces bytes of a URL that is compared with rules.
 */
export function urlTextOf(bytes: string): string {
  if (!beyondAscii.test(bytes)) return bytes;
  const buffer = Buffer.from(bytes, "latin1");
  // Checked before decoding, because a decoder that throws costs microseconds for each invalid URL.
  if (isUtf8(buffer)) return buffer.toString("utf8");
  let text = "";
  for (let at = 0; at < bytes.length; at++) {
    const code = bytes.charCodeAt(at);
    text += code < 0x80 ? bytes[at]! : escapes[code - 0x80]!;
  }
  return text;
}

/**
 * Converts an untrusted text to one line that is safe on a terminal: control characters and invisible characters become escapes, and the
 * text after `maxLength` UTF-16 units is cut off.
 */
export function printableOf(text: string, maxLength = 200): string {
  return visibleTextOf(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
}

/** A URL with only a host and a path: without user information and without a query. */
const plainUrl = /^[a-z][a-z\d+.-]*:\/\/(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[\w./~-]*)?$/i;
/** The beginning of a URL, percent-encoded or not, with any kind and number of slashes. */
const urlBeginning = /^\s*(?:(https?|ftps?|rediss?|socks\d?[ah]?|file)(?::|\\|%(?:25)*3a)|[a-z][a-z\d+.-]*:[\\/]{2})/i;
/** Signs of a name with a password, or of a query, in text that does not begin with a scheme. */
const atSign = /@|%(?:25)*40/i;
const colon = /[:\\]|%(?:25)*3a/i;
const query = /[?&#;][^=]*=|:[\\/]{2}[^?#]*[?#]/;

/**
 * A word of the command line or the environment, in the form that messages show. A word that may contain credentials (a URL with more than
 * host and path, for example) is reduced to its scheme, if known; any other word is shown by `printableOf`.
 */
export function shownWordOf(text: string, maxLength = 200): string {
  const [beginning, scheme] = urlBeginning.exec(text) ?? [];
  const isUrl = beginning !== undefined && !plainUrl.test(text);
  if (isUrl || (atSign.test(text) && colon.test(text)) || query.test(text))
    return scheme === undefined ? "…" : `${scheme}:…`;
  return printableOf(text, maxLength);
}
