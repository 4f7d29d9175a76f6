// Finds the targets that two matchers of one file, each in its own dialect, are sure to decide equally.
import { isForeign } from "../read/encode.ts";
import { lineAt, headSize, markBits, nextEntry, patternLengthAt } from "../match/entries.ts";
import { isRobotsTxt } from "../match/path.ts";
import { type TableRow, rowsOf } from "../match/rule-table.ts";
import { RulesMatcher } from "./match.ts";
import type { Matcher } from "../read/types.ts";

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
    if (!isForeign[bytes[at]!]) continue;
    if (bytes[at] !== percent || at + 2 >= end || !isBeyondAscii(bytes[at + 1]!, bytes[at + 2]!)) return false;
    at += 2;
  }
  return !isRobotsTxt(bytes, start, end);
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
  const { ground } = one.rules;
  if (ground === "named" && !(one.tokens.length === 1 && one.tokens.join() === other.tokens.join())) return "none";
  if (!areSameRules(one.rules.tables[0]!.entries, other.rules.tables[0]!.entries)) return "none";
  const byOne = rowsOf(one.rules.tables);
  const placeInOther = new Map(rowsOf(other.rules.tables).map((row, place) => [lineOf(row), place]));
  const places = byOne.map((row) => placeInOther.get(lineOf(row))!);
  if (places.every((place, at) => place === at)) return "all";
  return byOne.length <= mostPaired && swappedAreDisjoint(byOne, places) ? "all" : "unmatched";
}

/** Whether two lists of entries have the same rules, at the same lines. The gaps between the entries may differ. */
function areSameRules(one: Uint8Array, other: Uint8Array): boolean {
  let [at, to] = [0, 0];
  for (; at < one.length && to < other.length; at = nextEntry(one, at), to = nextEntry(other, to)) {
    if (((one[at]! ^ other[to]!) & markBits) !== 0) return false;
    const size = headSize + patternLengthAt(one, at);
    for (let byte = 1; byte < size; byte++) if (one[at + byte] !== other[to + byte]) return false;
  }
  return at >= one.length && to >= other.length;
}

function lineOf({ entries, entry }: TableRow): number {
  return lineAt(entries, entry);
}

/** Whether every two rules whose order differs between the two matchers are disjoint. `places`: the place of each rule in the other. */
function swappedAreDisjoint(byOne: readonly TableRow[], places: readonly number[]): boolean {
  for (let weaker = 1; weaker < byOne.length; weaker++) {
    for (let stronger = 0; stronger < weaker; stronger++) {
      const isSwapped = places[stronger]! > places[weaker]!;
      if (isSwapped && !areDisjoint(byOne[stronger]!, byOne[weaker]!)) return false;
    }
  }
  return true;
}

/** Whether the patterns of two rules differ before the first `*`, so that no target matches both rules. */
function areDisjoint(one: TableRow, other: TableRow): boolean {
  const { entries } = one;
  const length = Math.min(lengthOf(one), lengthOf(other));
  for (let at = 0; at < length; at++) {
    const [a, b] = [entries[one.start + at]!, entries[other.start + at]!];
    if (a === star || b === star) return false;
    if (a !== b) return true;
  }
  return false;
}

/** The length of a rule's pattern, with a final `$`. */
function lengthOf({ start, stop, isTied }: TableRow): number {
  return stop - start + (isTied ? 1 : 0);
}
