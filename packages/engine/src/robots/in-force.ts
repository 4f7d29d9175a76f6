// What a client of @robots-stream/fetch loaded for an origin in, what decides about it out; or the failure that decides nothing.
import type { StoredRobots } from "@robots-stream/fetch";
import { IoError } from "../errors.ts";
import { printableOf } from "../text.ts";
import type { LoadedOrigin, SourcedRobots } from "./types.ts";

/** Throws an `IoError` for an origin that was not requested because this machine has no resources left: there is no result. */
export function checkAsked({ code, origin }: Pick<StoredRobots, "code" | "origin">): void {
  if (code !== "local-resources") return;
  const why = "no file descriptors, ports or memory left on this machine (local-resources); ulimit -n may be too low";
  throw new IoError("input", printableOf(origin), new Error(why));
}

/** What decides about an origin because of what was loaded. Throws as `checkAsked` does. */
export function sourcedOf(origin: string, loaded: LoadedOrigin): SourcedRobots {
  const { access, fetched, stored, robotsIn, matcherOf } = loaded;
  checkAsked({ code: stored.code, origin });
  return { access, fetched, code: stored.code, body: bodyOf(loaded), robotsIn, matcherOf };
}

/** The file in force; undefined where there is none, or the loader does not tell it. */
function bodyOf({ access, stale, stored }: LoadedOrigin): Uint8Array | undefined {
  if (access !== "successful") return undefined;
  return stale === true ? stored.lastCopy?.body : stored.body;
}
