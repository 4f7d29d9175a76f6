// Indexes patterns with stars by their grams: sequences of three characters that every matching path contains.
import { endsPath } from "./encode.ts";

const STAR = 0x2a;
const gramLength = 3;
const gramMask = 0xffffff;
const none = -1;
const mostBits = 18;
const mostBytesRead = 64;

/**
 * Each rule is in the bucket of its rarest gram. A search reads the path once, marks the path's grams and lists their
 * buckets. A rule can match only a path that contains all grams of the rule.
 */
export class GramTable {
  /** The rules whose pattern has no gram in its first `mostBytesRead` bytes. */
  readonly without: number[] = [];
  readonly #shift: number;
  /** The start of each bucket in `rules`, and the end of the last one. */
  readonly bucketStarts: Int32Array;
  /** The rules of the buckets, ascending within a bucket. */
  readonly rules: Int32Array;
  /** One byte per bucket: 1 if the bucket has rules, else 0. */
  readonly #filled: Uint8Array;
  /** For each rule, the bucket of its second-rarest gram; -1 if there is none. */
  readonly #second: Int32Array;
  readonly #text: Uint8Array;
  readonly #starts: Int32Array;
  readonly #stops: Int32Array;
  /** For each bucket, the number of the last search whose path contained a gram of the bucket. */
  readonly #metBy: Int32Array;
  /** The non-empty buckets that the last search found. */
  hits: Int32Array = new Int32Array(64);
  #search = 0;

  constructor(text: Uint8Array, starts: Int32Array, stops: Int32Array) {
    this.#text = text;
    this.#starts = starts;
    this.#stops = stops;
    const count = starts.length;
    let bits = 8;
    while (1 << bits < count * 8 && bits < mostBits) bits++;
    this.#shift = 32 - bits;
    const buckets = 1 << bits;
    // All grams of all rules, rule by rule. First the grams are counted, then the two rarest of each rule are chosen.
    const grams: number[] = [];
    const gramStarts = new Int32Array(count + 1);
    const frequency = new Int32Array(buckets);
    for (let rule = 0; rule < count; rule++) {
      this.#pushGrams(text, starts[rule]!, stops[rule]!, grams);
      gramStarts[rule + 1] = grams.length;
      for (let at = gramStarts[rule]!; at < grams.length; at++) frequency[grams[at]!]!++;
    }
    const first = new Int32Array(count);
    this.#second = new Int32Array(count);
    const sizes = new Int32Array(buckets + 1);
    for (let rule = 0; rule < count; rule++) {
      const from = gramStarts[rule]!;
      const to = gramStarts[rule + 1]!;
      const a = rarestGramOf(grams, from, to, frequency, none);
      const b = a === none ? none : rarestGramOf(grams, from, to, frequency, a);
      first[rule] = a === none ? none : grams[a]!;
      this.#second[rule] = b === none ? none : grams[b]!;
      if (a === none) this.without.push(rule);
      else sizes[grams[a]! + 1]!++;
    }
    this.#filled = new Uint8Array(buckets);
    for (let bucket = 0; bucket < buckets; bucket++) {
      if (sizes[bucket + 1] !== 0) this.#filled[bucket] = 1;
      sizes[bucket + 1]! += sizes[bucket]!;
    }
    this.bucketStarts = sizes;
    this.rules = new Int32Array(count - this.without.length);
    const next = sizes.slice();
    for (let rule = 0; rule < count; rule++) {
      if (first[rule] !== none) this.rules[next[first[rule]!]!++] = rule;
    }
    this.#metBy = new Int32Array(buckets);
  }

  /**
   * Searches the path that begins at `offset` of `path`; returns the number of non-empty buckets in `hits`, or -1 when `isUrl`
   * and the URL contains a character that ends its path.
   */
  search(path: string, offset: number, isUrl: boolean): number {
    const search = (this.#search = (this.#search + 1) | 0);
    const filled = this.#filled;
    const metBy = this.#metBy;
    const shift = this.#shift;
    const size = path.length;
    if (this.hits.length <= size) this.hits = new Int32Array(size * 2);
    const hits = this.hits;
    let count = 0;
    let gram = -1;
    let at = offset;
    for (; at < size; at++) {
      const code = path.charCodeAt(at);
      if (isUrl && endsPath(code)) break;
      gram = ((gram << 8) ^ code) & gramMask;
      const bucket = Math.imul(gram, 0x9e3779b1) >>> shift;
      metBy[bucket] = search;
      // Branch-free, because a branch would often be mispredicted. Clearing `filled` makes each bucket count once.
      hits[count] = bucket;
      count += filled[bucket]!;
      filled[bucket] = 0;
    }
    for (let hit = 0; hit < count; hit++) filled[hits[hit]!] = 1;
    return at < size ? none : count;
  }

  /** Whether the path of the last search contained all grams of the rule in the first `mostBytesRead` bytes of its pattern. */
  mayMatch(rule: number): boolean {
    const metBy = this.#metBy;
    const search = this.#search;
    // The second-rarest gram is checked first, because it rejects the most rules.
    const second = this.#second[rule]!;
    if (second !== none && metBy[second] !== search) return false;
    const text = this.#text;
    const shift = this.#shift;
    const start = this.#starts[rule]!;
    const stop = Math.min(this.#stops[rule]!, start + mostBytesRead);
    let run = 0;
    let gram = 0;
    for (let at = start; at < stop; at++) {
      const byte = text[at]!;
      run = byte === STAR ? 0 : run + 1;
      gram = ((gram << 8) ^ byte) & gramMask;
      if (run >= gramLength && metBy[Math.imul(gram, 0x9e3779b1) >>> shift] !== search) return false;
    }
    return true;
  }

  /** Appends the grams of a pattern in order. Only the first `mostBytesRead` bytes of the pattern are read. */
  #pushGrams(text: Uint8Array, start: number, end: number, grams: number[]): void {
    const stop = Math.min(end, start + mostBytesRead);
    const shift = this.#shift;
    let run = 0;
    let gram = 0;
    for (let at = start; at < stop; at++) {
      const byte = text[at]!;
      run = byte === STAR ? 0 : run + 1;
      gram = ((gram << 8) ^ byte) & gramMask;
      if (run >= gramLength) grams.push(Math.imul(gram, 0x9e3779b1) >>> shift);
    }
  }
}

/**
 * The index of the least frequent gram in `grams[from, to)`, or -1. Skips grams that are equal or next to the gram at index `chosen`,
 * unless `chosen` is -1.
 */
function rarestGramOf(
  grams: readonly number[],
  from: number,
  to: number,
  frequency: Int32Array,
  chosen: number,
): number {
  let rarest = none;
  let least = Number.POSITIVE_INFINITY;
  for (let at = from; at < to; at++) {
    if (frequency[grams[at]!]! >= least) continue;
    if (chosen !== none && (Math.abs(at - chosen) < 2 || grams[at] === grams[chosen])) continue;
    rarest = at;
    least = frequency[grams[at]!]!;
  }
  return rarest;
}
