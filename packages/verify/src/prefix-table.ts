// Address prefixes in, for an address the most specific prefix that contains it out: a prefix trie, flattened to sorted intervals.
//
// Prefixes nest or are disjoint, so n of them divide the addresses into at most 2n + 1 intervals with one answer each. An interval is
// found by halving, from an index of the first 16 bits where there are many: no node of a trie is followed.
import { addressText } from "./address.ts";

/** A prefix: the words of its network, of IPv4 in the last one, and its length in bits. */
export interface Prefix {
  readonly family: 4 | 6;
  readonly words: readonly [number, number, number, number];
  readonly length: number;
}

/** With fewer intervals than this, halving alone is as fast as the index. */
const leastForIndex = 32;

/** The prefixes of one list. */
export class PrefixTable {
  /** The prefixes as given, network bits only. */
  readonly prefixes: readonly Prefix[];
  /** The starts of the intervals of IPv4, and the index of the prefix in each; -1 for none. */
  readonly #starts4: Uint32Array;
  readonly #values4: Int32Array;
  /** For each beginning of 16 bits, the interval that contains its first address. */
  readonly #index4: Uint16Array | Uint32Array | undefined;
  /** The same for IPv6, with four words for each start. */
  readonly #starts6: Uint32Array;
  readonly #values6: Int32Array;
  readonly #index6: BitIndex | undefined;

  /** Takes O(n log n) time and O(n) memory. Of equal prefixes the first counts. */
  constructor(prefixes: readonly Prefix[]) {
    this.prefixes = prefixes.map(withoutHostBits);
    const of4 = intervalsOf(this.prefixes, 4);
    const of6 = intervalsOf(this.prefixes, 6);
    this.#starts4 = Uint32Array.from(of4, ({ start }) => start[3]!);
    this.#values4 = Int32Array.from(of4, ({ value }) => value);
    this.#starts6 = Uint32Array.from(of6.flatMap(({ start }) => start));
    this.#values6 = Int32Array.from(of6, ({ value }) => value);
    this.#index6 = of6.length < leastForIndex ? undefined : bitIndexOf(this.#starts6);
    this.#index4 = of4.length < leastForIndex ? undefined : indexOf(this.#starts4);
  }

  /** The index of the most specific prefix that contains an IPv4 address; -1 without one. */
  find4(address: number): number {
    const starts = this.#starts4;
    const index = this.#index4;
    let low = 0;
    let high = starts.length - 1;
    if (index !== undefined) {
      const beginning = address >>> 16;
      low = index[beginning]!;
      high = index[beginning + 1]!;
    }
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (starts[middle]! <= address) low = middle;
      else high = middle - 1;
    }
    return this.#values4[low]!;
  }

  /** The same for an IPv6 address, given as four 32-bit words. */
  find6(one: number, two: number, three: number, four: number): number {
    const starts = this.#starts6;
    const index = this.#index6;
    let low = 0;
    let high = this.#values6.length - 1;
    if (index !== undefined && index.has(one, two, three, four)) {
      const bits = index.bitsOf(one, two, three, four);
      low = index.intervals[bits]!;
      high = index.intervals[bits + 1]!;
    }
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const at = middle * 4;
      const first = starts[at]!;
      let isAfter = first > one;
      if (first === one) {
        const second = starts[at + 1]!;
        isAfter = second > two;
        if (second === two) {
          const third = starts[at + 2]!;
          isAfter = third > three || (third === three && starts[at + 3]! > four);
        }
      }
      if (isAfter) high = middle - 1;
      else low = middle;
    }
    return this.#values6[low]!;
  }

  /** The prefix with this index as text: "66.249.64.0/27". */
  textOf(index: number): string {
    const { family, words, length } = this.prefixes[index]!;
    return `${addressText(family, words)}/${length}`;
  }
}

interface Interval {
  readonly start: readonly number[];
  readonly value: number;
}

/** The intervals of one family, the first of which begins with the first address. */
function intervalsOf(prefixes: readonly Prefix[], family: 4 | 6): readonly Interval[] {
  const sorted = [...prefixes.keys()]
    .filter((index) => prefixes[index]!.family === family)
    .toSorted((one, other) => inOrder(prefixes[one]!, prefixes[other]!) || one - other);
  const intervals: Interval[] = [{ start: [0, 0, 0, 0], value: -1 }];
  const add = (start: readonly number[], value: number): void => {
    const last = intervals.at(-1)!;
    if (compare(last.start, start) === 0) intervals.pop();
    if ((intervals.at(-1)?.value ?? -2) !== value) intervals.push({ start, value });
  };
  /** The prefixes that contain the current start, the widest first, and the address after each; undefined after the last address. */
  const open: { readonly value: number; readonly next: readonly number[] | undefined }[] = [];
  const closeBefore = (start: readonly number[] | undefined): void => {
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      if (start !== undefined && (last.next === undefined || compare(last.next, start) > 0)) return;
      open.pop();
      if (last.next !== undefined) add(last.next, open.at(-1)?.value ?? -1);
    }
  };
  let before: Prefix | undefined;
  for (const index of sorted) {
    const prefix = prefixes[index]!;
    if (before !== undefined && inOrder(before, prefix) === 0) continue;
    before = prefix;
    closeBefore(prefix.words);
    add(prefix.words, index);
    open.push({ value: index, next: nextOf(prefix) });
  }
  closeBefore(undefined);
  return intervals;
}

