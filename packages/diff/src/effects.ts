// Finds the effect of each rule that only one of two files has for a crawler, with a target as proof.
//
// Suppose the rule that decides a target in the old file is also in the new file, and vice versa. Then both files give the same answer. So
// for a target whose answer changes, the deciding rule R of one file, F, is not in the other file, G. In F, R matches the target and no
// better rule of the other type matches it. In G, the answer is the opposite: either a rule S of the other type matches and no better rule
// of R's type matches, or, if R disallows, no disallow rule matches at all. For each R and S the search therefore needs a target that R and
// S match and the better rules do not match. The first search excludes none of the better rules. If a better rule matches the target that
// was found, the search is repeated and also excludes this rule. Most proofs need one or two excluded rules, however many rules a file has.
import { type CompetingRule, matchesTarget } from "@robots-stream/core/internal";
import { generatedTargets } from "./generated.ts";
import { type IndexedRule, PatternIndex, indexedRuleOf } from "./pattern-index.ts";
import { type Found, TargetSearch, type Work, longestTarget } from "./search.ts";
import { type TargetForm, isTarget } from "./target-form.ts";

/** One of the two files. */
export type FileSide = "old" | "new";

/** The effect on the answers of a rule that only one file has. */
export type Effect = "newly-allowed" | "newly-disallowed" | "none" | "unknown";

/** The rules that decide a target in both files; undefined: no rule matches. */
type Winners = readonly [old: CompetingRule | undefined, next: CompetingRule | undefined];

/** A rule that only one file has. */
export interface OwnRule {
  readonly side: FileSide;
  readonly competing: CompetingRule;
  readonly effect: Effect;
  /** A target whose answer changes; undefined for "none" and "unknown". */
  readonly witness: { readonly target: string; readonly winners: Winners } | undefined;
}

/** The rules of one crawler in a file; of equal rules only the first, which decides. */
interface Side {
  /** Strongest first. */
  readonly rules: readonly IndexedRule[];
  readonly names: ReadonlyMap<string, IndexedRule>;
  readonly index: PatternIndex;
}

/**
 * The effects of all rules that only one file has, and the number of generated targets that were tried after the limit of work was reached.
 */
export interface Effects {
  readonly rules: readonly OwnRule[];
  readonly generated: number;
}

/** The work that is left for all comparisons: for proofs, and for tries of generated targets where there is no proof. */
export interface WorkLeft {
  readonly proofs: Work;
  readonly tries: Work;
}

/**
 * Compares the rules of one crawler in two files. `work` bounds the time. A rule whose effect is not found within this bound has the effect
 * "unknown".
 */
export function effectsOf(
  old: readonly CompetingRule[],
  next: readonly CompetingRule[],
  form: TargetForm,
  work: WorkLeft,
): Effects {
  const [oldRules, newRules] = [distinctRulesOf(old, work), distinctRulesOf(next, work)] as const;
  const [oldOnly, newOnly] = [missingOf(oldRules, newRules), missingOf(newRules, oldRules)] as const;
  if (oldOnly.length === 0 && newOnly.length === 0) return { rules: [], generated: 0 };
  const [oldSide, newSide] = [sideOf(oldRules, work), sideOf(newRules, work)] as const;
  const comparison = new Comparison(form, work);
  // The flip was found, so its rules are looked up even if no work is left.
  const winnersOf = (target: string): Winners => {
    const lookUp: Work = { stepsLeft: Number.MAX_SAFE_INTEGER };
    const winners = [oldSide.index.winnerOf(target, lookUp), newSide.index.winnerOf(target, lookUp)] as const;
    work.proofs.stepsLeft -= Number.MAX_SAFE_INTEGER - lookUp.stepsLeft;
    return winners;
  };
  const effects = (side: FileSide, rules: readonly IndexedRule[], own: Side, other: Side): readonly OwnRule[] =>
    rules.map((rule) => {
      const found = comparison.flipOf(rule, own, other);
      const { competing } = rule;
      const isNewlyAllowed = (competing.rule.type === "disallow") === (side === "old");
      const flips = isNewlyAllowed ? "newly-allowed" : "newly-disallowed";
      const effect = found === "none" ? "none" : found === "out-of-work" ? "unknown" : flips;
      const witness =
        typeof found === "string" ? undefined : { target: found.target, winners: winnersOf(found.target) };
      return { side, competing, effect, witness };
    });
  const rules = [...effects("new", newOnly, newSide, oldSide), ...effects("old", oldOnly, oldSide, newSide)];
  return { rules, generated: comparison.generated };
}

/**
 * Finds a target that `rule` decides alone and that `rules` answer otherwise. With a rule that matches every target, the result says whether
 * `rules` allow, or disallow, anything at all.
 */
export function exceptionOf(
  rule: CompetingRule,
  rules: readonly CompetingRule[],
  form: TargetForm,
  work: WorkLeft,
): Found {
  const own = sideOf(distinctRulesOf([rule], work), work);
  return new Comparison(form, work).flipOf(own.rules[0]!, own, sideOf(distinctRulesOf(rules, work), work));
}

function sideOf(names: ReadonlyMap<string, IndexedRule>, work: WorkLeft): Side {
  const rules = [...names.values()];
  return { rules, names, index: new PatternIndex(rules, work.proofs) };
}

/** Steps for reading a rule, apart from its pattern. */
const costOfRule = 16;

function distinctRulesOf(all: readonly CompetingRule[], { proofs }: WorkLeft): ReadonlyMap<string, IndexedRule> {
  const named = new Map<string, IndexedRule>();
  for (const competing of all) {
    const rule = indexedRuleOf(competing);
    proofs.stepsLeft -= costOfRule + (competing.bytes.length >> 3);
    if (!named.has(rule.name)) named.set(rule.name, rule);
  }
  return named;
}

