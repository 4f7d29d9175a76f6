// Makes the target and the header fields of the request for a URL (RFC 9112 §3.2), which differ for a proxy. Defines the interface through
// which the readers of the response (strict.ts, lenient.ts) report to the hop that owns the connection.
import type { Duplex } from "node:stream";
import { FetchError } from "../common/errors.ts";
import type { Proxy } from "./proxy.ts";

/** A request, the connection over which it is sent, and the hop (one request of an exchange) that gets the response. */
export interface Sending {
  readonly url: URL;
  readonly stream: Duplex;
  readonly hop: HopHandler;
  /** The proxy that the connection leads to; undefined if the connection leads to the origin. */
  readonly proxy: Proxy | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxHeaderBytes: number;
}

/** Largest number of bytes that are read of an error page: the beginning is enough for `soft404`. */
export const maxPageBytes = 65_536;

/**
 * The header fields of every request; without `userAgent`, the platform adds its own. Throws `ERR_INVALID_OPTION` for a User-Agent header
 * that is not printable ASCII.
 */
export function requestHeadersOf(
  userAgent: string | undefined,
  acceptEncoding: string,
): Readonly<Record<string, string>> {
  if (userAgent !== undefined && !/^[\x20-\x7e]+$/.test(userAgent)) {
    throw new FetchError("ERR_INVALID_OPTION", "userAgent must be printable ASCII, and not empty");
  }
  return {
    ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
    accept: "text/plain, text/*;q=0.9, */*;q=0.8",
    "accept-encoding": acceptEncoding,
  };
}

/**
 * The target and the header fields of a request. For an http URL through a proxy, the target is the whole URL (§3.2.2), and the fields
 * contain the proxy's credentials. A request in a tunnel has neither.
 */
export function requestOf({ url, proxy, headers }: Sending): Pick<Sending, "headers"> & { readonly path: string } {
  if (proxy === undefined || url.protocol !== "http:") return { path: url.pathname + url.search, headers };
  const { authorization } = proxy;
  const credentials = authorization === undefined ? {} : { "proxy-authorization": authorization };
  return { path: url.href, headers: { ...headers, ...credentials } };
}

/** Flow control of a body. */
export interface Flow {
  pause(): void;
  resume(): void;
}

/** Receives the parts of a response in this order: start, data, end. `fail` may be called at any time. */
export interface HopHandler {
  /** Header names are in lower case. */
  onResponseStart(flow: Flow, status: number, headers: Readonly<Record<string, string>>): void;
  onResponseData(chunk: Uint8Array): void;
  onResponseEnd(): void;
  /** Called when no response arrives, when the response is invalid or ambiguous, and when the response ends too early. */
  fail(error: unknown): void;
}
