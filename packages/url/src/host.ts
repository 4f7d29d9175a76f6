// The host's text of an http, https or ftp URL in, the host as the URL standard serializes it out: §3.5, host parser.
import { toASCII } from "tr46";
import { endsInNumber, ipv4Of } from "./ipv4.ts";
import { ipv6Of } from "./ipv6.ts";

/**
 * UTF-16 code units of a host, and of one of its labels, that are looked at when they are not all ASCII. The standard
 * knows no limit, but punycode's cost grows with the square of a label, and DNS carries 253 octets of a name and 63 of
 * a label: each character takes at least one of them, and up to four code units may combine into one character.
 */
const longestHost = 1024;
const longestLabel = 255;

/** Forbidden domain code points: §3.4. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const forbidden = /[\x00-\x20#%/:<>?@[\\\]^|\x7f]/;
// oxlint-disable-next-line no-control-regex -- the whole of ASCII
const notAscii = /[^\x00-\x7f]/;

/**
 * The host in lower case, its escapes decoded, letters beyond ASCII as punycode, addresses in their usual form; or
 * undefined where the standard fails, and for a host that {@link longestHost} or {@link longestLabel} excludes.
 */
export function hostOf(text: string): string | undefined {
  if (text.startsWith("[")) {
    const address = text.endsWith("]") ? ipv6Of(text.slice(1, -1)) : undefined;
    return address === undefined ? undefined : `[${address}]`;
  }
  const decoded = text.includes("%") ? decodedOf(text) : text;
  if (decoded === undefined) return undefined;
  // ASCII is only lowered: the standard lets "xn--" labels stand that would not survive a look at what they encode.
  const domain = notAscii.test(decoded) ? asciiOf(decoded) : decoded.toLowerCase();
  if (domain === undefined || domain === "" || forbidden.test(domain)) return undefined;
  return endsInNumber(domain) ? ipv4Of(domain) : domain;
}

/** Undefined for an invalid escape, which would leave a forbidden "%", and for octets that are not UTF-8, which no domain survives. */
function decodedOf(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Domain to ASCII, not strict: §3.3. */
function asciiOf(domain: string): string | undefined {
  if (domain.length > longestHost) return undefined;
  // UTS 46 maps the other three dots to ".".
  if (domain.split(/[.\u3002\uff0e\uff61]/).some((label) => label.length > longestLabel)) return undefined;
  return toASCII(domain, { checkBidi: true, checkJoiners: true }) ?? undefined;
}
