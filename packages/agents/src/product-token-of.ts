// Finds the product token of the crawler that a User-Agent header names (RFC 9110 §10.1.5: products and comments).
import { checkArgument } from "./errors.ts";
import { addressEndOf, escapeEndOf, isWordCode, wordEndOf } from "./header-words.ts";
import { crawlers } from "./registry.ts";
import type { Crawler } from "./types.ts";

/** A name in User-Agent headers, and the product token of the crawler that sends this name. */
interface HeaderName {
  /** The name in lower case; may contain spaces and a version. */
  readonly name: string;
  /** The parts of the name between its spaces. */
  readonly parts: readonly string[];
  readonly productToken: string;
}

interface Names {
  /** The names, keyed by their first word. */
  readonly byWord: ReadonlyMap<string, readonly HeaderName[]>;
  readonly longestWord: number;
}

function namesOf(of: readonly Pick<Crawler, "productToken" | "headerNames">[]): Names {
  const byWord = new Map<string, HeaderName[]>();
  for (const { productToken, headerNames } of of) {
    for (const written of headerNames) {
      const name = written.toLowerCase();
      const word = name.slice(0, wordEndOf(name, 0));
      byWord.set(word, [...(byWord.get(word) ?? []), { name, parts: name.split(" "), productToken }]);
    }
  }
  for (const list of byWord.values()) list.sort((one, other) => other.name.length - one.name.length);
  return { byWord, longestWord: Math.max(0, ...[...byWord.keys()].map((word) => word.length)) };
}

// Product tokens keyed by a URL in the header. The crawlers here send the name of a program that many operators run, so only the URL
// identifies them.
const addresses: ReadonlyMap<string, string> = new Map([["archive.org/details/archive.org_bot", "archive.org_bot"]]);

/** The endings of a product's name that mark the product as a crawler. */
const crawlerEnds: readonly string[] = ["bot", "crawler", "spider"];

/** Words after which a crawler's name does not name the sender: "like Googlebot". */
export const comparisons: ReadonlySet<string> = new Set([
  "like",
  "with",
  "following",
  "as",
  "not",
  "no",
  "fake",
  "via",
  "for",
]);

/**
 * Programs that repeat the header of another client, or pretend to be one: services that render pages for crawlers, translators, and
 * App Engine, which adds its name to the header that a program sets. Linear, because no part of the pattern repeats.
 */
const repeaters =
  /(?:^|[^\w-])(?:prerender(?:\.io|cloud)?|rendertron|appengine-google|translate\.google\.com|(?:simulat|emulat)(?:or|ed|ion))(?![\w-])/i;

/**
 * The product token of the crawler that a User-Agent header names; undefined for browsers, other programs and unknown crawlers. A header
 * proves nothing, because any client can send any header. The first name that fulfils these conditions is used. It is a whole word, in any
 * letter case, outside URLs and mail addresses. It does not follow a word such as "like", nor a product that calls itself a crawler
 * ("OtherBot/1.0"), and the header names no program that repeats other clients' headers (Prerender). If the header begins with the name of
 * another program, the crawler's name has a version or is in a comment. Spaces in a name may be written as "+" or as escapes. Without such
 * a name, a URL in the header may identify the crawler (archive.org_bot). Accepts any string; linear in its length.
 */
export const productTokenOf: Recognize = createRecognizer(crawlers, addresses);

/** Finds the product token of the crawler that a header names, as `productTokenOf` does. */
export type Recognize = (userAgentHeader: string) => string | undefined;

/**
 * Makes a function like `productTokenOf` for the crawlers `of`. `byAddress` has the product tokens of crawlers that only a URL in the
 * header identifies, keyed by that URL without scheme and "www.".
 */
export function createRecognizer(
  of: readonly Pick<Crawler, "productToken" | "headerNames">[],
  byAddress: ReadonlyMap<string, string> = new Map(),
): Recognize {
  let names: Names | undefined;
  // The table of names is made at the first call, because a process without headers does not need it.
  return (userAgentHeader) => namedIn(userAgentHeader, (names ??= namesOf(of)), byAddress);
}

