// Converts a file's bytes, or an access result without a file, to the robots.txt in force.
import type { Matcher } from "@robots-stream/core";
import type { AccessResult } from "@robots-stream/fetch";
import { readerOf, wholeLinesOf } from "@robots-stream/fetch/internal";
import type { SourcedRobots } from "./types.ts";

/** The result for an origin without a file. */
export function constantOf(access: AccessResult, code: string): SourcedRobots {
  return { access, fetched: false, code, body: undefined, ...readerOf(access, undefined) };
}

/** The result for a file, which is parsed on demand. */
export function robotsOf(body: Uint8Array, code = "ok"): SourcedRobots {
  return { access: "successful", fetched: false, code, body, ...readerOf("successful", body) };
}

/** The result for a file that is read up to a limit. `bytes`: the file, or at least `maxBytes` + 1 bytes of a longer one. */
export function robotsUpTo(maxBytes: number, bytes: Uint8Array): SourcedRobots {
  const robots = robotsOf(wholeLinesOf(bytes, maxBytes));
  return bytes.length > maxBytes ? { ...robots, isTruncated: true } : robots;
}

/** The result for a file that applies to many origins: calls with equal product tokens, dialect and token match get the same matcher. */
export function sharedRobotsOf(robots: SourcedRobots): SourcedRobots {
  const matchers = new Map<string, Matcher>();
  return {
    ...robots,
    matcherOf(productTokens, options) {
      const key = JSON.stringify([productTokens, options?.dialect, options?.tokenMatch]);
      let matcher = matchers.get(key);
      if (matcher === undefined) matchers.set(key, (matcher = robots.matcherOf(productTokens, options)));
      return matcher;
    },
  };
}
