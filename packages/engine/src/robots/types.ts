// Where robots.txt files come from: an origin in, what is in force for it out.
import type { Awaitable, LoadedRobots, StoredRobots } from "@robots-stream/fetch";

/** Gives each origin's robots.txt. The engine loads each origin once a run from a remote source, from others again after an eviction. */
export interface RobotsSource {
  /** Whether asking takes time worth running many at once. */
  readonly isRemote: boolean;
  /**
   * Calls `listener` with the number of loads under way that wait for a server's turn or time, whenever it changes: others may begin
   * meanwhile. To be called once.
   */
  onWaiting?(listener: (loads: number) => void): void;
  /** Rejects with a `UsageError` for invalid settings, as far as they can be checked before anything is read. */
  check?(): Promise<void>;
  /** Never rejects for failures of the network or of files. May return a result at once. Rejects when `signal` aborts. */
  load(origin: string, signal: AbortSignal): Awaitable<SourcedRobots>;
  /** The file that speaks about an origin, where it is not the one that the origin itself has. */
  fileOf?(origin: string): string | undefined;
  close(): Awaitable<void>;
}

/** The facts of an exchange for reports. */
interface ExchangeFacts {
  /** The last one's; none after a failure. */
  readonly status: number | undefined;
  /** Milliseconds; undefined when it was made in an earlier run. */
  readonly ms: number | undefined;
  /** When it ended, in milliseconds since the epoch. */
  readonly endedAt: number;
  /** Decoded bytes of the robots.txt that were read. */
  readonly bytes: number;
  /** The requested URLs, redirects included. */
  readonly urls: readonly string[];
}

/** What decides about an origin: the part of `LoadedRobots` of `@robots-stream/fetch` that is used. */
export interface LoadedOrigin extends Pick<LoadedRobots, "access" | "fetched" | "robotsIn" | "matcherOf"> {
  /**
   * `code` is what the access result rests on: "ok", "http-404", "timeout" …; `body` the file, from which evicted matchers are built
   * again. Without it the matchers of the origin stay in memory.
   */
  readonly stored: Pick<StoredRobots, "code" | "body" | "lastCopy">;
  /** Whether the file in force is that of `stored.lastCopy`. */
  readonly stale?: boolean;
}

/** What the engine uses of an origin's robots.txt, from whatever source. */
export interface SourcedRobots extends Pick<LoadedRobots, "access" | "fetched" | "robotsIn" | "matcherOf"> {
  /** What the access result rests on: "ok", "http-404", "timeout", "not-saved" … */
  readonly code: string;
  /** The file in force; what decides can be made of it again. Undefined where there is none, or it is not known. */
  readonly body?: Uint8Array | undefined;
  /** What is known of the exchange that it rests on, of this run or an earlier one; absent where there was none. */
  readonly exchange?: ExchangeFacts;
  /** A redirect led from https to http, so the file can be changed on its way. */
  readonly isDowngraded?: boolean;
}
