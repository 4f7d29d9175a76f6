// Decides targets for crawlers that several groups bind, and indexes each group once for all its crawlers (RFC 9309 §2.2.1).
import { normalizedTargetOf, pathOf } from "./encode.ts";
import { robotsTxt } from "./match.ts";
import { NO_RANK } from "./pattern-tree.ts";
import { RuleIndex } from "./rule-index.ts";
import { lineAt } from "./rules.ts";
import { ruleAt } from "./trace.ts";
import type { Dialect } from "./dialect.ts";
import type { Decision, Matcher, Trace } from "./types.ts";

/** The rules of one group, shared by all unions that contain the group. */
export class GroupRules {
  readonly entries: Uint8Array;
  readonly #count: number;
  readonly #dialect: Dialect;
  #index: RuleIndex | undefined;

  constructor(entries: Uint8Array, count: number, dialect: Dialect) {
    this.entries = entries;
    this.#count = count;
    this.#dialect = dialect;
  }

  /** The index of the rules, built for the first target. */
  get index(): RuleIndex {
    return (this.#index ??= new RuleIndex(this.entries, this.#count, this.#dialect.countsLiteralOctets));
  }
}

/** The groups that bind a crawler, in file order. */
export interface RuleUnion {
  readonly groups: readonly GroupRules[];
  /** The number of bytes in the entries of those groups that no earlier union contains. */
  readonly ownBytes: number;
  readonly dialect: Dialect;
}

/** Decides targets by a union of groups. Keeps no reference to the file. */
export class UnionDecider implements Pick<Matcher, "decideTarget"> {
  readonly union: RuleUnion;
  /** The name in the decisions: the crawler's product token, or `*`. */
  readonly productToken: string;
  /** The decisions made so far. The key is the line of the rule; key 0 has the decision when no rule matches. */
  readonly #decisions = new Map<number, Decision>();

  constructor(union: RuleUnion, productToken: string) {
    this.union = union;
    this.productToken = productToken;
  }

  decideTarget(target: string): Decision {
    const { groups, dialect } = this.union;
    const path = dialect.normalizes ? normalizedTargetOf(target) : target;
    if (dialect.normalizes && dialect.allowsRobotsTxt && path === "/robots.txt") return robotsTxt;
    let best: GroupRules | undefined;
    let bestEntry = 0;
    let bestKey = Infinity;
    for (const group of groups) {
      const rank = group.index.find(path, 0, false);
      if (rank === NO_RANK) continue;
      const { keys, entries } = group.index.rules;
      // With equal keys, the first rule in the file wins; the groups are in file order.
      if (keys[rank]! >= bestKey) continue;
      best = group;
      bestEntry = entries[rank]!;
      bestKey = keys[rank]!;
    }
    return this.#decisionOf(best?.entries, bestEntry);
  }

  #decisionOf(entries: Uint8Array | undefined, entry: number): Decision {
    const line = entries === undefined ? 0 : lineAt(entries, entry);
    let decision = this.#decisions.get(line);
    if (decision === undefined) this.#decisions.set(line, (decision = this.#decide(entries, entry)));
    return decision;
  }

  #decide(entries: Uint8Array | undefined, entry: number): Decision {
    const { productToken } = this;
    if (entries === undefined) return Object.freeze({ allowed: true, because: "no-rule", productToken });
    const rule = ruleAt(entries, entry);
    const allowed = rule.type === "allow" || rule.pattern === "";
    return Object.freeze({ allowed, because: "rule", rule, productToken });
  }
}

/** The matcher of a crawler that several groups bind. */
export class UnionMatcher implements Matcher {
  readonly decider: UnionDecider;
  readonly #createTracer: () => Matcher;

  /** `createTracer` makes a matcher with all rules of the crawler in one buffer, which only `trace` needs. */
  constructor(decider: UnionDecider, createTracer: () => Matcher) {
    this.decider = decider;
    this.#createTracer = createTracer;
  }

  decide(urlOrPath: string): Decision {
    return this.decider.decideTarget(pathOf(urlOrPath));
  }

  decideTarget(target: string): Decision {
    return this.decider.decideTarget(target);
  }

  trace(urlOrPath: string): Trace {
    return this.#createTracer().trace(urlOrPath);
  }
}
