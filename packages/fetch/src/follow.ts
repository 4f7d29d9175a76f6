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
  return followRedirects(robotsUrl, options.limits.maxRedirects, (url) => requestShared(url, options));
}

/** Makes the request, or shares the response of an equal request under way. */
function requestShared(url: URL, options: FollowOptions): Promise<HopEnd> {
  const { shared, limits, course, traffic } = options;
  // Requests are equal only when their responses would be read in the same way.
  const key = `${Number(shared.errorPages)} ${limits.maxBytes} ${limits.maxHeaderBytes} ${url.href}`;
  const other = traffic.underWay.get(key);
  if (other !== undefined) return hear(other, url, options);
  const asking = requestInTurn(url, key, options);
  traffic.underWay.set(key, { asking, signal: course.signal });
  return asking;
}

async function hear({ asking, signal }: SharedRequest, url: URL, options: FollowOptions): Promise<HopEnd> {
  const { course } = options;
  try {
    const end = await course.idle(withSignal(asking, course.signal));
    // A request that was aborted early says nothing about the origin, so the next exchange makes its own; one that was slow
    // counts.
    const isCutOff = signal.aborted && !(isFailure(end) && end.slow === true);
    return isCutOff ? await requestShared(url, options) : end;
  } catch (reason) {
    return reason as Failure;
  }
}

/** Codes that mean that the origin is down for all of its URLs. */
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
      if (gone !== undefined) return gone;
    } else {
      turn = taken;
      traffic.gone.delete(origin);
    }
    const beganAtMs = course.usedMs;
    const first = await requestHop(url, options);
    const end = isFailure(first) ? await reconsider(first, url, options) : first;
    if (!isFailure(end)) return end;
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
