// Follows the redirects of a robots.txt URL and records every hop (RFC 9309 §2.3.1.2). The caller provides the function that makes the
// requests. Imports no Node module.
import type { Failure } from "../common/failures.ts";
import { type ExchangeFailure, type ExchangeResponse, type Hop, type HopEnd, isFailure } from "../common/types.ts";
import { refusePort } from "./guard.ts";

/** The result of following redirects. */
export type ExchangeEnd = { readonly hops: readonly Hop[] } & (
  | { readonly response: ExchangeResponse }
  | { readonly failure: ExchangeFailure }
);

/** Statuses that redirect to another URL (RFC 9110 §15.4). Other 3xx responses end the exchange as every other response does. */
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Follows at most `maxRedirects` redirects. `request` makes one request and must not reject. The returned promise never rejects. */
export async function followRedirects(
  robotsUrl: string,
  maxRedirects: number,
  request: (url: URL) => Promise<HopEnd>,
): Promise<ExchangeEnd> {
  const hops: Hop[] = [];
  const first = URL.parse(robotsUrl);
  if (first === null || !isHttp(first)) {
    const failure: Failure = { code: "scheme-unsupported", message: "this transport supports only http and https" };
    return failedEnd(hops, failure, first?.href ?? robotsUrl);
  }
  let seen: Set<string> | undefined;
  let url = bare(first);
  for (;;) {
    const { href } = url;
    const refusal = refusePort(url);
    if (refusal !== undefined) return failedEnd(hops, { code: "blocked-port", message: refusal }, href);
    const end = await request(url);
    if (isFailure(end)) return failedEnd(hops, end, href);
    hops.push({ url: href, status: end.status });
    if (!redirects.has(end.status)) return { hops, response: end };
    const next = nextUrl(url, end.headers["location"]);
    if (isFailure(next)) return failedEnd(hops, next, href);
    seen ??= new Set();
    seen.add(href);
    if (seen.has(next.href)) {
      return failedEnd(hops, { code: "redirect-loop", message: "a redirect to an earlier URL of the exchange" }, href);
    }
    if (hops.length > maxRedirects) {
      return failedEnd(hops, { code: "redirect-limit", message: `more than ${maxRedirects} redirects` }, href);
    }
    url = next;
  }
}

/** The end of an exchange whose request for `url` failed. */
export function failedEnd(hops: readonly Hop[], { code, message }: Failure, url: string): ExchangeEnd {
  return { hops, failure: { code, message, url } };
}

/** The URL of a Location field, resolved against `base` by the URL standard (RFC 9110 §10.2.2). */
function nextUrl(base: URL, location: string | undefined): URL | Failure {
  if (location === undefined || location.trim() === "") {
    return { code: "redirect-invalid", message: "a redirect without a Location" };
  }
  // Field values are decoded as Latin-1. Escaping each byte outside ASCII preserves the bytes of UTF-8.
  const escaped = location.replace(/[\x80-\xff]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const next = URL.parse(escaped, base.href);
  if (next === null) return { code: "redirect-invalid", message: "a redirect to an invalid URL" };
  if (!isHttp(next)) return { code: "redirect-scheme", message: `a redirect to ${next.protocol.slice(0, 40)}` };
  return bare(next);
}

function isHttp(url: URL): boolean {
  return url.protocol === "http:" || url.protocol === "https:";
}

/** Removes the credentials and the fragment, which must not be sent. */
function bare(url: URL): URL {
  // Setters are expensive, and almost no URL has credentials or a fragment.
  if (url.username !== "" || url.password !== "") url.username = url.password = "";
  if (url.hash !== "" || url.href.endsWith("#")) url.hash = "";
  return url;
}
