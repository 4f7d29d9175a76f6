// Makes the trace of a decision: every rule that matches the path, the winner and the runner-up (RFC 9309 §2.2.2).
import { type Binding, bindingGroupsOf, tokenOfLine } from "./binding.ts";
import { textOf } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";
import { PathTries, matchesPattern } from "./pattern.ts";
import { TIED, rankedRulesOf } from "./ranks.ts";
import { type BoundRules, DISALLOWS, headSize, lineAt, octetsOf, patternLengthAt } from "./rules.ts";
import type { Decision, Rule, RuleMatch, TokenMatch, Trace } from "./types.ts";

/**
 * The name that chose the group of the rule on `line`: a product token as the caller gave it, or `*`. For line 0: the name
 * that chose the first group.
 */
export function chosenBy(rules: BoundRules, tokens: readonly string[], line: number): string {
  if (rules.ground !== "named") return "*";
  return tokens.length === 1 ? tokens[0]! : tokens[tokenOfLine(bindingIn(rules), line)]!;
}

function bindingIn({ binding }: BoundRules): Binding {
  return typeof binding === "function" ? binding() : binding;
}

/** The parts of a matcher that a trace needs. */
interface Bound {
  readonly rules: BoundRules;
  readonly tokens: readonly string[];
  readonly tokenMatch: TokenMatch;
  readonly dialect: Dialect;
}

/**
 * The trace of the decision for a path. The path must have the form that is compared with patterns. `bound` is undefined when
 * there was no robots.txt. Compares the path with every rule.
 */
export function traceOf(path: string, decision: Decision, bound?: Bound): Trace {
  const { rules, tokens = [] } = bound ?? {};
  const ranked = bound === undefined ? [] : matchesOf(bound, path, decision);
  // /robots.txt is allowed by the dialect, not by a rule.
  const [winner, runnerUp] = decision.because === "robots-txt" ? [] : ranked;
  return Object.freeze({
    decision,
    path,
    dialect: bound?.dialect.name,
    tokenMatch: bound?.tokenMatch,
    productTokens: Object.freeze([...tokens]),
    ground: rules?.ground ?? "none",
    groups: bindingGroupsOf(rules === undefined ? [] : bindingIn(rules), (token) =>
      rules?.ground === "named" ? tokens[token]! : "*",
    ),
    matches: Object.freeze(ranked.toSorted((one, other) => one.rule.line - other.rule.line)),
    winner,
    runnerUp,
  });
}

/** All rules that match, the best first. The rule that decided is the same object as in the decision. */
function matchesOf({ rules, tokens, dialect }: Bound, path: string, decision: Decision): RuleMatch[] {
  const { entries, count } = rules;
  const ranked = rankedRulesOf(entries, count, dialect.countsLiteralOctets);
  const matches: RuleMatch[] = [];
  const matched = new Set<number>();
  const tries = new PathTries();
  for (let rank = 0; rank < ranked.count; rank++) {
    const at = ranked.entries[rank]!;
    const start = ranked.starts[rank]!;
    const stop = ranked.stops[rank]!;
    const tied = ranked.marks[rank]! & TIED;
    // An allow rule for an index file is in `ranked` twice. Once its own pattern has matched, the folder's pattern is skipped.
    if (matched.has(at)) continue;
    const pathIndex = tries.indexFor(stop - start, path, 0);
    if (!matchesPattern(entries, start, stop, tied !== 0, path, 0, pathIndex)) continue;
    matched.add(at);
    const line = lineAt(entries, at);
    const rule = decision.because === "rule" && decision.rule.line === line ? decision.rule : ruleAt(entries, at);
    const pattern = `${textOf(entries, start, stop)}${tied === 0 ? "" : "$"}`;
    const octets = octetsOf(entries, start, stop + tied, dialect.countsLiteralOctets);
    matches.push(Object.freeze({ rule, pattern, octets, productToken: chosenBy(rules, tokens, line) }));
  }
  return matches;
}

/** The rule of the entry at `at`, as a frozen object. */
export function ruleAt(entries: Uint8Array, at: number): Rule {
  const start = at + headSize;
  return Object.freeze({
    type: (entries[at]! & DISALLOWS) === 0 ? "allow" : "disallow",
    pattern: textOf(entries, start, start + patternLengthAt(entries, at)),
    line: lineAt(entries, at),
  });
}
