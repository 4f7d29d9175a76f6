// The result of an origin's load in, its matchers out: from the file's bytes, or from the access result without a file.
import {
  type DialectName,
  type Matcher,
  type RobotsTxt,
  createMatcher,
  parseRobotsTxt,
  unavailableMatcher,
  unreachableMatcher,
} from "@robots-stream/core";
import type { AccessResult } from "@robots-stream/fetch";
import type { SourcedRobots } from "./types.ts";

/** There is no file in force. */
export function constantOf(access: AccessResult, code: string): SourcedRobots {
  const matcher = access === "unavailable" ? unavailableMatcher : unreachableMatcher;
  return { access, fetched: false, code, body: undefined, robotsIn: () => undefined, matcherOf: () => matcher };
}

/** A file that is parsed on first use. Equal questions get the same matcher. */
export function robotsOf(body: Uint8Array, code = "ok"): SourcedRobots {
  const parsed = new Map<DialectName, RobotsTxt>();
  const matchers = new Map<string, Matcher>();
  const robotsIn = (dialect: DialectName): RobotsTxt => {
    let robots = parsed.get(dialect);
    if (robots === undefined) parsed.set(dialect, (robots = parseRobotsTxt(body, { dialect })));
    return robots;
  };
  return {
    access: "successful",
    fetched: false,
    code,
    body,
    robotsIn,
    matcherOf(tokens, reading) {
      const key = JSON.stringify([tokens, reading?.dialect, reading?.tokenMatch]);
      let matcher = matchers.get(key);
      if (matcher === undefined) {
        matcher = createMatcher(robotsIn(reading?.dialect ?? "google"), tokens, { tokenMatch: reading?.tokenMatch });
        matchers.set(key, matcher);
      }
      return matcher;
    },
  };
}
