// Defines the types of fetching: exchange, transport, stored entry, store, client and the result of a load (RFC 9309 §2.3, §2.4).
import type { DialectName, Matcher, MatcherOptions, ParseOptions, RobotsTxt } from "@robots-stream/core";
import type { Failure, FailureCode } from "./failures.ts";
import type { Slot } from "./semaphore.ts";
import type { Limits } from "./limits.ts";
import type { CrawlDelayLine } from "@robots-stream/core/records";

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** The three results of requesting a robots.txt (RFC 9309 §2.3.1). */
export type AccessResult = "successful" | "unavailable" | "unreachable";

/** One answered request of an exchange: the requested URL, without credentials and fragment, and the status of the response. */
export interface Hop {
  readonly url: string;
  readonly status: number;
}

/** The response that ended an exchange. */
export interface ExchangeResponse {
  readonly status: number;
  /** Names in lower case; repeated fields are joined with ", ". Bytes outside ASCII are decoded as Latin-1. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body, at most `Limits.maxBytes`. Read for 2xx, and for 5xx with `errorPages`; empty for every other status. */
  readonly body: Uint8Array;
  /** Whether `body` is only the beginning of a longer body. */
  readonly truncated: boolean;
  /** Set if the body was cut at the end of a line: the next byte is a line end. Otherwise its last line may be cut. */
  readonly endsLine?: boolean;
}

/** The failure that ended an exchange. */
export interface ExchangeFailure {
  readonly code: FailureCode;
  /** A sentence for people; do not compare it. It may quote text of the server, so escape it before printing it to a terminal. */
  readonly message: string;
  /** The URL of the failed request: the first URL, or the target of a redirect. */
  readonly url: string;
}

/** One request with its redirects, ended by a response or a failure. An exchange contains facts only; a policy judges it. */
export type Exchange = {
  /** Every answered request, in order. If there is a `response`, the last hop is the request that it answers. */
  readonly hops: readonly Hop[];
  /** Milliseconds since the epoch, from the transport's clock. */
  readonly startedAt: number;
  readonly endedAt: number;
} & (
  | { readonly response: ExchangeResponse; readonly failure?: undefined }
  | { readonly failure: ExchangeFailure; readonly response?: undefined }
);

/** Gets a robots.txt over one protocol or several. */
export interface Transport {
  /**
   * Makes one exchange within `limits`. Never rejects for a failure of the network or a server: the exchange holds the failure. After
   * `signal` aborts, it soon resolves with the failure `aborted`. While the exchange waits for its turn at a server, the transport may lend
   * `slot` to other exchanges.
   */
  exchange(robotsUrl: string, limits: Limits, signal?: AbortSignal, slot?: Slot): Promise<Exchange>;
  /**
   * Ends the exchanges under way with the failure `aborted`, and closes connections and other resources. A client calls `close` once, after
   * its last exchange.
   */
  close?(): Awaitable<void>;
}

/** The last result that was not "unreachable", kept during an outage (`OutageStep`). */
export interface LastCopy {
  readonly fetchedAt: number;
  readonly access: "successful" | "unavailable";
  readonly code: string;
  readonly status?: number;
  readonly body?: Uint8Array;
  /** As in `StoredRobots`. */
  readonly truncated?: boolean;
  /** As in `StoredRobots`. */
  readonly cutAtBytes?: number;
}

/** The entry of an origin in a store: the result of an exchange and its time. Plain data, which stores keep unchanged. */
export interface StoredRobots {
  readonly origin: string;
  /** Milliseconds since the epoch: the end of the exchange. */
  readonly fetchedAt: number;
  /** Milliseconds since the epoch: no new exchange is made before this time (RFC 9309 §2.4). */
  readonly freshUntil: number;
  readonly access: AccessResult;
  /** "ok", "http-<status>", the code of a policy's row ("partial", "too-large", "soft-404"), or a `FailureCode`. */
  readonly code: string;
  /** The status of the response; absent after a failure. */
  readonly status?: number;
  /** The file, when `access` is "successful". */
  readonly body?: Uint8Array;
  /**
   * Set when the body of the response was longer than the limit. `body`, if present, then has only the whole lines among the first bytes of
   * the file.
   */
  readonly truncated?: boolean;
  /** Set with `truncated`: the limit at which the body was cut, in bytes. */
  readonly cutAtBytes?: number;
  /** The header fields that an entry keeps: content-type, cache-control, retry-after, etag and last-modified. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch: the end of the first failed exchange of the current outage. */
  readonly unreachableSince?: number;
  /** The copy from before the outage. */
  readonly lastCopy?: LastCopy;
  readonly hops: readonly Hop[];
}

/** The exclusive right to make an exchange for an origin. */
export interface Claim {
  /** Releases the claim. Called once, after `set`, or after an exchange without a result to store. */
  release(): Awaitable<void>;
}

