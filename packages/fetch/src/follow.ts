// A robots.txt URL → its answer at the end of its redirects, every hop recorded (RFC 9309 §2.3.1.2): one request at a time to
// an origin, and one for all who are led to the same place at the same time.
import { type HopEnd, type HopOptions, isFailure, isRedirect, requestHop } from "./hop.ts";
import type { Failure } from "./failures.ts";
import type { ExchangeFailure, ExchangeResponse, Hop } from "./types.ts";

/** What goes on at this moment, shared by all exchanges of a transport. */
export interface Traffic {
  /** Requests under way, by URL. */
  readonly underWay: Map<string, Promise<HopEnd | undefined>>;
  /** Origins where nobody was found while others stood in line: these get the same answer. */
  readonly gone: Map<string, Failure>;
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
  const seen = new Set<string>();
  let url = bare(first);
  for (;;) {
    seen.add(url.href);
    const end = await requestShared(url, options);
    if (isFailure(end)) return { hops, failure: { code: end.code, message: end.message, url: url.href } };
    hops.push({ url: url.href, status: end.status });
    if (!isRedirect(end.status)) return { hops, response: end };
    const next = nextUrl(url, end.headers["location"]);
    if (isFailure(next)) return { hops, failure: { ...next, url: url.href } };
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
async function requestShared(url: URL, options: FollowOptions): Promise<HopEnd> {
  const { signal, idle, limits, errorPages, traffic } = options;
  // Only what would be read in the same way is the same.
  const key = `${Number(errorPages)} ${limits.maxBytes} ${limits.maxHeaderBytes} ${url.href}`;
  for (;;) {
    const other = traffic.underWay.get(key);
    if (other === undefined) break;
    const end = await idle(withSignal(other, signal)).catch((reason: unknown) => reason as Failure);
    // Who was first may have been cut off; then somebody else is first.
    if (end !== undefined) return end;
  }
  const asking = requestInTurn(url, options).then(
    (end): HopEnd => end,
    (reason: unknown) => reason as Failure,
  );
  traffic.underWay.set(
    key,
    asking.then((end) => (signal.aborted ? undefined : end)),
  );
  try {
    return await asking;
  } finally {
    traffic.underWay.delete(key);
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

/** Rejects with the signal's reason when it aborts while standing in line. */
async function requestInTurn(url: URL, options: FollowOptions): Promise<HopEnd> {
  const { signal, idle, reach, traffic } = options;
  const { origin } = url;
  let turn = reach.turns.take(origin, 1, signal);
  const hasWaited = turn instanceof Promise;
  if (turn instanceof Promise) turn = await idle(turn);
  else traffic.gone.delete(origin);
  try {
    const gone = hasWaited ? traffic.gone.get(origin) : undefined;
    if (gone !== undefined) return gone;
    const end = await requestTwice(url, options);
    if (isFailure(end) && nobodyThere.has(end.code) && !signal.aborted && reach.turns.isAwaited(origin)) {
      traffic.gone.set(origin, end);
    }
    return end;
  } finally {
    if (!reach.turns.isAwaited(origin)) traffic.gone.delete(origin);
    turn.end();
  }
}

/** The promise, but rejected with the signal's reason as soon as it aborts. */
function withSignal<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    void promise.then((value) => {
      signal.removeEventListener("abort", onAbort);
      resolve(value);
    });
  });
}

/** The status by which only a proxy answers (RFC 9110 §15.5.8). */
const proxyWantsCredentials = 407;

/** Asks, and asks once more where only the strict parser stands between a file and its reader. */
async function requestTwice(url: URL, options: HopOptions): Promise<HopEnd> {
  const end = await requestHop(url, options);
  if (!isFailure(end) && end.status === proxyWantsCredentials && options.reach.proxyFor(url) !== undefined) {
    return { code: "proxy", message: "the proxy wants credentials, or others (407)" };
  }
  if (!isFailure(end) || end.strict !== true || options.signal.aborted) return end;
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
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}
