// A URL → the target and the header fields of the request for it (RFC 9112 §3.2), which differ for a proxy.
import type { Proxy } from "./proxy.ts";

/** What a request needs from its hop. */
export interface RequestOptions {
  /** What the connection leads to, where it is not the origin itself. */
  readonly proxy: Proxy | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** What goes out. */
export interface RequestParts {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A proxy gets the whole URL of what is asked without TLS (§3.2.2), and its credentials; through a tunnel it sees neither. */
export function requestOf(url: URL, { proxy, headers }: RequestOptions): RequestParts {
  if (proxy === undefined || url.protocol !== "http:") return { path: url.pathname + url.search, headers };
  const { authorization } = proxy;
  const credentials = authorization === undefined ? {} : { "proxy-authorization": authorization };
  return { path: url.href, headers: { ...headers, ...credentials } };
}
