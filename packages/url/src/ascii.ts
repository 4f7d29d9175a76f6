// The public names of @robots-stream/url/ascii, which parses URLs without the tables of tr46. Hosts with letters beyond ASCII are refused,
// or converted by a function of the caller.
import { type ParsedTarget, type UrlProblem, UrlError } from "./types.ts";
import type { DomainToAscii } from "./host.ts";
import { parseWith, problemWith } from "./parse.ts";

export { type Origin, type ParsedTarget, type UrlErrorCode, type UrlProblem, UrlError } from "./types.ts";
export type { DomainToAscii } from "./host.ts";
export { normalizeTarget } from "./normalize.ts";
export { robotsUrlOf } from "./parse.ts";

/**
 * The reason why this parser finds no origin and target in a text. `non-ascii-host`: the URL has a host that only a `DomainToAscii` can
 * convert.
 */
export type AsciiUrlProblem = UrlProblem | "non-ascii-host";

/** The two functions of a parser that converts hosts with letters beyond ASCII by a function of the caller. */
export interface TargetParser {
  /**
   * Parses a URL like `parseTarget` of `@robots-stream/url`. The results are equal if the caller's function converts hosts as the URL
   * standard does.
   */
  readonly parseTarget: (url: string) => ParsedTarget | undefined;
  /** The reason why `parseTarget` returns undefined; undefined if it returns an origin and target. */
  readonly problemOf: (url: string) => UrlProblem | undefined;
}

/**
 * The result of `parseTarget` of `@robots-stream/url` for a URL whose host is ASCII (after escapes are decoded); undefined for any other
 * host. Never throws for a string; linear in the URL.
 * @throws {UrlError} `ERR_NOT_A_STRING`.
 */
export function parseTarget(url: string): ParsedTarget | undefined {
  return parseWith(url, refuse);
}

/**
 * The reason why {@link parseTarget} returns undefined for a text; undefined if it returns an origin and target.
 * @throws {UrlError} `ERR_NOT_A_STRING`.
 */
export function problemOf(url: string): AsciiUrlProblem | undefined {
  let isBeyondAscii = false;
  const problem = problemWith(url, () => {
    isBeyondAscii = true;
    // Any valid domain will do: a problem that is still found is in another part of the URL.
    return "a";
  });
  return problem === undefined && isBeyondAscii ? "non-ascii-host" : problem;
}

/**
 * Creates a parser that calls `domainToAscii` for each host with letters beyond ASCII. `domainToASCII` of `node:url` is such a function; in
 * any runtime that has `URL.parse`, `(domain) => URL.parse("https://" + domain)?.hostname` is one. `domainToAscii` gets a domain of at most
 * 1,024 UTF-16 code units, without characters that separate the parts of a URL. It must return the domain in ASCII, or undefined or "" for
 * a domain that has no ASCII form. Errors of `domainToAscii` are passed on to the caller of the parser.
 * @throws {UrlError} `ERR_NOT_A_FUNCTION`.
 */
export function createTargetParser(domainToAscii: DomainToAscii): TargetParser {
  if (typeof domainToAscii !== "function") {
    throw new UrlError("ERR_NOT_A_FUNCTION", `Not a function: ${typeof domainToAscii}`);
  }
  const convert: DomainToAscii = (domain) => {
    // These characters were decoded from escapes. If the caller puts the domain into a URL, they would end the domain.
    if (separators.test(domain)) return undefined;
    const ascii = domainToAscii(domain);
    return typeof ascii === "string" && !beyondAscii.test(ascii) ? ascii.toLowerCase() : undefined;
  };
  return {
    parseTarget: (url) => parseWith(url, convert),
    problemOf: (url) => problemWith(url, convert),
  };
}

// oxlint-disable-next-line no-control-regex -- the pattern must match control characters
const separators = /[\x00-\x20#%/:?@[\\\]\x7f]/;
// oxlint-disable-next-line no-control-regex -- the range is all of ASCII
const beyondAscii = /[^\x00-\x7f]/;

function refuse(): undefined {
  return undefined;
}
