// Matchers of one file in two dialects in; whether they give equal decisions for all targets that no dialect changes, out.
import { RulesMatcher } from "./match.ts";
import { nextEntry } from "./rule-block.ts";
import { DISALLOWS, headSize, octetsOf, patternLengthAt } from "./rules.ts";
import type { Matcher } from "./types.ts";

/** The bytes that normalization leaves as they are (RFC 9309 §2.2.2); with any other byte, dialects may compare different texts. */
const isPlain = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=") {
  isPlain[character.charCodeAt(0)] = 1;
}

const robotsTxt = "/robots.txt";

/** Whether every dialect compares a target as it is, and has no rule of its own about it, as there is about /robots.txt (§2.2.2). */
export function isPlainTarget(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isPlain[bytes[at]!] === 0) return false;
  if (end - start !== robotsTxt.length) return true;
  for (let at = 0; at < robotsTxt.length; at++) if (bytes[start + at] !== robotsTxt.charCodeAt(at)) return true;
  return false;
}

/**
 * Whether two matchers surely give equal decisions for every target that {@link isPlainTarget} accepts: they have the same rules, and
 * both dialects rank them in the same order. False says nothing.
 */
export function decideAlike(one: Matcher, other: Matcher): boolean {
  if (!(one instanceof RulesMatcher) || !(other instanceof RulesMatcher)) return false;
  const [a, b] = [one.rules, other.rules];
  if (a.ground !== b.ground || a.entries.length !== b.entries.length) return false;
  if (one.tokens.length > 1 || one.tokens.length !== other.tokens.length || one.tokens[0] !== other.tokens[0])
    return false;
  if (!areEqual(a.entries, b.entries)) return false;
  if (one.dialect.countsLiteralOctets === other.dialect.countsLiteralOctets) return true;
  const byLength = strongestFirst(a.entries, false);
  return strongestFirst(a.entries, true).every((entry, at) => entry === byLength[at]);
}

/** Whether entries are equal; what is in the gaps between them has no meaning. */
function areEqual(entries: Uint8Array, others: Uint8Array): boolean {
  for (let entry = 0; entry < entries.length; entry = nextEntry(entries, entry)) {
    const end = entry + headSize + patternLengthAt(entries, entry);
    for (let at = entry; at < end; at++) if (entries[at] !== others[at]) return false;
  }
  return true;
}

/** The positions of all entries, the strongest first: that with more octets, then one that allows, then the first in the file. */
function strongestFirst(entries: Uint8Array, countsLiterals: boolean): readonly number[] {
  const ranked: { readonly at: number; readonly octets: number; readonly disallows: number }[] = [];
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    const start = at + headSize;
    const octets = octetsOf(entries, start, start + patternLengthAt(entries, at), countsLiterals);
    ranked.push({ at, octets, disallows: entries[at]! & DISALLOWS });
  }
  return ranked
    .toSorted((one, other) => other.octets - one.octets || one.disallows - other.disallows || one.at - other.at)
    .map(({ at }) => at);
}
