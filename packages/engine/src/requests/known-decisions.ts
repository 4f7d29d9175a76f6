// Caches the decisions of slow rules about targets (ranges of bytes), because most targets of a log occur more than once.
import { ByteKeys } from "../records/byte-keys.ts";

/**
 * The maximum number of targets in the cache, and the maximum number of bytes in a cached target: a log may have any number of targets, of
 * any length.
 */
const mostTargets = 20_000;
const longestTarget = 500;
/**
 * The maximum number of objects that the caller passes as `rules` and whose decisions are cached at a time. Each object has its own tables.
 */
const mostRules = 64;

/** The cached decisions of one `rules` object; `keys` are the targets. */
interface Known<Decision> {
  readonly keys: ByteKeys;
  readonly decisions: Decision[];
}

/**
 * A cache of decisions. The key of a decision is an object for the rules, and a target. The cache is emptied after `mostTargets` decisions
 * that it did not contain.
 */
export class KnownDecisions<Decision> {
  #byRules = new Map<object, Known<Decision>>();
  /** The number of decisions that the cache did not contain since it was empty. */
  #count = 0;
  /** The `rules` of the last look-up, and their cached decisions. */
  #lastRules: object | undefined;
  #last: Known<Decision> | undefined;

  /** The decision of `rules` about the target `bytes[start, end)`. Calls `decide` if the decision is not in the cache. */
  of(rules: object, bytes: Uint8Array, start: number, end: number, decide: () => Decision): Decision {
    if (end - start > longestTarget) return decide();
    const known = rules === this.#lastRules ? this.#last : this.#knownOf(rules);
    const key = known?.keys.find(bytes, start, end) ?? -1;
    if (key >= 0) return known!.decisions[key]!;
    const decision = decide();
    if (this.#count === mostTargets) this.#forget();
    else {
      // A decision that is not cached for lack of room counts, too. So the cache is emptied if later requests need other rules, as in a
      // sorted log.
      this.#count++;
      if (known !== undefined) known.decisions[known.keys.add(bytes, start, end)] = decision;
    }
    return decision;
  }

  /** The cached decisions of `rules`; undefined when the cache has no room for further rules. */
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
