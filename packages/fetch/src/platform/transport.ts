// A robots.txt URL → an exchange over the platform's own fetch, for runtimes without sockets (Fetch standard; RFC 9309 §2.3.1.2).
import { FetchError } from "../errors.ts";
import type { Failure } from "../failure-codes.ts";
import { type AllowPrivate, createGuardMaker } from "../guard-maker.ts";
import type { HopEnd } from "../hop-end.ts";
import { type Checks, aBoolean, aFunction, aText, eitherOf, readOptions, texts } from "../options.ts";
import { refusePort } from "../ports.ts";
import { followRedirects } from "../redirects.ts";
import { KeyedSemaphore, type Turn } from "../semaphore.ts";
import type { Transport } from "../types.ts";
import { ExchangesUnderWay, type UnderWay } from "../under-way.ts";
import { platformAddresses } from "./addresses.ts";
import { type MissingGuard, missingGuards } from "./missing-guards.ts";
import { type PlatformFetch, type PlatformRequest, requestOverPlatform } from "./request.ts";

/** Options of `createFetchTransport`. */
export interface FetchTransportOptions {
  /** Instead of the platform's own `fetch`: a function of its kind. */
  readonly fetch?: PlatformFetch;
  /** The User-Agent header, where the platform lets a program set it. Default: the platform's own. */
  readonly userAgent?: string;
  /** Addresses that may be asked though they are not public. Judges addresses written in a URL only. Default: none. */
  readonly allowPrivate?: AllowPrivate;
  /**
   * What becomes of a redirect whose place the platform hides, as browsers do: "refuse" (default) ends the exchange with
   * `redirect-opaque`; "follow" lets the platform follow, past the guard, the limit of redirects and the record of hops.
   */
  readonly opaqueRedirects?: "refuse" | "follow";
  /** Read what comes with a 5xx, too: its beginning, for `soft404`. Default false. */
  readonly errorPages?: boolean;
  /** Milliseconds since the epoch; Date.now by default. Timeouts use timers, not this. */
  readonly now?: () => number;
}

/** What these options must be. */
export const fetchChecks: Checks<FetchTransportOptions> = {
  fetch: aFunction,
  userAgent: aText,
  allowPrivate: eitherOf(aBoolean, texts),
  opaqueRedirects: {
    must: 'be "refuse" or "follow"',
    accepts: (value: unknown): boolean => value === "refuse" || value === "follow",
  },
  errorPages: aBoolean,
  now: aFunction,
};

/** A transport that says what it cannot see to. */
export interface FetchTransport extends Transport {
  /** The guards that the transports over sockets have and this one has not. */
  readonly missingGuards: readonly MissingGuard[];
}

/** The same tables as of the guard over sockets. */
const createPlatformGuard = createGuardMaker(platformAddresses);

/**
 * A transport for http:// and https:// over the platform's `fetch`. It bounds time, body and redirects, makes one request at a
 * time to an origin, and refuses bad ports and private addresses that are written in a URL, at each redirect again. It cannot
 * see what a name resolves to, nor what `missingGuards` lists besides: on Node use `createHttpTransport`, which can. Throws
 * `ERR_INVALID_OPTION` for options that cannot be, and where the platform has no `fetch`.
 */
export function createFetchTransport(given: FetchTransportOptions = {}): FetchTransport {
  const options = readOptions(given, fetchChecks);
  const { now = Date.now } = options;
  const base = requestPartsOf(options);
  const underWay = new ExchangesUnderWay();
  const turns = new KeyedSemaphore();
  return {
    missingGuards,
    async exchange(robotsUrl, limits, signal, slot) {
      const startedAt = now();
      const course = underWay.begin(limits, signal, slot);
      try {
        const request: PlatformRequest = { ...base, limits, signal: course.signal };
        const end = await followRedirects(robotsUrl, limits.maxRedirects, (url) =>
          requestInTurn(url, request, turns, course),
        );
        const times = { hops: end.hops, startedAt, endedAt: now() };
        return "response" in end ? { ...times, response: end.response } : { ...times, failure: end.failure };
      } finally {
        course.end();
      }
    },
    close() {
      underWay.close();
    },
  };
}

/** What all requests of a transport have in common. */
function requestPartsOf(options: FetchTransportOptions): Omit<PlatformRequest, "limits" | "signal"> {
  const { userAgent, errorPages = false, opaqueRedirects = "refuse" } = options;
  if (userAgent !== undefined && !/^[\x20-\x7e]+$/.test(userAgent)) {
    throw new FetchError("ERR_INVALID_OPTION", "userAgent must be printable ASCII, and not empty");
  }
  const platformFetch: PlatformFetch | undefined = options.fetch ?? globalThis.fetch;
  if (platformFetch === undefined) {
    throw new FetchError("ERR_INVALID_OPTION", "fetch must be given: this platform has none");
  }
  const guard = createPlatformGuard(options.allowPrivate);
  return {
    // As a method of something else some platforms refuse it.
    fetch: (url, init) => platformFetch(url, init),
    headers: {
      ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
      accept: "text/plain, text/*;q=0.9, */*;q=0.8",
      // The platform may take the beginning of a compressed body for the whole.
      "accept-encoding": "identity",
    },
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

/** Asks when it is this exchange's turn at the origin. Never rejects. */
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
