// The state of one origin in a run: the blocks that decide its records, and facts about its robots.txt.
import type { CacheEntry } from "./clock-cache.ts";

/**
 * The questions about an origin, divided into runs: adjacent questions that the same block decides. The blocks of a state are numbered:
 * 0 is `block`, 1 is the first of `others`.
 */
export interface Runs {
  /** For each run, the index after its last question. Never empty. */
  readonly ends: Int32Array;
  /** For each run, the number of its block. */
  readonly blocks: Int32Array;
  /** For each run, its index among the runs of its block. */
  readonly slots: Int32Array;
  /** For each block, the number of its runs. */
  readonly sharers: Int32Array;
  /** For each question, the product token in its decisions; undefined when no two questions of a block differ, so the block contains it. */
  readonly productTokens: readonly (string | undefined)[] | undefined;
}

/** An origin of the run; with `--agent-field`, one crawler's part of an origin. */
export class OriginState implements CacheEntry {
  /** The block of `Answers` that decides the first question; 0 without a block. */
  block = 0;
  /** The other blocks that decide questions, each once. A new array whenever a block of several questions changes. */
  others: readonly number[] = none;
  /**
   * The block that decides requests for `/robots.txt` itself where each record names its crawler or is decided by its time: they are
   * allowed, whatever the rules and the dialect. 0: its rules decide them.
   */
  robotsTxtBlock = 0;
  /** Its questions by block; valid while it is ready. */
  runs: Runs = oneRun(1);
  /** The table of `Combinations`; 0 without one. */
  combinations = 0;
  isRemoved = false;
  /**
   * Whether the robots.txt is known but the blocks are not built, or were evicted. `OriginTable.currentOf` then returns a
   * state with blocks, which may be another object.
   */
  isUnbuilt = false;
  readonly origin: string;
  /** The version of the robots.txt that decides, where records are decided by their time; otherwise "". */
  readonly version: string;
  /** The state's number, which stays the same when the state is rebuilt. */
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

  /** @param name the origin, or a name from `nameOfVersion` */
  constructor(name: string, number: number, first = 0, whole?: OriginState) {
    this.version = versionIn(name);
    this.origin = this.version === "" ? name : name.slice(0, -this.version.length - versionMark.length);
    this.number = number;
    this.first = first;
    this.whole = whole;
  }

  /** The name that the state was made with. */
  get name(): string {
    return this.version === "" ? this.origin : nameOfVersion(this.origin, this.version);
  }

  /** Whether its records can be decided now. */
  get isReady(): boolean {
    return this.block !== 0;
  }

  /** The number of questions; valid while it is ready. */
  get questions(): number {
    const { ends } = this.runs;
    return ends[ends.length - 1]!;
  }

  /** The block that decides the question at `index`, from 0. */
  blockAt(index: number): number {
    return this.blockOf(this.runs.blocks[this.runAt(index)]!);
  }

  /** The block with a number, see `Runs`. */
  blockOf(number: number): number {
    return number === 0 ? this.block : this.others[number - 1]!;
  }

  /** The run that contains the question at `index`. */
  runAt(index: number): number {
    const { ends } = this.runs;
    let run = 0;
    for (let last = ends.length - 1; run < last;) {
      const middle = (run + last) >> 1;
      if (ends[middle]! > index) last = middle;
      else run = middle + 1;
    }
    return run;
  }

  /** Sets the blocks, each once, and the questions that they decide; without blocks, the state is not ready. */
  settle(blocks: readonly number[], runs: Runs = oneRun(1)): void {
    this.runs = runs;
    this.block = blocks[0] ?? 0;
    this.others = runs.ends[runs.ends.length - 1] === 1 ? none : blocks.slice(1);
  }

  /** The key for `OriginTable.stateAt`. */
  get key(): number {
    return this.first === 0 ? this.number : keyOf(this.number, this.first);
  }
}

/** Between an origin and a version: no line of an input contains it. */
const versionMark = "\n";

/** The name of an origin with one version of its robots.txt. */
export function nameOfVersion(origin: string, version: string): string {
  return origin + versionMark + version;
}

/** The version in a name; "" without one. */
export function versionIn(name: string): string {
  const end = name.indexOf(versionMark);
  return end < 0 ? "" : name.slice(end + versionMark.length);
}

const none: readonly number[] = [];
const oneRuns: Runs[] = [];

/** One run of `count` questions; the same object for the same count. */
export function oneRun(count: number): Runs {
  return (oneRuns[count] ??= {
    ends: Int32Array.of(count),
    blocks: Int32Array.of(0),
    slots: Int32Array.of(0),
    sharers: Int32Array.of(1),
    productTokens: undefined,
  });
}

/** Combines an origin number and the index of a first question, both below 2 ** 32, into the key of a state. */
export function keyOf(number: number, first: number): number {
  return first * 2 ** 32 + number;
}

/** The origin number and first question of a key. */
export function partsOfKey(key: number): { readonly number: number; readonly first: number } {
  return { number: key % 2 ** 32, first: Math.floor(key / 2 ** 32) };
}
