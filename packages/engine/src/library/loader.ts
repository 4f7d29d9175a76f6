// A program's loader of robots.txt files in, a source of the engine out; and saved files as such a loader.
import { UsageError } from "../errors.ts";
import { sourcedOf } from "../robots/in-force.ts";
import { createSavedSource } from "../robots/saved.ts";
import type { RobotsSource, SourcedRobots } from "../robots/types.ts";
import { printableOf } from "../text.ts";
import { type OptionTypes, readOptions, wrong } from "./options.ts";
import type { LoadedOrigin, OriginLoader } from "./types.ts";

/**
 * A source that calls `loader`. A load rejects with an `IoError` when the loader reports that this machine has run out of
 * resources.
 */
export function sourceOf(loader: OriginLoader): RobotsSource {
  const sourced = (origin: string, loaded: LoadedOrigin): SourcedRobots => {
    refuseOther(origin, loaded);
    return sourcedOf(origin, loaded);
  };
  return {
    isRemote: true,
    load(origin, signal) {
      const loading = loader.load(origin, { signal });
      return loading instanceof Promise ? loading.then((loaded) => sourced(origin, loaded)) : sourced(origin, loading);
    },
    close: () => undefined,
  };
}

/** Throws a `UsageError` when a loader's result lacks a required member. */
function refuseOther(origin: string, loaded: Partial<LoadedOrigin> | null | undefined): void {
  const missing =
    typeof loaded !== "object" || loaded === null
      ? "what is in force"
      : typeof loaded.stored?.code !== "string"
        ? "stored.code"
        : typeof loaded.matcherOf !== "function"
          ? "matcherOf"
          : undefined;
  if (missing !== undefined) throw wrong("robots", `gave no ${missing} when asked to load ${printableOf(origin)}`);
}

/** How saved files are read. */
export interface SavedRobotsOptions {
  /** Most bytes that are read of each file; 512,000 by default. */
  readonly maxBytes?: number;
  /** Called for files that are not named after an origin, and for files that cannot be read. */
  readonly warn?: (sentence: string) => void;
}

const savedTypes: OptionTypes = { maxBytes: "any", warn: "function" };

/**
 * Answers from saved robots.txt files without the network: a folder with a file for each origin (`example.com.txt`,
 * `https@example.com@8443.txt`, `example.com.404`), or one file for all. A folder is listed at once; its files are read when
 * their origins come. Throws a `UsageError`: "ERR_UNUSABLE_ROBOTS" when `path` cannot be used, "ERR_WRONG_VALUE" or
 * "ERR_INVALID_OPTION" for options.
 */
export function createSavedRobots(path: string, options: SavedRobotsOptions = {}): OriginLoader {
  const { maxBytes = 512_000, warn = () => undefined } = readOptions(options, savedTypes);
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) throw wrong("maxBytes", "must be a whole number from 1 on");
  if (typeof path !== "string" || path === "") {
    throw new UsageError("unusable-robots", "createSavedRobots: the path of a folder or a file is missing");
  }
  const source = createSavedSource(path, maxBytes, warn);
  return {
    load(origin, { signal }) {
      const loaded = source.load(origin, signal) as SourcedRobots;
      const { code, body } = loaded;
      return { ...loaded, stored: { code, ...(body === undefined ? {} : { body }) } };
    },
  };
}
