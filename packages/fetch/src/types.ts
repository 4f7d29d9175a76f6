// The nouns of fetching: what one exchange found, what is stored about an origin, what a caller gets (RFC 9309 §2.3, §2.4).
import type { DialectName, Matcher, MatcherOptions, ParseOptions, RobotsTxt } from "@robots-stream/core";
import type { FailureCode } from "./failure-codes.ts";
import type { Slot } from "./semaphore.ts";
import type { Limits } from "./limits.ts";
import type { Pace } from "./pace-types.ts";

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>;

/** The three results of asking for a robots.txt (RFC 9309 §2.3.1). */
export type AccessResult = "successful" | "unavailable" | "unreachable";

/** One answered request of an exchange: the URL asked, without credentials and fragment, and the status that came. */
export interface Hop {
  readonly url: string;
  readonly status: number;
}

/** The response that ended an exchange. */
export interface ExchangeResponse {
  readonly status: number;
  /** Names in lower case; repeated fields are joined with ", ". Bytes outside ASCII stand as Latin-1. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded, at most `Limits.maxBytes`. Read for 2xx only: no other status has a body that means anything here. */
  readonly body: Uint8Array;
  /** Whether the body went on after `body`. */
  readonly truncated: boolean;
}

/** The failure that ended an exchange. */
export interface ExchangeFailure {
  readonly code: FailureCode;
  /** A sentence for people; never compared. May quote text of the other side, so escape it before a terminal. */
  readonly message: string;
  /** The URL being asked when it failed: the first one, or a redirect's. */
  readonly url: string;
}

/** One request with its redirects, ended by a response or a failure: facts only, no judgement. */
export type Exchange = {
  /** Every request that was answered, in order; the last one belongs to `response` where there is one. */
  readonly hops: readonly Hop[];
  /** Milliseconds since the epoch, by the transport's clock. */
  readonly startedAt: number;
  readonly endedAt: number;
} & (
  | { readonly response: ExchangeResponse; readonly failure?: undefined }
  | { readonly failure: ExchangeFailure; readonly response?: undefined }
);

/** Gets a robots.txt over one protocol or several. */
export interface Transport {
  /**
   * One exchange within `limits`. Never rejects for what the world does: a failure is a value.
   * After `signal` aborts it settles soon with the failure `aborted`. While it waits for its turn at a server it may
   * lend the slot it runs in.
   */
  exchange(robotsUrl: string, limits: Limits, signal?: AbortSignal, slot?: Slot): Promise<Exchange>;
  /** Closes what it holds open; called once, after the last exchange. */
  close?(): Awaitable<void>;
}

/** The last answer that was not "unreachable", kept during an outage (`OutageStep`). */
export interface LastCopy {
  readonly fetchedAt: number;
  readonly access: "successful" | "unavailable";
  readonly code: string;
  readonly status?: number;
  readonly body?: Uint8Array;
}

/** What the network said about an origin, and when. Plain data: a store keeps it as it is. */
export interface StoredRobots {
  readonly origin: string;
  /** Milliseconds since the epoch: the end of the exchange. */
  readonly fetchedAt: number;
  /** Milliseconds since the epoch: until then no new exchange is made (RFC 9309 §2.4). */
  readonly freshUntil: number;
  readonly access: AccessResult;
  /** "ok", "http-404", "http-503", or a `FailureCode`. */
  readonly code: string;
  /** The status of the response; absent after a failure. */
  readonly status?: number;
  /** The file, when `access` is "successful". */
  readonly body?: Uint8Array;
  /** Set when the file was longer than the limit and `body` is its beginning. */
  readonly truncated?: boolean;
  /** The few header fields that later questions need: content-type, cache-control, retry-after, etag, last-modified. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The end of the first failing exchange of an outage that still goes on. */
  readonly unreachableSince?: number;
  /** The copy from before the outage. */
  readonly lastCopy?: LastCopy;
  readonly hops: readonly Hop[];
}

/** The right to be the only one that asks for an origin. */
export interface Claim {
  /** Gives it up. Called once, after `set` or after the exchange came to nothing. */
  release(): Awaitable<void>;
}

/** Keeps one entry for each origin. Knows no HTTP, no freshness, no parsing: `get` gives what `set` got, stale or not. */
export interface RobotsStore {
  /** The entry that was set last, undefined where none was, or where the store has dropped it. */
  get(origin: string): Awaitable<StoredRobots | undefined>;
  /** Returns, or resolves, when the entry is kept as safely as this store can keep it. */
  set(entry: StoredRobots): Awaitable<void>;
  /**
   * For stores that several processes share: waits until no other process asks for `origin`. A client claims before an
   * exchange, reads again, and makes no exchange when a fresh entry came meanwhile. Rejects when `signal` aborts.
   */
  claim?(origin: string, signal: AbortSignal): Awaitable<Claim>;
  /** Idempotent. What was set before is kept. */
  close?(): Awaitable<void>;
}

/** A store that keeps every entry, not only the newest: what was known about an origin at a time can be asked later. */
export interface RobotsHistory extends RobotsStore {
  /** The entries of an origin, those fetched last first. */
  history(origin: string, options?: { readonly limit?: number }): Awaitable<readonly StoredRobots[]>;
  /** The entry fetched last at `atMs` (milliseconds since the epoch) or before. `inForceAt` says what it meant then. */
  at(origin: string, atMs: number): Awaitable<StoredRobots | undefined>;
}

/** The answer of `RobotsClient.load`. */
export interface LoadedRobots {
  readonly stored: StoredRobots;
  /** Whether this load used the network, alone or together with other loads of the same origin. */
  readonly fetched: boolean;
  /** Milliseconds that the exchange of this load took, from its start to its end; undefined when no server was asked. */
  readonly exchangeMs?: number;
  /** The access result in force: `stored.access`, or what the policy says once an outage has lasted. */
  readonly access: AccessResult;
  /** Whether the copy from before an outage is in force. */
  readonly stale: boolean;
  /** The file in force, parsed on first use; undefined unless `access` is "successful". */
  readonly robots: RobotsTxt | undefined;
  /** The same, read in this dialect; parsed on first use of each. */
  robotsIn(dialect: DialectName): RobotsTxt | undefined;
  /**
   * A matcher for these product tokens, the file being read in the dialect and the tokens being found as the options
   * say; for "unavailable" and "unreachable" one of the two constant matchers.
   */
  matcherOf(productTokens: string | readonly string[], options?: ParseOptions & MatcherOptions): Matcher;
  /** How fast the file asks this crawler to come, and what the policy says of that: data, nothing here waits. */
  paceOf(productTokens: string | readonly string[], options?: ParseOptions & MatcherOptions): Pace;
}

/** One load. */
export interface LoadOptions {
  /** Ends this load: it rejects with the signal's reason. The exchange ends too when no other load waits for it. */
  readonly signal?: AbortSignal;
}

/** Origin in, robots.txt in force out. */
export interface RobotsClient {
  /**
   * Gives what is in force for `origin`, from the store while fresh, else from the network.
   * Rejects with a `FetchError` for an invalid origin, for an unknown option and after `close()`, with the signal's reason
   * when aborted, and with the errors of a caller's own store or transport. Never rejects for failures of the network.
   */
  load(origin: string, options?: LoadOptions): Promise<LoadedRobots>;
  /** Ends every exchange, closes transport and store unless they were injected. Loads under way reject. Idempotent. */
  close(): Promise<void>;
}
