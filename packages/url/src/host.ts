// Parses the host of an http, https or ftp URL and serializes it as the URL standard does (§3.5, host parser).
import { endsInNumber, ipv4Of, ipv6Of } from "./ip-address.ts";

/**
 * The maximum number of UTF-16 code units of a non-ASCII host and of one of its labels. The standard has no limit, but the cost of punycode
 * grows with the square of a label's length, and DNS allows 253 octets in a name and 63 in a label. Each character takes at least one
 * octet, and up to four code units may combine into one character.
 */
const longestHost = 1024;
const longestLabel = 255;

/** Forbidden domain code points: §3.4. */
// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const forbidden = /[\x00-\x20#%/:<>?@[\\\]^|\x7f]/;
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const notAscii = /[^\x00-\x7f]/;

/** Converts a non-ASCII domain to its ASCII form; returns undefined for a domain that has none. */
export type DomainToAscii = (domain: string) => string | undefined;

/**
 * The host in lower case, with escapes decoded, non-ASCII labels as `toAscii` writes them, and IP addresses in their usual form.
 * Undefined if the standard reports a failure, or if the host exceeds {@link longestHost} or {@link longestLabel}.
 */
export function hostOf(text: string, toAscii: DomainToAscii): string | undefined {
  if (text.startsWith("[")) {
    const address = text.endsWith("]") ? ipv6Of(text.slice(1, -1)) : undefined;
    return address === undefined ? undefined : `[${address}]`;
  }
  const decoded = text.includes("%") ? decodedOf(text) : text;
  if (decoded === undefined) return undefined;
  // An ASCII domain is only converted to lower case: the standard accepts "xn--" labels whose decoded form would be invalid.
  const domain = notAscii.test(decoded) ? asciiOf(decoded, toAscii) : decoded.toLowerCase();
  if (domain === undefined || domain === "" || forbidden.test(domain)) return undefined;
  return endsInNumber(domain) ? ipv4Of(domain) : domain;
}

/** The text with its escapes decoded. Undefined for an invalid escape or invalid UTF-8, since neither gives a valid domain. */
function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const loneSurrogate = /\p{Surrogate}/u;

/** The "domain to ASCII" algorithm, not strict: §3.3. */
function asciiOf(domain: string, toAscii: DomainToAscii): string | undefined {
  // The standard's input has no surrogates. Here UTS 46 could join two lone surrogates into a character by dropping an ignored character
  // between them.
  if (loneSurrogate.test(domain)) return undefined;
  if (domain.length > longestHost) return undefined;
  // UTS 46 maps the other three dots to ".".
  if (domain.split(/[.\u3002\uff0e\uff61]/).some((label) => label.length > longestLabel)) return undefined;
  return toAscii(domain);
}