function namedIn(text: string, names: Names, tokens: ReadonlyMap<string, string>): string | undefined {
  checkArgument(typeof text === "string", "A User-Agent header is a string");
  let byAddress: string | undefined;
  let before = "";
  let isFirst = true;
  let startsForeign = false;
  let depth = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (!isWordCode(code)) {
      if (code === 0x28) depth++;
      else if (code === 0x29 && depth > 0) depth--;
      // A comparison applies only to the next word: "(KHTML, like Gecko; compatible; …".
      if (code !== 0x20) before = "";
      at = code === 0x25 ? escapeEndOf(text, at) : at + 1;
      continue;
    }
    const start = at;
    const end = wordEndOf(text, at);
    const next = text.charCodeAt(end);
    if (next === 0x3a && text.startsWith("//", end + 1)) {
      at = addressEndOf(text, end + 3);
      byAddress ??= tokens.get(shortAddressOf(text, end + 3, at));
      before = "";
      continue;
    }
    if (next === 0x40) {
      at = addressEndOf(text, end);
      before = "";
      continue;
    }
    const word = end - start <= Math.max(names.longestWord, 16) ? text.slice(start, end).toLowerCase() : "";
    const isComparison = comparisons.has(before);
    const found = isComparison ? undefined : nameAt(names, text, start, word);
    if (found !== undefined) {
      // In a comment, words in front of a name say what it is there for: "(checks GPTBot)", "(emulating Googlebot)".
      const isClaimed =
        depth > 0 ? before === "" || before === "compatible" : !startsForeign || text.charCodeAt(found.end) === 0x2f;
      if (isClaimed) return repeaters.test(text) ? undefined : found.productToken;
    } else if (next === 0x2f && !isComparison && endsAsCrawler(text, start, end)) {
      return byAddress;
    }
    if (isFirst) startsForeign = word !== "mozilla" && word !== "";
    isFirst = false;
    before = word;
    // Skips the version of a product, which is not a name.
    at = next === 0x2f ? wordEndOf(text, end + 1) : end;
  }
  return byAddress;
}

/**
 * The product token and the end of the longest known name that the text has at `start` as whole words; undefined if there is none. `word`
 * is the first word at `start`, in lower case.
 */
function nameAt(
  { byWord }: Names,
  text: string,
  start: number,
  word: string,
): { productToken: string; end: number } | undefined {
  for (const { name, parts, productToken } of byWord.get(word) ?? []) {
    const end = name.length === word.length ? start + name.length : nameEndOf(text, start, parts);
    if (end !== undefined && !(end < text.length && isWordCode(text.charCodeAt(end)))) return { productToken, end };
  }
  return undefined;
}

/** The end of a name in the text at `start`, in any letter case; undefined if the text is not the name. */
function nameEndOf(text: string, start: number, parts: readonly string[]): number | undefined {
  let at: number | undefined = start;
  for (const [index, part] of parts.entries()) {
    if (index > 0) at = blankEndOf(text, at);
    if (at === undefined || text.slice(at, at + part.length).toLowerCase() !== part) return undefined;
    at += part.length;
  }
  return at;
}

/** The end of a space as logs write it: a space, `+`, `%20`, `%2520` or `%2B`; undefined for any other text. */
function blankEndOf(text: string, at: number): number | undefined {
  const code = text.charCodeAt(at);
  if (code === 0x20 || code === 0x2b) return at + 1;
  if (code !== 0x25) return undefined;
  const end = escapeEndOf(text, at);
  const digits = text.slice(end - 2, end).toLowerCase();
  return end - at > 1 && (digits === "20" || digits === "2b") ? end : undefined;
}

/** Whether the word from `start` to `end` has one of `crawlerEnds`. */
function endsAsCrawler(text: string, start: number, end: number): boolean {
  const tail = text.slice(Math.max(start, end - 7), end).toLowerCase();
  return crawlerEnds.some((last) => tail.endsWith(last));
}

function shortAddressOf(text: string, start: number, end: number): string {
  if (end - start > 200) return "";
  const address = text.slice(start, end).toLowerCase();
  return address.startsWith("www.") ? address.slice(4) : address;
}
