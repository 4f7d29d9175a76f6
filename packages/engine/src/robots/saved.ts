// Saved robots.txt files: a directory with a file for each origin, or one file for all origins.
import { closeSync, readSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { UsageError, reasonOf } from "../errors.ts";
import { openToRead, readFileStart, readPipe, readUpTo } from "../files/open-file.ts";
import type { UsedFiles } from "../files/used-files.ts";
import { printableOf, shownWordOf } from "../text.ts";
import { accessOfStatus } from "@robots-stream/fetch/internal";
import { accessPolicies } from "@robots-stream/fetch/policy";
import { constantOf, robotsOf, sharedRobotsOf } from "./parsed.ts";
import { SavedNames, isSavedName } from "./saved-names.ts";
import type { RobotsSource } from "./types.ts";

/** The settings of reading saved files. */
export interface SavedSourceOptions {
  /** Limit of the bytes read from each file. */
  readonly maxBytes: number;
  /** Called with sentences about names that do not match an origin, and about files that cannot be read. */
  readonly warn: (sentence: string) => void;
  /** The files of the run: no file that the run writes may be in the directory. */
  readonly used?: UsedFiles;
  readonly signal?: AbortSignal | undefined;
}

/** Like `createSavedSource`, but `path` may also be a named pipe. Rejects with the signal's reason while waiting for one. */
export async function openSavedSource(path: string, options: SavedSourceOptions): Promise<RobotsSource> {
  const { maxBytes, warn, used, signal } = options;
  let piped: Uint8Array | undefined;
  try {
    piped = await readPipe(path, maxBytes, signal);
  } catch (error) {
    signal?.throwIfAborted();
    throw unusable(path, error);
  }
  return piped === undefined ? createSavedSource(path, maxBytes, warn, used) : sourceOfFile(path, piped);
}

/**
 * Loads robots.txt files from `path`. A directory is listed once, here; a file is read when its origin is requested, up to
 * `maxBytes` bytes. Only regular files are read; other entries count as not saved. Throws a `UsageError` when `path` cannot be
 * used, or contains a file that is written. `warn` gets sentences about names that do not match an origin.
 */
export function createSavedSource(
  path: string,
  maxBytes: number,
  warn: (sentence: string) => void,
  used?: UsedFiles,
): RobotsSource {
  try {
    if (statSync(path).isDirectory()) return directorySource(path, maxBytes, warn, used);
    return sourceOfFile(path, readFileStart(path, maxBytes));
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error;
  return new UsageError("unusable-robots", `--robots ${shownWordOf(path)}: ${reasonOf(error)}`);
}

function sourceOfFile(path: string, bytes: Uint8Array): RobotsSource {
  const robots = sharedRobotsOf(bytes);
  return { isRemote: false, load: () => robots, fileOf: () => path, close: () => undefined };
}

function directorySource(
  path: string,
  maxBytes: number,
  warn: (sentence: string) => void,
  used?: UsedFiles,
): RobotsSource {
  const names = new SavedNames(path, used?.checkOfFolder(path, `--robots ${shownWordOf(path)}`, isSavedName));
  if (names.clash !== undefined) {
    const both = names.clash.map((name) => printableOf(name)).join(" and ");
    throw new UsageError("unusable-robots", `--robots ${shownWordOf(path)}: ${both} apply to the same origin`);
  }
  if (names.firstIgnored !== undefined) {
    const more = names.ignored > 1 ? ` and ${names.ignored - 1} more` : "";
    warn(`${printableOf(names.firstIgnored)}${more} in ${shownWordOf(path)}: ignored, not named after an origin`);
  }
  const folder = path.endsWith(sep) ? path : path + sep;
  return {
    isRemote: false,
    fileOf(origin) {
      const entry = names.find(keysOf(origin));
      return entry === undefined ? undefined : join(path, entry.name);
    },
    load(origin) {
      const entry = names.find(keysOf(origin));
      if (entry === undefined) return constantOf("unreachable", "not-saved");
      if (entry.status !== undefined)
        return constantOf(accessOfStatus(entry.status, accessPolicies.google), `http-${entry.status}`);
      const file = folder + entry.name;
      try {
        return robotsOf(readBeginning(file, maxBytes));
      } catch (error) {
        warn(`${printableOf(file)}: ${reasonOf(error)}; its origin counts as unreachable`);
        return constantOf("unreachable", "not-readable");
      }
    },
    close: () => undefined,
  };
}

/** The shared buffer for files that fit into it, as most do. */
const room = Buffer.allocUnsafeSlow(32 * 1024);

/** The first `maxBytes` bytes of a file. Most files take a single read: a directory may have a hundred thousand of them. */
function readBeginning(path: string, maxBytes: number): Uint8Array {
  const file = openToRead(path, ["file", "null"]);
  try {
    const length = readSync(file.fd, room, 0, Math.min(room.length, maxBytes), null);
    const first = Buffer.from(room.subarray(0, length));
    const isWhole = length === file.stat.size || length === maxBytes;
    return isWhole ? first : Buffer.concat([first, readUpTo(file, maxBytes - length)]);
  } finally {
    closeSync(file.fd);
  }
}

/**
 * The names, without ".txt", that speak about an origin, the most exact first. "@" is in no host, so nothing that a
 * URL says can make one name look like another; and only names that were listed are ever opened.
 *
 *     https://example.com         https@example.com        example.com
 *     https://example.com:8443    https@example.com@8443   example.com@8443
 *     http://[2001:db8::1]        http@[2001-db8--1]       [2001-db8--1]
 */
export function keysOf(origin: string): readonly [string, string] {
  const [, scheme = "", host = "", port] = /^([a-z]+):\/\/(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(origin) ?? [];
  const place = (host.startsWith("[") ? host.replaceAll(":", "-") : host) + (port === undefined ? "" : `@${port}`);
  return [`${scheme}@${place}`, place];
}
