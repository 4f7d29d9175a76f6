// The origin and target of a URL, or the reason why it has none. The tables of tr46 convert hosts with letters beyond ASCII.
import { toASCII } from "tr46";
import { parseWith, problemWith } from "./parse.ts";
import type { ParsedTarget, UrlProblem } from "./types.ts";

/**
 * The origin and target of an absolute http, https or ftp URL. Undefined for any other text, and for a non-ASCII host of more than 1,024
 * UTF-16 code units or with a label of more than 255. Never throws for a string; takes time linear in the length of the URL; gives the
 * same result in every JavaScript engine with Unicode 17. Both strings may be slices, which keep the whole URL in memory: copy an origin
 * that outlives its URL.
 * @throws {UrlError} `ERR_NOT_A_STRING`.
 */
export function parseTarget(url: string): ParsedTarget | undefined {
  return parseWith(url, domainToAscii);
}

/**
 * The reason why {@link parseTarget} returns undefined for a text; undefined if `parseTarget` returns an origin and target. A
 * text that begins with a scheme without robots.txt is `unsupported-scheme`, whatever follows (`mailto:a@b`, `localhost:80/`).
 * @throws {UrlError} `ERR_NOT_A_STRING`.
 */
export function problemOf(url: string): UrlProblem | undefined {
  return problemWith(url, domainToAscii);
}

function domainToAscii(domain: string): string | undefined {
  return toASCII(domain, { checkBidi: true, checkJoiners: true }) ?? undefined;
}
