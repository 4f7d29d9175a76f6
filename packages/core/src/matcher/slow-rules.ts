// Determines which decisions of a matcher table could be slow and are delegated to a matcher, and makes such decisions.
import { dialectOf } from "../read/dialect.ts";
import { RulesMatcher } from "./match.ts";
import { ASKS_MATCHER, HOLDS_STAR, entriesIn, mostEntryBytes, rulesIn } from "./rule-block.ts";
import { HAS_STAR, nextEntry, patternLengthAt } from "../match/entries.ts";
import { RuleTable } from "../match/rule-table.ts";

// The cost of a decision is bounded by the product of these limits: bytes of patterns with a star × length of the target.
const mostStarred = 4096;
const longestTarget = 1024;
// The drawers of a block do not divide rules with shorter patterns, so a decision would read all of them.
const shortPattern = 4;
const mostShort = 512;

/**
 * The offset, from the block at `at`, of the entry that wins for a target; -1 when no rule matches. Takes linear time for any rules, because
 * a temporary matcher of the block's entries decides.
 */
export function winningOffsetOf(words: Int32Array, text: Uint8Array, at: number, target: string): number {
  const entries = entriesIn(words, text, at);
  const tables = [new RuleTable(entries, rulesIn(words, at), false)];
  const rules = { tables, ownBytes: 0, ground: "everybody", binding: [] } as const;
  const decision = new RulesMatcher(rules, [], "google", dialectOf("google")).decideTarget(target);
  // In place of the line numbers, these entries have their offsets.
  return decision.because === "rule" ? decision.rule.line : -1;
}

/** Whether a target of `size` bytes is delegated to a matcher, given the head of the block. */
export function asks(head: number, size: number): boolean {
  return (head & (HOLDS_STAR | ASKS_MATCHER)) !== 0 && ((head & ASKS_MATCHER) !== 0 || size > longestTarget);
}

/**
 * Whether a matcher table can decide by the rules of a matcher without calling the matcher: the dialect compares as google does, the
 * entries have at most `mostEntryBytes` bytes, the patterns with a star have at most `mostStarred` bytes in total, and at most `mostShort`
 * patterns are shorter than `shortPattern`.
 */
export function isEasy({ rules: { tables }, dialect }: RulesMatcher): boolean {
  const { entries } = tables[0]!;
  if (tables.length > 1 || dialect.normalizes || dialect.countsLiteralOctets || entries.length > mostEntryBytes)
    return false;
  let starred = 0;
  let short = 0;
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    const length = patternLengthAt(entries, at);
    if ((entries[at]! & HAS_STAR) !== 0) starred += length;
    if (length < shortPattern) short++;
  }
  return starred <= mostStarred && short <= mostShort;
}
