// Converts the result of a @robots-stream/fetch client for an origin to the robots.txt in force. Throws when the origin was not requested.
import type { StoredRobots } from "@robots-stream/fetch";
import { IoError } from "../common/errors.ts";
import { printableOf } from "../common/text.ts";
import type { LoadedOrigin, SourcedRobots } from "./types.ts";

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
