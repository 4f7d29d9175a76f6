// The rules of a matcher that decides often → an index that finds the winner without comparing the path with every rule.
//
// Rules are ranked once. Patterns without stars are in a radix tree, where the path's walk meets all that match. Patterns
// with stars are found by grams that every matching path holds, and are compared only when they could still win. Each
// decision adds a bounded number of rules to the index, the best ranks first, so that no decision pays for tens of
// thousands; rules that are not in the index yet are compared one by one when no better rule matches.
import { holdsPathEnd } from "./encode.ts";
import { NO_RANK, PatternTree } from "./pattern-tree.ts";
import { PathTries, matchesPattern } from "./pattern.ts";
import { type RankedRules, STARRED, TIED, rankedRulesOf } from "./ranks.ts";
import { CUT, StarRules } from "./star-rules.ts";

const rulesAddedAtOnce = 4096;
const bytesAddedAtOnce = 64 * 1024;

// Shared by all indexes, as deciding is synchronous.
const tries = new PathTries();

export class RuleIndex {
  readonly #text: Uint8Array;
  /** The rules by rank. */
  readonly rules: RankedRules;
  readonly #plain: PatternTree;
  /** Rules with stars, by ascending ranks. */
  readonly #stars: StarRules[] = [];
  /** Ranks below this one are indexed. */
  #indexed = 0;

  constructor(entries: Uint8Array, entryCount: number, countsLiterals: boolean) {
    this.#text = entries;
    this.rules = rankedRulesOf(entries, entryCount, countsLiterals);
    this.#plain = new PatternTree(entries, this.rules.count);
  }

  /**
   * The rank that wins for the path, which begins at `offset` of `path`, or {@link NO_RANK}. With `isUrl` it may be
   * {@link CUT}: a character of the URL ends the path, which has to be cut out first.
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
      // Later rules with stars have higher ranks.
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
