// Patterns with stars: which of them can match a path at all, tried from the best rank on.
import { textOf } from "./bytes.ts";
import { indexOfText } from "./pattern.ts";

const STAR = 0x2a;
const DOLLAR = 0x24;
const gramLength = 3;
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
  find(path: string, best: number): number {
    const count = this.#ranks.length;
    if (count === 0 || this.#ranks[0]! >= best) return best;
    let found = this.#findListed(path, best);
    if (this.#grams !== undefined) found = this.#findByGrams(this.#grams, path, found);
    return found;
  }

  #findListed(path: string, best: number): number {
    const listed = this.#listed;
    const ranks = this.#ranks;
    let low = 0;
    let high = 0;
    const bySets = listed.length > rulesBeforeSets && path.length <= pathLengthForSets;
    if (bySets) {
      for (let at = 0; at < path.length; at++) {
        const code = path.charCodeAt(at);
        if (code < 0x40) low |= 1 << code;
        else high |= 1 << code;
      }
    } else low = high = -1;
    for (let i = 0; i < listed.length; i++) {
      const rule = listed[i]!;
      if (ranks[rule]! >= best) return best;
      if ((this.#lowSets[rule]! & ~low) !== 0 || (this.#highSets[rule]! & ~high) !== 0) continue;
      if (this.#matches(rule, path)) return ranks[rule]!;
    }
    return best;
  }

  #findByGrams(grams: GramTable, path: string, best: number): number {
    const ranks = this.#ranks;
    let found = best;
    grams.begin();
    for (let at = gramLength - 1; at < path.length; at++) {
      const bucket = grams.bucketAt(path, at);
      if (bucket < 0) continue;
      const end = grams.bucketEnd(bucket);
      for (let i = grams.bucketStart(bucket); i < end; i++) {
        const rule = grams.ruleAt(i);
        if (ranks[rule]! >= found) break;
        if (this.#matches(rule, path)) {
          found = ranks[rule]!;
          break;
        }
      }
    }
    return found;
  }

  /** What {@link matchesPattern} says, for a pattern that is tried often. */
  #matches(rule: number, path: string): boolean {
    const text = this.#text;
    const size = path.length;
    let at = 0;
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
    let from = text.indexOf(STAR, this.#starts[rule]!) + 1;
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

/** The end of a pattern without the `$` that ties it to the end of the path. */
function endOfText(text: Uint8Array, start: number, end: number): number {
  return end > start && text[end - 1]! === DOLLAR ? end - 1 : end;
}

/** Rules in buckets by one gram each: the one of theirs that fewest rules share. */
class GramTable {
  /** Rules that have no gram. */
  readonly without: number[] = [];
  readonly #shift: number;
  readonly #bucketStarts: Int32Array;
  readonly #rules: Int32Array;
  /** The search that last tried a bucket: each is tried once a search. */
  readonly #triedBy: Int32Array;
  #search = 0;

  constructor(text: Uint8Array, starts: Int32Array, ends: Int32Array) {
    let bits = 8;
    while (1 << bits < starts.length * 4 && bits < 20) bits++;
    this.#shift = 32 - bits;
    const buckets = 1 << bits;
    const frequency = new Int32Array(buckets);
    for (let rule = 0; rule < starts.length; rule++) this.#eachGram(text, starts[rule]!, ends[rule]!, (gram) => void frequency[gram]!++);
    const bucketOf = new Int32Array(starts.length).fill(-1);
    const sizes = new Int32Array(buckets);
    for (let rule = 0; rule < starts.length; rule++) {
      let rarest = -1;
      this.#eachGram(text, starts[rule]!, ends[rule]!, (gram) => {
        if (rarest < 0 || frequency[gram]! < frequency[rarest]!) rarest = gram;
      });
      bucketOf[rule] = rarest;
      if (rarest < 0) this.without.push(rule);
      else sizes[rarest]!++;
    }
    this.#bucketStarts = new Int32Array(buckets + 1);
    for (let bucket = 0; bucket < buckets; bucket++) this.#bucketStarts[bucket + 1] = this.#bucketStarts[bucket]! + sizes[bucket]!;
    this.#rules = new Int32Array(this.#bucketStarts[buckets]!);
    const next = this.#bucketStarts.slice();
    for (let rule = 0; rule < starts.length; rule++) if (bucketOf[rule]! >= 0) this.#rules[next[bucketOf[rule]!]!++] = rule;
    this.#triedBy = new Int32Array(buckets);
  }

  begin(): void {
    this.#search = (this.#search + 1) | 0;
  }

  /** The bucket of the gram that ends at a position of the path, or -1 when it holds no rule or was given before. */
  bucketAt(path: string, at: number): number {
    const bucket = this.#bucketOf(path.charCodeAt(at - 2), path.charCodeAt(at - 1), path.charCodeAt(at));
    if (this.#bucketStarts[bucket] === this.#bucketStarts[bucket + 1]) return -1;
    if (this.#triedBy[bucket] === this.#search) return -1;
    this.#triedBy[bucket] = this.#search;
    return bucket;
  }

  bucketStart(bucket: number): number {
    return this.#bucketStarts[bucket]!;
  }

  bucketEnd(bucket: number): number {
    return this.#bucketStarts[bucket + 1]!;
  }

  ruleAt(index: number): number {
    return this.#rules[index]!;
  }

  #bucketOf(first: number, second: number, third: number): number {
    return Math.imul((first << 16) ^ (second << 8) ^ third, 0x9e3779b1) >>> this.#shift;
  }

  #eachGram(text: Uint8Array, start: number, end: number, visit: (gram: number) => void): void {
    const stop = endOfText(text, start, end);
    let run = 0;
    for (let at = start; at < stop; at++) {
      run = text[at]! === STAR ? 0 : run + 1;
      if (run >= gramLength) visit(this.#bucketOf(text[at - 2]!, text[at - 1]!, text[at]!));
    }
  }
}
