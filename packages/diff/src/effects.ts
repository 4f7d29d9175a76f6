// Finds the effect of each rule that only one of two files has for a crawler, with a target as proof.
//
// Suppose the rule that decides a target in the old file is also in the new file, and vice versa. Then both files give the same answer. So
// for a target whose answer changes, the deciding rule R of one file, F, is not in the other file, G. In F, R matches the target and no
// better rule of the other type matches it. In G, the answer is the opposite: either a rule S of the other type matches and no better rule
// of R's type matches, or, if R disallows, no disallow rule matches at all. For each R and S the search therefore needs a target that R and
// S match and the better rules do not match. The first search excludes none of the better rules. If a better rule matches the target that
// was found, the search is repeated and also excludes this rule. Most proofs need one or two excluded rules, however many rules a file has.
import { type CompetingRule, matchesTarget } from "@robots-stream/core/internal";
import { generatedTargets, patternTextOf } from "./generated.ts";
import { type Found, TargetSearch, type Work } from "./search.ts";
import type { TargetForm } from "./target-form.ts";

/** One of the two files. */
export type FileSide = "old" | "new";

/** The effect on the answers of a rule that only one file has. */
export type Effect = "newly-allowed" | "newly-disallowed" | "none" | "unknown";

/** A rule that only one file has. */
export interface OwnRule {
  readonly side: FileSide;
  readonly competing: CompetingRule;
  readonly effect: Effect;
  /** A target whose answer changes; undefined for "none" and "unknown". */
  readonly target: string | undefined;
}

/** The rules of one crawler in a file, best first, and by type. */
interface Side {
  readonly all: readonly CompetingRule[];
  readonly allow: readonly CompetingRule[];
  readonly disallow: readonly CompetingRule[];
  /** The rules by their identity (`nameOf`). */
  readonly named: ReadonlyMap<string, CompetingRule>;
  readonly nameOf: ReadonlyMap<CompetingRule, string>;
}

/**
 * The effects of all rules that only one file has, and the number of generated targets that were tried after the limit of work was reached.
 */
export interface Effects {
  readonly rules: readonly OwnRule[];
  readonly generated: number;
}

/**
 * Compares the rules of one crawler in two files. `work` bounds the time. A rule whose effect is not found within this bound has the effect
 * "unknown".
 */
export function effectsOf(
  old: readonly CompetingRule[],
  next: readonly CompetingRule[],
  form: TargetForm,
  work: Work,
): Effects {
  const [oldSide, newSide] = [sideOf(old), sideOf(next)] as const;
  const comparison = new Comparison(form, work);
  const rules: OwnRule[] = [];
  for (const [side, own, other] of [
    ["new", newSide, oldSide],
    ["old", oldSide, newSide],
  ] as const) {
    for (const competing of own.all) {
      if (other.named.has(own.nameOf.get(competing)!)) continue;
      const found = comparison.flipOf(competing, own, other);
      const isNewlyAllowed = (competing.rule.type === "disallow") === (side === "old");
      const flips = isNewlyAllowed ? "newly-allowed" : "newly-disallowed";
      const effect = found === "none" ? "none" : found === "out-of-work" ? "unknown" : flips;
      rules.push({ side, competing, effect, target: typeof found === "string" ? undefined : found.target });
    }
  }
  return { rules, generated: comparison.generated };
}

/** The identity of a rule: its type and its pattern in the form that is compared. */
function nameOf(competing: CompetingRule): string {
  return `${competing.rule.type} ${patternTextOf(competing)}${competing.isTied ? "$" : ""}`;
}

function sideOf(all: readonly CompetingRule[]): Side {
  // Of equal rules the first decides.
  const named = new Map<string, CompetingRule>();
  const names = new Map<CompetingRule, string>();
  for (const rule of all) {
    const name = nameOf(rule);
    if (named.has(name)) continue;
    named.set(name, rule);
    names.set(rule, name);
  }
  const rules = [...named.values()];
  const ofType = (type: "allow" | "disallow"): readonly CompetingRule[] =>
    rules.filter((each) => each.rule.type === type);
  return { all: rules, allow: ofType("allow"), disallow: ofType("disallow"), named, nameOf: names };
}

/** Steps for the comparison of a target with the text before a pattern's first star, and for a whole match. */
const [costOfRule, costOfMatch] = [1, 8] as const;

class Comparison {
  generated = 0;
  readonly #search: TargetSearch;
  readonly #form: TargetForm;
  readonly #work: Work;
  readonly #always: readonly CompetingRule[];

  constructor(form: TargetForm, work: Work) {
    this.#form = form;
    this.#work = work;
    this.#search = new TargetSearch(form, work);
    this.#always = form.alwaysAllowed === undefined ? [] : [exactly(form.alwaysAllowed)];
  }

