// Finds the most specific prefix that contains an address, in a trie whose nodes divide a range of addresses into slots of equal size.
//
// Prefixes nest or are disjoint, so n prefixes divide the addresses into at most 2n + 1 intervals. All addresses of an interval have the
// same answer. A node divides addresses by one of their 32-bit words. The node covers consecutive intervals whose starts agree in the words
// before this word, and has about as many slots as intervals. A slot that several intervals share refers to another node. In the published
// lists, a look-up therefore visits two or three nodes, even if the prefixes are close together.
import { addressText, isMapped } from "./address.ts";

/** A prefix: the words of its network (an IPv4 network is in the last word) and its length in bits. */
export interface Prefix {
  readonly family: 4 | 6;
  readonly words: readonly [number, number, number, number];
  readonly length: number;
}

/** The prefixes of one list. */
export class PrefixTable {
  /** The prefixes in the given order; all bits after the network bits are 0. */
  readonly prefixes: readonly Prefix[];
  /** All nodes; see `NodeWriter`. */
  readonly #nodes: Int32Array;
  /** For each family: the answer for all its addresses, or the reference to its first node. */
  readonly #first4: number;
  readonly #first6: number;

  /** Takes O(n log n) time and O(n) memory. Of equal prefixes, `find` returns the first. */
  constructor(prefixes: readonly Prefix[]) {
    this.prefixes = prefixes.map(withoutHostBits);
    const writer = new NodeWriter();
    this.#first4 = writer.write(intervalsOf(this.prefixes, 4), 3);
    this.#first6 = writer.write(intervalsOf(this.prefixes, 6), 0);
    this.#nodes = writer.nodes;
  }

  /**
   * The index of the most specific prefix that contains an address; -1 if there is none. The words are unsigned; an IPv4 address is in the
   * last word.
   */
  find(family: 4 | 6, words: ArrayLike<number>): number {
    const nodes = this.#nodes;
    let found = family === 4 || isMapped(words) ? this.#first4 : this.#first6;
    while (found < -1) {
      const node = nodeOf(found);
      const word = words[nodes[node + wordAt]!]!;
      const base = nodes[node + baseAt]! >>> 0;
      // A word less than the base wraps around to a number after the last slot.
      const slot = (word - base) >>> nodes[node + shiftAt]!;
      if (slot < nodes[node + countAt]!) found = nodes[node + slotsAt + slot]!;
      else found = nodes[node + (word < base ? beforeAt : behindAt)]!;
    }
    return found;
  }

  /** The prefix with this index as text: "66.249.64.0/27". */
  textOf(index: number): string {
    const { family, words, length } = this.prefixes[index]!;
    return `${addressText(family, words)}/${length}`;
  }
}

/**
 * Members of a node: the index of the word that it divides, the first value of the first slot, the bits of a slot, the number of slots …
 */
const wordAt = 0;
const baseAt = 1;
const shiftAt = 2;
const countAt = 3;
/** … the results for values before and after the slots, and the result of each slot: an answer, or a reference to a node. */
const beforeAt = 4;
const behindAt = 5;
const slotsAt = 6;

/** An answer is the index of a prefix, or -1 for none. A reference to a node is less than -1. */
const referenceOf = (node: number): number => -2 - node;
const nodeOf = (reference: number): number => -2 - reference;

/** The maximum number of slots of a node, as a multiple of its intervals. */
const slotsPerStart = 4;

/** Writes the nodes of a table. */
class NodeWriter {
  #nodes = new Int32Array(64);
  #length = 0;
  #intervals: readonly Interval[] = [];

  get nodes(): Int32Array {
    return this.#nodes.slice(0, this.#length);
  }

  /**
   * Writes the nodes for the intervals of one family; `word` is the index of the first word of the family's addresses. Returns an answer or
   * a reference.
   */
  write(intervals: readonly Interval[], word: number): number {
    this.#intervals = intervals;
    return this.#writeNode(word, 1, intervals.length, intervals[0]!.value);
  }

  /**
   * Writes the node of the intervals from index `from` to before `to`, whose starts agree in the words before `word`. `before` is the
   * answer for addresses before the first start. A node below another one for the same word has slots of fewer bits, so the recursion is at
   * most 128 deep.
   */
  #writeNode(word: number, from: number, to: number, before: number): number {
    if (from === to) return before;
    const intervals = this.#intervals;
    const first = intervals[from]!.start[word]!;
    const last = intervals[to - 1]!.start[word]!;
    let shift = 0;
    while ((last >>> shift) - (first >>> shift) >= slotsPerStart * (to - from)) shift++;
    const base = ((first >>> shift) << shift) >>> 0;
    const count = (last >>> shift) - (first >>> shift) + 1;
    const node = this.#reserve(slotsAt + count);
    this.#nodes.set([word, base, shift, count, before, intervals[to - 1]!.value], node);
    let at = from;
    let answer = before;
    for (let slot = 0; slot < count; slot++) {
      const edge = base + slot * 2 ** shift;
      if (at < to && isAt(intervals[at]!.start, word, edge)) answer = intervals[at++]!.value;
      const inside = at;
      while (at < to && (intervals[at]!.start[word]! - base) >>> shift === slot) at++;
      // If a slot is a single value of this word, the next word divides the slot.
      const found = this.#writeNode(shift === 0 ? word + 1 : word, inside, at, answer);
      this.#nodes[node + slotsAt + slot] = found;
      if (at > inside) answer = intervals[at - 1]!.value;
    }
    return referenceOf(node);
  }

  /** Reserves `length` numbers for a new node; returns the node's offset. */
  #reserve(length: number): number {
    const node = this.#length;
    this.#length += length;
    if (this.#length > this.#nodes.length) {
      const longer = new Int32Array(Math.max(this.#length, this.#nodes.length * 2));
      longer.set(this.#nodes);
      this.#nodes = longer;
    }
    return node;
  }
}

/** Whether an interval's start has this value in the word, and zeros in the words after it. */
function isAt(start: readonly number[], word: number, value: number): boolean {
  if (start[word] !== value) return false;
  for (let next = word + 1; next < 4; next++) if (start[next] !== 0) return false;
  return true;
}

interface Interval {
  readonly start: readonly number[];
  readonly value: number;
}

/** The intervals of one family in ascending order. The first begins with the family's first address. */
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
  /**
   * The prefixes that contain the current start, the widest first. `next` is the address after the prefix; undefined if the prefix ends
   * with the last address.
   */
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

/** Orders prefixes by network, and the wider of two prefixes of the same network first. */
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
  const networkIn = (word: number): number => (prefix.words[word]! & maskOf(prefix, word)) >>> 0;
  return { ...prefix, words: [networkIn(0), networkIn(1), networkIn(2), networkIn(3)] };
}

/** The address after the last address of a prefix; undefined if there is none. */
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
