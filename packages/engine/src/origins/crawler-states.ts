// Stores the robots.txt of one origin in a run with `agentField`, and builds a state with matchers for each crawler that records name.
import type { Matcher } from "@robots-stream/core";
import type { CrawlerGroups } from "@robots-stream/core/internal";
import type { Answers } from "./answers.ts";
import { OriginState } from "./origin-state.ts";
import type { Question } from "../questions/questions.ts";
import type { SourcedRobots } from "../robots/types.ts";
import { matchersOf, matchersOfMany } from "./matchers.ts";

/**
 * The state of a crawler is in an array if the index of the crawler's first question is below this number, otherwise in a hash table. The
 * crawlers that a log names first have the lowest indices, and are mostly the most frequent ones.
 */
const mostByIndex = 64;

/**
 * For a robots.txt with more bytes than this, an index of its groups is built once (`CrawlerGroups`); a shorter one is searched for each
 * crawler.
 */
const longFileBytes = 64 * 1_024;

/**
 * An origin with a state (`OriginState`) for each crawler whose records name the origin. A crawler is identified by the index of its first
 * question (`first`). The matchers of a crawler are built when its first record is decided, not when the robots.txt is loaded: records of
 * hundreds of crawlers may wait for the same load.
 */
export class CrawlerStates extends OriginState {
  readonly #byIndex: (OriginState | undefined)[] = [];
  /** The states of the crawlers beyond `mostByIndex`, by the index of the first question. */
  readonly #byFirst = new Map<number, OriginState>();
  /** Matchers by dialect, token match and group. Crawlers that the same group binds share a matcher. */
  readonly #matchers = new Map<string, Matcher>();
  /**
   * The groups of a long robots.txt, by dialect and token match. Crawlers share the rules of each group: hundreds of copies could take a
   * gigabyte.
   */
  readonly #groups = new Map<string, CrawlerGroups>();
  /** The robots.txt, kept for crawlers that records name later. */
  #robots: SourcedRobots | undefined;

  /** The robots.txt; undefined before `take`. */
  get robots(): SourcedRobots | undefined {
    return this.#robots;
  }

  /** The states of all crawlers that records have named so far. */
  get parts(): readonly OriginState[] {
    return [...this.#byIndex.filter((part) => part !== undefined), ...this.#byFirst.values()];
  }

  /** The state of a crawler; undefined when the crawler is new to the origin. */
  partOf(first: number): OriginState | undefined {
    return first < mostByIndex ? this.#byIndex[first] : this.#byFirst.get(first);
  }

  /** Adds the state of a crawler that is new to the origin. */
  addPart(first: number): OriginState {
    const part = this.createPart(first);
    part.isUnbuilt = this.#robots !== undefined;
    if (first >= mostByIndex) this.#byFirst.set(first, part);
    else {
      while (this.#byIndex.length < first) this.#byIndex.push(undefined);
      this.#byIndex[first] = part;
    }
    return part;
  }

  /** Sets the robots.txt, which `build` needs, and marks the states of all crawlers as not built. */
  take(robots: SourcedRobots): void {
    this.#robots = robots;
    for (const part of this.parts) part.isUnbuilt = true;
  }

  /** Builds the matchers of one crawler, one for each of `questions`, and stores them in its state `part`. Returns the bytes to charge. */
  build(part: OriginState, questions: readonly Question[], answers: Answers): number {
    const robots = this.#robots!;
    part.isUnbuilt = false;
    part.code = robots.code;
    const isLong = (robots.body?.length ?? 0) > longFileBytes;
    const matchers = isLong
      ? matchersOfMany(robots, questions, this.#groups)
      : matchersOf(robots, questions, this.#matchers);
    return answers.settle(part, matchers);
  }
}
