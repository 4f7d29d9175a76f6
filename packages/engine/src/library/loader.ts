// Converts a program's loader of robots.txt files to a source of the engine, and creates such a loader from saved files.
import { UsageError } from "../common/errors.ts";
import { sourcedOf, type RobotsSource, type SourcedRobots } from "../robots/in-force.ts";
import { createSavedSource, openSavedSource } from "../robots/saved/open.ts";
import { printableOf } from "../common/text.ts";
import { type OptionTypes, readOptions, wrong } from "./options.ts";
import type { LoadedOrigin, OriginLoader } from "./types.ts";

/**
 * Creates a source that calls `loader`. A load fails with an `IoError` when the loader reports that this machine has run out of resources,
 * and with a `UsageError` when the loader's result lacks a required member.
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
      ? "result"
      : typeof loaded.stored?.code !== "string"
        ? "stored.code"
        : typeof loaded.matcherOf !== "function"
          ? "matcherOf"
          : undefined;
  if (missing !== undefined) throw wrong("robots", `returned no ${missing} for ${printableOf(origin)}`);
}

/** How saved files are read. */
export interface SavedRobotsOptions {
  /** Maximum number of bytes that are read of each file; 512,000 by default. */
  readonly maxBytes?: number;
  /** Called for files that are not named after an origin, for files that cannot be read, and for damaged entries of an archive. */
  readonly warn?: (sentence: string) => void;
}

/** Saved robots.txt files as a loader. */
export interface SavedRobots extends OriginLoader {
  /** Closes the files of an archive. Call it after the last stream has ended. */
  close(): Promise<void>;
}

const savedTypes: OptionTypes = { maxBytes: "any", warn: "function" };

/**
 * Creates a loader that reads saved robots.txt files and does not use the network. `path` is a folder with a file for each origin
 * (`example.com.txt`, `https@example.com@8443.txt`, `example.com.404`), one file for all origins, or an archive: an indexed snapshot, an
 * NDJSON export of a cache, a WARC file, or the database of a cache. This call lists a folder; each file is read when its origin is loaded.
 * The first load opens an archive, and rejects when the archive is damaged. Throws a `UsageError`: "ERR_UNUSABLE_ROBOTS" when `path`
 * cannot be used, "ERR_WRONG_VALUE" or "ERR_INVALID_OPTION" for options.
 */
export function createSavedRobots(path: string, options: SavedRobotsOptions = {}): SavedRobots {
  const { maxBytes = 512_000, warn = () => undefined } = readOptions(options, savedTypes);
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) throw wrong("maxBytes", "must be a whole number of 1 or more");
  if (typeof path !== "string" || path === "") {
    throw new UsageError("unusable-robots", "createSavedRobots: the path of a folder or a file is missing");
  }
  let source = createSavedSource(path, maxBytes, warn);
  let opening: Promise<RobotsSource> | undefined;
  const loadFrom = (from: RobotsSource, origin: string, signal: AbortSignal): LoadedOrigin => {
    const loaded = from.load(origin, signal) as SourcedRobots;
    const { code, body } = loaded;
    return { ...loaded, stored: { code, ...(body === undefined ? {} : { body }) } };
  };
  return {
    load(origin, { signal }) {
      if (source !== undefined) return loadFrom(source, origin, signal);
      opening ??= openSavedSource(path, { maxBytes, warn });
      return opening.then((opened) => loadFrom((source = opened), origin, signal));
    },
    async close() {
      await (source ?? (await opening?.catch(() => undefined)))?.close();
    },
  };
}
