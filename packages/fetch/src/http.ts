// A robots.txt URL → an exchange over http or https: redirects followed, every hop guarded and recorded, one deadline
// (RFC 9309 §2.3.1.2). Facts only; policy.ts judges them.
import { type AllowPrivate, createGuard } from "./guard.ts";
import { acceptEncoding } from "./decode.ts";
import { createConnector } from "./connect.ts";
import { type HopEnd, type HopOptions, isFailure, isRedirect, requestHop } from "./hop.ts";
import { UsageError } from "./errors.ts";
import type { Failure } from "./failures.ts";
import { type Lookup, createDirectLookup, systemLookup } from "./lookup.ts";
import type { ExchangeFailure, ExchangeResponse, Hop, Transport } from "./types.ts";
import type { Limits } from "./limits.ts";

/** Options of `createHttpTransport`. */
export interface HttpTransportOptions {
  /** The User-Agent header; should name the crawler, its purpose and a way to reach people (RFC 9309 §2.2.1). */
  readonly userAgent?: string;
  /** Resolves names instead of the built-in resolvers: for tests, for hosts of one's own. Its answers pass the guard too. */
  readonly lookup?: Lookup;
  /** "direct" (default) asks name servers in parallel, hosts file first; "system" is the operating system's way. */
  readonly resolver?: "direct" | "system";
  /** Addresses that are not public and may be asked all the same. Default: none. */
  readonly allowPrivate?: AllowPrivate;
  /** PEM certificates to trust instead of the system's. */
  readonly ca?: string | readonly string[];
  /** Take any certificate. Default false. */
  readonly insecureTls?: boolean;
  /** Milliseconds since the epoch; Date.now by default. Timeouts use timers, not this. */
  readonly now?: () => number;
}

/** What goes out as User-Agent unless the caller names a crawler. */
export const defaultUserAgent = "robots-stream (+https://github.com/robots-stream/robots-stream)";

/**
 * A transport for http:// and https://. Loads undici on its first exchange, not before.
 * Throws `ERR_INVALID_OPTION` for a user agent that is no header value and for wrong address blocks.
 */
export function createHttpTransport(options: HttpTransportOptions = {}): Transport {
  const userAgent = options.userAgent ?? defaultUserAgent;
  if (!/^[\x20-\x7e]+$/.test(userAgent)) {
    throw new UsageError("ERR_INVALID_OPTION", "userAgent must be printable ASCII, and not empty");
  }
  const { resolver = "direct", ca, insecureTls = false, now = Date.now } = options;
  if (resolver !== "direct" && resolver !== "system") {
    throw new UsageError("ERR_INVALID_OPTION", 'resolver must be "direct" or "system"');
  }
  const ownLookup = resolver === "system" ? systemLookup : createDirectLookup();
  const connector = createConnector({
    lookup: options.lookup ?? ownLookup,
    guard: createGuard(options.allowPrivate),
    ...(ca === undefined ? {} : { ca }),
    insecureTls,
  });
  const headers = {
    "user-agent": userAgent,
    accept: "text/plain, text/*;q=0.9, */*;q=0.8",
    "accept-encoding": acceptEncoding,
  };
  const open = new Set<AbortController>();
  let undici: Promise<HopOptions["undici"]> | undefined;

  return {
    async exchange(robotsUrl, limits, signal) {
      const startedAt = now();
      const cut = new AbortController();
      const abort = (): void => cut.abort(abortedFailure);
      open.add(cut);
      if (signal?.aborted === true) abort();
      signal?.addEventListener("abort", abort, { once: true });
      const deadline = setTimeout(() => cut.abort(deadlineFailure(limits)), limits.deadlineMs);
      try {
        undici ??= import("undici");
        const end = await followHops(robotsUrl, {
          undici: await undici,
          connector,
          headers,
          limits,
          signal: cut.signal,
        });
        return { ...end, startedAt, endedAt: now() };
      } finally {
        clearTimeout(deadline);
        signal?.removeEventListener("abort", abort);
        open.delete(cut);
      }
    },
    close() {
      for (const cut of open) cut.abort(abortedFailure);
      ownLookup.close?.();
    },
  };
}

const abortedFailure: Failure = { code: "aborted", message: "the caller ended the exchange" };

function deadlineFailure(limits: Limits): Failure {
  return { code: "timeout", message: `no complete answer within ${limits.deadlineMs} ms` };
}

type ExchangeEnd = { readonly hops: readonly Hop[] } & (
  | { readonly response: ExchangeResponse }
  | { readonly failure: ExchangeFailure }
);

async function followHops(robotsUrl: string, options: HopOptions): Promise<ExchangeEnd> {
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
    const end = await requestTwice(url, options);
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

/** Asks, and asks once more where only the strict parser stands between a file and its reader. */
async function requestTwice(url: URL, options: HopOptions): Promise<HopEnd> {
  const end = await requestHop(url, options);
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
