// Makes the robots.txt in force of a file's bytes, of an access result without a file, or of the result of a @robots-stream/fetch client.
import type { Matcher } from "@robots-stream/core";
import type { AccessResult, StoredRobots } from "@robots-stream/fetch";
import { readerOf, wholeLinesOf } from "@robots-stream/fetch/internal";
import type { SourcedRobots, LoadedOrigin } from "./types.ts";
import { IoError } from "../common/errors.ts";
import { printableOf } from "../common/text.ts";

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

/** Throws an `IoError` for an origin that was not requested because this machine ran out of resources. */
export function checkAsked({ code, origin }: Pick<StoredRobots, "code" | "origin">): void {
  if (code !== "local-resources") return;
  const why = "no file descriptors, ports or memory left on this machine (local-resources); ulimit -n may be too low";
  throw new IoError("input", printableOf(origin), new Error(why));
}

/** The robots.txt in force after a load. Throws as `checkAsked` does. */
export function sourcedOf(origin: string, loaded: LoadedOrigin): SourcedRobots {
  const { access, fetched, stored, robotsIn, matcherOf } = loaded;
  checkAsked({ code: stored.code, origin });
  const { code, freshUntil } = stored;
  const robots = { access, fetched, code, body: bodyOf(loaded), robotsIn, matcherOf, freshUntil };
  return stored.truncated === true && loaded.stale !== true ? { ...robots, isTruncated: true } : robots;
}

/** The file in force; undefined when no file is in force, or when the loader does not return it. */
function bodyOf({ access, stale, stored }: LoadedOrigin): Uint8Array | undefined {
  if (access !== "successful") return undefined;
  return stale === true ? stored.lastCopy?.body : stored.body;
}
