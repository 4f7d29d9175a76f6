// Parses a URL into origin (URL standard §4.4) and target (our own scanner), or finds the reason why it has none; makes the URL of an
// origin's robots.txt (RFC 9309 §2.3). The entry points differ in the function that converts hosts with letters beyond ASCII.
import { targetOf, withoutTabsOf } from "./encode.ts";
import { type Origin, type ParsedTarget, type UrlProblem, UrlError } from "./types.ts";
import { type DomainToAscii, hostOf } from "./host.ts";
import { parsePlain } from "./plain.ts";

/** The default port, which origins omit, for each scheme that has a robots.txt. */
const defaultPorts: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ftp", 21],
]);

/** The `parseTarget` of an entry point whose conversion is `toAscii`. Throws `ERR_NOT_A_STRING`, and any error of `toAscii`. */
export function parseWith(url: string, toAscii: DomainToAscii): ParsedTarget | undefined {
  if (typeof url !== "string") throw new UrlError("ERR_NOT_A_STRING", `Not a string: ${typeof url}`);
  const plain = parsePlain(url);
  if (plain !== undefined) return plain;
  const parsed = parse(url, toAscii);
  return typeof parsed === "string" ? undefined : parsed;
}

/** The `problemOf` of an entry point whose conversion is `toAscii`. Throws `ERR_NOT_A_STRING`, and any error of `toAscii`. */
export function problemWith(url: string, toAscii: DomainToAscii): UrlProblem | undefined {
  if (typeof url !== "string") throw new UrlError("ERR_NOT_A_STRING", `Not a string: ${typeof url}`);
  const parsed = parse(url, toAscii);
  return typeof parsed === "string" ? parsed : undefined;
}

function parse(url: string, toAscii: DomainToAscii): ParsedTarget | UrlProblem {
  const text = cleanedOf(url);
  const colon = schemeEndOf(text);
  if (colon < 0) return "invalid-url";
  const scheme = text.slice(0, colon).toLowerCase();
  const defaultPort = defaultPorts.get(scheme);
  if (defaultPort === undefined) return "unsupported-scheme";

  // The authority follows any number of slashes or backslashes, even none.
  let start = colon + 1;
  while (isSlash(text.charCodeAt(start))) start++;
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (isSlash(code) || code === 0x3f || code === 0x23) break;
  }
  const authority = text.slice(start, end);
  const place = authority.slice(authority.lastIndexOf("@") + 1);

  // A colon within brackets is part of an IPv6 address.
  const portColon = place.indexOf(":", place.startsWith("[") ? place.indexOf("]") + 1 : 0);
  const host = hostOf(portColon < 0 ? place : place.slice(0, portColon), toAscii);
  const port = portColon < 0 ? defaultPort : portOf(place.slice(portColon + 1), defaultPort);
  if (host === undefined || port === undefined) return "invalid-url";
  return {
    origin: `${scheme}://${host}${port === defaultPort ? "" : `:${port}`}`,
    target: targetOf(text, end),
  };
}

/**
 * The URL of an origin's robots.txt: for `https://example.com` it is `https://example.com/robots.txt`.
 * @throws {UrlError} `ERR_NOT_AN_ORIGIN` unless `origin` is written as `parseTarget` writes origins; `ERR_NOT_A_STRING`.
 */
export function robotsUrlOf(origin: Origin): string {
  // No origin has letters beyond ASCII, so no host has to be converted.
  if (parseWith(origin, () => undefined)?.origin !== origin) {
    throw new UrlError("ERR_NOT_AN_ORIGIN", `Not an origin as parseTarget gives it: ${JSON.stringify(origin)}`);
  }
  return `${origin}/robots.txt`;
}

/** The URL without C0 controls and spaces at both ends, and without any TAB, LF and CR: URL standard §4.4. */
function cleanedOf(url: string): string {
  let start = 0;
  let end = url.length;
  while (start < end && url.charCodeAt(start) <= 0x20) start++;
  while (end > start && url.charCodeAt(end - 1) <= 0x20) end--;
  const text = url.slice(start, end);
  return /[\t\n\r]/.test(text) ? withoutTabsOf(text) : text;
}

/** The position of the ":" after a scheme, or -1. A scheme is a letter followed by letters, digits, "+", "-" and ".". */
function schemeEndOf(text: string): number {
  const colon = text.indexOf(":");
  return colon > 0 && /[A-Za-z]/.test(text.charAt(0)) && !/[^A-Za-z0-9+.-]/.test(text.slice(0, colon)) ? colon : -1;
}

function isSlash(code: number): boolean {
  return code === 0x2f || code === 0x5c;
}

/** The port number; undefined for text that is not a port. Empty text means the default port. */
function portOf(text: string, defaultPort: number): number | undefined {
  if (text === "") return defaultPort;
  if (/[^0-9]/.test(text)) return undefined;
  const port = Number(text);
  return port <= 65_535 ? port : undefined;
}
