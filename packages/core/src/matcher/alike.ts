// Finds the targets that two matchers of one file, each in its own dialect, are sure to decide equally.
import { DISALLOWS, gapShift, headSize, nextEntry, octetsOf, patternLengthAt } from "../match/entries.ts";
import { RulesMatcher } from "./match.ts";
import type { Matcher } from "../read/types.ts";

/** The bytes that normalization never changes (RFC 9309 §2.2.2). Two dialects may normalize a target that has other bytes differently. */
const isPlain = new Uint8Array(256);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=") {
  isPlain[character.charCodeAt(0)] = 1;
}

const robotsTxt = "/robots.txt";
const star = 0x2a;
const percent = 0x25;
/** With more rules than this, the pairs of rules are not compared. */
const mostPaired = 200;

/**
 * Whether the target `bytes[start, end)` is plain: normalization changes none of its bytes, and it is not `/robots.txt`, which rfc9309
 * always allows (§2.2.2).
 */
export function isPlainTarget(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    if (isPlain[bytes[at]!] === 1) continue;
    if (bytes[at] !== percent || at + 2 >= end || !isBeyondAscii(bytes[at + 1]!, bytes[at + 2]!)) return false;
    at += 2;
  }
  if (end - start !== robotsTxt.length) return true;
  for (let at = 0; at < robotsTxt.length; at++) if (bytes[start + at] !== robotsTxt.charCodeAt(at)) return true;
  return false;
}

/** Whether two bytes are upper-case hex digits of an octet of 0x80 or above. No dialect changes the escape of such an octet. */
function isBeyondAscii(high: number, low: number): boolean {
  const isHigh = high === 0x38 || high === 0x39 || (high >= 0x41 && high <= 0x46);
  return isHigh && ((low >= 0x30 && low <= 0x39) || (low >= 0x41 && low <= 0x46));
}

/** The plain targets ({@link isPlainTarget}) that two matchers surely decide equally: all, only targets that no rule matches, or none. */
export type Alikeness = "all" | "unmatched" | "none";

/**
 * Returns the plain targets that two matchers surely decide equally. `"unmatched"`: both matchers have the same rules. `"all"`: in
 * addition, of any two rules that can match the same target, both dialects prefer the same one. Other decisions may still be equal.
 */
export function alikenessOf(one: Matcher, other: Matcher): Alikeness {
  if (!(one instanceof RulesMatcher) || !(other instanceof RulesMatcher)) return "none";
  if (one.rules.ground !== other.rules.ground) return "none";
  if (one.rules.tables.length !== 1 || other.rules.tables.length !== 1) return "none";
  // A decision contains a product token of the crawler only if a group names the crawler.
  if (one.rules.ground === "named" && !(one.tokens.length === 1 && sameToken(one, other))) return "none";
  const [a, b] = [entriesOf(one), entriesOf(other)];
  if (a.length !== b.length || !a.every((entry, at) => areEqual(entry, b[at]!))) return "none";
  const [byOne, byOther] = [strongestFirst(a), strongestFirst(b)];
  if (byOne.every((entry, at) => entry.number === byOther[at]!.number)) return "all";
  return byOne.length <= mostPaired && swappedAreDisjoint(byOne, byOther) ? "all" : "unmatched";
}

/** Whether every two rules whose order differs between the two lists are disjoint (see `areDisjoint`). */
function swappedAreDisjoint(byOne: readonly Entry[], byOther: readonly Entry[]): boolean {
  const placeInOther = new Map(byOther.map(({ number }, at) => [number, at]));
  const places = byOne.map(({ number }) => placeInOther.get(number)!);
  for (let weaker = 1; weaker < byOne.length; weaker++) {
    for (let stronger = 0; stronger < weaker; stronger++) {
      const isSwapped = places[stronger]! > places[weaker]!;
      if (isSwapped && !areDisjoint(byOne[stronger]!, byOne[weaker]!)) return false;
    }
  }
  return true;
}

/** Whether the patterns of two rules differ before the first `*`, so that no target matches both rules. */
function areDisjoint(one: Entry, other: Entry): boolean {
  const length = Math.min(one.bytes.length, other.bytes.length);
  for (let at = patternIn; at < length; at++) {
    const [a, b] = [one.bytes[at]!, other.bytes[at]!];
    if (a === star || b === star) return false;
    if (a !== b) return true;
  }
  return false;
}

function sameToken(one: RulesMatcher, other: RulesMatcher): boolean {
  return one.tokens.length === other.tokens.length && one.tokens[0] === other.tokens[0];
}

/** The offset of the pattern in `Entry.bytes`, which begin after the mark. */
const patternIn = headSize - 1;

/**
 * A rule, from its entry in a `RuleTable` (entries.ts has the layout). `number`: its index in the order of the file. `mark`: its mark
 * without the length of the gap. `bytes`: the bytes between mark and gap. `octets`: the pattern's length as the dialect counts it.
 */
interface Entry {
  readonly number: number;
  readonly mark: number;
  readonly bytes: Uint8Array;
  readonly octets: number;
}

/** The bits of a mark below the bits of the gap's length. */
const markBits = (1 << gapShift) - 1;

function entriesOf({ rules, dialect }: RulesMatcher): readonly Entry[] {
  const { entries } = rules.tables[0]!;
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