/** Keeps one entry per origin. A store handles neither HTTP nor freshness nor parsing: `get` also returns stale entries. */
export interface RobotsStore {
  /** The entry set last; undefined when none was set, or when the store has evicted it. */
  get(origin: string): Awaitable<StoredRobots | undefined>;
  /**
   * Returns or resolves when the entry is as durable as this store can make it. The caller does not change the entry's arrays afterwards: a
   * store may keep the entry itself, as the memory store does.
   */
  set(entry: StoredRobots): Awaitable<void>;
  /**
   * For stores that several processes share: waits until no other process holds the claim of `origin`, then takes it. A client takes
   * the claim before an exchange, calls `get` again, and makes no exchange if it finds a fresh entry. Rejects when `signal` aborts.
   */
  claim?(origin: string, signal: AbortSignal): Awaitable<Claim>;
  /** Closes the store. A store that outlives the process keeps the entries set before. Idempotent. */
  close?(): Awaitable<void>;
}

/** A store that keeps every entry of an origin, not only the newest, so that it can return the entry of an earlier time. */
export interface RobotsHistory extends RobotsStore {
  /** The entries of an origin, the latest fetch first. */
  history(origin: string, options?: { readonly limit?: number }): Awaitable<readonly StoredRobots[]>;
  /** The latest entry fetched at or before `atMs` (milliseconds since the epoch). `inForceAt` returns what this entry put in force. */
  at(origin: string, atMs: number): Awaitable<StoredRobots | undefined>;
}

/** The result of `RobotsClient.load`. */
export interface LoadedRobots {
  readonly stored: StoredRobots;
  /** Whether this load made an exchange, alone or together with other loads of the same origin. False for the failure `not-cached`. */
  readonly fetched: boolean;
  /** Duration of the exchange of this load in milliseconds; undefined unless `fetched`. */
  readonly exchangeMs?: number;
  /** The failure that ended the exchange of this load; undefined without a failure, and unless `fetched`. */
  readonly failure?: ExchangeFailure;
  /** The access result in force: `stored.access`, or during an outage the result of the policy's outage step. */
  readonly access: AccessResult;
  /** Whether the copy from before an outage is in force. */
  readonly stale: boolean;
  /** The file in force, parsed in the google dialect on first use; undefined unless `access` is "successful". */
  readonly robots: RobotsTxt | undefined;
  /** The file in force, parsed in this dialect on first use of the dialect; undefined unless `access` is "successful". */
  robotsIn(dialect: DialectName): RobotsTxt | undefined;
  /**
   * A matcher for these product tokens. The options choose the dialect of the file and the way in which groups are matched with the tokens.
   * For "unavailable" and "unreachable", the result is one of the two constant matchers.
   */
  matcherOf(productTokens: string | readonly string[], options?: ParseOptions & MatcherOptions): Matcher;
  /** The request rate that the file requests from this crawler, and how the policy treats it. Data only: nothing is delayed. */
  paceOf(productTokens: string | readonly string[], options?: ParseOptions & MatcherOptions): Pace;
}

/** Options of `RobotsClient.load`. */
export interface LoadOptions {
  /** Aborts this load, which rejects with the signal's reason. The exchange is also aborted if no other load waits for it. */
  readonly signal?: AbortSignal;
}

/** Loads the robots.txt in force for an origin. */
export interface RobotsClient {
  /**
   * Returns the robots.txt in force for `origin`: from the store while the entry is fresh, otherwise from the network. Rejects with a
   * `FetchError` for an invalid origin, for an invalid option and after `close()`; with the signal's reason when aborted; and with the
   * errors of a caller's own store or transport. Never rejects for failures of the network.
   */
  load(origin: string, options?: LoadOptions): Promise<LoadedRobots>;
  /** Aborts all exchanges, and closes transport and store unless they were injected. Pending loads reject. Idempotent. */
  close(): Promise<void>;
}

/** A response, or the failure that prevented it. */
export type HopEnd = ExchangeResponse | Failure;

/** Whether `end` is a failure. Also valid for other unions in which only failures have a `code`. */
export function isFailure(end: object): end is Failure {
  return "code" in end;
}

/** How a policy treats a Crawl-delay or Request-rate record. */
export interface PaceView {
  /** Whether the policy's crawlers obey the record; undefined when no document states it. */
  readonly heeded: boolean | undefined;
  readonly source: string;
}

/** A Crawl-delay that applies to a crawler. */
export interface CrawlDelay extends CrawlDelayLine {
  /** How the policy treats Crawl-delay; `heeded` is undefined when the policy does not mention it. */
  readonly view: PaceView;
}

/** A Request-rate: at most `requests` requests in `seconds` seconds. */
export interface RequestRate {
  readonly requests: number;
  readonly seconds: number;
  /** The time of day (UTC) in which the rate applies, in minutes after midnight; absent when it always applies. */
  readonly hours?: readonly [fromMinute: number, toMinute: number];
  readonly value: string;
  readonly line: number;
  readonly view: PaceView;
}

/** The request rate that a file requests from one crawler. */
export interface Pace {
  /** The longest valid Crawl-delay in the crawler's groups; undefined if there is none. */
  readonly crawlDelay: CrawlDelay | undefined;
  /** All valid Request-rate records in the crawler's groups, in file order. */
  readonly requestRates: readonly RequestRate[];
}
