// A robots.txt URL → its answer at the end of its redirects, every hop recorded (RFC 9309 §2.3.1.2): one request at a time to
// an origin, and one for all who are led to the same place at the same time.
import { type HopEnd, type HopOptions, isFailure, requestHop } from "./hop.ts";
import type { Failure } from "./failures.ts";
import type { Limits } from "./limits.ts";
import { refusePort } from "./ports.ts";
import type { Turn } from "./semaphore.ts";
import type { ExchangeFailure, ExchangeResponse, Hop } from "./types.ts";

/** What goes on at this moment, shared by all exchanges of a transport. */
export interface Traffic {
  /** Requests under way, by URL. */
  readonly underWay: Map<string, SharedRequest>;
  /** Origins that did not answer while other exchanges waited for their turn there: these get the same failure. */
  readonly gone: Map<string, Failure>;
}

/** A request whose end several exchanges get. */
interface SharedRequest {
  readonly asking: Promise<HopEnd>;
  /** Of the exchange that makes the request, and may be cut off before its end. */
  readonly signal: AbortSignal;
}

/** What following needs. */
export interface FollowOptions extends HopOptions {
  readonly traffic: Traffic;
}

/** How following ends. */
export type ExchangeEnd = { readonly hops: readonly Hop[] } & (
  | { readonly response: ExchangeResponse }
  | { readonly failure: ExchangeFailure }
);

/** Statuses that name another place to look (RFC 9110 §15.4); other 3xx are answers like any other. */
const redirects = new Set([301, 302, 303, 307, 308]);

/** Never rejects. */
export async function followHops(robotsUrl: string, options: FollowOptions): Promise<ExchangeEnd> {
  const hops: Hop[] = [];
  const first = parseUrl(robotsUrl, undefined);
  if (first === undefined || !isHttp(first)) {
    const failure: ExchangeFailure = {
      code: "scheme-unsupported",
      message: "this transport speaks http and https",
      url: first?.href ?? robotsUrl,
    };
    return { hops, failure };
  }
  let seen: Set<string> | undefined;
  let url = bare(first);
  for (;;) {
    const { href } = url;
    const refusal = refusePort(url);
    if (refusal !== undefined) return { hops, failure: { code: "blocked-port", message: refusal, url: href } };
    const end = await requestShared(url, options);
    if (isFailure(end)) return { hops, failure: { code: end.code, message: end.message, url: href } };
    hops.push({ url: href, status: end.status });
    if (!redirects.has(end.status)) return { hops, response: end };
    const next = nextUrl(url, end.headers["location"]);
    if (isFailure(next)) return { hops, failure: { ...next, url: url.href } };
    seen ??= new Set();
    seen.add(href);
    if (seen.has(next.href)) {
      return { hops, failure: { code: "redirect-loop", message: "redirected to where it came from", url: url.href } };
    }
    if (hops.length > options.limits.maxRedirects) {
      const message = `more than ${options.limits.maxRedirects} redirects`;
      return { hops, failure: { code: "redirect-limit", message, url: url.href } };
    }
    url = next;
  }
}

/** Asks, or hears what somebody else is told who asks for the same at this moment. */
function requestShared(url: URL, options: FollowOptions): Promise<HopEnd> {
  const { shared, limits, course, traffic } = options;
  // Only what would be read in the same way is the same.
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
    // A request that was cut off before the origin had its time says nothing: the next exchange makes its own.
    const isCutOff = signal.aborted && !(isFailure(end) && end.slow === true);
    return isCutOff ? await requestShared(url, options) : end;
  } catch (reason) {
    return reason as Failure;
  }
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

/** Asks when it is this exchange's turn at the origin. Never rejects; at its end nobody can hear it any more. */
async function requestInTurn(url: URL, key: string, options: FollowOptions): Promise<HopEnd> {
  const { shared, course, traffic } = options;
  const { turns } = shared.reach;
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
 * Whether an origin had long enough to answer: half of what a head may take. Without this, every exchange that waits for its turn
 * there would wait for the deadlines of all before it, one after another.
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

/** Asks once more where only the strict parser stands between a file and its reader. */
async function reconsider(end: Failure, url: URL, options: HopOptions): Promise<HopEnd> {
  if (end.strict !== true || options.course.signal.aborted) return end;
  const second = await requestHop(url, { ...options, lenient: true });
  return isFailure(second) ? end : second;
}

/** The place a Location names, resolved against `base` as the URL standard has it (RFC 9110 §10.2.2). */
function nextUrl(base: URL, location: string | undefined): URL | Failure {
  if (location === undefined || location.trim() === "") {
    return { code: "redirect-invalid", message: "a redirect without a Location" };
  }
  // Field values come as Latin-1: each byte outside ASCII is escaped as it is, so UTF-8 stays UTF-8.
  const escaped = location.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const next = parseUrl(escaped, base);
  if (next === undefined) return { code: "redirect-invalid", message: "a redirect to what is no URL" };
  if (!isHttp(next)) return { code: "redirect-scheme", message: `a redirect to ${next.protocol.slice(0, 40)}` };
  return bare(next);
}

function parseUrl(text: string, base: URL | undefined): URL | undefined {
  return URL.parse(text, base?.href) ?? undefined;
}

function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}

/** Without what must not go out: credentials, and the fragment. */
function bare(url: URL): URL {
  // Setting is not free, and nearly no URL has any of them.
  if (url.username !== "" || url.password !== "") url.username = url.password = "";
  if (url.hash !== "" || url.href.endsWith("#")) url.hash = "";
  return url;
}
