// The state of one origin in a run: the blocks that decide its records (a block stores the rules of a matcher), and facts about its
// robots.txt and its memory. With `agentField`, a state for each crawler that records name.
import type { Matcher } from "@robots-stream/core";
import type { Question } from "../questions/questions.ts";
import type { SourcedRobots } from "../robots/in-force.ts";
import type { Combinations } from "./combinations.ts";
import { RobotsMatchers } from "./matchers.ts";

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

const onlyQuestion = oneRun(1);

/**
 * The state of an origin; with `agentField`, also the state of one crawler's records of an origin. A run over many origins has hundreds
 * of thousands of states, so a state has no string of its own but its name's number.
 */
export class OriginState {
  /** The block in `Answers.table` that decides the first question; 0 while the state is not ready. */
  block = 0;
  /**
   * The other blocks that decide questions, each once. For a state with several questions, `settle` sets a new array each time, so that
   * `AskedPlaces` detects changed blocks.
   */
  others: readonly number[] = none;
  /** The questions of the state by block. Valid only while the state is ready. */
  runs: Runs = onlyQuestion;
  /**
   * The block that decides requests for `/robots.txt`, in runs where each record names its crawler or is decided by its time. The block
   * allows these requests, whatever the rules and the dialect. 0: the blocks of the questions decide them.
   */
  robotsTxtBlock = 0;
  /** The combinations of decisions that occurred; undefined before the first. */
  combinations: Combinations | undefined;
  /** The number of the state in the table. A rebuilt state has the same number. */
  readonly number: number;
  /**
   * Index of the state's first question among all questions of the run. It identifies the crawler with `agentField`, and is 0 otherwise.
   */
  readonly first: number;
  /** With `agentField`: the state of the whole origin, which is the cache entry. */
  readonly whole: OriginState | undefined;
  /** What `codeOf` returns for the robots.txt; "" before it is known, and if all questions have a group, whose answers do not contain it. */
  code = "";
  /** The memory of the state that `MatcherCache` has counted, in bytes. */
  bytes = 0;
  /** The part of `bytes` that row tails use. Tails can be freed without the matchers. */
  tailBytes = 0;
  /** Number of the state's records that wait in a file for its robots.txt. */
  spilled = 0;
  /**
   * Whether the robots.txt is known but the blocks are not built yet, or were evicted. `OriginTable.currentOf` then returns a state with
   * blocks, which may be another object.
   */
  isUnbuilt = false;
  /** Whether a record has needed the state since the hand of `MatcherCache` visited it last. */
  isUsed = true;
  /** Whether the blocks can be rebuilt, and so may be evicted. */
  canBeRebuilt = false;
  readonly #names: Names;
  /** The parts of the name, if it has a version: each record needs them. */
  #ofVersion: VersionName | undefined;

  constructor(names: Names, number: number, first = 0, whole?: OriginState) {
    this.#names = names;
    this.number = number;
    this.first = first;
    this.whole = whole;
  }

  /** The origin, or a name from `nameOfVersion`. Each call decodes the bytes of the name: a state is smaller without a string. */
  get name(): string {
    return this.#names.originOf(this.number);
  }

  get origin(): string {
    return OriginState.#partsOf(this).origin;
  }

  /** The version of the robots.txt that decides the state's records, when records are decided by their time; otherwise "". */
  get version(): string {
    return OriginState.#partsOf(this).version;
  }

  /** The key for `OriginTable.stateAt`. */
  get key(): number {
    return keyOf(this.number, this.first);
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
  settle(blocks: readonly number[], runs: Runs = onlyQuestion): void {
    this.block = blocks[0] ?? 0;
    this.others = runs.ends[runs.ends.length - 1] === 1 ? none : blocks.slice(1);
    this.runs = runs;
  }

  /** Creates the state of a crawler of this origin. */
  protected createPart(first: number): OriginState {
    return new OriginState(this.#names, this.number, first, this);
  }

  /** The parts of a state's name. Static: a private method would add a hidden member to each state. */
  static #partsOf(state: OriginState): VersionName {
    if (state.#ofVersion !== undefined) return state.#ofVersion;
    const { name } = state;
    const version = versionIn(name);
    if (version === "") return { origin: name, version };
    const origin = name.slice(0, -version.length - versionMark.length);
    return (state.#ofVersion = { origin, version });
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

/** The parts of the name of a state for one version. */
interface VersionName {
  readonly origin: string;
  readonly version: string;
}

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

/**
 * An origin with a state (`OriginState`) for each crawler whose records name the origin. A crawler is identified by the index of its first
 * question (`first`). The matchers of a crawler are built when its first record is decided, not when the robots.txt is loaded: records of
 * hundreds of crawlers may wait for the same load.
 */
export class CrawlerStates extends OriginState {
  readonly #byFirst = new Map<number, OriginState>();
  /** The robots.txt, kept for crawlers that records name later; and its matchers. */
  #robots: SourcedRobots | undefined;
  #matchers: RobotsMatchers | undefined;

  /** The robots.txt; undefined before `take`. */
  get robots(): SourcedRobots | undefined {
    return this.#robots;
  }

  /** The states of all crawlers that records have named so far, in the order of their first questions. */
  get parts(): readonly OriginState[] {
    return [...this.#byFirst.values()].toSorted((one, other) => one.first - other.first);
  }

  /** The state of a crawler; undefined when the crawler is new to the origin. */
  partOf(first: number): OriginState | undefined {
    return this.#byFirst.get(first);
  }

  /** Adds the state of a crawler that is new to the origin. */
  addPart(first: number): OriginState {
    const part = this.createPart(first);
    part.isUnbuilt = this.#robots !== undefined;
    this.#byFirst.set(first, part);
    return part;
  }

  /** Sets the robots.txt, which `matchersFor` needs, and marks the states of all crawlers as not built. */
  take(robots: SourcedRobots): void {
    this.#robots = robots;
    this.#matchers = new RobotsMatchers(robots);
    for (const part of this.parts) part.isUnbuilt = true;
  }

  /** The matchers of the crawler with the state `part`, one for each of `questions`, to be stored in that state. */
  matchersFor(part: OriginState, questions: readonly Question[]): readonly Matcher[] {
    part.isUnbuilt = false;
    part.code = this.code;
    return this.#matchers!.of(questions);
  }
}
