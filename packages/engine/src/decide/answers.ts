// What decides about origins in, and what each decision puts behind the heads of rows: all of it in a few large pages, without
// an object for each of them.
import type { Decision, Matcher } from "@robots-stream/core";
import { Arena, MatcherTable, chosenTokenOf, pageShift, placeMask, rulesIdentityOf } from "@robots-stream/core/internal";
import type { OriginState } from "../origins/origin-state.ts";

/**
 * The end of a row, kept with a decision: twice the number of its bytes, one more when the decision allows · how often it was
 * decided so · the bytes. Where several questions are asked, a list of such ends is kept, with a number for each question.
 */
export const tailHead = 2;

/** What it takes to know which block answers a question. */
const bytesOfBlockNumber = 8;
const bytesOfProductToken = 8;

/** A decision that was made about an origin. */
export interface Decided {
  /** Which of the origin's questions. */
  readonly index: number;
  readonly decision: Decision;
  /** How often. */
  readonly hits: number;
}

/** The matchers and ends of rows of a run. */
export class Answers {
  readonly arena: Arena = new Arena();
  readonly table: MatcherTable = new MatcherTable(this.arena);

  /**
   * Takes what decides from now on, a matcher for each question; gives the bytes it takes. Matchers of the same rules share a
   * block, whatever the names of their crawlers.
   */
  settle(state: OriginState, matchers: readonly Matcher[]): number {
    const blocks: number[] = [];
    let bytes = 0;
    const known = new Map<object, { readonly block: number; readonly productToken: string | undefined }>();
    let isShared = false;
    for (const matcher of matchers) {
      const rules = rulesIdentityOf(matcher);
      let made = known.get(rules);
      if (made === undefined) {
        made = { block: this.table.add(matcher), productToken: chosenTokenOf(matcher) };
        known.set(rules, made);
        bytes += this.table.bytesOf(made.block);
      } else isShared ||= chosenTokenOf(matcher) !== made.productToken;
      blocks.push(made.block);
    }
    state.settle(blocks, isShared ? matchers.map(chosenTokenOf) : undefined);
    if (blocks.length === 1) return bytes;
    return bytes + blocks.length * (isShared ? bytesOfBlockNumber + bytesOfProductToken : bytesOfBlockNumber);
  }

  /** The decision at a place for a question. */
  decisionOf(state: OriginState, index: number, place: number): Decision {
    return this.table.decisionAt(state.blockAt(index), place, state.productTokens?.[index]);
  }

  /** Where the end of a row for a question's decision stands, 0 when it is still to be made. */
  tailAt(state: OriginState, index: number, place: number): number {
    const value = this.table.valueAt(place);
    if (value === 0 || state.others.length === 0) return value;
    return this.arena.words[value >>> pageShift]![(value & placeMask) + index]!;
  }

  /** Keeps the end of a row for a question's decision; gives where. */
  keepTail(state: OriginState, index: number, place: number, tail: Uint8Array, allowed: boolean): number {
    const kept = this.arena.allocate(wordsOf(tail.length));
    const words = this.arena.words[kept >>> pageShift]!;
    const at = kept & placeMask;
    words[at] = tail.length * 2 + (allowed ? 1 : 0);
    words[at + 1] = 0;
    this.arena.bytes[kept >>> pageShift]!.set(tail, (at + tailHead) * 4);
    const questions = state.others.length + 1;
    if (questions === 1) this.table.setValue(place, kept);
    else {
      let list = this.table.valueAt(place);
      if (list === 0) {
        list = this.arena.allocate(questions);
        this.#listAt(list, questions).fill(0);
        this.table.setValue(place, list);
      }
      this.#listAt(list, questions)[index] = kept;
    }
    return kept;
  }

  /** Bytes that `keepTail` takes for a tail of this length. */
  bytesOfTail(state: OriginState, place: number, length: number): number {
    const needsList = state.others.length > 0 && this.table.valueAt(place) === 0;
    return (wordsOf(length) + (needsList ? state.others.length + 1 : 0)) * 4;
  }

  /** What was decided about an origin so far. Questions that share a block and a product token share the objects of its decisions. */
  decidedOf(state: OriginState): Decided[] {
    const all: Decided[] = [];
    const places = new Map<number, readonly number[]>();
    const decisions = new Map<number, Map<string | undefined, Decision>>();
    for (const [index, block] of blocksOf(state).entries()) {
      let kept = places.get(block);
      if (kept === undefined) places.set(block, (kept = this.table.keptPlaces(block)));
      for (const place of kept) {
        const tail = this.tailAt(state, index, place);
        if (tail === 0) continue;
        let byToken = decisions.get(place);
        if (byToken === undefined) decisions.set(place, (byToken = new Map()));
        const productToken = state.productTokens?.[index];
        let decision = byToken.get(productToken);
        if (decision === undefined) byToken.set(productToken, (decision = this.decisionOf(state, index, place)));
        const hits = this.arena.words[tail >>> pageShift]![(tail & placeMask) + 1]!;
        all.push({ index, decision, hits });
      }
    }
    return all;
  }

  /** Moves what an origin has, so that the pages in which it stood can be given up. */
  move(state: OriginState): void {
    const questions = state.others.length + 1;
    const moved = new Map<number, number>();
    for (const block of new Set(blocksOf(state))) {
      const to = this.table.move(block);
      moved.set(block, to);
      for (const place of this.table.keptPlaces(to)) {
        let value = this.table.valueAt(place);
        if (questions === 1) value = this.#moveTail(value);
        else {
          value = this.arena.move(value, questions);
          for (const [index, tail] of this.#listAt(value, questions).entries()) {
            // A list is looked up again: who moves may be given its page.
            if (tail !== 0) this.#listAt(value, questions)[index] = this.#moveTail(tail);
          }
        }
        this.table.setValue(place, value);
      }
    }
    if (moved.size > 0) {
      state.settle(
        blocksOf(state).map((block) => moved.get(block)!),
        state.productTokens,
      );
    }
  }

  /** Gives up what an origin has. */
  free(state: OriginState): void {
    this.freeTails(state);
    for (const block of new Set(blocksOf(state))) this.table.free(block);
    state.settle([]);
  }

  /** Gives up the ends of rows of an origin, and with them how often each was decided: they are made again when they are needed. */
  freeTails(state: OriginState): void {
    const questions = state.others.length + 1;
    for (const block of new Set(blocksOf(state))) {
      for (const place of this.table.keptPlaces(block)) {
        const value = this.table.valueAt(place);
        const tails = questions === 1 ? [value] : this.#listAt(value, questions);
        for (const tail of tails) if (tail !== 0) this.arena.free(tail, this.#sizeOfTail(tail));
        if (questions > 1) this.arena.free(value, questions);
        this.table.setValue(place, 0);
      }
    }
  }

  #listAt(list: number, questions: number): Int32Array {
    const at = list & placeMask;
    return this.arena.words[list >>> pageShift]!.subarray(at, at + questions);
  }

  #sizeOfTail(tail: number): number {
    return wordsOf(this.arena.words[tail >>> pageShift]![tail & placeMask]! >>> 1);
  }

  #moveTail(tail: number): number {
    return this.arena.move(tail, this.#sizeOfTail(tail));
  }
}

function blocksOf({ block, others }: OriginState): number[] {
  return block === 0 ? [] : [block, ...others];
}

function wordsOf(tailBytes: number): number {
  return tailHead + ((tailBytes + 3) >> 2);
}
