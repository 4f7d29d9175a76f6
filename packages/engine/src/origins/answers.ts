// Stores the matchers of origins and the row tails of their decisions in a few large pages, not as one object each. A row is the head of
// its record, followed by a tail with the answer.
import type { Decision, Matcher } from "@robots-stream/core";
import {
  Arena,
  MatcherTable,
  chosenTokenOf,
  pageShift,
  placeMask,
  rulesIdentityOf,
} from "@robots-stream/core/internal";
import type { Combination } from "./combinations.ts";
import { type OriginState, type Runs, oneRun } from "./origin-state.ts";

/**
 * Words before the bytes of a single tail; several tails have one more word each, see `headOf`.
 *
 * Layout of the cached tails of one decision for a run of questions: a word with twice the number of bytes of all tails, plus one when the
 * decision allows; a word with the number of records counted with this decision; for several tails, one word each with the end of the tail,
 * in bytes from the beginning of the first tail; the bytes of all tails.
 *
 * `MatcherTable` stores one value with each decision: the address of its tails. When a block decides several runs of questions, the value
 * is the address of a list instead: the addresses of the tails of these runs, indexed by `Runs.slots`. The lists of `robotsTxtBlock` are
 * indexed by run.
 */
export const tailHead = 2;

/** Maximum number of questions in a run of questions: their tails are one allocation. */
const mostInRun = 64;

/**
 * Bytes charged for an origin: per question when product tokens differ within a block (`Runs.productTokens`); with several runs of
 * questions, per run and per block.
 */
const bytesOfProductToken = 8;
const bytesOfRun = 12;
const bytesOfBlock = 12;

/** A decision about records of an origin, for one question. */
export interface Decided {
  /** Index of the question among the questions of the origin's state. */
  readonly index: number;
  readonly decision: Decision;
  /** The number of records with this decision. */
  readonly hits: number;
}

/** The address of tails, and the bytes that were allocated for them. */
interface KeptTails {
  readonly tails: number;
  readonly bytes: number;
}

/** The matchers of origins, and the row tails of their decisions. */
export class Answers {
  readonly arena: Arena = new Arena();
  readonly table: MatcherTable = new MatcherTable(this.arena);
  /** Number of changes after which addresses of tails may belong to other tails. */
  changes = 0;
  readonly #isJoined: boolean;

  /** `isJoined`: each record has a single row, so each run of questions has one tail, which is a part of that row. */
  constructor(isJoined = false) {
    this.#isJoined = isJoined;
  }

  /**
   * Stores an origin's matchers, one for each question, as blocks, and sets the blocks and runs of `state`. Returns the bytes to charge.
   * Matchers with the same rules share a block, even when the product tokens of their crawlers differ.
   */
  settle(state: OriginState, matchers: readonly Matcher[]): number {
    const blocks: number[] = [];
    const numbers = new Map<object, { readonly number: number; readonly productToken: string | undefined }>();
    let bytes = 0;
    let differ = false;
    const numberOfEach = matchers.map((matcher) => {
      const rules = rulesIdentityOf(matcher);
      let known = numbers.get(rules);
      if (known === undefined) {
        known = { number: blocks.length, productToken: chosenTokenOf(matcher) };
        numbers.set(rules, known);
        const block = this.table.add(matcher);
        blocks.push(block);
        bytes += this.table.bytesOf(block);
      } else differ ||= chosenTokenOf(matcher) !== known.productToken;
      return known.number;
    });
    // With `agentField`, or when records are decided by their time, records are requests that were made, and some requests are for
    // /robots.txt.
    if (state.whole !== undefined || state.version !== "") {
      state.robotsTxtBlock = this.table.addRobotsTxt();
      bytes += this.table.bytesOf(state.robotsTxtBlock);
    }
    const runs = runsOf(numberOfEach, blocks.length, differ ? matchers.map(chosenTokenOf) : undefined);
    state.settle(blocks, runs);
    if (differ) bytes += matchers.length * bytesOfProductToken;
    return runs.ends.length === 1 ? bytes : bytes + runs.ends.length * bytesOfRun + blocks.length * bytesOfBlock;
  }

