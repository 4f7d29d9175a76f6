// The state of an origin whose records name their crawlers: its robots.txt and one crawler after another in, a state for each out.
import type { Matcher } from "@robots-stream/core";
import type { CrawlerGroups } from "@robots-stream/core/internal";
import type { Answers } from "../decide/answers.ts";
import { OriginState } from "./origin-state.ts";
import type { Question } from "../questions.ts";
import type { SourcedRobots } from "../robots/types.ts";
import { matchersOf, matchersOfMany } from "./matchers.ts";

/** Bytes of a file beyond which its groups are indexed for the crawlers to come. */
const longFileBytes = 64 * 1_024;

/**
 * An origin with a part for each known crawler that came to it. A crawler is known by the index of the first question about it.
 * Matchers are built when a record of the crawler is decided, not when the file comes: hundreds of crawlers may wait for it.
 */
export class CrawlerStates extends OriginState {
  readonly #byFirst = new Map<number, OriginState>();
  /** Crawlers of one group share a matcher. */
  readonly #matchers = new Map<string, Matcher>();
  /** Of a long file, whose crawlers share the rules of each group: hundreds of copies could take a gigabyte. */
  readonly #groups = new Map<string, CrawlerGroups>();
  /** Kept for the crawlers to come. */
  #robots: SourcedRobots | undefined;

  /** The states for all crawlers so far. */
  get parts(): readonly OriginState[] {
    return [...this.#byFirst.values()];
  }

  /** The state for a crawler; undefined when it is new. */
  partOf(first: number): OriginState | undefined {
    return this.#byFirst.get(first);
  }

  /** Adds the state for a crawler that is new. */
  addPart(first: number): OriginState {
    const part = new OriginState(this.origin, this.number, first, this);
    part.isUnbuilt = this.#robots !== undefined;
    this.#byFirst.set(first, part);
    return part;
  }

  /** Takes the robots.txt: all parts can be built now. */
  take(robots: SourcedRobots): void {
    this.#robots = robots;
    for (const part of this.#byFirst.values()) part.isUnbuilt = true;
  }

  /** Builds the matchers of a part; returns their bytes. */
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
