// A file's bytes, or the access result where there is no file, in; what decides about an origin out.
import type { Matcher } from "@robots-stream/core";
import type { AccessResult } from "@robots-stream/fetch";
import { readerOf } from "@robots-stream/fetch/internal";
import type { SourcedRobots } from "./types.ts";

/** There is no file in force. */
export function constantOf(access: AccessResult, code: string): SourcedRobots {
  return { access, fetched: false, code, body: undefined, ...readerOf(access, undefined) };
}

/** A file, parsed on demand. */
export function robotsOf(body: Uint8Array, code = "ok"): SourcedRobots {
  return { access: "successful", fetched: false, code, body, ...readerOf("successful", body) };
}

/** The same for a file that speaks about many origins: equal questions get the same matcher. */
export function sharedRobotsOf(body: Uint8Array): SourcedRobots {
  const robots = robotsOf(body);
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
