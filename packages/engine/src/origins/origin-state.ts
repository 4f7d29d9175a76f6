// The state of one origin in a run: the blocks that decide its records (a block stores the rules of a matcher), and facts about its
// robots.txt and its memory.
import type { CacheEntry } from "./clock-cache.ts";

/**
 * The questions about an origin, divided into runs of questions. A run of questions consists of adjacent questions that the same block
 * decides. The blocks of a state are numbered: 0 is `block`, 1 is the first of `others`.
 */
export interface Runs {
  /** For each run, the index after its last question. Never empty. */
  readonly ends: Int32Array;
  /** For each run, the number of its block. */
  readonly blocks: Int32Array;
  /** For each run, its index among the runs that its block decides. */
  readonly slots: Int32Array;
  /** For each block, the number of runs that it decides. */
  readonly sharers: Int32Array;
  /**
   * For each question, the product token in its decisions. Undefined when the questions of each block have the same product token, which
   * the block then contains.
   */
  readonly productTokens: readonly (string | undefined)[] | undefined;
}

/** The names of states by their numbers. */
interface Names {
  originOf(number: number): string;
}

/** Bits of `OriginState.#flags`. */
const removed = 1;
const inRound = 2;
const unbuilt = 4;
const rebuildable = 8;

/**
 * The state of an origin; with `agentField`, also the state of one crawler's records of an origin. A run over many origins has hundreds
 * of thousands of states, so a state has few members: rare members are in an object that states share while it has the default values, and
 * four booleans are bits of one number.
 */
export class OriginState implements CacheEntry {
  /** The block in `Answers.table` that decides the first question; 0 while the state is not ready. */
  block = 0;
  /** The number of the state in the table. A rebuilt state has the same number. */
  readonly number: number;
  readonly #names: Names;
  /** The reason of the access result, such as "ok" or "http-404"; "" before the robots.txt is known. */
  code = "";
  bytes = 0;
  /** The part of `bytes` that row tails use. Tails can be freed without the matchers. */
  tailBytes = 0;
  #flags = 0;
  #rare: RareMembers;

  /** `first`, `whole`: see the members with these names. */
  constructor(names: Names, number: number, first = 0, whole?: OriginState) {
    this.#names = names;
    this.number = number;
    this.#rare = first === 0 && whole === undefined ? usual : new RareMembers(first, whole);
  }

  /** The origin, or a name from `nameOfVersion`. Each call decodes the bytes of the name: a state is smaller without a string. */
  get name(): string {
    return this.#names.originOf(this.number);
  }

  get origin(): string {
    return this.#rare.ofVersion?.origin ?? OriginState.#splitOf(this).origin;
  }

  /** The version of the robots.txt that decides the state's records, when records are decided by their time; otherwise "". */
  get version(): string {
    return this.#rare.ofVersion?.version ?? OriginState.#splitOf(this).version;
  }

  /**
   * Index of the state's first question among all questions of the run. It identifies the crawler with `agentField`, and is 0 otherwise.
   */
  get first(): number {
    return this.#rare.first;
  }

  /** With `agentField`: the state of the whole origin, which is the cache entry. */
  get whole(): OriginState | undefined {
    return this.#rare.whole;
  }

  /**
   * The other blocks that decide questions, each once. For a state with several questions, `settle` sets a new array each time, so that
   * `AskedPlaces` detects changed blocks.
   */
  get others(): readonly number[] {
    return this.#rare.others;
  }

  /** The questions of the state by block. Valid only while the state is ready. */
  get runs(): Runs {
    return this.#rare.runs;
  }

  /**
   * The block that decides requests for `/robots.txt`, in runs where each record names its crawler or is decided by its time. The block
   * allows these requests, whatever the rules and the dialect. 0: the blocks of the questions decide them.
   */
  get robotsTxtBlock(): number {
    return this.#rare.robotsTxtBlock;
  }

