// What a client of @robots-stream/fetch loaded in, the file in force out; or the failure that decides nothing.
import type { AccessResult, StoredRobots } from "@robots-stream/fetch";
import { IoError } from "../errors.ts";
import { printableOf } from "../text.ts";

/** Throws an `IoError` for an origin that was not requested because this machine has no resources left: there is no result. */
export function checkAsked({ code, origin }: Pick<StoredRobots, "code" | "origin">): void {
  if (code !== "local-resources") return;
  const why = "no file descriptors, ports or memory left on this machine (local-resources); ulimit -n may be too low";
  throw new IoError("input", printableOf(origin), new Error(why));
}

/** The file in force; undefined when there is none, or when the loader does not provide it. */
export function bodyOf(loaded: {
  readonly access: AccessResult;
  readonly stale?: boolean;
  readonly stored: Pick<StoredRobots, "body" | "lastCopy">;
}): Uint8Array | undefined {
  if (loaded.access !== "successful") return undefined;
  return loaded.stale === true ? loaded.stored.lastCopy?.body : loaded.stored.body;
}
