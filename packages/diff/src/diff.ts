// Compares two robots.txt files: the differences for crawlers, proved by a target for each rule that changes an answer.
import { CoreError, type Decision, type DialectName, type Rule, parseRobotsTxt } from "@robots-stream/core";
import {
  type CompetingRule,
  checkCrawlerNames,
  checkOptionNames,
  decisionBy,
  shownValueOf,
} from "@robots-stream/core/internal";
import { type CrawlerClass, classesOf } from "./classes.ts";
import { groupChangesOf, recordChangesOf } from "./contents.ts";
import { type Effect, type OwnRule, type WorkLeft, effectsOf } from "./effects.ts";
import { namesIn } from "./names.ts";
import { targetFormOf } from "./target-form.ts";
import type { ChangedAnswers, ComparedCrawler, RobotsDiff, RuleChange, Witness } from "./types.ts";

/** Options of a comparison. */
export interface DiffOptions {
  /** Default `"google"`. */
  readonly dialect?: DialectName | undefined;
  /** The crawlers to compare. Default: each crawler that either file names, and a crawler that neither file names (`*`). */
  readonly crawlers?: readonly ComparedCrawler[] | undefined;
  /** The maximum number of steps of the comparison; a step takes some tens of nanoseconds. Default: 25,000,000. */
  readonly mostSteps?: number | undefined;
}

/** A crawler that neither file names. */
export const everybody: ComparedCrawler = Object.freeze({ name: "*", names: Object.freeze([]) });

/**
 * Compares two robots.txt files. A rule that only one file has gets the effect "none" if it is proved to change no answer. It gets
 * "newly-allowed" or "newly-disallowed" if a target is found that it decides and for which the files give different answers; the target is
 * its witness. A rule without either proof gets "unknown". Never throws for the bytes of a file; `mostSteps` bounds the time. Throws a
 * `CoreError` for an unknown dialect or option, and for files that are neither text nor bytes (`ERR_INVALID_ARGUMENT`).
 */
export function diffRobots(old: string | Uint8Array, next: string | Uint8Array, options: DiffOptions = {}): RobotsDiff {
  checkOptionNames(options, ["dialect", "crawlers", "mostSteps"]);
  const { dialect = "google", mostSteps = 25_000_000 } = options;
  if (typeof mostSteps !== "number" || !(mostSteps >= 0)) {
    throw new CoreError("ERR_INVALID_OPTION", `mostSteps: ${shownValueOf(mostSteps)} is not a number of steps.`);
  }
  options.crawlers?.forEach(checkCrawlerNames);
  const form = targetFormOf(dialect);
  const [oldRobots, newRobots] = [parseRobotsTxt(old, { dialect }), parseRobotsTxt(next, { dialect })] as const;
  const crawlers = options.crawlers ?? [everybody, ...namesIn(oldRobots, newRobots).map(crawlerOf)];
  const { classes, left } = classesOf(oldRobots, newRobots, crawlers);
  const work: WorkLeft = { proofs: { stepsLeft: mostSteps }, tries: { stepsLeft: mostSteps / 4 } };
  let tried = 0;
  const answers = classes.flatMap((each) => {
    const { rules, generated } = effectsOf(...each.rules, form, work);
    tried += generated;
    const moved = movedCountOf(each);
    if (rules.length === 0 && moved === 0) return [];
    return [{ crawlers: each.crawlers.map(({ name }) => name), changes: changesOf(rules, each), moved }];
  });
  return {
    dialect,
    compared: crawlers.length - left.length,
    answers: answers.toSorted((one, other) => weightOf(other) - weightOf(one)),
    groups: groupChangesOf(oldRobots, newRobots),
    records: recordChangesOf(oldRobots, newRobots),
    isProved: left.length === 0 && answers.every(({ changes }) => changes.every(({ effect }) => effect !== "unknown")),
    tried,
    notCompared: left.map(({ name }) => name),
  };
}

function crawlerOf(name: string): ComparedCrawler {
  return { name, names: [name] };
}

const order: readonly Effect[] = ["newly-disallowed", "newly-allowed", "unknown", "none"];

/** The sort key of a class: classes whose answers change come first, then those with more crawlers. */
function weightOf({ crawlers, changes }: ChangedAnswers): number {
  const worst = Math.min(order.length, ...changes.map(({ effect }) => order.indexOf(effect)));
  return (order.length - worst) * 1_000_000 + crawlers.length;
}

/**
 * The changes in the order of their effects, then of their lines. An allow rule for an index file has two entries in `rules`, which become
 * one change.
 */
function changesOf(rules: readonly OwnRule[], { matchers }: CrawlerClass): readonly RuleChange[] {
  const byLine = new Map<string, OwnRule>();
  for (const own of rules) {
    const key = `${own.side} ${own.competing.rule.line}`;
    const known = byLine.get(key);
    if (known === undefined || order.indexOf(own.effect) < order.indexOf(known.effect)) byLine.set(key, own);
  }
  const withoutRule = matchers.map(() => undefined as Decision | undefined);
  const decisionOf = (side: 0 | 1, rule: CompetingRule | undefined): Decision =>
    rule === undefined
      ? (withoutRule[side] ??= decisionBy(matchers[side], undefined))
      : decisionBy(matchers[side], rule);
  const witnessOf = ({ target, winners }: NonNullable<OwnRule["witness"]>): Witness => {
    const [old, next] = [decisionOf(0, winners[0]), decisionOf(1, winners[1])] as const;
    if (old.allowed === next.allowed) throw new Error(`both files answer ${target} alike`);
    return { target, old, new: next };
  };
  return [...byLine.values()]
    .map(({ side, competing: { rule }, effect, witness }) => ({
      side,
      rule,
      effect,
      witness: witness === undefined ? undefined : witnessOf(witness),
    }))
    .toSorted(
      (one, other) => order.indexOf(one.effect) - order.indexOf(other.effect) || one.rule.line - other.rule.line,
    );
}

/** The number of rules that both files have, but in a different order: all except those of a longest common subsequence. */
function movedCountOf({ rules: [old, next] }: CrawlerClass): number {
  const lines = new Map(inFileOrder(next).map((rule, index) => [nameOf(rule), index]));
  const places = inFileOrder(old).flatMap((rule) => lines.get(nameOf(rule)) ?? []);
  // For each length, the smallest last place of an increasing subsequence of that length (patience sorting).
  const ends: number[] = [];
  for (const place of places) {
    let [low, high] = [0, ends.length] as [number, number];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < place) low = middle + 1;
      else high = middle;
    }
    ends[low] = place;
  }
  return places.length - ends.length;
}

function inFileOrder(rules: readonly CompetingRule[]): readonly Rule[] {
  const seen = new Map<string, Rule>();
  for (const { rule } of rules.toSorted((one, other) => one.rule.line - other.rule.line)) {
    if (!seen.has(nameOf(rule))) seen.set(nameOf(rule), rule);
  }
  return [...seen.values()];
}

const nameOf = ({ type, pattern }: Rule): string => `${type} ${pattern}`;
