// Remembers decisions about targets, which are ranges of bytes, for rules that take long to decide: most targets of a log come again.
import { ByteKeys } from "../records/byte-keys.ts";

/** Limits of what is remembered together, and of one target: a log may have any number of targets, of any length. */
const mostTargets = 20_000;
const longestTarget = 500;
/** The most rules whose decisions are remembered at a time: each has tables of its own. */
const mostRules = 64;

/** The decisions of some rules about targets. */
interface Known<Decision> {
  readonly keys: ByteKeys;
  readonly decisions: Decision[];
}

/** Decisions by rules, which are objects, and by targets. */
export class KnownDecisions<Decision> {
  #byRules = new Map<object, Known<Decision>>();
  #count = 0;
  /** The rules that were asked last, and their decisions. */
  #lastRules: object | undefined;
  #last: Known<Decision> | undefined;

  /** The decision of rules about the target `bytes[start, end)`; computed by `decide` if it is not remembered. */
  of(rules: object, bytes: Uint8Array, start: number, end: number, decide: () => Decision): Decision {
    if (end - start > longestTarget) return decide();
    const known = rules === this.#lastRules ? this.#last : this.#knownOf(rules);
    const key = known?.keys.find(bytes, start, end) ?? -1;
    if (key >= 0) return known!.decisions[key]!;
    const decision = decide();
    if (known === undefined) return decision;
    if (this.#count === mostTargets) this.#forget();
    else {
      this.#count++;
      known.decisions[known.keys.add(bytes, start, end)] = decision;
    }
    return decision;
  }

  /** What is remembered for rules; undefined when there is no room for further rules. */
  #knownOf(rules: object): Known<Decision> | undefined {
    let known = this.#byRules.get(rules);
    if (known === undefined && this.#byRules.size < mostRules) {
      this.#byRules.set(rules, (known = { keys: new ByteKeys(), decisions: [] }));
    }
    this.#lastRules = rules;
    return (this.#last = known);
  }

  #forget(): void {
    this.#byRules = new Map();
    this.#count = 0;
    this.#lastRules = undefined;
    this.#last = undefined;
  }
}
