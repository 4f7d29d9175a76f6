// A URL → the target and the header fields of the request for it (RFC 9112 §3.2), which differ for a proxy.
import type { Proxy } from "./proxy.ts";

/** What a request takes from its hop. */
export interface RequestOptions {
  /** The proxy that the connection leads to; undefined where it leads to the origin. */
  readonly proxy: Proxy | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The request target and the header fields to send. */
export interface RequestParts {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Without TLS a proxy gets the whole URL (§3.2.2) and its own credentials; a request through a tunnel has neither. */
export function requestOf(url: URL, { proxy, headers }: RequestOptions): RequestParts {
  if (proxy === undefined || url.protocol !== "http:") return { path: url.pathname + url.search, headers };
  const { authorization } = proxy;
  const credentials = authorization === undefined ? {} : { "proxy-authorization": authorization };
  return { path: url.href, headers: { ...headers, ...credentials } };
}
