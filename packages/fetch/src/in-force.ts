// The access result and the file in force for an origin → its parsed file and its matchers, made on demand (RFC 9309 §2.3.1).
import {
  type DialectName,
  type RobotsTxt,
  createMatcher,
  parseRobotsTxt,
  unavailableMatcher,
  unreachableMatcher,
} from "@robots-stream/core";
import type { AccessResult, LoadedRobots } from "./types.ts";

/** Reads and matches the file in force. Its functions need no `this`. */
export type InForceReader = Pick<LoadedRobots, "robotsIn" | "matcherOf">;

/**
 * Reads `body`, the file in force, at most once in each dialect and not before a call needs it: a caller that counts status codes pays
 * for no parsing. Without a body the access result decides, by one of the two constant matchers.
 */
export function readerOf(access: AccessResult, body: Uint8Array | undefined): InForceReader {
  let parsed: Map<DialectName, RobotsTxt> | undefined;
  const robotsIn = (dialect: DialectName): RobotsTxt | undefined => {
    if (body === undefined) return undefined;
    let robots = (parsed ??= new Map()).get(dialect);
    if (robots === undefined) parsed.set(dialect, (robots = parseRobotsTxt(body, { dialect })));
    return robots;
  };
  return {
    robotsIn,
    matcherOf(productTokens, options) {
      if (access === "unavailable") return unavailableMatcher;
      const robots = access === "unreachable" ? undefined : robotsIn(options?.dialect ?? "google");
      return robots === undefined
        ? unreachableMatcher
        : createMatcher(robots, productTokens, { tokenMatch: options?.tokenMatch });
    },
  };
}