  /**
   * The decision at address `place`, for the question at `index` among the questions of `state`. `isRobotsTxt`: whether `robotsTxtBlock`
   * made the decision.
   */
  decisionOf(state: OriginState, index: number, place: number, isRobotsTxt: boolean): Decision {
    const block = isRobotsTxt ? state.robotsTxtBlock : state.blockAt(index);
    return this.table.decisionAt(block, place, state.runs.productTokens?.[index]);
  }

  /**
   * The address of a decision's tails for a run of questions; 0 when they are not built yet. `place` is the address of the decision.
   * `isRobotsTxt`: whether `robotsTxtBlock` made the decision.
   */
  tailsAt({ runs }: OriginState, run: number, place: number, isRobotsTxt: boolean): number {
    const value = this.table.valueAt(place);
    if (value === 0 || runs.ends.length === 1) return value;
    if (!isRobotsTxt && runs.sharers[runs.blocks[run]!] === 1) return value;
    const slot = isRobotsTxt ? run : runs.slots[run]!;
    return this.arena.words[value >>> pageShift]![(value & placeMask) + slot]!;
  }

  /**
   * Stores the tails of the decision at address `place` for a run of questions: one tail for each question of the run, or one tail for the
   * whole run when each record has a single row. `allowed`: whether the decision allows. Returns the address of the tails, and the allocated
   * bytes.
   */
  keepTails(
    state: OriginState,
    run: number,
    place: number,
    isRobotsTxt: boolean,
    tails: readonly Uint8Array[],
    allowed: boolean,
  ): KeptTails {
    const size = tails.reduce((sum, tail) => sum + tail.length, 0);
    let bytesAdded = wordsOf(tails.length, size) * 4;
    const kept = this.arena.allocate(wordsOf(tails.length, size));
    const words = this.arena.words[kept >>> pageShift]!;
    const at = kept & placeMask;
    words[at] = size * 2 + (allowed ? 1 : 0);
    words[at + 1] = 0;
    const bytes = this.arena.bytes[kept >>> pageShift]!;
    const start = (at + headOf(tails.length)) * 4;
    let end = 0;
    for (const [index, tail] of tails.entries()) {
      bytes.set(tail, start + end);
      end += tail.length;
      if (tails.length > 1) words[at + tailHead + index] = end;
    }
    const { slot, size: listSize } = listFor(state, run, isRobotsTxt);
    if (listSize === 1) this.table.setValue(place, kept);
    else {
      let list = this.table.valueAt(place);
      if (list === 0) {
        list = this.arena.allocate(listSize);
        bytesAdded += listSize * 4;
        this.#listAt(list, listSize).fill(0);
        this.table.setValue(place, list);
      }
      this.#listAt(list, listSize)[slot] = kept;
    }
    return { tails: kept, bytes: bytesAdded };
  }

  /**
   * Builds the tails of all questions of an origin for a combination of decisions: joins the tails at the addresses `parts`, one for each run
   * of questions. Stores the address of the result in the combination; returns this address and the allocated bytes.
   */
  combine(state: OriginState, combination: Combination, parts: readonly number[]): KeptTails {
    const { words, bytes } = this.arena;
    const count = this.#isJoined ? 1 : state.questions;
    let size = 0;
    for (const part of parts) size += words[part >>> pageShift]![part & placeMask]! >>> 1;
    const tails = this.arena.allocate(wordsOf(count, size));
    const to = words[tails >>> pageShift]!;
    const at = tails & placeMask;
    to[at] = size * 2;
    to[at + 1] = 0;
    let index = 0;
    let end = 0;
    for (const [run, part] of parts.entries()) {
      const from = words[part >>> pageShift]!;
      const partAt = part & placeMask;
      const inRun = this.#tailsIn(state, run);
      const partSize = from[partAt]! >>> 1;
      const start = (partAt + headOf(inRun)) * 4;
      bytes[tails >>> pageShift]!.set(
        bytes[part >>> pageShift]!.subarray(start, start + partSize),
        (at + headOf(count)) * 4 + end,
      );
      for (let tail = 0; !this.#isJoined && tail < inRun; tail++) {
        to[at + tailHead + index++] = end + (inRun === 1 ? partSize : from[partAt + tailHead + tail]!);
      }
      end += partSize;
    }
    combination.tails = tails;
    return { tails, bytes: wordsOf(count, size) * 4 };
  }

