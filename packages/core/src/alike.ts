// Tells whether the matchers of one file in two dialects give equal decisions for all targets that no dialect changes.
import { RulesMatcher } from "./match.ts";
import { nextEntry } from "./rule-block.ts";
import { DISALLOWS, gapShift, headSize, octetsOf, patternLengthAt } from "./rules.ts";
import type { Matcher } from "./types.ts";

/** The bytes that normalization leaves as they are (RFC 9309 §2.2.2); with any other byte, dialects may compare different texts. */
const isPlain = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=") {
  isPlain[character.charCodeAt(0)] = 1;
}

const robotsTxt = "/robots.txt";

/** Whether every dialect compares a target unchanged, and no dialect treats it specially, as rfc9309 treats /robots.txt (§2.2.2). */
export function isPlainTarget(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isPlain[bytes[at]!] === 0) return false;
  if (end - start !== robotsTxt.length) return true;
  for (let at = 0; at < robotsTxt.length; at++) if (bytes[start + at] !== robotsTxt.charCodeAt(at)) return true;
  return false;
}

/**
 * Whether two matchers surely give equal decisions for every target that {@link isPlainTarget} accepts: they have the same rules, and both
 * dialects rank them in the same order. If it returns false, the decisions may still be equal.
 */
export function decideAlike(one: Matcher, other: Matcher): boolean {
  if (!(one instanceof RulesMatcher) || !(other instanceof RulesMatcher)) return false;
  if (one.rules.ground !== other.rules.ground) return false;
  // A decision contains a product token of the crawler only if a group names the crawler.
  if (one.rules.ground === "named" && !(one.tokens.length === 1 && sameToken(one, other))) return false;
  const [a, b] = [entriesOf(one), entriesOf(other)];
  if (a.length !== b.length || !a.every((entry, at) => areEqual(entry, b[at]!))) return false;
  const [byOne, byOther] = [strongestFirst(a), strongestFirst(b)];
  return byOne.every((entry, at) => entry.number === byOther[at]!.number);
}

function sameToken(one: RulesMatcher, other: RulesMatcher): boolean {
  return one.tokens.length === other.tokens.length && one.tokens[0] === other.tokens[0];
}

/** A rule: its number in the file's order, its bytes without the gap that may follow them, and its rank. */
interface Entry {
  readonly number: number;
  readonly mark: number;
  readonly bytes: Uint8Array;
  readonly octets: number;
}

/** The bits of a mark below those that hold the length of the gap. */
const markBits = (1 << gapShift) - 1;

function entriesOf({ rules: { entries }, dialect }: RulesMatcher): readonly Entry[] {
  const found: Entry[] = [];
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    const start = at + headSize;
    const end = start + patternLengthAt(entries, at);
    const octets = octetsOf(entries, start, end, dialect.countsLiteralOctets);
    found.push({ number: found.length, mark: entries[at]! & markBits, bytes: entries.subarray(at + 1, end), octets });
  }
  return found;
}

function areEqual(one: Entry, other: Entry): boolean {
  return (
    one.mark === other.mark &&
    one.bytes.length === other.bytes.length &&
    one.bytes.every((byte, at) => byte === other.bytes[at])
  );
}

/** Sorts the strongest rule first: more octets win, then allow over disallow, then the earlier rule in the file. */
function strongestFirst(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted(
    (one, other) =>
      other.octets - one.octets || (one.mark & DISALLOWS) - (other.mark & DISALLOWS) || one.number - other.number,
  );
}
