// Results and decisions of origins in, the counts for a summary out: grounds, rules, origins and exchanges, which the tally does not count.
// Rules and origins are counted in bounded memory, whatever their number (Space-Saving, in batches).
import type { RecordableHistogram } from "node:perf_hooks";
import type { Decision } from "@robots-stream/core";
import { formatInsteadOf } from "@robots-stream/core/internal";
import type { Engine, SourcedRobots } from "@robots-stream/engine/internal";

/** Maximum length of a rule's pattern in a key, in characters; a longer pattern is cut. */
const maxRuleLength = 200;

/** The exchanges whose access results have the same code. */
export interface Outcome {
  count: number;
  /** Decoded bytes of robots.txt files. */
  bytes: number;
  ms: TimesHistogram;
}

/** The counts of a collector. */
export type Collected = Pick<Collector, "because" | "origins" | "rules" | "fetched" | "unfetched" | "formatsInstead">;

/** A rule of an origin's robots.txt. */
export interface HitRule {
  readonly origin: string;
  readonly line: number;
  /** Type and pattern of the rule, such as "disallow: /cart"; a long pattern is cut. */
  readonly rule: string;
}

/** The key of a rule: its origin, line and text, separated by spaces. Neither an origin nor a line number contains a space. */
function ruleKeyOf({ origin, line, rule }: HitRule): string {
  return `${origin} ${line} ${rule}`;
}

/** The rule whose key in `Collected.rules` is `key`. */
export function ruleOfKey(key: string): HitRule {
  const [, origin = "", line = "", rule = ""] = /^(\S*) (\d+) (.*)$/su.exec(key) ?? [];
  return { origin, line: Number(line), rule };
}

/** The decisions about an origin. */
export type DecidedByParts = Parameters<NonNullable<ConstructorParameters<typeof Engine>[0]["onForget"]>>[1];

/** Collects the counts in bounded memory, whatever the input. */
export class Collector {
  /** For each question, the number of records by ground (`because`). */
  readonly because: Map<string, number>[] = [];
  /** Number of records by origin. */
  readonly origins: HeavyHitters = new HeavyHitters();
  /** Number of decisions by rule. The keys are in the form that `ruleOfKey` reads. */
  readonly rules: HeavyHitters = new HeavyHitters();
  /** The exchanges of this run by the code of the access result. */
  readonly fetched: Map<string, Outcome> = new Map();
  /** Number of origins without an exchange of this run, by the code of the access result. */
  readonly unfetched: Map<string, number> = new Map();
  /** Number of origins whose file is no robots.txt, by its format ("HTML"). */
  readonly formatsInstead: Map<string, number> = new Map();

  /** Counts the result of an origin's load. */
  takeOrigin({ access, fetched, code, body, exchange }: SourcedRobots): void {
    const format = access === "successful" && body !== undefined ? formatInsteadOf(body) : undefined;
    if (format !== undefined) add(this.formatsInstead, format, 1);
    if (!fetched) {
      add(this.unfetched, code, 1);
      return;
    }
    let outcome = this.fetched.get(code);
    if (outcome === undefined) this.fetched.set(code, (outcome = { count: 0, bytes: 0, ms: createTimesHistogram() }));
    outcome.count++;
    outcome.bytes += exchange?.bytes ?? 0;
    if (exchange?.ms !== undefined) addTime(outcome.ms, exchange.ms);
  }

