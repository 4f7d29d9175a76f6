// Sends one GET with the platform's fetch. Returns status, headers and the beginning of the body, or a failure.
import { withSignal } from "../common/abort.ts";
import { fieldsOf } from "../network/http-head.ts";
import { maxPageBytes } from "../network/request.ts";
import { codingsOf } from "../network/codings.ts";
import type { Failure } from "../common/failures.ts";
import { type ExchangeResponse, type HopEnd, isFailure } from "../common/types.ts";
import type { Limits } from "../common/limits.ts";
import { startMonotonicTimer } from "../common/monotonic-timer.ts";
import { type BodyBeginning, Pieces } from "../common/body.ts";
import { failureOfFetch } from "./failures.ts";

/** The part of the type of the platform's `fetch` that is used. */
export type PlatformFetch = (url: string, init: RequestInit) => Promise<Response>;

export interface PlatformRequest {
  readonly fetch: PlatformFetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Aborts the request. The abort reason is the `Failure` to return. */
  readonly signal: AbortSignal;
  /** Whether the body of a 5xx response is also read. */
  readonly errorPages: boolean;
  /** Whether the platform follows a redirect whose target it hides. */
  readonly followsOpaque: boolean;
  /** Returns the failure for a URL that must not be requested, otherwise undefined. */
  readonly refuse: (url: URL) => Failure | undefined;
}

/** Makes one request. Never rejects. */
export async function requestOverPlatform(url: URL, request: PlatformRequest): Promise<HopEnd> {
  const refusal = request.refuse(url);
  if (refusal !== undefined) return refusal;
  const manual = await requestWith("manual", url, request);
  if (manual !== "opaque-redirect") return manual;
  if (!request.followsOpaque) {
    return { code: "redirect-opaque", message: "the platform hides the target of the redirect" };
  }
  const followed = await requestWith("follow", url, request);
  return followed === "opaque-redirect"
    ? { code: "redirect-opaque", message: "the platform hides the redirect" }
    : followed;
}

async function requestWith(
  redirect: "manual" | "follow",
  url: URL,
  request: PlatformRequest,
): Promise<HopEnd | "opaque-redirect"> {
  const { limits, signal } = request;
  if (signal.aborted) return signal.reason as Failure;
  const ending = new AbortController();
  const onAbort = (): void => ending.abort(signal.reason);
  signal.addEventListener("abort", onAbort);
  const headMs = limits.connectTimeoutMs + limits.headersTimeoutMs;
  const timer = startMonotonicTimer(headMs, () => {
    ending.abort({ code: "timeout", message: `no complete response head within ${headMs} ms` } satisfies Failure);
  });
  let isHeadRead = false;
  const ask = async (): Promise<HopEnd | "opaque-redirect"> => {
    const response = await request.fetch(url.href, initOf(redirect, request.headers, ending.signal));
    timer.cancel();
    if (ending.signal.aborted) await response.body?.cancel();
    ending.signal.throwIfAborted();
    isHeadRead = true;
    // With `redirect: "manual"`, browsers replace a redirect by a response with status 0 and no fields.
    if (response.type === "opaqueredirect") return "opaque-redirect";
    return endOf(response, request, ending.signal);
  };
  try {
    // Also ends the request when the platform ignores the signal.
    return await withSignal(ask(), ending.signal);
  } catch (error) {
    // After an abort by this side, the reason of the signal is the failure.
    return ending.signal.aborted ? (ending.signal.reason as Failure) : failureOfFetch(error, isHeadRead);
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Members of a request that not every platform supports. Some platforms throw for an unsupported member. */
const optionalInit: Readonly<Record<string, string>> = {
  credentials: "omit",
  cache: "no-store",
  referrerPolicy: "no-referrer",
};

function initOf(
  redirect: "manual" | "follow",
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): RequestInit {
  const known = Object.entries(optionalInit).filter(([name]) => name in Request.prototype);
  return { method: "GET", redirect, headers: { ...headers }, signal, ...(Object.fromEntries(known) as RequestInit) };
}

/** Reads the needed part of a response and cancels the rest. Also cancels when `signal` aborts. */
async function endOf(response: Response, request: PlatformRequest, signal: AbortSignal): Promise<HopEnd> {
  const { limits, errorPages } = request;
  const { status } = response;
  const headers = fieldsOf(response.headers);
  const refusal = refusalOf(response, headers, request);
  const isPage = errorPages && status >= 500;
  const bare: ExchangeResponse = { status, headers, body: new Uint8Array(0), truncated: false };
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return refusal ?? bare;
  // The reader is cancelled here, because the platform may have ignored the signal.
  signal.addEventListener("abort", () => void cancelQuietly(reader), { once: true });
  if (refusal !== undefined || (status > 299 && !isPage)) {
    await cancelQuietly(reader);
    return refusal ?? bare;
  }
  if (!isPage) return { status, headers, ...(await readBody(reader, limits.maxBytes)) };
  // The text of an error page is optional: the status stays valid when the body fails.
  const page = await readInTime(reader, Math.min(maxPageBytes, limits.maxBytes), limits.headersTimeoutMs);
  return page === undefined ? bare : { status, headers, ...page };
}

/** The failure if the response is refused. */
function refusalOf(
  { status, url, headers: fields }: Response,
  headers: Readonly<Record<string, string>>,
  { limits, refuse }: PlatformRequest,
): Failure | undefined {
  if (status < 100 || status > 599) return { code: "protocol", message: `the status is ${status}` };
  let bytes = 0;
  for (const [name, value] of fields) bytes += name.length + value.length;
  if (bytes > limits.maxHeaderBytes) {
    return { code: "headers-too-large", message: `more than ${limits.maxHeaderBytes} bytes of names and values` };
  }
  // The platform has decoded the codings that it supports. A body in an unknown coding is still encoded, so it is refused.
  const codings = codingsOf(headers["content-encoding"], limits.maxContentEncodings);
  if (isFailure(codings)) return codings;
  // The URL after redirects that the platform followed.
  const place = URL.parse(url);
  return place === null ? undefined : refuse(place);
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** After this number of reads, `readBody` lets timers run. A platform that resolves each read at once would otherwise block all timers. */
const readsAtOnce = 1_024;

/** Reads the beginning of the body. Buffers at most one piece more than `maxBytes`. */
async function readBody(reader: Reader, maxBytes: number): Promise<BodyBeginning> {
  const pieces = new Pieces();
  for (let reads = 1; ; reads++) {
    const { done, value } = await reader.read();
    if (done) return { body: pieces.whole(maxBytes), truncated: false };
    pieces.add(value);
    if (reads % readsAtOnce === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    if (pieces.length <= maxBytes) continue;
    await cancelQuietly(reader);
    return pieces.bodyUpTo(maxBytes);
  }
}

/** Reads the beginning of the body; undefined when reading fails or takes longer than `timeoutMs`. */
async function readInTime(reader: Reader, maxBytes: number, timeoutMs: number): Promise<BodyBeginning | undefined> {
  let isLate = false;
  const timer = startMonotonicTimer(timeoutMs, () => {
    isLate = true;
    void cancelQuietly(reader);
  });
  try {
    const body = await readBody(reader, maxBytes);
    // A cancelled reader reports the end of the body.
    return isLate ? undefined : body;
  } catch {
    return undefined;
  } finally {
    timer.cancel();
  }
}

async function cancelQuietly(reader: Reader): Promise<void> {
  await reader.cancel().catch(() => undefined);
}
