// Implements the transport over the platform's own fetch, for runtimes without sockets (Fetch standard; RFC 9309 §2.3.1.2).
import { FetchError } from "../common/errors.ts";
import type { Failure } from "../common/failures.ts";
import { type AllowPrivate, createGuard, refusePort } from "../network/guard.ts";
import type { HopEnd, Transport } from "../common/types.ts";
import { type Checks, aBoolean, aFunction, aText, eitherOf, oneOf, readOptions, texts } from "../common/options.ts";
import { followRedirects } from "../network/redirects.ts";
import { requestHeadersOf } from "../network/request.ts";
import { type Turn, KeyedSemaphore } from "../common/semaphore.ts";
import { type UnderWay, ExchangesUnderWay } from "../network/under-way.ts";
import { type MissingGuard, missingGuards } from "./missing-guards.ts";
import { type PlatformFetch, type PlatformRequest, requestOverPlatform } from "./request.ts";

/** Options of `createFetchTransport`. */
export interface FetchTransportOptions {
  /** A function to use instead of the platform's own `fetch`. */
  readonly fetch?: PlatformFetch;
  /** The User-Agent header, if the platform allows a program to set it. Default: the platform's own. */
  readonly userAgent?: string;
  /** Non-public addresses to which requests may go. Only addresses written in a URL are checked. Default: none. */
  readonly allowPrivate?: AllowPrivate;
  /**
   * How to treat a redirect whose target the platform hides, as browsers do. "refuse" (default) ends the exchange with
   * `redirect-opaque`. "follow" lets the platform follow the redirect, without the guard, the limit of redirects and the record of hops.
   */
  readonly opaqueRedirects?: "refuse" | "follow";
  /** Also reads the beginning of the body of a 5xx response, for `soft404`. Default false. */
  readonly errorPages?: boolean;
  /** Returns the time in milliseconds since the epoch. Default: Date.now. Timeouts use timers, not this clock. */
  readonly now?: () => number;
}

/** The check of each option. */
export const fetchChecks: Checks<FetchTransportOptions> = {
  fetch: aFunction,
  userAgent: aText,
  allowPrivate: eitherOf(aBoolean, texts),
  opaqueRedirects: oneOf("refuse", "follow"),
  errorPages: aBoolean,
  now: aFunction,
};

/** A transport with the list of its missing guards. */
export interface FetchTransport extends Transport {
  /** The guards that the transports over sockets have and this transport lacks. */
  readonly missingGuards: readonly MissingGuard[];
}

/**
 * A transport for http:// and https:// over the platform's `fetch`. It limits time, body and redirects, makes one request at a time to an
 * origin, and refuses bad ports and private addresses in the first URL and in each redirect. It cannot check the addresses that a name
 * resolves to; `missingGuards` lists this and the other gaps. On Node use `createHttpTransport`, which has none of these gaps. Throws
 * `ERR_INVALID_OPTION` for invalid options, and when the platform has no `fetch`.
 */
export function createFetchTransport(given: FetchTransportOptions = {}): FetchTransport {
  const options = readOptions(given, fetchChecks);
  const { now = Date.now } = options;
  const base = requestPartsOf(options);
  const underWay = new ExchangesUnderWay();
  const turns = new KeyedSemaphore();
  return {
    missingGuards,
    exchange(robotsUrl, limits, signal, slot) {
      return underWay.run({ limits, signal, slot, now }, (course) => {
        const request: PlatformRequest = { ...base, limits, signal: course.signal };
        return followRedirects(robotsUrl, limits.maxRedirects, (url) => requestInTurn(url, request, turns, course));
      });
    },
    close() {
      underWay.close();
    },
  };
}

/** The parts that all requests of a transport share. */
function requestPartsOf(options: FetchTransportOptions): Omit<PlatformRequest, "limits" | "signal"> {
  const { userAgent, errorPages = false, opaqueRedirects = "refuse" } = options;
  // No compression: the platform may report a truncated compressed body as complete.
  const headers = requestHeadersOf(userAgent, "identity");
  const platformFetch: PlatformFetch | undefined = options.fetch ?? globalThis.fetch;
  if (platformFetch === undefined) {
    throw new FetchError("ERR_INVALID_OPTION", "fetch must be given: this platform has none");
  }
  const guard = createGuard(options.allowPrivate);
  return {
    // Wrapped, because some platforms refuse a call of `fetch` as a method of another object.
    fetch: (url, init) => platformFetch(url, init),
    headers,
    errorPages,
    followsOpaque: opaqueRedirects === "follow",
    refuse(url): Failure | undefined {
      const badPort = refusePort(url);
      if (badPort !== undefined) return { code: "blocked-port", message: badPort };
      const why = guard.refuseHostOfProxy(url.hostname);
      return why === undefined ? undefined : { code: "blocked-address", message: why };
    },
  };
}

/** Waits for this exchange's turn at the origin, then makes the request. Never rejects. */
async function requestInTurn(
  url: URL,
  request: PlatformRequest,
  turns: KeyedSemaphore,
  course: UnderWay,
): Promise<HopEnd> {
  let turn: Turn | undefined;
  try {
    const taken = turns.take(url.origin, 1, course.signal);
    turn = taken instanceof Promise ? await course.idle(taken) : taken;
    return await requestOverPlatform(url, request);
  } catch (reason) {
    return reason as Failure;
  } finally {
    turn?.end();
  }
}
