// Parses the file in force for an origin and makes its matchers, on demand (RFC 9309 §2.3.1).
import {
  type DialectName,
  type RobotsTxt,
  createMatcher,
  unavailableMatcher,
  unreachableMatcher,
} from "@robots-stream/core";
import { parseUnchanging } from "@robots-stream/core/internal";
import type { AccessResult, LoadedRobots } from "../common/types.ts";

/** Parses the file in force and makes matchers. The functions do not use `this`. */
export type InForceReader = Pick<LoadedRobots, "robotsIn" | "matcherOf">;

/**
 * Returns a reader of `body`, the file in force; the caller must not change its bytes afterwards. The reader parses the body on first
 * use, at most once per dialect: a caller that only counts status codes does not pay for parsing. For "unavailable" and "unreachable", and
 * without a body, `matcherOf` returns a constant matcher.
 */
export function readerOf(access: AccessResult, body: Uint8Array | undefined): InForceReader {
  let parsed: Map<DialectName, RobotsTxt> | undefined;
  const robotsIn = (dialect: DialectName): RobotsTxt | undefined => {
    if (body === undefined) return undefined;
    let robots = (parsed ??= new Map()).get(dialect);
    if (robots === undefined) parsed.set(dialect, (robots = parseUnchanging(body, { dialect })));
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
