// Makes the target and the header fields of the request for a URL (RFC 9112 §3.2), which differ for a proxy.
import type { Proxy } from "./proxy.ts";

/** What `requestOf` has to know about a hop (one request of an exchange): the proxy and the header fields. */
export interface RequestOptions {
  /** The proxy that the connection leads to; undefined if the connection leads to the origin. */
  readonly proxy: Proxy | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The request target and the header fields to send. */
export interface RequestParts {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Returns the parts of the request for `url`. For an http URL through a proxy, the target is the whole URL (§3.2.2), and the fields
 * contain the proxy's credentials. A request in a tunnel has neither.
 */
export function requestOf(url: URL, { proxy, headers }: RequestOptions): RequestParts {
  if (proxy === undefined || url.protocol !== "http:") return { path: url.pathname + url.search, headers };
  const { authorization } = proxy;
  const credentials = authorization === undefined ? {} : { "proxy-authorization": authorization };
  return { path: url.href, headers: { ...headers, ...credentials } };
}
