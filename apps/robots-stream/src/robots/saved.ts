// Robots.txt files that were saved before: a directory with a file for each origin, or one file for all.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  type DialectName,
  type Matcher,
  type RobotsTxt,
  createMatcher,
  parseRobotsTxt,
  unavailableMatcher,
  unreachableMatcher,
} from "@robots-stream/core";
import { UsageError, reasonOf } from "../exit.ts";
import { printableOf } from "../text.ts";
import type { AccessResult } from "@robots-stream/fetch";
import type { RobotsSource, SourcedRobots } from "./types.ts";

/** What is known about an origin. */
interface Entry {
  /** The file's name, for messages; empty for the one file of all origins. */
  readonly name: string;
  readonly path: string;
  /** The status the name says, "example.com.404"; undefined for a file to parse. */
  readonly status: number | undefined;
}

/**
 * Answers from `path`. A directory is listed once, here; files are read when their origin comes, at most `maxBytes`
 * of each. Throws a `UsageError` when `path` cannot be used. `warn` gets sentences about names that say nothing.
 */
export function createSavedSource(path: string, maxBytes: number, warn: (sentence: string) => void): RobotsSource {
  const shown = printableOf(path);
  try {
    if (statSync(path).isDirectory()) return directorySource(path, maxBytes, warn);
    const robots = robotsOf(readFileSync(path).subarray(0, maxBytes));
    return { isRemote: false, load: () => robots, close: () => undefined };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError("unusable-robots", `--robots ${shown}: ${reasonOf(error)}`);
  }
}

function directorySource(path: string, maxBytes: number, warn: (sentence: string) => void): RobotsSource {
  const entries = new Map<string, Entry>();
  const ignored: string[] = [];
  for (const name of readdirSync(path)) {
    const parsed = name.startsWith(".") ? undefined : parseName(name);
    if (parsed === undefined) {
      if (!name.startsWith(".")) ignored.push(name);
      continue;
    }
    const other = entries.get(parsed.key);
    if (other !== undefined) {
      const both = `${printableOf(other.name)} and ${printableOf(name)}`;
      throw new UsageError("unusable-robots", `--robots ${printableOf(path)}: ${both} speak about the same origin`);
    }
    entries.set(parsed.key, { name, path: join(path, name), status: parsed.status });
  }
  if (ignored.length > 0) {
    const more = ignored.length > 1 ? ` and ${ignored.length - 1} more` : "";
    warn(`${printableOf(ignored[0] ?? "")}${more} in ${printableOf(path)}: no name of an origin, not used`);
  }
  return {
    isRemote: false,
    load(origin) {
      const entry = keysOf(origin)
        .map((key) => entries.get(key))
        .find((found) => found !== undefined);
      if (entry === undefined) return constantOf("unreachable", "not-saved");
      if (entry.status !== undefined) return constantOf(accessOf(entry.status), `http-${entry.status}`);
      try {
        return robotsOf(readFileSync(entry.path).subarray(0, maxBytes));
      } catch (error) {
        warn(`${printableOf(entry.path)}: ${reasonOf(error)}; its origin counts as unreachable`);
        return constantOf("unreachable", "not-readable");
      }
    },
    close: () => undefined,
  };
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

/** A file's name → whom it speaks about, and its status; undefined for a name that says neither. */
function parseName(name: string): { readonly key: string; readonly status: number | undefined } | undefined {
  const match = /^(.+)\.(?:txt|([2-5]\d\d))$/i.exec(name);
  const key = match?.[1]?.toLowerCase();
  if (key === undefined || !/^(?:(?:https?|ftp)@)?(?:\[[0-9a-f.-]+\]|[^@]+)(?:@\d{1,5})?$/.test(key)) return undefined;
  const status = match?.[2] === undefined ? undefined : Number(match[2]);
  // A successful answer is known by its text, not by its status; where a redirect led, nothing is known about.
  return status !== undefined && status < 400 ? undefined : { key, status };
}

/** What a status of 400 and above means (RFC 9309 §2.3.1.3, §2.3.1.4; 429 as Google has it). */
function accessOf(status: number): AccessResult {
  return status >= 500 || status === 429 ? "unreachable" : "unavailable";
}

function constantOf(access: AccessResult, code: string): SourcedRobots {
  const matcher = access === "unavailable" ? unavailableMatcher : unreachableMatcher;
  return { access, fetched: false, code, robotsIn: () => undefined, matcherOf: () => matcher };
}

function robotsOf(body: Uint8Array): SourcedRobots {
  const parsed = new Map<DialectName, RobotsTxt>();
  const matchers = new Map<string, Matcher>();
  const robotsIn = (dialect: DialectName): RobotsTxt => {
    let robots = parsed.get(dialect);
    if (robots === undefined) parsed.set(dialect, (robots = parseRobotsTxt(body, { dialect })));
    return robots;
  };
  return {
    access: "successful",
    fetched: false,
    code: "ok",
    robotsIn,
    matcherOf(tokens, reading) {
      const key = JSON.stringify([tokens, reading?.dialect, reading?.tokenMatch]);
      let matcher = matchers.get(key);
      if (matcher === undefined) {
        matcher = createMatcher(robotsIn(reading?.dialect ?? "google"), tokens, reading);
        matchers.set(key, matcher);
      }
      return matcher;
    },
  };
}
