// One origin of a run: where what decides about its records stands, and what else is known of it.
import type { CacheEntry } from "./clock-cache.ts";

/** How the questions about an origin share its blocks. */
export interface BlockSharing {
  /** The product token that each question's decisions name; undefined where no two of a block differ, and the block tells. */
  readonly productTokens: readonly (string | undefined)[] | undefined;
  /** For each question its number among those of its block; undefined where lists have a place for every question. */
  readonly slots: Int32Array | undefined;
  /** For each question how many share its block. */
  readonly sharers: Int32Array | undefined;
}

/** One origin of the run; where each record names its crawler, an origin and one of its crawlers. */
export class OriginState implements CacheEntry {
  /** The block of `Answers` that decides its first question; 0 while there is none. */
  block = 0;
  /** The blocks that decide its other questions. */
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
   * Whether its robots.txt is known and its blocks are to be built, perhaps again: `OriginTable.currentOf` gives the state with them,
   * which may be another object.
   */
  isUnbuilt = false;
  readonly origin: string;
  /** Its number, the same whenever it is built again. */
  readonly number: number;
  /** Where the first of its questions stands among all questions of the run. */
  readonly first: number;
  /** Where each record names its crawler: the state of the origin itself, which is the cache entry. */
  readonly whole: OriginState | undefined;
  /** What an unavailable or unreachable robots.txt rests on. */
  code = "";
  /** Its records that wait in a file, as long as its robots.txt is not there. */
  spilled = 0;
  bytes = 0;
  /** Those of `bytes` that are tails of rows: they can be freed while the rest stays. */
  tailBytes = 0;
  isInRound = false;
  /** Whether its blocks can be built again, so that it may be evicted. */
  canBeRebuilt = false;

  constructor(origin: string, number: number, first = 0, whole?: OriginState) {
    this.origin = origin;
    this.number = number;
    this.first = first;
    this.whole = whole;
  }

  /** Whether its records can be decided. */
  get isReady(): boolean {
    return this.block !== 0;
  }

  /** The block that decides the question of this number, 0 for the first. */
  blockAt(index: number): number {
    return index === 0 ? this.block : this.others[index - 1]!;
  }

  /** Sets the blocks that decide, one a question; with none the state is not ready. */
  settle(blocks: readonly number[], sharing?: BlockSharing): void {
    this.sharing = sharing;
    this.block = blocks[0] ?? 0;
    this.others = blocks.length > 1 ? blocks.slice(1) : none;
  }

  /** What it is found again by, see `OriginTable.stateAt`. */
  get key(): number {
    return this.first === 0 ? this.number : keyOf(this.number, this.first);
  }
}

const none: readonly number[] = [];

/** What a state is found again by. Both are below 2 ** 32. */
export function keyOf(number: number, first: number): number {
  return first * 2 ** 32 + number;
}

/** The number and the first question of a key. */
export function partsOfKey(key: number): { readonly number: number; readonly first: number } {
  return { number: key % 2 ** 32, first: Math.floor(key / 2 ** 32) };
}
