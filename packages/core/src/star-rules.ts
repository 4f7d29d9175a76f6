// Finds the best rank among patterns with stars that match a path, skipping patterns that cannot match.
import { textOf } from "./bytes.ts";
import { holdsPathEnd } from "./encode.ts";
import { GramTable } from "./gram-table.ts";
import { type RankedRules, TIED } from "./ranks.ts";
import { type PathTries, indexOfText, matchesPattern } from "./pattern.ts";

const STAR = 0x2a;
// With up to this many rules, comparing sets of characters is faster than looking up the grams of a path.
const rulesBeforeGrams = 16;
// With up to this many rules that are tried one by one, sets of characters are not compared.
const rulesBeforeSets = 3;
// Longer patterns may have thousands of pieces, so their pieces are not kept as strings.
const longestPieced = 256;

// Each lower-case letter and each of `?&.-` has its own bit. The characters that end a path share one bit; all others share another.
const bitOfCode: Int32Array = new Int32Array(0x80).fill(1 << 30);
const ownBits = "abcdefghijklmnopqrstuvwxyz?&.-";
for (let bit = 0; bit < ownBits.length; bit++) bitOfCode[ownBits.charCodeAt(bit)] = 1 << bit;
/** The bit of `#` and NUL, the characters that end a path. */
const endBit = 1 << 31;
bitOfCode[0x23] = bitOfCode[0] = endBit;

/** A result in place of a rank: the URL contains a character that ends its path, so the caller must cut the path out first. */
export const CUT = -1;

/** The rules with stars of one crawler, by ascending rank. */
export class StarRules {
  readonly #text: Uint8Array;
  readonly #ranks: Int32Array;
  readonly #starts: Int32Array;
  readonly #stops: Int32Array;
  readonly #tied: Uint8Array;
  /** For each rule in `#listed`, the set of characters that every matching path contains. */
  readonly #sets: Int32Array;
  readonly #grams: GramTable | undefined;
  /** The pieces of each pattern after its first star, in order; made when the pattern is first compared. */
  readonly #pieces: (readonly string[] | undefined)[];
  /** The rules that are tried one by one: with a gram table the rules without a gram, else all rules. */
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
    this.#sets = this.#listed.map((rule) => this.#setOf(rule));
    this.#pieces = new Array<undefined>(count);
  }

  /**
   * The lowest rank below `best` of a rule that matches the path; `best` when there is none. {@link CUT} when `isUrl` and the URL
   * contains a character that ends its path.
   */
  find(path: string, offset: number, isUrl: boolean, best: number, tries: PathTries): number {
    if (this.#ranks[0]! >= best) return best;
    const listed = this.#listed;
    const hits = this.#grams?.search(path, offset, isUrl) ?? 0;
    if (hits < 0) return CUT;
    const bySets = listed.length > rulesBeforeSets;
    const held = bySets ? setOfPath(path, offset) : -1;
    if (isUrl && this.#grams === undefined && (held & endBit) !== 0 && holdsPathEnd(path)) return CUT;
    const found = this.#findListed(path, offset, held, best, tries);
    return hits === 0 ? found : this.#findByGrams(this.#grams!, hits, path, offset, found, tries);
  }

  #findListed(path: string, offset: number, held: number, best: number, tries: PathTries): number {
    const listed = this.#listed;
    const ranks = this.#ranks;
    for (let i = 0; i < listed.length; i++) {
      const rule = listed[i]!;
      if (ranks[rule]! >= best) return best;
      if ((this.#sets[i]! & ~held) !== 0) continue;
      if (this.#tries(rule, path, offset, tries)) return ranks[rule]!;
    }
    return best;
  }

  #findByGrams(grams: GramTable, hits: number, path: string, offset: number, best: number, tries: PathTries): number {
    const ranks = this.#ranks;
    let found = best;
    for (let hit = 0; hit < hits; hit++) {
      const bucket = grams.hits[hit]!;
      const end = grams.bucketStarts[bucket + 1]!;
      for (let at = grams.bucketStarts[bucket]!; at < end; at++) {
        const rule = grams.rules[at]!;
        if (ranks[rule]! >= found) break;
        // With an index of the path, matching a pattern is as fast as comparing its grams.
        if ((tries.index !== undefined || grams.mayMatch(rule)) && this.#tries(rule, path, offset, tries)) {
          found = ranks[rule]!;
          break;
        }
      }
    }
    return found;
  }

  /** Whether a pattern matches the path. Searches the path for the pattern's pieces, or uses an index of the path once `tries` has it. */
  #tries(rule: number, path: string, offset: number, tries: PathTries): boolean {
    const start = this.#starts[rule]!;
    const stop = this.#stops[rule]!;
    const index = tries.indexFor(stop - start, path, offset);
    if (index === undefined && stop - start <= longestPieced) return this.#matches(rule, path, offset);
    return matchesPattern(this.#text, start, stop, this.#tied[rule] !== 0, path, offset, index);
  }

  /** The same result as {@link matchesPattern}, faster for a pattern that is compared often. */
  #matches(rule: number, path: string, offset: number): boolean {
    const text = this.#text;
    const size = path.length;
    let at = offset;
    for (let from = this.#starts[rule]!; text[from] !== STAR; from++, at++) {
      if (at >= size || path.charCodeAt(at) !== text[from]) return false;
    }
    const pieces = (this.#pieces[rule] ??= this.#piecesOf(rule));
    // The last piece must be a suffix of the path; it is empty unless the pattern ends in "$".
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
      // Empty pieces between adjacent stars are skipped, because they match anywhere.
      if (at > from || at === stop) pieces.push(textOf(text, from, at));
      from = at + 1;
    }
    if (this.#tied[rule] === 0) pieces.push("");
    return pieces;
  }

  #setOf(rule: number): number {
    let set = 0;
    for (let from = this.#starts[rule]!; from < this.#stops[rule]!; from++) {
      if (this.#text[from] !== STAR) set |= bitOfCode[this.#text[from]!]!;
    }
    return set;
  }
}

/** A superset of the set of characters in a path. */
function setOfPath(path: string, offset: number): number {
  let set = 0;
  for (let at = offset; at < path.length; at++) set |= bitOfCode[path.charCodeAt(at) & 0x7f]!;
  return set;
}
