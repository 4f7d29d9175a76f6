// The state of one origin in a run: the blocks that decide its records, and facts about its robots.txt.
import type { CacheEntry } from "./clock-cache.ts";

/** How the questions about an origin share blocks. */
export interface BlockSharing {
  /** For each question, the product token in its decisions; undefined when no two questions of a block differ, so the block contains it. */
  readonly productTokens: readonly (string | undefined)[] | undefined;
  /** For each question, its index among the questions of its block; undefined when lists have a slot for every question. */
  readonly slots: Int32Array | undefined;
  /** For each question, the number of questions that share its block. */
  readonly sharers: Int32Array | undefined;
}

/** An origin of the run; with `--agent-field`, one crawler's part of an origin. */
export class OriginState implements CacheEntry {
  /** The block of `Answers` that decides the first question; 0 without a block. */
  block = 0;
  /** The blocks that decide the other questions. */
  others: readonly number[] = none;
  /**
   * The block that decides requests for `/robots.txt` itself where each record names its crawler: they are allowed, whatever the rules
   * and the dialect. 0: its rules decide them.
   */
  robotsTxtBlock = 0;
  /** How its questions share blocks; undefined where that follows from the blocks alone. */
  sharing: BlockSharing | undefined;
  isUsed = true;
  /**
   * Whether the robots.txt is known but the blocks are not built, or were evicted. `OriginTable.currentOf` then returns a
   * state with blocks, which may be another object.
   */
  isUnbuilt = false;
  readonly origin: string;
  /** The origin's number, which stays the same when the state is rebuilt. */
  readonly number: number;
  /** Index of the first question about this state among all questions of the run. */
  readonly first: number;
  /** With `--agent-field`: the state of the whole origin, which is the cache entry. */
  readonly whole: OriginState | undefined;
  /** The reason of an unavailable or unreachable access result. */
  code = "";
  /** Number of the state's records that wait in a file for its robots.txt. */
  spilled = 0;
  bytes = 0;
  /** The part of `bytes` that row tails use; they can be evicted separately. */
  tailBytes = 0;
  isInRound = false;
  /** Whether its blocks can be rebuilt, so that eviction is possible. */
  canBeRebuilt = false;

  constructor(origin: string, number: number, first = 0, whole?: OriginState) {
    this.origin = origin;
    this.number = number;
    this.first = first;
    this.whole = whole;
  }

  /** Whether its records can be decided now. */
  get isReady(): boolean {
    return this.block !== 0;
  }

  /** The block that decides the question at `index`, from 0. */
  blockAt(index: number): number {
    return index === 0 ? this.block : this.others[index - 1]!;
  }

  /** Sets the block of each question; without blocks, the state is not ready. */
  settle(blocks: readonly number[], sharing?: BlockSharing): void {
    this.sharing = sharing;
    this.block = blocks[0] ?? 0;
    this.others = blocks.length > 1 ? blocks.slice(1) : none;
  }

  /** The key for `OriginTable.stateAt`. */
  get key(): number {
    return this.first === 0 ? this.number : keyOf(this.number, this.first);
  }
}

const none: readonly number[] = [];

/** Combines an origin number and the index of a first question, both below 2 ** 32, into the key of a state. */
export function keyOf(number: number, first: number): number {
  return first * 2 ** 32 + number;
}

/** The origin number and first question of a key. */
export function partsOfKey(key: number): { readonly number: number; readonly first: number } {
  return { number: key % 2 ** 32, first: Math.floor(key / 2 ** 32) };
}