  /** Adds the counts of the decisions about an origin. `comesOnce`: no other call has the same origin. */
  takeDecided(origin: string, decidedByParts: DecidedByParts, comesOnce: boolean): void {
    for (const { first, decided } of decidedByParts) {
      let records = 0;
      const isOnly = comesOnce && decidedByParts.length === 1;
      // One rule may decide several questions. Questions that share a matcher also share its `Decision` objects.
      const hitsOf = new Map<Decision, number>();
      for (const { index, decision, hits } of decided) {
        if (index === 0) records += hits;
        const because = (this.because[first + index] ??= new Map<string, number>());
        add(because, decision.because, hits);
        if (decision.because === "rule") hitsOf.set(decision, (hitsOf.get(decision) ?? 0) + hits);
      }
      const isOneQuestion = decided.every(({ index }) => index === 0);
      for (const [decision, hits] of hitsOf) {
        if (decision.because !== "rule") continue;
        const { type, pattern, line } = decision.rule;
        const keyOf = (): string => copyOf(ruleKeyOf({ origin, line, rule: ruleOf(type, pattern) }));
        this.rules.add(keyOf, hits, isOnly && isOneQuestion);
      }
      if (records > 0) this.origins.add(() => origin, records, isOnly);
    }
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function ruleOf(type: string, pattern: string): string {
  const cut = pattern.length > maxRuleLength ? `${pattern.slice(0, maxRuleLength)}…` : pattern;
  return cut === "" ? `${type}:` : `${type}: ${cut}`;
}

/** Copies a string: a slice would keep the whole robots.txt in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

/** Number of keys that remain after a drop. When there are twice as many keys, the half with the smaller upper bounds is dropped. */
const defaultCapacity = 10_000;

/** A key among those with the largest counts. */
export interface Hitter {
  readonly key: string;
  /** Lower bound of the key's count. */
  readonly count: number;
  /** Upper bound of the key's count. It is greater than `count` only when an earlier count of the key may have been dropped. */
  readonly atMost: number;
}

/** The state of a key that was not dropped. */
interface Kept {
  /** Lower bound of the key's count. */
  count: number;
  /** Upper bound minus lower bound of the key's count: the count that the key may have had when it was dropped earlier. */
  missed: number;
  readonly comesOnce: boolean;
}

/** The keys with the largest counts. */
export class HeavyHitters {
  readonly #capacity: number;
  #kept = new Map<string, Kept>();
  /** Upper bound of the count of every dropped key without `comesOnce`. */
  #mostForgotten = 0;
  /** Lower bound of each of the `capacity` largest counts. */
  #leastKept = 0;

  constructor(capacity: number = defaultCapacity) {
    this.#capacity = capacity;
  }

  /**
   * Adds `count` to a key. `comesOnce`: this is the only call for the key, so its count is exact. `keyOf` returns the key; it is not called
   * when the key would be dropped at once.
   */
  add(keyOf: () => string, count: number, comesOnce: boolean): void {
    if (comesOnce && count <= this.#leastKept) return;
    const key = keyOf();
    const known = this.#kept.get(key);
    if (known !== undefined) known.count += count;
    else {
      this.#kept.set(key, { count, missed: comesOnce ? 0 : this.#mostForgotten, comesOnce });
      this.#forgetSmall();
    }
  }

  /**
   * The `length` keys with the largest counts, in descending order of the counts. Of keys with equal counts, the smaller key comes first.
   */
  top(length: number): readonly Hitter[] {
    return [...this.#kept]
      .sort(([one, { count: a }], [other, { count: b }]) => b - a || (one < other ? -1 : 1))
      .slice(0, length)
      .map(([key, { count, missed }]) => ({ key, count, atMost: count + missed }));
  }

  /** When there are too many keys, drops all but the `capacity` keys with the largest upper bounds. */
  #forgetSmall(): void {
    if (this.#kept.size < this.#capacity * 2) return;
    const byMost = [...this.#kept].sort(([, a], [, b]) => b.count + b.missed - (a.count + a.missed));
    for (const [, { count, missed, comesOnce }] of byMost.slice(this.#capacity)) {
      if (!comesOnce) this.#mostForgotten = Math.max(this.#mostForgotten, count + missed);
    }
    byMost.length = this.#capacity;
    this.#kept = new Map(byMost);
    this.#leastKept = byMost.reduce((least, [, { count }]) => Math.min(least, count), Infinity);
  }
}

/**
 * A summary of the durations of exchanges, in milliseconds. The values are exact to the millisecond below two seconds, and within 0.1 %
 * above.
 */
export interface Times {
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
}

/** Node's histogram, which takes bounded memory. */
export type TimesHistogram = RecordableHistogram;

/** Added to each duration in milliseconds, because Node's histograms do not accept 0. */
const offset = 1;
const largest = 2 ** 31;

export function createTimesHistogram(): TimesHistogram {
  return process.getBuiltinModule("node:perf_hooks").createHistogram({ lowest: 1, highest: largest, figures: 3 });
}

/** Counts a duration, rounded to whole milliseconds. A negative duration, which occurs after the clock was set back, is counted as 0. */
export function addTime(histogram: TimesHistogram, ms: number): void {
  histogram.record(Math.min(largest, Math.round(Math.max(0, ms)) + offset));
}

/** A new histogram with the durations of both histograms. */
export function mergeTimes(one: TimesHistogram, other: TimesHistogram): TimesHistogram {
  const merged = createTimesHistogram();
  merged.add(one);
  merged.add(other);
  return merged;
}

/** The summary of a histogram; null for an empty one. */
export function timesOf(histogram: TimesHistogram): Times | null {
  if (histogram.count === 0) return null;
  const { min, max } = histogram;
  return {
    min: min - offset,
    median: histogram.percentile(50) - offset,
    p95: histogram.percentile(95) - offset,
    max: max - offset,
  };
}
