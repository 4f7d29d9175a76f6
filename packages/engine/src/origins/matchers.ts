// A robots.txt and the questions asked of it in, a matcher for each out; questions about one group share theirs.
import { type DialectName, type Matcher, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { createGroupNames, groupNameOf } from "@robots-stream/core/tokens";
import type { LoadedRobots } from "@robots-stream/fetch";
import type { Question } from "../questions.ts";

/** A file as far as choosing groups needs it. */
type Robots = Pick<LoadedRobots, "robotsIn" | "matcherOf">;

/** For fewer questions the file is gone over for each. */
const mostOneByOne = 16;

/** One matcher for each question, in their order. `shared` holds those of earlier questions about the same file. */
export function matchersOf(
  robots: Robots,
  questions: readonly Question[],
  shared?: Map<string, Matcher>,
): readonly Matcher[] {
  const [only] = questions;
  if (only !== undefined && questions.length === 1 && shared === undefined) {
    // For a single name the matcher itself knows whether it goes by that or by `*`.
    const [name] = only.names;
    const isAlone = only.names.length === 1 && only.boundByEverybody;
    return [isAlone ? robots.matcherOf(name!, only) : matcherFor(robots, only, groupOf(robots, only))];
  }
  const made = shared ?? new Map<string, Matcher>();
  const groupFor = questions.length < mostOneByOne ? groupOf : createGroupFinder();
  return questions.map((question) => {
    const group = groupFor(robots, question);
    // A decision tells the group's name and not the crawler's: who goes by the same group gets the same decisions.
    const key = `${question.dialect} ${question.tokenMatch} ${group ?? ""}`;
    let matcher = made.get(key);
    if (matcher === undefined) made.set(key, (matcher = matcherFor(robots, question, group)));
    return matcher;
  });
}

/** The name whose group binds the crawler, `"*"` for everybody's; undefined when none does, or there is no file. */
export function groupOf(robots: Pick<Robots, "robotsIn">, question: Question): string | undefined {
  const file = robots.robotsIn(question.dialect);
  return boundBy(question, file === undefined ? undefined : groupNameOf(file, question.names, question));
}

/** The same for many questions about one file, over which it goes once. */
function createGroupFinder(): typeof groupOf {
  const finders = new Map<string, ReturnType<typeof createGroupNames>>();
  return (robots, question) => {
    const { dialect, tokenMatch, names } = question;
    const file = robots.robotsIn(dialect);
    if (file === undefined) return undefined;
    const key = `${dialect} ${tokenMatch}`;
    let groupNames = finders.get(key);
    if (groupNames === undefined) finders.set(key, (groupNames = createGroupNames(file, question)));
    return boundBy(question, groupNames(names));
  };
}

function boundBy({ boundByEverybody }: Question, name: string | undefined): string | undefined {
  return name === "*" && !boundByEverybody ? undefined : name;
}

function matcherFor(robots: Robots, question: Question, group: string | undefined): Matcher {
  if (group === undefined && robots.robotsIn(question.dialect) !== undefined) return noGroupIn(question.dialect);
  return robots.matcherOf(group === "*" || group === undefined ? [] : group, question);
}

const noGroups = new Map<DialectName, Matcher>();

/** Decides that no group binds. */
function noGroupIn(dialect: DialectName): Matcher {
  let matcher = noGroups.get(dialect);
  if (matcher === undefined) noGroups.set(dialect, (matcher = createMatcher(parseRobotsTxt("", { dialect }), [])));
  return matcher;
}
