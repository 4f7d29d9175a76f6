// A User-Agent header in, the product token of the crawler it names out (RFC 9110 §10.1.5: products and comments).
import { crawlers } from "./registry.ts";

/** A name in headers, and the product token of the crawler that sends it. */
interface HeaderName {
  /** In lower case; may hold spaces and a version. */
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

// Some crawlers send the name of a program that others run too; only the address in the header identifies them.
const addresses: ReadonlyMap<string, string> = new Map([["archive.org/details/archive.org_bot", "archive.org_bot"]]);

/** Words that make the name after them another program's: "like Googlebot". */
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
 * The product token of the crawler whose request carries this User-Agent header; undefined for browsers, programs and
 * unknown crawlers. A header proves nothing: any client can send any. A name counts as a whole word, in
 * any case of letters, where the header claims it: not within a URL or an address, not after "like", and not behind
 * another program's own name without a version. Of several the first counts. Takes any string; linear in it.
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
      // A comparison holds for the next word only: "(KHTML, like Gecko; compatible; …".
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
    // A product's version is not a name.
    at = next === 0x2f ? wordEndOf(text, end + 1) : end;
  }
  return byAddress;
}

/** The known name that begins with this word and stands here as whole words. */
function nameAt(text: string, start: number, word: string): HeaderName | undefined {
  return names.get(word)?.find(({ name }) => {
    const end = start + name.length;
    return (
      (name.length === word.length || text.slice(start, end).toLowerCase() === name) &&
      !(end < text.length && isWordCode(text.charCodeAt(end)))
    );
  });
}

/** Letters, digits, `-` `.` `_`. */
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

/** The end of a URL or mail address: white space, a bracket, a quote, a comma or a semicolon. */
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

/** The end of an escape as some logs write spaces, `%20` or `%2520`; of a lone `%` the next place. */
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
