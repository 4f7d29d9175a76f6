// A robots.txt URL → the response at the end of its redirects: one request at a time to an origin, and one request for all
// exchanges that are redirected to the same URL at the same time.
import type { Failure } from "./failure-codes.ts";
import { type HopEnd, isFailure } from "./hop-end.ts";
import { type HopOptions, requestHop } from "./hop.ts";
import { type ExchangeEnd, followRedirects } from "./redirects.ts";
import type { Limits } from "./limits.ts";
import type { Turn } from "./semaphore.ts";

/** The state that all exchanges of a transport share. */
export interface Traffic {
  /** Requests under way, by URL. */
  readonly underWay: Map<string, SharedRequest>;
  /** Origins that failed while other exchanges waited for their turn there: these get the same failure. */
  readonly gone: Map<string, Failure>;
}

/** A request whose response several exchanges share. */
interface SharedRequest {
  readonly asking: Promise<HopEnd>;
  /** Signal of the exchange that makes the request; it may abort before the response. */
  readonly signal: AbortSignal;
}

/** The dependencies of following redirects. */
export interface FollowOptions extends HopOptions {
  readonly traffic: Traffic;
}

/** Follows redirects. Never rejects. */
export function followHops(robotsUrl: string, options: FollowOptions): Promise<ExchangeEnd> {
  let isOwn = true;
  return followRedirects(robotsUrl, options.limits.maxRedirects, (url) => {
    const asked = requestShared(url, isOwn, options);
    isOwn = false;
    return asked;
  });
}

/**
 * Makes the request, or waits for the end of one for the same URL that is under way. `isOwn`: no redirect led here, so no other
 * origin may have a say in what comes of it.
 */
function requestShared(url: URL, isOwn: boolean, options: FollowOptions): Promise<HopEnd> {
  const { shared, limits, course, traffic } = options;
  // Requests are equal only when their responses would be read in the same way.
  const key = `${Number(shared.errorPages)} ${limits.maxBytes} ${limits.maxHeaderBytes} ${url.href}`;
  const other = traffic.underWay.get(key);
  if (other !== undefined) return hear(other, url, isOwn, options);
  const asking = requestInTurn(url, key, options);
  traffic.underWay.set(key, { asking, signal: course.signal });
  return asking;
}

async function hear(
  { asking, signal }: SharedRequest,
  url: URL,
  isOwn: boolean,
  options: FollowOptions,
): Promise<HopEnd> {
  const { course } = options;
  try {
    const end = await course.idle(withSignal(asking, course.signal));
    // A request that was cut off before the origin had its time says nothing: the next exchange makes its own. The redirects before
    // a request may have used up most of its exchange's time: an origin's own request is not judged by that.
    const isCutOff = signal.aborted && (isOwn || !(isFailure(end) && end.slow === true));
    return isCutOff ? await requestShared(url, isOwn, options) : end;
  } catch (reason) {
    return reason as Failure;
  }
}

/**
 * Whether a URL is that of an origin's own robots.txt. It is requested even where another URL of the origin did not answer in time: who
 * redirects to a URL that hangs must not decide what comes of the origin's file. This costs at most one more deadline.
 */
function isRobotsUrl({ pathname, search }: URL): boolean {
  return pathname === "/robots.txt" && search === "";
}

/** Codes that say that there is nobody at an origin, whatever is asked for. */
const nobodyThere: ReadonlySet<string> = new Set([
  "dns-not-found",
  "dns-failed",
  "dns-timeout",
  "connect-refused",
  "connect-timeout",
  "network-unreachable",
  "tls-timeout",
  "tls-handshake",
] satisfies Failure["code"][]);

/**
 * Makes the request at this exchange's turn at the origin. Never rejects; removes itself from the requests under way at its
 * end.
 */
async function requestInTurn(url: URL, key: string, options: FollowOptions): Promise<HopEnd> {
  const { shared, course, traffic } = options;
  const { turns } = shared.network;
  const { origin } = url;
  let turn: Turn | undefined;
  try {
    const taken = turns.take(origin, 1, course.signal);
    if (taken instanceof Promise) {
      turn = await course.idle(taken);
      const gone = traffic.gone.get(origin);
      if (gone !== undefined && !(gone.slow === true && isRobotsUrl(url))) return gone;
    } else {
      turn = taken;
      traffic.gone.delete(origin);
    }
    const beganAtMs = course.usedMs;
    const first = await requestHop(url, options);
    const end = isFailure(first) ? await reconsider(first, url, options) : first;
    if (!isFailure(end)) {
      traffic.gone.delete(origin);
      return end;
    }
    const failure = isSlow(end, course.usedMs - beganAtMs, options.limits) ? { ...end, slow: true as const } : end;
    const isGone = failure.slow === true || (nobodyThere.has(failure.code) && !course.signal.aborted);
    if (isGone && turns.isAwaited(origin)) traffic.gone.set(origin, failure);
    return failure;
  } catch (reason) {
    return reason as Failure;
  } finally {
    traffic.underWay.delete(key);
    if (!turns.isAwaited(origin)) traffic.gone.delete(origin);
    turn?.end();
  }
}

/**
 * Whether an origin had long enough to answer: half the time limit of a response head. Without this, every exchange that waits
 * for its turn there would wait for the deadlines of all exchanges before it, one after another.
 */
function isSlow({ code }: Failure, askedMs: number, { headersTimeoutMs, deadlineMs }: Limits): boolean {
  return code === "timeout" && askedMs >= Math.min(headersTimeoutMs, deadlineMs) / 2;
}

/** The promise, but rejected with the signal's reason as soon as it aborts. */
function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    void promise.then((value) => {
      signal.removeEventListener("abort", onAbort);
      resolve(value);
    });
  });
}

/** Repeats the request with the lenient parser when only the strict parser rejected the response. */
async function reconsider(end: Failure, url: URL, options: HopOptions): Promise<HopEnd> {
  if (end.strict !== true || options.course.signal.aborted) return end;
  const second = await requestHop(url, { ...options, lenient: true });
  return isFailure(second) ? end : second;
}
