// A URL's text in, its origin and target, or why it has none, out: URL standard §4.4 for the origin, our own scanner for the target.
import { targetOf, withoutTabsOf } from "./encode.ts";
import { UrlError } from "./errors.ts";
import { hostOf } from "./host.ts";
import { parsePlain } from "./plain.ts";
import type { ParsedTarget, UrlProblem } from "./types.ts";

/** Ports that an origin leaves out, by scheme; all schemes that have a robots.txt. */
const defaultPorts: ReadonlyMap<string, number> = new Map([
  ["http", 80],
  ["https", 443],
  ["ftp", 21],
]);

/**
 * Origin and target of an absolute http, https or ftp URL, or undefined for any other text, and for a host with other
 * letters than ASCII that is longer than DNS could ever carry. Never throws for a string; linear in the URL; the same in
 * every JavaScript engine whose Unicode is 17. Both strings may be slices that keep the text alive they are cut from:
 * to keep an origin longer than its URL, keep a copy.
 * @throws {UrlError} `ERR_NOT_A_STRING`.
 */
export function parseTarget(url: string): ParsedTarget | undefined {
  if (typeof url !== "string") throw new UrlError("ERR_NOT_A_STRING", `Not a string: ${typeof url}`);
  const plain = parsePlain(url);
  if (plain !== undefined) return plain;
  const parsed = parse(url);
  return typeof parsed === "string" ? undefined : parsed;
}

/**
 * Why {@link parseTarget} gives undefined, or undefined where it gives an origin and target. What begins with a scheme
 * that has no robots.txt is `unsupported-scheme`, with anything after the scheme (`mailto:a@b`, `localhost:80/`).
 * @throws {UrlError} `ERR_NOT_A_STRING`.
 */
export function problemOf(url: string): UrlProblem | undefined {
  if (typeof url !== "string") throw new UrlError("ERR_NOT_A_STRING", `Not a string: ${typeof url}`);
  const parsed = parse(url);
  return typeof parsed === "string" ? parsed : undefined;
}

function parse(url: string): ParsedTarget | UrlProblem {
  const text = cleanedOf(url);
  const colon = schemeEndOf(text);
  if (colon < 0) return "invalid-url";
  const scheme = text.slice(0, colon).toLowerCase();
  const defaultPort = defaultPorts.get(scheme);
  if (defaultPort === undefined) return "unsupported-scheme";

  // Any number of slashes of either kind, none included, leads to the authority.
  let start = colon + 1;
  while (isSlash(text.charCodeAt(start))) start++;
  let end = start;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (isSlash(code) || code === 0x3f || code === 0x23) break;
  }
  const authority = text.slice(start, end);
  const place = authority.slice(authority.lastIndexOf("@") + 1);

  // Within brackets a colon is part of the address.
  const portColon = place.indexOf(":", place.startsWith("[") ? place.indexOf("]") + 1 : 0);
  const host = hostOf(portColon < 0 ? place : place.slice(0, portColon));
  const port = portColon < 0 ? defaultPort : portOf(place.slice(portColon + 1), defaultPort);
  if (host === undefined || port === undefined) return "invalid-url";
  return {
    origin: `${scheme}://${host}${port === defaultPort ? "" : `:${port}`}`,
    target: targetOf(text, end),
  };
}

/** Without C0 controls and spaces around it, and without TAB, LF and CR anywhere: URL standard §4.4. */
function cleanedOf(url: string): string {
  let start = 0;
  let end = url.length;
  while (start < end && url.charCodeAt(start) <= 0x20) start++;
  while (end > start && url.charCodeAt(end - 1) <= 0x20) end--;
  const text = url.slice(start, end);
  return /[\t\n\r]/.test(text) ? withoutTabsOf(text) : text;
}

/** The position of the ":" behind a scheme, a letter and then letters, digits, "+", "-", "."; -1 where there is none. */
function schemeEndOf(text: string): number {
  const colon = text.indexOf(":");
  return colon > 0 && /[A-Za-z]/.test(text.charAt(0)) && !/[^A-Za-z0-9+.-]/.test(text.slice(0, colon)) ? colon : -1;
}

function isSlash(code: number): boolean {
  return code === 0x2f || code === 0x5c;
}

/** The port's number, or undefined for what is none; nothing behind the colon means the default. */
function portOf(text: string, defaultPort: number): number | undefined {
  if (text === "") return defaultPort;
  if (/[^0-9]/.test(text)) return undefined;
  const port = Number(text);
  return port <= 65_535 ? port : undefined;
}