  /** Finds a target that `rule` decides in `own` and that `other` answers differently. */
  flipOf(rule: CompetingRule, own: Side, other: Side): Found {
    const { type } = rule.rule;
    const rivals = type === "allow" ? "disallow" : "allow";
    if (!this.#pay((own.all.length + other.all.length) >> 3)) return this.#generate(rule, own, other);
    const better = before(own[rivals], rule.key);
    let isUnknown = false;
    // Rules with general patterns come first, because they give the simplest targets.
    const answering = other[rivals].toReversed();
    for (const by of type === "disallow" ? [undefined, ...answering] : answering) {
      if (by !== undefined) {
        if (!this.#pay(1)) return this.#generate(rule, own, other);
        if (!canBothMatch(rule, by)) continue;
        // The rule `by` is also in the file of `rule` and would win there.
        if (by.key < rule.key && own.named.has(other.nameOf.get(by)!)) continue;
      }
      const against = by === undefined ? other[type] : before(other[type], by.key);
      const found = this.#find(by === undefined ? [rule] : [rule, by], [better, against]);
      if (typeof found === "object") return found;
      if (found === "out-of-work") isUnknown = true;
    }
    return isUnknown ? this.#generate(rule, own, other) : "none";
  }

  /** Finds a target that all rules of `wanted` match and no rule of `lists` matches. */
  #find(wanted: readonly CompetingRule[], lists: readonly (readonly CompetingRule[])[]): Found {
    const unwanted = [...this.#always];
    for (;;) {
      const found = this.#search.find(wanted, unwanted);
      if (typeof found === "string") return found;
      let shortest: CompetingRule | undefined;
      for (const list of lists) {
        if (!this.#pay(list.length * costOfRule)) return "out-of-work";
        for (const each of list) {
          if (shortest !== undefined && each.bytes.length >= shortest.bytes.length) continue;
          if (this.#matches(each, found.target)) shortest = each;
        }
      }
      if (shortest === undefined) return found;
      unwanted.push(shortest);
    }
  }

  #matches(rule: CompetingRule, target: string): boolean {
    const [first] = rule.bytes;
    if (first !== 0x2a && !beginsWith(rule, target)) return false;
    this.#work.stepsLeft -= costOfMatch + (target.length >> 2);
    return matchesTarget(rule, target);
  }

  /** Tries targets made from the rule's pattern and the patterns of other rules. Called after a search reached its limit of work. */
  #generate(rule: CompetingRule, own: Side, other: Side): Found {
    if (this.#work.triesLeft < 0) return "out-of-work";
    for (const target of generatedTargets(rule, [...other.all.slice(0, 50), ...own.all.slice(0, 50)], this.#form)) {
      this.#work.triesLeft -= (own.all.length + other.all.length) * costOfMatch;
      if (this.#work.triesLeft < 0) break;
      this.generated++;
      if (answerOf(own, target) !== answerOf(other, target) && this.#isDecidedBy(rule, own, target)) return { target };
    }
    return "out-of-work";
  }

  #isDecidedBy(rule: CompetingRule, own: Side, target: string): boolean {
    return (
      target !== this.#form.alwaysAllowed &&
      matchesTarget(rule, target) &&
      answerOf(own, target) === (rule.rule.type === "allow")
    );
  }

  #pay(steps: number): boolean {
    this.#work.stepsLeft -= steps;
    return this.#work.stepsLeft >= 0;
  }
}

/** Whether the rules of a side allow a target. */
function answerOf({ all }: Side, target: string): boolean {
  const winner = all.find((each) => matchesTarget(each, target));
  return winner === undefined || winner.rule.type === "allow";
}

/** The rules of a sorted list that win against a rule with this key; best first, like the list. */
function before(rules: readonly CompetingRule[], key: number): readonly CompetingRule[] {
  const end = rules.findIndex((each) => each.key >= key);
  return end < 0 ? rules : rules.slice(0, end);
}

/** False if the texts before the first stars of two patterns conflict, so that no target matches both. */
function canBothMatch({ bytes: one }: CompetingRule, { bytes: other }: CompetingRule): boolean {
  for (let at = 0; at < one.length && at < other.length; at++) {
    if (one[at] === 0x2a || other[at] === 0x2a) return true;
    if (one[at] !== other[at]) return false;
  }
  return true;
}

/** Whether a target begins with the pattern's text before its first star. */
function beginsWith({ bytes }: CompetingRule, target: string): boolean {
  for (let at = 0; at < bytes.length && bytes[at] !== 0x2a; at++) {
    if (target.charCodeAt(at) !== bytes[at]) return false;
  }
  return true;
}

function exactly(target: string): CompetingRule {
  const bytes = Uint8Array.from(target, (character) => character.charCodeAt(0));
  return { rule: { type: "allow", pattern: `${target}$`, line: 0 }, bytes, isTied: true, key: -Infinity };
}
