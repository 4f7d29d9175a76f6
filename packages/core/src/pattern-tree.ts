// Stores patterns without stars in a radix tree: a walk down the tree along a path visits every pattern that is a prefix of the path.

import { endsPath } from "./encode.ts";

/** The rank that means "no rule": greater than any real rank. */
export const NO_RANK = 0x7fffffff;

const ASCII_END = 0x80;

/** A radix tree whose labels are ranges of `text`. Each node has the best (lowest) rank of the rules whose pattern ends at the node. */
export class PatternTree {
  readonly #text: Uint8Array;
  // For each node: the label (a range of the text), the best rank of a pattern that ends here, and the best rank of a pattern
  // that ends here and must be the whole path.
  readonly #labelStart: number[] = [0];
  readonly #labelLength: number[] = [0];
  readonly #rank: number[] = [NO_RANK];
  readonly #exactRank: number[] = [NO_RANK];
  // Children by (node, first character) in an open-addressing hash table: keys are 1 + node × 128 + character; 0 marks a free
  // slot.
  #keys: Int32Array;
  #children: Int32Array;
  #used = 0;
  #shift: number;

  /** An empty tree over `text`, sized for about `count` patterns. */
  constructor(text: Uint8Array, count: number) {
    this.#text = text;
    let bits = 5;
    while (1 << bits < count * 2 && bits < 24) bits++;
    this.#keys = new Int32Array(1 << bits);
    this.#children = new Int32Array(1 << bits);
    this.#shift = 32 - bits;
  }

  /**
   * Adds the pattern in a range of the text; an exact pattern matches only the whole path. Of equal patterns the lowest rank is
   * kept.
   */
  add(start: number, stop: number, isExact: boolean, rank: number): void {
    const text = this.#text;
    let node = 0;
    let at = start;
    while (at < stop) {
      const child = this.#childOf(node, text[at]!);
      if (child === 0) {
        node = this.#addChild(node, at, stop - at);
        break;
      }
      const shared = this.#sharedLength(child, at, stop);
      node = shared === this.#labelLength[child] ? child : this.#splitChild(node, child, shared);
      at += shared;
    }
    const ranks = isExact ? this.#exactRank : this.#rank;
    if (rank < ranks[node]!) ranks[node] = rank;
  }

  /**
   * The best rank of all patterns that match the path, or {@link NO_RANK}. The path begins at `offset` of `path`; with `isUrl`
   * the path ends before the first character that `endsPath` accepts. At most linear in the path.
   */
  find(path: string, offset: number, isUrl: boolean): number {
    const text = this.#text;
    const size = path.length;
    let node = 0;
    let at = offset;
    let best = this.#rank[0]!;
    while (at < size) {
      const code = path.charCodeAt(at);
      if (code >= ASCII_END) return best;
      const child = this.#childOf(node, code);
      if (child === 0) {
        if (isUrl && endsPath(code)) break;
        return best;
      }
      const length = this.#labelLength[child]!;
      if (length > size - at) return best;
      const label = this.#labelStart[child]!;
      for (let next = 1; next < length; next++) {
        if (text[label + next]! !== path.charCodeAt(at + next)) return best;
      }
      at += length;
      node = child;
      const rank = this.#rank[node]!;
      if (rank < best) best = rank;
    }
    const exact = this.#exactRank[node]!;
    return exact < best ? exact : best;
  }

  #sharedLength(child: number, at: number, stop: number): number {
    const text = this.#text;
    const label = this.#labelStart[child]!;
    const most = Math.min(this.#labelLength[child]!, stop - at);
    let shared = 1;
    while (shared < most && text[label + shared]! === text[at + shared]!) shared++;
    return shared;
  }

  #newNode(labelStart: number, labelLength: number): number {
    this.#labelStart.push(labelStart);
    this.#labelLength.push(labelLength);
    this.#rank.push(NO_RANK);
    this.#exactRank.push(NO_RANK);
    return this.#rank.length - 1;
  }

  #addChild(node: number, labelStart: number, labelLength: number): number {
    const child = this.#newNode(labelStart, labelLength);
    this.#setChild(node, this.#text[labelStart]!, child);
    return child;
  }

  /** Inserts a node between `node` and `child`; its label is the first `shared` characters of the child's label. */
  #splitChild(node: number, child: number, shared: number): number {
    const label = this.#labelStart[child]!;
    const middle = this.#newNode(label, shared);
    this.#setChild(node, this.#text[label]!, middle);
    this.#labelStart[child] = label + shared;
    this.#labelLength[child]! -= shared;
    this.#setChild(middle, this.#text[label + shared]!, child);
    return middle;
  }

  #childOf(node: number, code: number): number {
    const keys = this.#keys;
    const key = 1 + node * ASCII_END + code;
    const mask = keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const found = keys[slot]!;
      if (found === key) return this.#children[slot]!;
      if (found === 0) return 0;
      slot = (slot + 1) & mask;
    }
  }

  #setChild(node: number, code: number, child: number): void {
    if (this.#used * 2 >= this.#keys.length) this.#grow();
    this.#insert(1 + node * ASCII_END + code, child);
  }

  #insert(key: number, child: number): void {
    const keys = this.#keys;
    const mask = keys.length - 1;
    let slot = Math.imul(key, 0x9e3779b1) >>> this.#shift;
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    if (keys[slot] === 0) this.#used++;
    keys[slot] = key;
    this.#children[slot] = child;
  }

  #grow(): void {
    const keys = this.#keys;
    const children = this.#children;
    this.#keys = new Int32Array(keys.length * 2);
    this.#children = new Int32Array(keys.length * 2);
    this.#shift--;
    this.#used = 0;
    for (let slot = 0; slot < keys.length; slot++) if (keys[slot] !== 0) this.#insert(keys[slot]!, children[slot]!);
  }
}
