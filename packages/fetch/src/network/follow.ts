// Follows the redirects of a robots.txt URL. An origin gets one request at a time. Simultaneous exchanges that are redirected to the
// same URL share one request.
import type { Failure } from "../common/failures.ts";
import { type HopEnd, isFailure } from "../common/types.ts";
import { type HopOptions, requestHop } from "./hop.ts";
import { type ExchangeEnd, followRedirects } from "./redirects.ts";
import { withSignal } from "../common/abort.ts";
import type { Limits } from "../common/limits.ts";
import type { Turn } from "../common/semaphore.ts";

/** The state that all exchanges of a transport share. */
export interface Traffic {
  /** Requests under way, by the URL and by the settings with which the response is read. */
  readonly underWay: Map<string, SharedRequest>;
  /**
   * Failures that concern a whole origin, by origin. An exchange that was waiting for its turn at the origin gets the same failure and
   * sends no request.
   */
  readonly gone: Map<string, Failure>;
}

/** A request whose response several exchanges share. */
interface SharedRequest {
  readonly asking: Promise<HopEnd>;
  /** The signal of the exchange that makes the request. The signal may abort before the response has arrived. */
  readonly signal: AbortSignal;
}

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
 * Makes the request, or waits for a request for the same URL that is under way. `isOwn`: `url` is the exchange's first URL, to which
 * no redirect led. An exchange of another origin must not decide the result for such a URL.
 */
function requestShared(url: URL, isOwn: boolean, options: FollowOptions): Promise<HopEnd> {
  const { shared, limits, course, traffic } = options;
  // Exchanges share a request only when they would read its response in the same way.
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
    // A request that was aborted before the origin had enough time to answer has no result: this exchange makes its own request. For its
    // first URL, this exchange also repeats an aborted request that was slow: the other exchange may have used most of its deadline for
    // earlier redirects.
    const isCutOff = signal.aborted && (isOwn || !(isFailure(end) && end.slow === true));
    return isCutOff ? await requestShared(url, isOwn, options) : end;
  } catch (reason) {
    return reason as Failure;
  }
}

/**
 * Whether a URL is an origin's own robots.txt. That file is requested even after another URL of the origin timed out: a redirect from
 * another origin to a URL that hangs must not decide the result for the file. The request costs at most one more deadline.
 */
function isRobotsUrl({ pathname, search }: URL): boolean {
  return pathname === "/robots.txt" && search === "";
}

/** Codes of failures that concern every URL of an origin: no server of the origin could be reached, or none completed a TLS handshake. */
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
 * Waits for this exchange's turn at the origin, then makes the request. Never rejects. Removes the request from `traffic.underWay`
 * when it ends.
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
 * Whether a request timed out after the origin had enough time to answer: half of `headersTimeoutMs`, or half of `deadlineMs` if that is
 * less. Without this rule, an exchange that waits for its turn at the origin would wait for the deadlines of all exchanges before it, one
 * after another.
 */
function isSlow({ code }: Failure, askedMs: number, { headersTimeoutMs, deadlineMs }: Limits): boolean {
  return code === "timeout" && askedMs >= Math.min(headersTimeoutMs, deadlineMs) / 2;
}

/** Repeats the request with the lenient parser when only the strict parser rejected the response. */
async function reconsider(end: Failure, url: URL, options: HopOptions): Promise<HopEnd> {
  if (end.strict !== true || options.course.signal.aborted) return end;
  const second = await requestHop(url, { ...options, lenient: true });
  return isFailure(second) ? end : second;
}
