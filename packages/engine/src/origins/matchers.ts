// Builds a matcher for each question about one robots.txt; questions with the same dialect and token match share a matcher if the same
// group binds their crawlers.
import { type DialectName, type Matcher, type TokenMatch, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { CrawlerGroups } from "@robots-stream/core/internal";
import { groupNameOf } from "@robots-stream/core/product-tokens";
import type { LoadedRobots } from "@robots-stream/fetch";
import type { Question } from "../questions/questions.ts";

/** The members of a loaded robots.txt from which matchers are made. */
type Robots = Pick<LoadedRobots, "robotsIn" | "matcherOf">;

/**
 * If `matchersOf` gets at least this number of questions and no `shared`, it indexes the groups of the file. Otherwise it searches the file
 * once per question.
 */
const leastIndexed = 16;

/**
 * One matcher for each question, in the order of the questions. `shared` contains the matchers of earlier questions about the same file;
 * new ones are added to it.
 */
export function matchersOf(
  robots: Robots,
  questions: readonly Question[],
  shared?: Map<string, Matcher>,
): readonly Matcher[] {
  const [only] = questions;
  if (only !== undefined && questions.length === 1 && shared === undefined) {
    // For a crawler with a single name, `matcherOf` selects the group of that name or the group for `*`.
    const [name] = only.names;
    const isAlone = only.names.length === 1 && only.boundByEverybody;
    return [isAlone ? robots.matcherOf(name!, readingOf(only)) : matcherFor(robots, only, groupOf(robots, only))];
  }
  if (questions.length >= leastIndexed && shared === undefined) return matchersOfMany(robots, questions);
  const made = shared ?? new Map<string, Matcher>();
  return questions.map((question) => {
    const group = groupOf(robots, question);
    // Decisions contain the name of the group, not of the crawler, so crawlers that the same group binds can share them.
    const key = `${question.dialect} ${question.tokenMatch} ${group ?? ""}`;
    let matcher = made.get(key);
    if (matcher === undefined) made.set(key, (matcher = matcherFor(robots, question, group)));
    return matcher;
  });
}

/**
 * Like `matchersOf`, for many questions: the file is searched once per dialect and token match, and rules are built once per set of groups.
 * `groupsByReading` contains, by dialect and token match, the groups from earlier questions about the same file; new ones are added to it.
 */
export function matchersOfMany(
  robots: Robots,
  questions: readonly Question[],
  groupsByReading: Map<string, CrawlerGroups> = new Map(),
): readonly Matcher[] {
  return questions.map((question) => {
    const { dialect, tokenMatch } = question;
    const file = robots.robotsIn(dialect);
    if (file === undefined) return matcherFor(robots, question, undefined);
    const key = `${dialect} ${tokenMatch}`;
    let groups = groupsByReading.get(key);
    if (groups === undefined) groupsByReading.set(key, (groups = new CrawlerGroups(file, { tokenMatch })));
    const group = boundBy(question, groups.groupNameOf(question.names));
    return group === undefined ? noGroupIn(dialect) : groups.matcherOf(group === "*" ? undefined : group);
  });
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
