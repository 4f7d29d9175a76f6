// The matchers of origins in, the row tails of their decisions out. Both are stored in a few large pages, without an object for each.
import type { Decision, Matcher } from "@robots-stream/core";
import {
  Arena,
  MatcherTable,
  chosenTokenOf,
  pageShift,
  placeMask,
  rulesIdentityOf,
} from "@robots-stream/core/internal";
import type { OriginState } from "../origins/origin-state.ts";

/**
 * Layout of a cached tail: a word with twice the tail's byte count, plus one when the decision allows; a word with the number
 * of records decided this way; the bytes. When several questions share a block, each decision has a list of tails, indexed by
 * question.
 */
export const tailHead = 2;

/** Bytes charged per question for its block number, its product token and its slot. */
const bytesOfBlockNumber = 8;
const bytesOfProductToken = 8;
const bytesOfSlot = 8;

/**
 * With more questions and more than one block, a list of tails has slots only for the questions of its block: ten thousand
 * lists of ten thousand slots would take 400 MB.
 */
const mostInWholeLists = 64;
const noSlots = { slots: undefined, sharers: undefined };

/** A decision that was made about an origin. */
export interface Decided {
  /** The question's index among the origin's questions. */
  readonly index: number;
  readonly decision: Decision;
  /** The number of records. */
  readonly hits: number;
}

/** The matchers and row tails of a run. */
export class Answers {
  readonly arena: Arena = new Arena();
  readonly table: MatcherTable = new MatcherTable(this.arena);

  /**
   * Takes an origin's matchers, one for each question; returns the bytes they use. Matchers of the same rules share a block,
   * for any names of their crawlers.
   */
  settle(state: OriginState, matchers: readonly Matcher[]): number {
    const blocks: number[] = [];
    let bytes = 0;
    const known = new Map<object, { readonly block: number; readonly productToken: string | undefined }>();
    let differ = false;
    for (const matcher of matchers) {
      const rules = rulesIdentityOf(matcher);
      let made = known.get(rules);
      if (made === undefined) {
        made = { block: this.table.add(matcher), productToken: chosenTokenOf(matcher) };
        known.set(rules, made);
        bytes += this.table.bytesOf(made.block);
      } else differ ||= chosenTokenOf(matcher) !== made.productToken;
      blocks.push(made.block);
    }
    // A part of an origin that is about one crawler holds requests that were made, those for robots.txt included.
    if (state.whole !== undefined) {
      state.robotsTxtBlock = this.table.addRobotsTxt();
      bytes += this.table.bytesOf(state.robotsTxtBlock);
    }
    const productTokens = differ ? matchers.map(chosenTokenOf) : undefined;
    const hasSlots = known.size > 1 && blocks.length > mostInWholeLists;
    const { slots, sharers } = hasSlots ? slotsOf(blocks) : noSlots;
    const sharing = differ || hasSlots ? { productTokens, slots, sharers } : undefined;
    state.settle(blocks, sharing);
    if (blocks.length === 1) return bytes;
    const bytesEach = bytesOfBlockNumber + (differ ? bytesOfProductToken : 0) + (hasSlots ? bytesOfSlot : 0);
    return bytes + blocks.length * bytesEach;
  }

  /** The decision at an offset, for a question. */
  decisionOf(state: OriginState, index: number, place: number): Decision {
    return this.table.decisionAt(state.blockAt(index), place, state.sharing?.productTokens?.[index]);
  }

  /** The offset of the tail for a question's decision, 0 when the tail is not built yet. */
  tailAt(state: OriginState, index: number, place: number): number {
    const value = this.table.valueAt(place);
    if (value === 0 || listSizeOf(state, index) === 1) return value;
    const slot = state.sharing?.slots?.[index] ?? index;
    return this.arena.words[value >>> pageShift]![(value & placeMask) + slot]!;
  }

  /** Stores the tail for a question's decision; returns its offset. */
  keepTail(state: OriginState, index: number, place: number, tail: Uint8Array, allowed: boolean): number {
    const kept = this.arena.allocate(wordsOf(tail.length));
    const words = this.arena.words[kept >>> pageShift]!;
    const at = kept & placeMask;
    words[at] = tail.length * 2 + (allowed ? 1 : 0);
    words[at + 1] = 0;
    this.arena.bytes[kept >>> pageShift]!.set(tail, (at + tailHead) * 4);
    const size = listSizeOf(state, index);
    if (size === 1) this.table.setValue(place, kept);
    else {
      let list = this.table.valueAt(place);
      if (list === 0) {
        list = this.arena.allocate(size);
        this.#listAt(list, size).fill(0);
        this.table.setValue(place, list);
      }
      this.#listAt(list, size)[state.sharing?.slots?.[index] ?? index] = kept;
    }
    return kept;
  }

  /** Bytes that `keepTail` uses for a tail of this length. */
  bytesOfTail(state: OriginState, index: number, place: number, length: number): number {
    const size = listSizeOf(state, index);
    const needsList = size > 1 && this.table.valueAt(place) === 0;
    return (wordsOf(length) + (needsList ? size : 0)) * 4;
  }

