// The rules of a crawler, a path and its decision → Trace: every rule that matches and what came of it (RFC 9309 §2.2.2).
import { bindingGroupsOf, tokenOfLine } from "./binding.ts";
import { textOf } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";
import { PathTries, matchesPattern } from "./pattern.ts";
import {
  type BoundRules,
  DISALLOWS,
  HAS_END,
  NAMES_INDEX,
  folderEndOf,
  headSize,
  lineAt,
  octetsOf,
  patternLengthAt,
} from "./rules.ts";
import type { Decision, Rule, RuleMatch, TokenMatch, Trace } from "./types.ts";

/** The name that chose the group of a rule's line: a product token as the caller gave it, or `*`. */
export function chosenBy({ ground, binding }: BoundRules, tokens: readonly string[], line: number): string {
  return ground === "named" ? tokens[tokenOfLine(binding, line)]! : "*";
}

/** What a trace is made of, besides path and decision. */
interface Bound {
  readonly rules: BoundRules;
  readonly tokens: readonly string[];
  readonly tokenMatch: TokenMatch;
  readonly dialect: Dialect;
}

/** Tells how a decision on a path, given as it is compared, came about. Tries every rule. */
export function traceOf(bound: Bound, path: string, decision: Decision): Trace {
  const { rules, tokens, tokenMatch, dialect } = bound;
  const matches = matchesOf(bound, path, decision);
  // What is allowed without asking the rules has no winner among them.
  const ranked = decision.because === "robots-txt" ? [] : matches.toSorted(byRank);
  return Object.freeze({
    decision,
    path,
    dialect: dialect.name,
    tokenMatch,
    productTokens: Object.freeze([...tokens]),
    ground: rules.ground,
    groups: bindingGroupsOf(rules.binding, (token) => (rules.ground === "named" ? tokens[token]! : "*")),
    matches: Object.freeze(matches),
    winner: ranked[0],
    runnerUp: ranked[1],
  });
}

const nothing: readonly never[] = Object.freeze([]);

/** Tells that there was no robots.txt to ask. */
export function traceOfConstant(path: string, decision: Decision): Trace {
  return Object.freeze({
    decision,
    path,
    dialect: undefined,
    tokenMatch: undefined,
    productTokens: nothing,
    ground: "none",
    groups: nothing,
    matches: nothing,
    winner: undefined,
    runnerUp: undefined,
  });
}

/** Most octets first, allow before disallow, then the earlier line. */
function byRank(one: RuleMatch, other: RuleMatch): number {
  if (one.octets !== other.octets) return other.octets - one.octets;
  if (one.rule.type !== other.rule.type) return one.rule.type === "allow" ? -1 : 1;
  return one.rule.line - other.rule.line;
}

/** All rules that match, in the order of the file. A rule that decided is the decision's own object. */
function matchesOf({ rules, tokens, dialect }: Bound, path: string, decision: Decision): RuleMatch[] {
  const { entries } = rules;
  const decided = decision.because === "rule" ? decision.rule : undefined;
  const matches: RuleMatch[] = [];
  const tries = new PathTries();
  let next = 0;
  for (let at = 0; at < entries.length; at = next) {
    const mark = entries[at]!;
    const start = at + headSize;
    next = start + patternLengthAt(entries, at);
    const pathIndex = tries.indexFor(next - start, path, 0);
    let matched: string | undefined;
    let octets = 0;
    const tied = (mark & HAS_END) !== 0;
    if (matchesPattern(entries, start, tied ? next - 1 : next, tied, path, 0, pathIndex)) {
      matched = textOf(entries, start, next);
      octets = octetsOf(entries, start, next, dialect.countsLiteralOctets);
    } else if ((mark & NAMES_INDEX) !== 0) {
      const stop = folderEndOf(entries, next);
      octets = stop - start + 1;
      if (matchesPattern(entries, start, stop, true, path, 0, pathIndex)) matched = `${textOf(entries, start, stop)}$`;
    }
    if (matched === undefined) continue;
    const line = lineAt(entries, at);
    const type = (mark & DISALLOWS) === 0 ? "allow" : "disallow";
    const rule: Rule =
      decided?.line === line ? decided : Object.freeze({ type, pattern: textOf(entries, start, next), line });
    matches.push(Object.freeze({ rule, pattern: matched, octets, productToken: chosenBy(rules, tokens, line) }));
  }
  return matches;
}
