// Builds a matcher for each question about one robots.txt; questions with the same dialect and token match share a matcher if the same
// group binds their crawlers.
import { type DialectName, type Matcher, type TokenMatch, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { CrawlerGroups } from "@robots-stream/core/internal";
import { groupNameOf } from "@robots-stream/core/product-tokens";
import type { LoadedRobots } from "@robots-stream/fetch";
import type { Question } from "../questions/questions.ts";

/** The members of a loaded robots.txt from which matchers are made. */
type Robots = Pick<LoadedRobots, "robotsIn" | "matcherOf">;

/** One matcher for each question, in the order of the questions. */
export function matchersOf(robots: Robots, questions: readonly Question[]): readonly Matcher[] {
  const [only] = questions;
  if (only === undefined || questions.length > 1) return new RobotsMatchers(robots).of(questions);
  // For a crawler with a single name, `matcherOf` selects the group of that name or the group for `*`.
  const [name] = only.names;
  const isAlone = only.names.length === 1 && only.boundByEverybody;
  return [isAlone ? robots.matcherOf(name!, readingOf(only)) : matcherFor(robots, only, groupOf(robots, only))];
}

/**
 * The file is searched for the first questions about it. If there are this many, an index of its groups is made for them or for those that
 * follow: a file can name tens of thousands of crawlers, and each search takes time linear in the file.
 */
const leastIndexed = 12;

/** The matchers of one robots.txt, for questions that are asked one after another. Crawlers that the same group binds share a matcher. */
export class RobotsMatchers {
  readonly #robots: Robots;
  #asked = 0;
  /** Matchers from searches by dialect, token match and group. */
  readonly #searched = new Map<string, Matcher>();
  /** The indices of the file by dialect and token match. Crawlers share the rules of each group. */
  readonly #groups = new Map<string, CrawlerGroups>();

  constructor(robots: Robots) {
    this.#robots = robots;
  }

  /** One matcher for each question, in the order of the questions. */
  of(questions: readonly Question[]): readonly Matcher[] {
    this.#asked += questions.length;
    const isIndexed = this.#asked >= leastIndexed;
    return questions.map((question) => (isIndexed ? this.#fromIndex(question) : this.#fromSearch(question)));
  }

  #fromSearch(question: Question): Matcher {
    const group = groupOf(this.#robots, question);
    // Decisions contain the name of the group, not of the crawler, so crawlers that the same group binds can share them.
    const key = `${question.dialect} ${question.tokenMatch} ${group ?? ""}`;
    let matcher = this.#searched.get(key);
    if (matcher === undefined) this.#searched.set(key, (matcher = matcherFor(this.#robots, question, group)));
    return matcher;
  }

  #fromIndex(question: Question): Matcher {
    const { dialect, tokenMatch } = question;
    const file = this.#robots.robotsIn(dialect);
    if (file === undefined) return matcherFor(this.#robots, question, undefined);
    const key = `${dialect} ${tokenMatch}`;
    let groups = this.#groups.get(key);
    if (groups === undefined) this.#groups.set(key, (groups = new CrawlerGroups(file, { tokenMatch })));
    const group = boundBy(question, groups.groupNameOf(question.names));
    return group === undefined ? noGroupIn(dialect) : groups.matcherOf(group === "*" ? undefined : group);
  }
}

/**
 * The name of the group that binds the crawler of a question, `"*"` for the group for all crawlers; undefined when no group binds it or
 * there is no file.
 */
export function groupOf(robots: Pick<Robots, "robotsIn">, question: Question): string | undefined {
  const { dialect, tokenMatch, names } = question;
  const file = robots.robotsIn(dialect);
  return boundBy(question, file === undefined ? undefined : groupNameOf(file, names, { tokenMatch }));
}

/** The dialect and token match of a question. */
function readingOf({ dialect, tokenMatch }: Question): { dialect: DialectName; tokenMatch: TokenMatch } {
  return { dialect, tokenMatch };
}

function boundBy({ boundByEverybody }: Question, name: string | undefined): string | undefined {
  return name === "*" && !boundByEverybody ? undefined : name;
}

function matcherFor(robots: Robots, question: Question, group: string | undefined): Matcher {
  if (group === undefined && robots.robotsIn(question.dialect) !== undefined) return noGroupIn(question.dialect);
  return robots.matcherOf(group === "*" || group === undefined ? [] : group, readingOf(question));
}

const noGroups = new Map<DialectName, Matcher>();

/** A matcher for crawlers that no group binds. */
function noGroupIn(dialect: DialectName): Matcher {
  let matcher = noGroups.get(dialect);
  if (matcher === undefined) noGroups.set(dialect, (matcher = createMatcher(parseRobotsTxt("", { dialect }), [])));
  return matcher;
}
