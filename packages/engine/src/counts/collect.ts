// Counts loads and decisions of origins for a summary: grounds, rules, origins and exchanges, which the tally does not have.
import type { Decision } from "@robots-stream/core";
import type { DecidedByParts } from "../origins/matcher-cache.ts";
import type { SourcedRobots } from "../robots/types.ts";
import { HeavyHitters, type HittersData } from "./heavy-hitters.ts";
import { type TimesHistogram, addTime, createTimesHistogram, mergeTimes } from "./times.ts";

/** Longest text of a rule in a key; a longer one is cut. */
const maxRuleLength = 200;

/** The exchanges with the same code. */
export interface Outcome {
  count: number;
  /** Decoded bytes of robots.txt files. */
  bytes: number;
  ms: TimesHistogram;
}

/** The counts of a collector: plain data, can be posted to other threads. */
export interface Collected {
  /** Records by ground, for each question. */
  readonly because: readonly (ReadonlyMap<string, number> | undefined)[];
  /** Records by origin. */
  readonly origins: HittersData;
  /** Decisions by rule; `ruleKeyOf` makes the keys. */
  readonly rules: HittersData;
  /** Exchanges of this run by code. */
  readonly fetched: ReadonlyMap<string, Outcome>;
  /** Origins without an exchange, by code. */
  readonly unfetched: ReadonlyMap<string, number>;
}

/** A rule of an origin's robots.txt. */
export interface HitRule {
  readonly origin: string;
  readonly line: number;
  /** Like "disallow: /cart"; a long rule is cut. */
  readonly rule: string;
}

/** The key of a rule. White space separates its parts: an origin contains none. */
function ruleKeyOf({ origin, line, rule }: HitRule): string {
  return `${origin} ${line} ${rule}`;
}

/** The rule that a key of `Collected.rules` encodes. */
export function ruleOfKey(key: string): HitRule {
  const [, origin = "", line = "", rule = ""] = /^(\S*) (\d+) (.*)$/su.exec(key) ?? [];
  return { origin, line: Number(line), rule };
}

/** Counts in bounded memory, whatever the input. */
export class Collector {
  readonly #because: Map<string, number>[] = [];
  readonly #origins = new HeavyHitters();
  readonly #rules = new HeavyHitters();
  readonly #fetched = new Map<string, Outcome>();
  readonly #unfetched = new Map<string, number>();

  /** The counts so far. */
  get collected(): Collected {
    return {
      because: this.#because,
      origins: this.#origins.data,
      rules: this.#rules.data,
      fetched: this.#fetched,
      unfetched: this.#unfetched,
    };
  }

  /** Counts the result of an origin's load. */
  takeOrigin({ fetched, code, exchange }: SourcedRobots): void {
    if (!fetched) {
      add(this.#unfetched, code, 1);
      return;
    }
    let outcome = this.#fetched.get(code);
    if (outcome === undefined) this.#fetched.set(code, (outcome = { count: 0, bytes: 0, ms: createTimesHistogram() }));
    outcome.count++;
    outcome.bytes += exchange?.bytes ?? 0;
    if (exchange?.ms !== undefined) addTime(outcome.ms, exchange.ms);
  }

  /** Counts the decisions about an origin. `comesOnce`: this is the only call for the origin. */
  takeDecided(origin: string, decidedByParts: DecidedByParts, comesOnce: boolean): void {
    for (const { first, decided } of decidedByParts) {
      let records = 0;
      const isOnly = comesOnce && decidedByParts.length === 1;
      // One rule may decide several questions; questions that share a matcher share the decision object.
      const hitsOf = new Map<Decision, number>();
      for (const { index, decision, hits } of decided) {
        if (index === 0) records += hits;
        const because = (this.#because[first + index] ??= new Map<string, number>());
        add(because, decision.because, hits);
        if (decision.because === "rule") hitsOf.set(decision, (hitsOf.get(decision) ?? 0) + hits);
      }
      const isOneQuestion = decided.every(({ index }) => index === 0);
      for (const [decision, hits] of hitsOf) {
        if (decision.because !== "rule") continue;
        const { type, pattern, line } = decision.rule;
        const keyOf = (): string => copyOf(ruleKeyOf({ origin, line, rule: ruleOf(type, pattern) }));
        this.#rules.add(keyOf, hits, isOnly && isOneQuestion);
      }
      if (records > 0) this.#origins.add(() => origin, records, isOnly);
    }
  }
}

/** Merges the counts of two runs with the same questions about different origins. */
export function mergeCollected(one: Collected, other: Collected): Collected {
  const origins = new HeavyHitters();
  const rules = new HeavyHitters();
  for (const each of [one, other]) {
    origins.merge(each.origins);
    rules.merge(each.rules);
  }
  const fetched = new Map(one.fetched);
  for (const [code, { count, bytes, ms }] of other.fetched) {
    const known = fetched.get(code) ?? { count: 0, bytes: 0, ms: createTimesHistogram() };
    fetched.set(code, { count: known.count + count, bytes: known.bytes + bytes, ms: mergeTimes(known.ms, ms) });
  }
  const length = Math.max(one.because.length, other.because.length);
  return {
    because: Array.from({ length }, (_, index) => sumOf(one.because[index], other.because[index])),
    origins: origins.data,
    rules: rules.data,
    fetched,
    unfetched: sumOf(one.unfetched, other.unfetched),
  };
}

function sumOf(
  one: ReadonlyMap<string, number> = new Map(),
  other: ReadonlyMap<string, number> = new Map(),
): Map<string, number> {
  const sum = new Map(one);
  for (const [key, count] of other) add(sum, key, count);
  return sum;
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function ruleOf(type: string, pattern: string): string {
  const cut = pattern.length > maxRuleLength ? `${pattern.slice(0, maxRuleLength)}…` : pattern;
  return cut === "" ? `${type}:` : `${type}: ${cut}`;
}

/** Copies the string: a slice would keep the whole file in memory. */
function copyOf(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