  /**
   * For each question about an origin, the decisions that have cached tails. Questions that share a block and a product token get the same
   * `Decision` objects.
   */
  decidedOf(state: OriginState): Decided[] {
    this.#spreadHits(state);
    const all: Decided[] = [];
    const { ends, productTokens } = state.runs;
    for (const { block, size, runs, isRobotsTxt } of listsOf(state)) {
      for (const place of size === 0 ? [] : this.table.keptPlaces(block)) {
        const decisions = new Map<string | undefined, Decision>();
        for (const run of runs) {
          const tails = this.tailsAt(state, run, place, isRobotsTxt);
          if (tails === 0) continue;
          const hits = this.arena.words[tails >>> pageShift]![(tails & placeMask) + 1]!;
          for (let index = ends[run - 1] ?? 0; index < ends[run]!; index++) {
            const productToken = productTokens?.[index];
            let decision = decisions.get(productToken);
            if (decision === undefined) {
              decisions.set(productToken, (decision = this.table.decisionAt(block, place, productToken)));
            }
            all.push({ index, decision, hits });
          }
        }
      }
    }
    return all;
  }

  /** Moves the blocks, tails and combinations of an origin to new addresses, so that their old pages can be freed. */
  move(state: OriginState): void {
    this.changes++;
    const blocks: number[] = [];
    let robotsTxtBlock = 0;
    for (const { block, size, runs, isRobotsTxt } of listsOf(state)) {
      const to = this.table.move(block);
      if (isRobotsTxt) robotsTxtBlock = to;
      else blocks.push(to);
      for (const place of this.table.keptPlaces(to)) {
        let value = this.table.valueAt(place);
        if (size === 1) value = this.#moveTails(value, this.#tailsIn(state, runs[0]!));
        else {
          value = this.arena.move(value, size);
          for (const [slot, tails] of this.#listAt(value, size).entries()) {
            // The list is looked up again, because `#moveTails` allocates and frees memory.
            if (tails !== 0) {
              this.#listAt(value, size)[slot] = this.#moveTails(tails, this.#tailsIn(state, runs[slot]!));
            }
          }
        }
        this.table.setValue(place, value);
      }
    }
    for (const each of state.combinations?.all ?? []) {
      if (each.tails !== 0) each.tails = this.#moveTails(each.tails, this.#isJoined ? 1 : state.questions);
    }
    if (blocks.length > 0) {
      state.settle(blocks, state.runs);
      state.robotsTxtBlock = robotsTxtBlock;
    }
  }

  /** Frees the blocks, tails and combinations of an origin. */
  free(state: OriginState): void {
    this.freeTails(state);
    for (const { block } of listsOf(state)) this.table.free(block);
    state.settle([]);
    state.robotsTxtBlock = 0;
  }

  /**
   * Frees the tails and combinations of an origin, and the numbers of records that they counted. Tails are built again when a record needs
   * them.
   */
  freeTails(state: OriginState): void {
    this.changes++;
    const count = this.#isJoined ? 1 : state.questions;
    for (const { tails } of state.combinations?.all ?? []) {
      if (tails !== 0) this.arena.free(tails, this.#wordsAt(tails, count));
    }
    state.combinations = undefined;
    for (const { block, size, runs } of listsOf(state)) {
      for (const place of this.table.keptPlaces(block)) {
        const value = this.table.valueAt(place);
        const lists = size === 1 ? [value] : this.#listAt(value, size);
        for (const [slot, tails] of lists.entries()) {
          if (tails !== 0) this.arena.free(tails, this.#wordsAt(tails, this.#tailsIn(state, runs[slot]!)));
        }
        if (size > 1) this.arena.free(value, size);
        this.table.setValue(place, 0);
      }
    }
  }

  /** Adds the number of records that each combination counted to the counts of the decisions in it, and sets that number to 0. */
  #spreadHits(state: OriginState): void {
    const { words } = this.arena;
    const { blocks } = state.runs;
    for (const combination of state.combinations?.all ?? []) {
      const { hits, offsets } = combination;
      combination.hits = 0;
      for (let run = 0; hits > 0 && run < blocks.length; run++) {
        const number = blocks[run]!;
        const place = state.blockOf(number) + offsets[number]!;
        const tails = this.tailsAt(state, run, place, false);
        words[tails >>> pageShift]![(tails & placeMask) + 1]! += hits;
      }
    }
  }

  /** The number of tails of a run of questions: 1 when they are joined, otherwise one for each question. */
  #tailsIn({ runs }: OriginState, run: number): number {
    return this.#isJoined ? 1 : runs.ends[run]! - (runs.ends[run - 1] ?? 0);
  }

