// Determines which decisions of a matcher table could be slow and are delegated to a matcher, and makes such decisions.
import { dialectOf } from "./dialect.ts";
import { RulesMatcher } from "./match.ts";
import {
  ASKS_MATCHER,
  HOLDS_STAR,
  decisionAtRule,
  decisionsOfRules,
  entriesFromIn,
  entryAtRule,
  entryBytesAt,
  mostEntryBytes,
  nextEntry,
} from "./rule-block.ts";
import { HAS_STAR, lineAt, patternLengthAt } from "./rules.ts";

// The cost of a decision is bounded by the product of these limits: bytes of patterns with a star × length of the target.
const mostStarred = 4096;
const longestTarget = 1024;

/**
 * The offset, from the block at `at`, of the decision of the rule that wins for a target; -1 when no rule matches. Takes linear time for
 * any rules, because a temporary matcher of the block's entries decides.
 */
export function winningDecisionOf(words: Int32Array, bytes: Uint8Array, at: number, target: string): number {
  const from = entriesFromIn(words, at);
  const start = at * 4 + from;
  const entry = winningEntryOf(bytes.slice(start, start + words[at + entryBytesAt]!), target);
  if (entry < 0) return -1;
  return decisionsOfRules(words, at).find(
    (decision) => words[at + decision - decisionAtRule + entryAtRule] === from + entry,
  )!;
}

/** The position of the entry that wins for a target, as `RulesMatcher` decides, or -1. */
function winningEntryOf(entries: Uint8Array, target: string): number {
  const rules = { entries, count: 0, ground: "everybody", binding: [] } as const;
  const decision = new RulesMatcher(rules, [], "google", dialectOf("google")).decideTarget(target);
  if (decision.because !== "rule") return -1;
  let at = 0;
  while (lineAt(entries, at) !== decision.rule.line) at = nextEntry(entries, at);
  return at;
}

/** Whether a target of `size` bytes is delegated to a matcher, given the head of the block. */
export function asks(head: number, size: number): boolean {
  return (head & (HOLDS_STAR | ASKS_MATCHER)) !== 0 && ((head & ASKS_MATCHER) !== 0 || size > longestTarget);
}

/**
 * Whether a matcher table can decide by the rules of a matcher without calling the matcher: the dialect compares as google does, the
 * entries have at most `mostEntryBytes` bytes, and the patterns with a star have at most `mostStarred` bytes in total.
 */
export function isEasy({ rules: { entries }, dialect }: RulesMatcher): boolean {
  if (dialect.normalizes || dialect.countsLiteralOctets || entries.length > mostEntryBytes) return false;
  let starred = 0;
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    if ((entries[at]! & HAS_STAR) !== 0) starred += patternLengthAt(entries, at);
  }
  return starred <= mostStarred;
}
