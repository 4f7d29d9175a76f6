// Finds the product token of the crawler that a User-Agent header names (RFC 9110 §10.1.5: products and comments).
import { crawlers } from "./registry.ts";

/** A name in User-Agent headers, and the product token of the crawler that sends this name. */
interface HeaderName {
  /** In lower case; may contain spaces and a version. */
  readonly name: string;
  readonly productToken: string;
}

/** Header names by their first word. */
const names: ReadonlyMap<string, readonly HeaderName[]> = namesByFirstWord();
const longestWord = Math.max(...[...names.keys()].map((word) => word.length));

function namesByFirstWord(): ReadonlyMap<string, readonly HeaderName[]> {
  const byWord = new Map<string, HeaderName[]>();
  for (const { productToken, headerNames } of crawlers) {
    for (const written of headerNames) {
      const name = written.toLowerCase();
      const word = name.slice(0, wordEndOf(name, 0));
      byWord.set(word, [...(byWord.get(word) ?? []), { name, productToken }]);
    }
  }
  for (const list of byWord.values()) list.sort((one, other) => other.name.length - one.name.length);
  return byWord;
}

// Some crawlers send the name of a program that many operators run; only the URL in the header identifies the crawler.
const addresses: ReadonlyMap<string, string> = new Map([["archive.org/details/archive.org_bot", "archive.org_bot"]]);

/** Words before a name that do not claim to be that crawler: "like Googlebot". */
const comparisons: ReadonlySet<string> = new Set([
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
 * The product token of the crawler that a User-Agent header names; undefined for browsers, programs and unknown crawlers. A
 * header proves nothing, because any client can send any header. A name counts only as a whole word, in any case of letters,
 * outside URLs and mail addresses, and not after a word such as "like". If the header begins with the name of another program,
 * the crawler's name also needs a version or must be in a comment. The first name that counts is used. Accepts any string;
 * linear in its length.
 */
export function productTokenOf(userAgentHeader: string): string | undefined {
  const text = userAgentHeader;
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
      byAddress ??= addresses.get(shortAddressOf(text, end + 3, at));
      before = "";
      continue;
    }
    if (next === 0x40) {
      at = addressEndOf(text, end);
      before = "";
      continue;
    }
    const word = end - start <= Math.max(longestWord, 16) ? text.slice(start, end).toLowerCase() : "";
    const found = comparisons.has(before) ? undefined : nameAt(text, start, word);
    if (found !== undefined) {
      const isClaimed = !startsForeign || depth > 0 || text.charCodeAt(start + found.name.length) === 0x2f;
      if (isClaimed) return found.productToken;
    }
    if (isFirst) startsForeign = word !== "mozilla" && word !== "";
    isFirst = false;
    before = word;
    // Skips the version of a product, which is not a name.
    at = next === 0x2f ? wordEndOf(text, end + 1) : end;
  }
  return byAddress;
}

/** The known name that begins with `word` and is in the text at `start` as whole words, or undefined. */
function nameAt(text: string, start: number, word: string): HeaderName | undefined {
  return names.get(word)?.find(({ name }) => {
    const end = start + name.length;
    return (
      (name.length === word.length || text.slice(start, end).toLowerCase() === name) &&
      !(end < text.length && isWordCode(text.charCodeAt(end)))
    );
  });
}

/** Whether a code unit belongs to a word: letters, digits, `-` `.` `_`. */
function isWordCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x5f
  );
}

function wordEndOf(text: string, start: number): number {
  let at = start;
  while (at < text.length && isWordCode(text.charCodeAt(at))) at++;
  return at;
}

const addressEnds: ReadonlySet<number> = new Set(Array.from(" \t()<>[]\"',;", (end) => end.charCodeAt(0)));

/** The end of a URL or mail address: the next white space, bracket, quote, comma or semicolon. */
function addressEndOf(text: string, start: number): number {
  let at = start;
  while (at < text.length && !addressEnds.has(text.charCodeAt(at))) at++;
  return at;
}

function shortAddressOf(text: string, start: number, end: number): string {
  if (end - start > 200) return "";
  const address = text.slice(start, end).toLowerCase();
  return address.startsWith("www.") ? address.slice(4) : address;
}

/** The position after an escape such as `%20` or `%2520`, as some logs write spaces; after a lone `%` the next position. */
function escapeEndOf(text: string, percent: number): number {
  let at = percent + 1;
  if (!isHexPairAt(text, at)) return at;
  while (text.startsWith("25", at) && isHexPairAt(text, at + 2)) at += 2;
  return at + 2;
}

function isHexPairAt(text: string, at: number): boolean {
  return isHexCode(text.charCodeAt(at)) && isHexCode(text.charCodeAt(at + 1));
}

function isHexCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}
