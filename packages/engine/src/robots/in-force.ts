// The robots.txt in force for an origin: the interface of its sources, and how it is made of a file's bytes, of an access result without a
// file, or of the result of a @robots-stream/fetch client.
import type { Awaitable, LoadedRobots, StoredRobots, AccessResult } from "@robots-stream/fetch";
import type { Matcher } from "@robots-stream/core";
import { formatInsteadOf } from "@robots-stream/core/internal";
import { readerOf, wholeLinesOf } from "@robots-stream/fetch/internal";
import { IoError } from "../common/errors.ts";
import { printableOf } from "../common/text.ts";

/**
 * Loads robots.txt files. From a remote source, the engine loads each origin once, and again when its result has expired; from other
 * sources, also after each eviction.
 */
export interface RobotsSource {
  /** Whether loads take so long that the engine runs many of them at the same time. */
  readonly isRemote: boolean;
  /**
   * Calls `listener` with the number of loads that wait for a server, whenever that number changes. The engine may start up to this number
   * of additional loads meanwhile. Call this method at most once.
   */
  onWaiting?(listener: (loads: number) => void): void;
  /** Rejects with a `UsageError` for invalid settings that can be detected before reading starts. */
  check?(): Promise<void>;
  /** Loads the robots.txt of an origin. A failure of the network or of a file is a result, not an error. Rejects when `signal` aborts. */
  load(origin: string, signal: AbortSignal): Awaitable<SourcedRobots>;
  /** A description for people, "an indexed snapshot of 3 origins"; only archives have one. */
  readonly about?: string;
  /** The path of the saved file or archive with the robots.txt of an origin; undefined if there is none. */
  fileOf?(origin: string): string | undefined;
  close(): Awaitable<void>;
}

/** Facts about an HTTP exchange, for reports. */
interface ExchangeFacts {
  /** The status of the last response; undefined after a failure. */
  readonly status: number | undefined;
  /** Duration in milliseconds; undefined for an exchange of an earlier run. */
  readonly ms: number | undefined;
  /** End of the exchange, in milliseconds since the epoch. */
  readonly endedAt: number;
  /** Number of bytes of the robots.txt that was read, after decoding. */
  readonly bytes: number;
  /** The requested URLs, redirects included. */
  readonly urls: readonly string[];
}

/** The robots.txt in force for an origin: the part of `LoadedRobots` of `@robots-stream/fetch` that the engine uses. */
export interface LoadedOrigin extends Pick<LoadedRobots, "access" | "fetched" | "robotsIn" | "matcherOf"> {
  /**
   * `code` is the reason of the access result: "ok", "http-404", "timeout" …; `body` is the file, from which evicted matchers
   * are rebuilt. Without `body`, the origin's matchers stay in memory. `freshUntil` is in milliseconds since the epoch: from then on, the
   * engine loads the origin again when a record needs it, and decides by this result until the new one arrives. Without `freshUntil`, the
   * result never expires.
   */
  readonly stored: Pick<StoredRobots, "code" | "body" | "lastCopy"> &
    Partial<Pick<StoredRobots, "freshUntil" | "truncated">>;
  /** Whether the file in force is the body of `stored.lastCopy`. */
  readonly stale?: boolean;
}

/** The robots.txt of an origin as the engine uses it, from any source. */
export interface SourcedRobots extends Pick<LoadedRobots, "access" | "fetched" | "robotsIn" | "matcherOf"> {
  /** The reason of the access result: "ok", "http-404", "timeout", "not-saved" … */
  readonly code: string;
  /** The file in force, from which matchers can be rebuilt. Undefined when there is no file, or the source does not return it. */
  readonly body?: Uint8Array | undefined;
  /** Whether the file is known to be longer than `body`. */
  readonly isTruncated?: boolean;
  /** The exchange that the result is based on, from this run or an earlier one; absent without an exchange. */
  readonly exchange?: ExchangeFacts;
  /** Whether a redirect led from https to http, where an attacker could change the file. */
  readonly isDowngraded?: boolean;
  /** The time until which the result is fresh, in milliseconds since the epoch; undefined: the result never expires. */
  readonly freshUntil?: number | undefined;
}

/**
 * The code of answers: the reason of an access result without a file, such as "http-404"; for a file that is clearly no robots.txt and has
 * no group, what it is instead, such as "html"; "" for any other file.
 */
export function codeOf({ access, code, body }: Pick<SourcedRobots, "access" | "code" | "body">): string {
  if (access !== "successful") return code;
  const format = body === undefined ? undefined : formatInsteadOf(body);
  return format === undefined ? "" : format.toLowerCase().replaceAll(" ", "-");
}

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
function checkAsked({ code, origin }: Pick<StoredRobots, "code" | "origin">): void {
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
