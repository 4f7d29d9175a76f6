// Patterns with stars by the grams (runs of three characters) that a path must hold to match them.
import { endOfText } from "./pattern.ts";

const STAR = 0x2a;
const gramLength = 3;
const gramMask = 0xffffff;
const noGram = -1;
const mostBits = 20;

/**
 * Each rule lies in the bucket of its rarest gram and knows up to two more. A search goes over the path once, marks the
 * grams it holds and lists the buckets it meets; a rule is worth trying when the path holds all its grams.
 */
export class GramTable {
  /** Rules that have no gram. */
  readonly without: number[] = [];
  readonly #shift: number;
  readonly #bucketStarts: Int32Array;
  readonly #rules: Int32Array;
  readonly #second: Int32Array;
  readonly #third: Int32Array;
  /** The search that last met each gram. */
  readonly #metBy: Int32Array;
  #hits = new Int32Array(64);
  #search = 0;

  constructor(text: Uint8Array, starts: Int32Array, ends: Int32Array) {
    const count = starts.length;
    let bits = 8;
    while (1 << bits < count * 8 && bits < mostBits) bits++;
    this.#shift = 32 - bits;
    const buckets = 1 << bits;
    const frequency = new Int32Array(buckets);
    for (let rule = 0; rule < count; rule++) {
      this.#eachGram(text, starts[rule]!, ends[rule]!, (gram) => void frequency[gram]!++);
    }
    const first = new Int32Array(count);
    this.#second = new Int32Array(count);
    this.#third = new Int32Array(count);
    const sizes = new Int32Array(buckets + 1);
    for (let rule = 0; rule < count; rule++) {
      const chosen = this.#rarestOf(text, starts[rule]!, ends[rule]!, frequency);
      first[rule] = chosen[0];
      this.#second[rule] = chosen[1];
      this.#third[rule] = chosen[2];
      if (chosen[0] === noGram) this.without.push(rule);
      else sizes[chosen[0] + 1]!++;
    }
    for (let bucket = 0; bucket < buckets; bucket++) sizes[bucket + 1]! += sizes[bucket]!;
    this.#bucketStarts = sizes;
    this.#rules = new Int32Array(count - this.without.length);
    const next = sizes.slice();
    for (let rule = 0; rule < count; rule++) {
      if (first[rule] !== noGram) this.#rules[next[first[rule]!]!++] = rule;
    }
    this.#metBy = new Int32Array(buckets);
  }

  /** Goes over the path (what `path` holds from `offset` on); gives how many different buckets with rules it met. */
  search(path: string, offset: number): number {
    const search = (this.#search = (this.#search + 1) | 0);
    const starts = this.#bucketStarts;
    const metBy = this.#metBy;
    const shift = this.#shift;
    const size = path.length;
    let hits = this.#hits;
    let count = 0;
    let gram = 0;
    for (let at = offset; at < size; at++) {
      gram = ((gram << 8) ^ path.charCodeAt(at)) & gramMask;
      if (at < offset + gramLength - 1) continue;
      const bucket = Math.imul(gram, 0x9e3779b1) >>> shift;
      if (metBy[bucket] === search) continue;
      metBy[bucket] = search;
      if (starts[bucket] === starts[bucket + 1]) continue;
      if (count === hits.length) {
        const more = new Int32Array(count * 2);
        more.set(hits);
        this.#hits = hits = more;
      }
      hits[count++] = bucket;
    }
    return count;
  }

  bucketOfHit(hit: number): number {
    return this.#hits[hit]!;
  }

  bucketStart(bucket: number): number {
    return this.#bucketStarts[bucket]!;
  }

  bucketEnd(bucket: number): number {
    return this.#bucketStarts[bucket + 1]!;
  }

  /** The rules of the buckets, ascending within a bucket. */
  ruleAt(index: number): number {
    return this.#rules[index]!;
  }

  /** Whether the last search met all other grams of the rule. */
  mayMatch(rule: number): boolean {
    const second = this.#second[rule]!;
    if (second === noGram) return true;
    if (this.#metBy[second] !== this.#search) return false;
    const third = this.#third[rule]!;
    return third === noGram || this.#metBy[third] === this.#search;
  }

  /** The three rarest grams of a pattern that lie apart from one another, the rarest first. */
  #rarestOf(text: Uint8Array, start: number, end: number, frequency: Int32Array): [number, number, number] {
    const chosen: [number, number, number] = [noGram, noGram, noGram];
    const places: number[] = [];
    for (let pick = 0; pick < 3; pick++) {
      let rarest = noGram;
      let place = -1;
      this.#eachGram(text, start, end, (gram, at) => {
        if (rarest !== noGram && frequency[gram]! >= frequency[rarest]!) return;
        if (chosen.includes(gram) || places.some((other) => Math.abs(other - at) < 2)) return;
        rarest = gram;
        place = at;
      });
      if (rarest === noGram) break;
      chosen[pick] = rarest;
      places.push(place);
    }
    return chosen;
  }

  #eachGram(text: Uint8Array, start: number, end: number, visit: (gram: number, at: number) => void): void {
    const stop = endOfText(text, start, end);
    let run = 0;
    let gram = 0;
    for (let at = start; at < stop; at++) {
      run = text[at] === STAR ? 0 : run + 1;
      gram = ((gram << 8) ^ text[at]!) & gramMask;
      if (run >= gramLength) visit(Math.imul(gram, 0x9e3779b1) >>> this.#shift, at);
    }
  }
}