  /**
   * The decisions about an origin so far. Questions that share a block and a product token share the objects of its decisions.
   */
  decidedOf(state: OriginState): Decided[] {
    const all: Decided[] = [];
    const places = new Map<number, readonly number[]>();
    const decisions = new Map<number, Map<string | undefined, Decision>>();
    for (const [index, block] of questionsAndBlocksOf(state)) {
      let kept = places.get(block);
      if (kept === undefined) places.set(block, (kept = this.table.keptPlaces(block)));
      for (const place of kept) {
        const tail = this.tailAt(state, index, place);
        if (tail === 0) continue;
        let byToken = decisions.get(place);
        if (byToken === undefined) decisions.set(place, (byToken = new Map()));
        const productToken = state.sharing?.productTokens?.[index];
        let decision = byToken.get(productToken);
        if (decision === undefined) byToken.set(productToken, (decision = this.decisionOf(state, index, place)));
        const hits = this.arena.words[tail >>> pageShift]![(tail & placeMask) + 1]!;
        all.push({ index, decision, hits });
      }
    }
    return all;
  }

  /** Moves the data of an origin, so that its old pages can be freed. */
  move(state: OriginState): void {
    const moved = new Map<number, number>();
    for (const [block, size] of listSizesOf(state)) {
      const to = this.table.move(block);
      moved.set(block, to);
      for (const place of this.table.keptPlaces(to)) {
        let value = this.table.valueAt(place);
        if (size === 1) value = this.#moveTail(value);
        else {
          value = this.arena.move(value, size);
          for (const [slot, tail] of this.#listAt(value, size).entries()) {
            // The list is looked up again: moving an entry may reuse its page.
            if (tail !== 0) this.#listAt(value, size)[slot] = this.#moveTail(tail);
          }
        }
        this.table.setValue(place, value);
      }
    }
    if (moved.size > 0) {
      state.settle(
        blocksOf(state).map((block) => moved.get(block)!),
        state.sharing,
      );
      state.robotsTxtBlock = moved.get(state.robotsTxtBlock) ?? 0;
    }
  }

  /** Frees the data of an origin. */
  free(state: OriginState): void {
    this.freeTails(state);
    for (const block of listSizesOf(state).keys()) this.table.free(block);
    state.settle([]);
    state.robotsTxtBlock = 0;
  }

  /** Frees the tails of an origin with their counts; they are built again when needed. */
  freeTails(state: OriginState): void {
    for (const [block, size] of listSizesOf(state)) {
      for (const place of this.table.keptPlaces(block)) {
        const value = this.table.valueAt(place);
        const tails = size === 1 ? [value] : this.#listAt(value, size);
        for (const tail of tails) if (tail !== 0) this.arena.free(tail, this.#sizeOfTail(tail));
        if (size > 1) this.arena.free(value, size);
        this.table.setValue(place, 0);
      }
    }
  }

  #listAt(list: number, size: number): Int32Array {
    const at = list & placeMask;
    return this.arena.words[list >>> pageShift]!.subarray(at, at + size);
  }

  #sizeOfTail(tail: number): number {
    return wordsOf(this.arena.words[tail >>> pageShift]![tail & placeMask]! >>> 1);
  }

  #moveTail(tail: number): number {
    return this.arena.move(tail, this.#sizeOfTail(tail));
  }
}

/** The number of slots in the list of tails of a decision; 1 means a single tail without a list. */
function listSizeOf(state: OriginState, index: number): number {
  return state.sharing?.sharers?.[index] ?? state.others.length + 1;
}

/** Each block of an origin once, with the size of its lists. */
function listSizesOf(state: OriginState): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  for (const [index, block] of questionsAndBlocksOf(state)) {
    if (!sizes.has(block)) sizes.set(block, listSizeOf(state, index));
  }
  return sizes;
}

/** For each question, its index among the questions of its block, and the number of these. */
function slotsOf(blocks: readonly number[]): { readonly slots: Int32Array; readonly sharers: Int32Array } {
  const counts = new Map<number, number>();
  const slots = Int32Array.from(blocks, (block) => {
    const count = counts.get(block) ?? 0;
    counts.set(block, count + 1);
    return count;
  });
  return { slots, sharers: Int32Array.from(blocks, (block) => counts.get(block)!) };
}

function blocksOf({ block, others }: OriginState): number[] {
  return block === 0 ? [] : [block, ...others];
}

/** Each question of an origin with each block that decides it: by the rules, and about requests for robots.txt. */
function questionsAndBlocksOf(state: OriginState): readonly (readonly [index: number, block: number])[] {
  const { robotsTxtBlock } = state;
  const pairs = blocksOf(state).map((block, index) => [index, block] as const);
  return robotsTxtBlock === 0 ? pairs : [...pairs, ...pairs.map(([index]) => [index, robotsTxtBlock] as const)];
}

function wordsOf(tailBytes: number): number {
  return tailHead + ((tailBytes + 3) >> 2);
}