  set robotsTxtBlock(block: number) {
    if (block !== this.#rare.robotsTxtBlock) OriginState.#ownOf(this).robotsTxtBlock = block;
  }

  /** The address of the state's table in `Combinations`; 0 without a table. */
  get combinations(): number {
    return this.#rare.combinations;
  }

  set combinations(address: number) {
    if (address !== this.#rare.combinations) OriginState.#ownOf(this).combinations = address;
  }

  /** Number of the state's records that wait in a file for its robots.txt. */
  get spilled(): number {
    return this.#rare.spilled;
  }

  set spilled(count: number) {
    if (count !== this.#rare.spilled) OriginState.#ownOf(this).spilled = count;
  }

  get isRemoved(): boolean {
    return (this.#flags & removed) !== 0;
  }

  set isRemoved(value: boolean) {
    this.#flags = value ? this.#flags | removed : this.#flags & ~removed;
  }

  get isInRound(): boolean {
    return (this.#flags & inRound) !== 0;
  }

  set isInRound(value: boolean) {
    this.#flags = value ? this.#flags | inRound : this.#flags & ~inRound;
  }

  /**
   * Whether the robots.txt is known but the blocks are not built yet, or were evicted. `OriginTable.currentOf` then returns a state with
   * blocks, which may be another object.
   */
  get isUnbuilt(): boolean {
    return (this.#flags & unbuilt) !== 0;
  }

  set isUnbuilt(value: boolean) {
    this.#flags = value ? this.#flags | unbuilt : this.#flags & ~unbuilt;
  }

  /** Whether the blocks can be rebuilt, and so may be evicted. */
  get canBeRebuilt(): boolean {
    return (this.#flags & rebuildable) !== 0;
  }

  set canBeRebuilt(value: boolean) {
    this.#flags = value ? this.#flags | rebuildable : this.#flags & ~rebuildable;
  }

  /** Whether records of the state can be decided now. */
  get isReady(): boolean {
    return this.block !== 0;
  }

  /** The number of questions. Valid only while the state is ready. */
  get questions(): number {
    const { ends } = this.runs;
    return ends[ends.length - 1]!;
  }

  /** The block that decides the question at `index` among the questions of the state. */
  blockAt(index: number): number {
    return this.blockOf(this.runs.blocks[this.runAt(index)]!);
  }

  /** The block with this number, see `Runs`. */
  blockOf(number: number): number {
    return number === 0 ? this.block : this.others[number - 1]!;
  }

  /** The index of the run that contains the question at `index`. */
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

  /** Sets the blocks, each once, and the runs of the questions that they decide. Without blocks, the state is no longer ready. */
  settle(blocks: readonly number[], runs: Runs = oneRun(1)): void {
    this.block = blocks[0] ?? 0;
    const others = runs.ends[runs.ends.length - 1] === 1 ? none : blocks.slice(1);
    if (runs === this.#rare.runs && others === this.#rare.others) return;
    const rare = OriginState.#ownOf(this);
    rare.runs = runs;
    rare.others = others;
  }

  /** Creates the state of a crawler of this origin. */
  protected createPart(first: number): OriginState {
    return new OriginState(this.#names, this.number, first, this);
  }

  /** The key for `OriginTable.stateAt`. */
  get key(): number {
    const { first } = this.#rare;
    return first === 0 ? this.number : keyOf(this.number, first);
  }

  /** Divides the name into origin and version. Keeps the parts if there is a version: each of its records needs them. */
  static #splitOf(state: OriginState): VersionName {
    const { name } = state;
    const version = versionIn(name);
    if (version === "") return { origin: name, version };
    const origin = name.slice(0, -version.length - versionMark.length);
    return (OriginState.#ownOf(state).ofVersion = { origin, version });
  }

  /** The rare members of `state`, as an object that no other state has. Static: private methods would add a hidden member to each state. */
  static #ownOf(state: OriginState): RareMembers {
    return state.#rare === usual ? (state.#rare = new RareMembers()) : state.#rare;
  }
}

/** Separates the origin from the version in a name. No line of an input contains it. */
const versionMark = "\n";

/** The name of the state for an origin and one version of its robots.txt. */
export function nameOfVersion(origin: string, version: string): string {
  return origin + versionMark + version;
}

/** The version in a name; "" if there is none. */
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

/** The parts of the name of a state for one version. */
interface VersionName {
  readonly origin: string;
  readonly version: string;
}

/** The members that have these default values in most states. */
class RareMembers {
  others = none;
  robotsTxtBlock = 0;
  runs: Runs = oneRun(1);
  combinations = 0;
  spilled = 0;
  ofVersion: VersionName | undefined = undefined;
  readonly first: number;
  readonly whole: OriginState | undefined;

  constructor(first = 0, whole?: OriginState) {
    this.first = first;
    this.whole = whole;
  }
}

/** All states whose rare members have the default values share this object, which is never written to. */
const usual = new RareMembers();

/**
 * Combines the number of a state, below 2 ** 32, and the index of its first question, below 2 ** 21, into the key of the state. With these
 * limits, the key is an exact integer.
 */
export function keyOf(number: number, first: number): number {
  return first * 2 ** 32 + number;
}

/** The number and the index of the first question that a key combines. */
export function partsOfKey(key: number): { readonly number: number; readonly first: number } {
  return { number: key % 2 ** 32, first: Math.floor(key / 2 ** 32) };
}
