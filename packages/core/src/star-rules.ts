// Patterns with stars: which of them can match a path at all, tried from the best rank on.
import { textOf } from "./bytes.ts";
import { GramTable } from "./gram-table.ts";
import { type RankedRules, TIED } from "./ranks.ts";
import { type PathTries, indexOfText, matchesPattern } from "./pattern.ts";

const STAR = 0x2a;
// Below this many rules, comparing sets of characters is cheaper than looking up the grams of a path.
const rulesBeforeGrams = 16;
const rulesBeforeSets = 3;
// Longer patterns may have thousands of pieces: they are read where they stand.
const longestPieced = 256;
const pathLengthForSets = 512;

/** The rules with stars of one crawler, by ascending rank. */
export class StarRules {
  readonly #text: Uint8Array;
  readonly #ranks: Int32Array;
  readonly #starts: Int32Array;
  readonly #stops: Int32Array;
  readonly #tied: Uint8Array;
  /** For each listed rule the characters that a matching path must hold, as two sets of bits: below 0x40 and above. */
  readonly #lowSets: Int32Array;
  readonly #highSets: Int32Array;
  readonly #grams: GramTable | undefined;
  /** The pieces of a pattern after its first star, in order; made when the rule is first tried. */
  readonly #pieces = new Map<number, readonly string[]>();
  /** Rules that no gram stands for, when there are grams; else all. */
  readonly #listed: Int32Array;

  constructor(text: Uint8Array, rules: RankedRules, ranks: readonly number[]) {
    const count = ranks.length;
    this.#text = text;
    this.#ranks = new Int32Array(ranks);
    this.#starts = new Int32Array(count);
    this.#stops = new Int32Array(count);
    this.#tied = new Uint8Array(count);
    for (let rule = 0; rule < count; rule++) {
      const rank = ranks[rule]!;
      this.#starts[rule] = rules.starts[rank]!;
      this.#stops[rule] = rules.stops[rank]!;
      this.#tied[rule] = rules.marks[rank]! & TIED;
    }
    if (count > rulesBeforeGrams) {
      this.#grams = new GramTable(text, this.#starts, this.#stops);
      this.#listed = Int32Array.from(this.#grams.without);
    } else {
      this.#listed = new Int32Array(count);
      for (let rule = 0; rule < count; rule++) this.#listed[rule] = rule;
    }
    this.#lowSets = new Int32Array(this.#listed.length);
    this.#highSets = new Int32Array(this.#listed.length);
    for (let at = 0; at < this.#listed.length; at++) this.#fillSets(at);
  }

  /** The best rank below `best` whose pattern matches the path, else `best`. */
  find(path: string, offset: number, best: number, tries: PathTries): number {
    const count = this.#ranks.length;
    if (count === 0 || this.#ranks[0]! >= best) return best;
    let found = this.#findListed(path, offset, best, tries);
    if (this.#grams !== undefined) found = this.#findByGrams(this.#grams, path, offset, found, tries);
    return found;
  }

  #findListed(path: string, offset: number, best: number, tries: PathTries): number {
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
      if ((this.#lowSets[i]! & ~low) !== 0 || (this.#highSets[i]! & ~high) !== 0) continue;
      if (this.#tries(rule, path, offset, tries)) return ranks[rule]!;
    }
    return best;
  }

  #findByGrams(grams: GramTable, path: string, offset: number, best: number, tries: PathTries): number {
    const ranks = this.#ranks;
    let found = best;
    const hits = grams.search(path, offset);
    for (let hit = 0; hit < hits; hit++) {
      const bucket = grams.bucketOfHit(hit);
      const end = grams.bucketEnd(bucket);
      for (let at = grams.bucketStart(bucket); at < end; at++) {
        const rule = grams.ruleAt(at);
        if (ranks[rule]! >= found) break;
        if (grams.mayMatch(rule) && this.#tries(rule, path, offset, tries)) {
          found = ranks[rule]!;
          break;
        }
      }
    }
    return found;
  }

  /** Tries a pattern: by its pieces while few are tried on the path, else by an index of the path. */
  #tries(rule: number, path: string, offset: number, tries: PathTries): boolean {
    const start = this.#starts[rule]!;
    const stop = this.#stops[rule]!;
    const index = tries.indexFor(stop - start, path, offset);
    if (index === undefined && stop - start <= longestPieced) return this.#matches(rule, path, offset);
    return matchesPattern(this.#text, start, stop, this.#tied[rule] !== 0, path, offset, index);
  }

  /** What {@link matchesPattern} says, for a pattern that is tried often. */
  #matches(rule: number, path: string, offset: number): boolean {
    const text = this.#text;
    const size = path.length;
    let at = offset;
    for (let from = this.#starts[rule]!; text[from] !== STAR; from++, at++) {
      if (at >= size || path.charCodeAt(at) !== text[from]) return false;
    }
    let pieces = this.#pieces.get(rule);
    if (pieces === undefined) this.#pieces.set(rule, (pieces = this.#piecesOf(rule)));
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
    const stop = this.#stops[rule]!;
    const pieces: string[] = [];
    let from = text.indexOf(STAR, this.#starts[rule]) + 1;
    for (let at = from; at <= stop; at++) {
      if (at < stop && text[at] !== STAR) continue;
      // Runs of stars hold empty pieces, which are anywhere.
      if (at > from || at === stop) pieces.push(textOf(text, from, at));
      from = at + 1;
    }
    if (this.#tied[rule] === 0) pieces.push("");
    return pieces;
  }

  #fillSets(at: number): void {
    const rule = this.#listed[at]!;
    for (let from = this.#starts[rule]!; from < this.#stops[rule]!; from++) {
      const code = this.#text[from]!;
      if (code === STAR) continue;
      if (code < 0x40) this.#lowSets[at]! |= 1 << code;
      else this.#highSets[at]! |= 1 << code;
    }
  }
}
