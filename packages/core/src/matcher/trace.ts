// Explains a decision: in one English sentence, or as a trace, which has every rule that matches, the winner and the runner-up (RFC 9309 §2.2.2).
import { type Binding, bindingGroupsOf, tokenOfLine } from "../choose/binding.ts";
import { textOf } from "../read/bytes.ts";
import type { Dialect } from "../read/dialect.ts";
import { ruleAt } from "../match/entries.ts";
import type { Path } from "../match/path.ts";
import { rowsOf } from "../match/rule-table.ts";
import type { BoundRules } from "../choose/rules.ts";
import type { Decision, RuleMatch, TokenMatch, Trace } from "../read/types.ts";

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

/** The parts of a matcher that a trace needs, and the path. */
interface Bound {
  readonly rules: BoundRules;
  readonly tokens: readonly string[];
  readonly tokenMatch: TokenMatch;
  readonly dialect: Dialect;
  readonly path: Path;
}

/**
 * The trace of the decision for a path. `compared` is the path in the form that is compared with patterns. `bound` is undefined when
 * there was no robots.txt. Compares the path with every rule.
 */
export function traceOf(compared: string, decision: Decision, bound?: Bound): Trace {
  const { rules, tokens = [] } = bound ?? {};
  const ranked = bound === undefined ? [] : matchesOf(bound, decision);
  // /robots.txt is allowed by the dialect, not by a rule.
  const [winner, runnerUp] = decision.because === "robots-txt" ? [] : ranked;
  return Object.freeze({
    decision,
    path: compared,
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
function matchesOf({ rules, tokens, dialect, path }: Bound, decision: Decision): RuleMatch[] {
  const asked = dialect.normalizes ? path.normalized : path;
  const matched = new Set<number>();
  const matches: RuleMatch[] = [];
  for (const { entries, entry, line, start, stop, isTied, strength } of rowsOf(rules.tables, asked)) {
    // An allow rule for an index file has two rows. Once its own pattern has matched, the folder's pattern is skipped.
    if (matched.has(line)) continue;
    matched.add(line);
    const rule = decision.because === "rule" && decision.rule.line === line ? decision.rule : ruleAt(entries, entry);
    const pattern = `${textOf(entries, start, stop)}${isTied ? "$" : ""}`;
    matches.push(Object.freeze({ rule, pattern, octets: strength >> 1, productToken: chosenBy(rules, tokens, line) }));
  }
  return matches;
}

/** One English sentence with the decision and its ground. Control characters below U+0020 in a pattern are escaped. */
export function explain(decision: Decision): string {
  switch (decision.because) {
    case "rule": {
      const { rule, productToken } = decision;
      const line = `line ${rule.line} (${JSON.stringify(`${rule.type}: ${rule.pattern}`.trim())})`;
      return rule.pattern === ""
        ? `Allowed: ${line} of the group for ${nameOf(productToken)} is empty and no other rule matches.`
        : `${decision.allowed ? "Allowed" : "Disallowed"} by ${line} of the group for ${nameOf(productToken)}.`;
    }
    case "no-rule":
      return `Allowed: no rule of the group for ${nameOf(decision.productToken)} matches.`;
    case "no-group":
      return "Allowed: no group names this crawler or *.";
    case "robots-txt":
      return "Allowed: /robots.txt is always allowed.";
    case "unavailable":
      return "Allowed: there is no robots.txt to obey (unavailable).";
    case "unreachable":
      return "Disallowed: robots.txt is unreachable, so what it allows is unknown.";
  }
}

/** A product token for printing: quoted and escaped if it has characters other than letters, digits, spaces and `_*./-`. */
function nameOf(productToken: string): string {
  return /^[\w*./ -]+$/.test(productToken) ? productToken : JSON.stringify(productToken);
}