  #listAt(list: number, size: number): Int32Array {
    const at = list & placeMask;
    return this.arena.words[list >>> pageShift]!.subarray(at, at + size);
  }

  #wordsAt(tails: number, count: number): number {
    return wordsOf(count, this.arena.words[tails >>> pageShift]![tails & placeMask]! >>> 1);
  }

  #moveTails(tails: number, count: number): number {
    return this.arena.move(tails, this.#wordsAt(tails, count));
  }
}

/**
 * The index of a run of questions in the lists of its block, and the size of these lists. Size 1: the value of a decision is the address of
 * the tails, without a list.
 */
function listFor({ runs }: OriginState, run: number, isRobotsTxt: boolean): { slot: number; size: number } {
  if (isRobotsTxt) return { slot: run, size: runs.ends.length };
  return { slot: runs.slots[run]!, size: runs.sharers[runs.blocks[run]!]! };
}

/** A block of an origin, the size of its lists of tails, and the run of questions at each index of a list. */
interface BlockLists {
  readonly block: number;
  readonly size: number;
  readonly runs: readonly number[];
  readonly isRobotsTxt: boolean;
}

const onlyRun: readonly number[] = [0];

/** All blocks of an origin in the order of their numbers; `robotsTxtBlock`, if there is one, comes last. */
function listsOf(state: OriginState): readonly BlockLists[] {
  const { block, others, robotsTxtBlock, runs } = state;
  if (block === 0) return [];
  // Most states have one question. With `agentField` there is a state for each pair of origin and crawler, so these lists are made often.
  if (runs.ends.length === 1) {
    const only: BlockLists = { block, size: 1, runs: onlyRun, isRobotsTxt: false };
    if (robotsTxtBlock === 0) return [only];
    return [only, { block: robotsTxtBlock, size: 1, runs: onlyRun, isRobotsTxt: true }];
  }
  const runsOfEach: number[][] = [[], ...others.map((): number[] => [])];
  for (const [run, number] of runs.blocks.entries()) runsOfEach[number]!.push(run);
  const lists: BlockLists[] = runsOfEach.map((each, number) => ({
    block: state.blockOf(number),
    size: each.length,
    runs: each,
    isRobotsTxt: false,
  }));
  if (robotsTxtBlock === 0) return lists;
  const all = [...runs.ends.keys()];
  return [...lists, { block: robotsTxtBlock, size: all.length, runs: all, isRobotsTxt: true }];
}

/**
 * Divides the questions about an origin into runs. `numbers`: for each question, the number of its block. `count`: the number of blocks.
 */
function runsOf(numbers: readonly number[], count: number, productTokens: Runs["productTokens"]): Runs {
  const ends: number[] = [];
  let start = 0;
  for (const [index, number] of numbers.entries()) {
    if (number === numbers[index + 1] && index + 1 - start < mostInRun) continue;
    ends.push((start = index + 1));
  }
  if (ends.length === 1) {
    const only = oneRun(numbers.length);
    return productTokens === undefined ? only : { ...only, productTokens };
  }
  const blocks = Int32Array.from(ends, (end) => numbers[end - 1]!);
  const sharers = new Int32Array(count);
  const slots = blocks.map((number) => sharers[number]!++);
  return { ends: Int32Array.from(ends), blocks, slots, sharers, productTokens };
}

/** Words before the bytes of `count` tails. */
export function headOf(count: number): number {
  return count === 1 ? tailHead : tailHead + count;
}

function wordsOf(count: number, tailBytes: number): number {
  return headOf(count) + ((tailBytes + 3) >> 2);
}