/** By network, then the wider first. */
function inOrder(one: Prefix, other: Prefix): number {
  return compare(one.words, other.words) || one.length - other.length;
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (let word = 0; word < 4; word++) if (one[word] !== other[word]) return one[word]! - other[word]!;
  return 0;
}

/** The mask of the network's bits in one word of a prefix. */
function maskOf({ family, length }: Prefix, word: number): number {
  const bits = Math.min(32, Math.max(0, length - (family === 4 ? 0 : word * 32)));
  return family === 4 && word < 3 ? 0 : bits === 0 ? 0 : (-1 << (32 - bits)) >>> 0;
}

function withoutHostBits(prefix: Prefix): Prefix {
  const wordAt = (word: number): number => (prefix.words[word]! & maskOf(prefix, word)) >>> 0;
  return { ...prefix, words: [wordAt(0), wordAt(1), wordAt(2), wordAt(3)] };
}

/** The address after the last one of a prefix; undefined when there is none. */
function nextOf(prefix: Prefix): readonly number[] | undefined {
  const next = prefix.words.map((word, at) => (word | ~maskOf(prefix, at)) >>> 0);
  if (prefix.family === 4) next.fill(0, 0, 3);
  for (let word = 3; word >= (prefix.family === 4 ? 3 : 0); word--) {
    if (next[word] !== 0xffffffff) {
      next[word]!++;
      return next;
    }
    next[word] = 0;
  }
  return undefined;
}

function indexOf(starts: Uint32Array): Uint16Array | Uint32Array {
  // Half the memory where it suffices: more of it is in the processor's cache.
  const index = starts.length <= 65_536 ? new Uint16Array(65_537) : new Uint32Array(65_537);
  let at = 0;
  for (let beginning = 0; beginning < 65_536; beginning++) {
    const first = beginning * 65_536;
    while (at + 1 < starts.length && starts[at + 1]! <= first) at++;
    index[beginning] = at;
  }
  index[65_536] = starts.length - 1;
  return index;
}

/** Bits of an index of IPv6: the 16 bits after the prefix that all starts but the first share. */
class BitIndex {
  /** For each value of these bits, the interval that contains the first address with it; one more for the end. */
  readonly intervals: Uint32Array = new Uint32Array(65_537);
  readonly #common: Uint32Array;
  readonly #masks: readonly number[];
  readonly #word: number;
  readonly #shift: number;

  /** `skipped`: the number of common bits; a multiple of 16, so that the 16 bits are in one word. */
  constructor(common: Uint32Array, skipped: number) {
    this.#common = common;
    this.#masks = [0, 1, 2, 3].map((word) => maskOf({ family: 6, words: [0, 0, 0, 0], length: skipped }, word));
    this.#word = skipped >>> 5;
    this.#shift = skipped % 32 === 0 ? 16 : 0;
  }

  /** Whether an address has the common bits. */
  has(one: number, two: number, three: number, four: number): boolean {
    const common = this.#common;
    const masks = this.#masks;
    return (
      ((one ^ common[0]!) & masks[0]!) === 0 &&
      ((two ^ common[1]!) & masks[1]!) === 0 &&
      ((three ^ common[2]!) & masks[2]!) === 0 &&
      ((four ^ common[3]!) & masks[3]!) === 0
    );
  }

  /** The 16 bits of an address. */
  bitsOf(one: number, two: number, three: number, four: number): number {
    const word = this.#word === 0 ? one : this.#word === 1 ? two : this.#word === 2 ? three : four;
    return (word >>> this.#shift) & 0xffff;
  }
}

/** The index of starts, the first of which is the address 0. */
function bitIndexOf(starts: Uint32Array): BitIndex {
  const first = starts.slice(4, 8);
  const last = starts.slice(-4);
  let skipped = 0;
  while (skipped < 112 && bitsAt(first, skipped) === bitsAt(last, skipped)) skipped += 16;
  const index = new BitIndex(first, skipped);
  const { intervals } = index;
  const count = starts.length / 4;
  let at = 0;
  for (let bits = 0; bits < 65_536; bits++) {
    // The last interval that begins with these bits and zeros, or before.
    while (at + 1 < count && !isBehind(starts, at + 1, bits, skipped)) at++;
    intervals[bits] = at;
  }
  intervals[65_536] = count - 1;
  return index;
}

/** Whether a start is behind the first address with the common bits and these 16 bits. */
function isBehind(starts: Uint32Array, interval: number, bits: number, skipped: number): boolean {
  const start = starts.subarray(interval * 4, interval * 4 + 4);
  const own = bitsAt(start, skipped);
  if (own !== bits) return own > bits;
  for (let from = skipped + 16; from < 128; from += 16) if (bitsAt(start, from) !== 0) return true;
  return false;
}

/** The 16 bits of an address from a multiple of 16 on. */
function bitsAt(words: Uint32Array, from: number): number {
  return (words[from >>> 5]! >>> (from % 32 === 0 ? 16 : 0)) & 0xffff;
}