function missingOf(
  rules: ReadonlyMap<string, IndexedRule>,
  other: ReadonlyMap<string, IndexedRule>,
): readonly IndexedRule[] {
  return [...rules.values()].filter(({ name }) => !other.has(name));
}

class Comparison {
  generated = 0;
  readonly #search: TargetSearch;
  readonly #form: TargetForm;
  readonly #work: WorkLeft;
  readonly #always: readonly CompetingRule[];

  constructor(form: TargetForm, work: WorkLeft) {
    this.#form = form;
    this.#work = work;
    this.#search = new TargetSearch(form, work.proofs);
    this.#always = form.alwaysAllowed === undefined ? [] : [exactly(form.alwaysAllowed)];
  }

  /** Finds a target that `rule` decides in `own` and that `other` answers differently. */
  flipOf(rule: IndexedRule, own: Side, other: Side): Found {
    const found = this.#searchFlip(rule, own, other);
    return found === "out-of-work" ? this.#generate(rule, own, other) : found;
  }

  #searchFlip(rule: IndexedRule, own: Side, other: Side): Found {
    const work = this.#work.proofs;
    if (work.stepsLeft < 0) return "out-of-work";
    const {
      key,
      rule: { type },
    } = rule.competing;
    let isUnknown = false;
    if (type === "disallow") {
      const found = this.#find(rule, undefined, own, other);
      if (typeof found === "object") return found;
      isUnknown = found === "out-of-work";
    }
    // Rules with general patterns come first, because they give the simplest targets.
    for (const by of other.index.compatibleWith(rule, oppositeOf(type), work)) {
      if (work.stepsLeft < 0) return "out-of-work";
      // The rule `by` is also in the file of `rule` and would win there.
      if (by.competing.key < key && own.names.has(by.name)) continue;
      const found = this.#find(rule, by, own, other);
      if (typeof found === "object") return found;
      isUnknown ||= found === "out-of-work";
    }
    return isUnknown || work.stepsLeft < 0 ? "out-of-work" : "none";
  }

  /**
   * Finds a target that `rule` and `by` match, and that in neither file a rule matches which is better and has the other answer. Without
   * `by`, no rule of the rule's type matches in the other file.
   */
  #find(rule: IndexedRule, by: IndexedRule | undefined, own: Side, other: Side): Found {
    const work = this.#work.proofs;
    const {
      key,
      rule: { type },
    } = rule.competing;
    const rivals = oppositeOf(type);
    const byKey = by?.competing.key ?? Infinity;
    const prefix = by !== undefined && by.prefix.length > rule.prefix.length ? by.prefix : rule.prefix;
    // Most proofs need only this: a better rule without a star matches every target that both match.
    if (own.index.covers(prefix, rivals, key, work) || other.index.covers(prefix, type, byKey, work)) return "none";
    const wanted = by === undefined ? [rule] : [rule, by];
    const unwanted = [...this.#always];
    let found = this.#onlyTarget(wanted, prefix);
    for (;;) {
      found ??= this.#search.find(
        wanted.map(({ competing }) => competing),
        unwanted,
      );
      if (typeof found === "string") return found;
      const { target } = found;
      const better = [
        own.index.shortestMatching(target, rivals, key, work),
        other.index.shortestMatching(target, type, byKey, work),
      ].filter((each) => each !== undefined);
      if (work.stepsLeft < 0) return "out-of-work";
      if (better.length === 0) return found;
      unwanted.push(better.toSorted((one, next) => one.bytes.length - next.bytes.length)[0]!);
      found = undefined;
    }
  }

  /** The shortest target that patterns without stars match, or "none"; undefined if it has to be searched for. */
  #onlyTarget(wanted: readonly IndexedRule[], text: string): Found | undefined {
    if (wanted.some(({ hasStar }) => hasStar)) return undefined;
    this.#work.proofs.stepsLeft -= text.length;
    if (wanted.some(({ prefix, competing }) => competing.isTied && prefix.length < text.length)) return "none";
    if (text.length > longestTarget || text === this.#form.alwaysAllowed) return undefined;
    return isTarget(this.#form, text) ? { target: text } : undefined;
  }

  /** Tries targets made from the rule's pattern and the patterns of other rules. Called after a search reached its limit of work. */
  #generate(rule: IndexedRule, own: Side, other: Side): Found {
    const work = this.#work.tries;
    const { competing } = rule;
    const isAllow = competing.rule.type === "allow";
    if (work.stepsLeft < 0) return "out-of-work";
    const partners = [...other.rules.slice(0, 50), ...own.rules.slice(0, 50)];
    for (const target of generatedTargets(
      competing,
      partners.map((each) => each.competing),
      this.#form,
    )) {
      work.stepsLeft -= costOfRule + (target?.length ?? competing.bytes.length);
      if (work.stepsLeft < 0) break;
      if (target === undefined) continue;
      this.generated++;
      if (target === this.#form.alwaysAllowed || !matchesTarget(competing, target)) continue;
      const [before, after] = [own.index.winnerOf(target, work), other.index.winnerOf(target, work)];
      if (work.stepsLeft >= 0 && allows(before) === isAllow && allows(after) !== isAllow) return { target };
    }
    return "out-of-work";
  }
}

function allows(winner: CompetingRule | undefined): boolean {
  return winner === undefined || winner.rule.type === "allow";
}

function oppositeOf(type: "allow" | "disallow"): "allow" | "disallow" {
  return type === "allow" ? "disallow" : "allow";
}

function exactly(target: string): CompetingRule {
  const bytes = Uint8Array.from(target, (character) => character.charCodeAt(0));
  return { rule: { type: "allow", pattern: `${target}$`, line: 0 }, bytes, isTied: true, key: -Infinity, answer: -1 };
}
