// Robots.txt files that were saved before: a directory with a file for each origin, or one file for all.
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { UsageError, reasonOf } from "../exit.ts";
import { printableOf, shownWordOf } from "../text.ts";
import type { AccessResult } from "@robots-stream/fetch";
import { constantOf, robotsOf } from "./parsed.ts";
import { SavedNames } from "./saved-names.ts";
import type { RobotsSource } from "./types.ts";

/**
 * Answers from `path`. A directory is listed once, here; files are read when their origin comes, at most `maxBytes`
 * of each. Throws a `UsageError` when `path` cannot be used. `warn` gets sentences about names that say nothing.
 */
export function createSavedSource(path: string, maxBytes: number, warn: (sentence: string) => void): RobotsSource {
  const shown = shownWordOf(path);
  try {
    if (statSync(path).isDirectory()) return directorySource(path, maxBytes, warn);
    const robots = robotsOf(readFileSync(path).subarray(0, maxBytes));
    return { isRemote: false, load: () => robots, fileOf: () => path, close: () => undefined };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unusable-robots", `--robots ${shown}: ${reasonOf(error)}`);
  }
}

function directorySource(path: string, maxBytes: number, warn: (sentence: string) => void): RobotsSource {
  const names = new SavedNames(path);
  if (names.clash !== undefined) {
    const both = names.clash.map((name) => printableOf(name)).join(" and ");
    throw new UsageError("unusable-robots", `--robots ${shownWordOf(path)}: ${both} speak about the same origin`);
  }
  if (names.firstIgnored !== undefined) {
    const more = names.ignored > 1 ? ` and ${names.ignored - 1} more` : "";
    warn(`${printableOf(names.firstIgnored)}${more} in ${shownWordOf(path)}: no name of an origin, not used`);
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
      if (entry.status !== undefined) return constantOf(accessOf(entry.status), `http-${entry.status}`);
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

/** What files are read into that are not longer: most are not. */
const room = Buffer.allocUnsafeSlow(32 * 1024);

/** The first `maxBytes` of a file, in three calls of the system where Node makes four, for a hundred thousand files. */
function readBeginning(file: string, maxBytes: number): Uint8Array {
  const descriptor = openSync(file, "r");
  try {
    const size = readSync(descriptor, room, 0, room.length, null);
    if (size < room.length) return Buffer.from(room.subarray(0, Math.min(size, maxBytes)));
  } finally {
    closeSync(descriptor);
  }
  return readFileSync(file).subarray(0, maxBytes);
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

/** What a status of 400 and above means (RFC 9309 §2.3.1.3, §2.3.1.4; 429 as Google has it). */
function accessOf(status: number): AccessResult {
  return status >= 500 || status === 429 ? "unreachable" : "unavailable";
}
