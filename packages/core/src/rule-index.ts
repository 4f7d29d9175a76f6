// Indexes rules, to find the rule that wins for a path without comparing the path with every rule.
//
// Rules are ranked once. Patterns without stars are in a radix tree, where one walk along the path finds all matches. Patterns
// with stars are found by grams that every matching path contains, and are compared only when they could still win. Each
// decision adds a bounded number of rules to the index, the best ranks first, so that no single decision pays for indexing
// tens of thousands of rules. If no indexed rule matches, the rules that are not indexed yet are compared one by one.
import { holdsPathEnd } from "./encode.ts";
import { NO_RANK, PatternTree } from "./pattern-tree.ts";
import { PathTries, matchesPattern } from "./pattern.ts";
import { type RankedRules, STARRED, TIED, rankedRulesOf } from "./ranks.ts";
import { CUT, StarRules } from "./star-rules.ts";

const rulesAddedAtOnce = 4096;
const bytesAddedAtOnce = 64 * 1024;

// All indexes share this object, since decisions are synchronous.
const tries = new PathTries();

export class RuleIndex {
  readonly #text: Uint8Array;
  /** The rules in the order of their ranks. */
  readonly rules: RankedRules;
  readonly #plain: PatternTree;
  /** The rules with stars, in batches of ascending ranks. */
  readonly #stars: StarRules[] = [];
  /** The rules with ranks below this number are indexed. */
  #indexed = 0;

  constructor(entries: Uint8Array, entryCount: number, countsLiterals: boolean) {
    this.#text = entries;
    this.rules = rankedRulesOf(entries, entryCount, countsLiterals);
    this.#plain = new PatternTree(entries, this.rules.count);
  }

  /**
   * The rank of the rule that wins for the path from `offset` of `path` on, or {@link NO_RANK}. With `isUrl`, the result may be
   * {@link CUT}: the URL has text after its path, and the caller must cut the path out first.
   */
  find(path: string, offset: number, isUrl: boolean): number {
    const { count } = this.rules;
    if (this.#indexed < count) {
      if (isUrl && holdsPathEnd(path)) return CUT;
      this.#addRules();
    }
    tries.begin();
    let rank = this.#plain.find(path, offset, isUrl);
    for (let at = 0; at < this.#stars.length; at++) {
      const found = this.#stars[at]!.find(path, offset, isUrl, rank, tries);
      if (found === rank) continue;
      // Later batches hold only rules of higher, that is weaker, ranks.
      rank = found;
      break;
    }
    if (rank === NO_RANK && this.#indexed < count) rank = this.#findByTrying(path, offset);
    tries.begin();
    return rank;
  }

  #addRules(): void {
    const { count, starts, stops, marks } = this.rules;
    const end = Math.min(count, this.#indexed + rulesAddedAtOnce);
    const starred: number[] = [];
    let rank = this.#indexed;
    for (let bytes = 0; rank < end && bytes < bytesAddedAtOnce; rank++) {
      const mark = marks[rank]!;
      bytes += stops[rank]! - starts[rank]!;
      if ((mark & STARRED) === 0) this.#plain.add(starts[rank]!, stops[rank]!, (mark & TIED) !== 0, rank);
      else starred.push(rank);
    }
    if (starred.length > 0) this.#stars.push(new StarRules(this.#text, this.rules, starred));
    this.#indexed = rank;
  }

  #findByTrying(path: string, offset: number): number {
    const { count, starts, stops, marks } = this.rules;
    for (let rank = this.#indexed; rank < count; rank++) {
      const mark = marks[rank]!;
      const start = starts[rank]!;
      const stop = stops[rank]!;
      const index = (mark & STARRED) === 0 ? undefined : tries.indexFor(stop - start, path, offset);
      if (matchesPattern(this.#text, start, stop, (mark & TIED) !== 0, path, offset, index)) return rank;
    }
    return NO_RANK;
  }
}
