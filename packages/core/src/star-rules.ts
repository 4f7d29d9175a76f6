// Patterns with stars: which of them can match a path at all, tried from the best rank on.
import { textOf } from "./bytes.ts";
import { GramTable } from "./gram-table.ts";
import type { PathIndex } from "./path-index.ts";
import { endOfText, indexOfPathAfter, indexOfText, matchesPattern } from "./pattern.ts";

const STAR = 0x2a;
// Below this many rules, comparing sets of characters is cheaper than looking up the grams of a path.
const rulesBeforeGrams = 16;
const rulesBeforeSets = 3;
const pathLengthForSets = 512;

/** The rules with stars of one crawler, by ascending rank. */
export class StarRules {
  readonly #text: Uint8Array;
  readonly #ranks: Int32Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  /** Characters that a matching path must hold: two sets of 32, see {@link setOf}. */
  readonly #lowSets: Int32Array;
  readonly #highSets: Int32Array;
  readonly #grams: GramTable | undefined;
  /** The pieces of a pattern after its first star, in order; made when the rule is first tried. */
  readonly #pieces: (readonly string[] | undefined)[];
  /** Patterns tried in the search under way, and the index of its path once that pays. */
  #tried = 0;
  #pathIndex: PathIndex | undefined;
  /** Rules that no gram stands for, when there are grams; else all. */
  readonly #listed: Int32Array;

  constructor(text: Uint8Array, starts: Int32Array, ends: Int32Array, ranks: readonly number[]) {
    this.#text = text;
    this.#ranks = Int32Array.from(ranks);
    this.#starts = Int32Array.from(ranks, (rank) => starts[rank]!);
    this.#ends = Int32Array.from(ranks, (rank) => ends[rank]!);
    this.#pieces = Array.from({ length: ranks.length });
    this.#lowSets = new Int32Array(ranks.length);
    this.#highSets = new Int32Array(ranks.length);
    for (let rule = 0; rule < ranks.length; rule++) this.#fillSets(rule);
    if (ranks.length > rulesBeforeGrams) {
      const grams = new GramTable(text, this.#starts, this.#ends);
      this.#grams = grams;
      this.#listed = Int32Array.from(grams.without);
    } else this.#listed = Int32Array.from(ranks.keys());
  }

  /** The best rank below `best` whose pattern matches the path, else `best`. */
  find(path: string, offset: number, best: number): number {
    const count = this.#ranks.length;
    if (count === 0 || this.#ranks[0]! >= best) return best;
    this.#tried = 0;
    this.#pathIndex = undefined;
    let found = this.#findListed(path, offset, best);
    if (this.#grams !== undefined) found = this.#findByGrams(this.#grams, path, offset, found);
    this.#pathIndex = undefined;
    return found;
  }

  #findListed(path: string, offset: number, best: number): number {
    const listed = this.#listed;
    const ranks = this.#ranks;
    let low = 0;
    let high = 0;
    const bySets = listed.length > rulesBeforeSets && path.length - offset <= pathLengthForSets;
    if (bySets) {
      for (let at = offset; at < path.length; at++) {
        const code = path.charCodeAt(at);
        if (code < 0x40) low |= 1 << code;
        else high |= 1 << code;
      }
    } else low = high = -1;
    for (let i = 0; i < listed.length; i++) {
      const rule = listed[i]!;
      if (ranks[rule]! >= best) return best;
      if ((this.#lowSets[rule]! & ~low) !== 0 || (this.#highSets[rule]! & ~high) !== 0) continue;
      if (this.#tries(rule, path, offset)) return ranks[rule]!;
    }
    return best;
  }

  #findByGrams(grams: GramTable, path: string, offset: number, best: number): number {
    const ranks = this.#ranks;
    let found = best;
    const hits = grams.search(path, offset);
    for (let hit = 0; hit < hits; hit++) {
      const bucket = grams.bucketOfHit(hit);
      const end = grams.bucketEnd(bucket);
      for (let at = grams.bucketStart(bucket); at < end; at++) {
        const rule = grams.ruleAt(at);
        if (ranks[rule]! >= found) break;
        if (grams.mayMatch(rule) && this.#tries(rule, path, offset)) {
          found = ranks[rule]!;
          break;
        }
      }
    }
    return found;
  }

  /** Tries a pattern; once many have been tried on one path, by an index of the path. */
  #tries(rule: number, path: string, offset: number): boolean {
    const index = (this.#pathIndex ??= indexOfPathAfter(++this.#tried, path, offset));
    return index === undefined
      ? this.#matches(rule, path, offset)
      : matchesPattern(this.#text, this.#starts[rule]!, this.#ends[rule]!, path, offset, index);
  }

  /** What {@link matchesPattern} says, for a pattern that is tried often. */
  #matches(rule: number, path: string, offset: number): boolean {
    const text = this.#text;
    const size = path.length;
    let at = offset;
    for (let from = this.#starts[rule]!; text[from] !== STAR; from++, at++) {
      if (at >= size || path.charCodeAt(at) !== text[from]) return false;
    }
    const pieces = (this.#pieces[rule] ??= this.#piecesOf(rule));
    // The last piece is tied to the end of the path for "$", else it is empty.
    const last = pieces.length - 1;
    const ending = pieces[last]!;
    const end = size - ending.length;
    if (end < at || (ending !== "" && !path.endsWith(ending))) return false;
    for (let i = 0; i < last; i++) {
      const piece = pieces[i]!;
      const found = indexOfText(path, piece, at);
      if (found < 0) return false;
      at = found + piece.length;
    }
    return at <= end;
  }

  #piecesOf(rule: number): string[] {
    const text = this.#text;
    const end = this.#ends[rule]!;
    const stop = endOfText(text, this.#starts[rule]!, end);
    const pieces: string[] = [];
    let from = text.indexOf(STAR, this.#starts[rule]) + 1;
    for (let at = from; at <= stop; at++) {
      if (at < stop && text[at] !== STAR) continue;
      // Runs of stars hold empty pieces, which are anywhere.
      if (at > from || at === stop) pieces.push(textOf(text, from, at));
      from = at + 1;
    }
    if (stop === end) pieces.push("");
    return pieces;
  }

  #fillSets(rule: number): void {
    const end = this.#ends[rule]!;
    const stop = endOfText(this.#text, this.#starts[rule]!, end);
    for (let at = this.#starts[rule]!; at < stop; at++) {
      const code = this.#text[at]!;
      if (code === STAR) continue;
      if (code < 0x40) this.#lowSets[rule]! |= 1 << code;
      else this.#highSets[rule]! |= 1 << code;
    }
  }
}
