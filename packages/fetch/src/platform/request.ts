// One URL → one GET with the platform's fetch → status, headers and the beginning of the body, or a failure.
import { codingsOf } from "../codings.ts";
import type { Failure } from "../failure-codes.ts";
import { type HopEnd, isFailure } from "../hop-end.ts";
import type { Limits } from "../limits.ts";
import { startMonotonicTimer } from "../monotonic-timer.ts";
import { Pieces } from "../pieces.ts";
import type { ExchangeResponse } from "../types.ts";
import { failureOfFetch } from "./failures.ts";

/** The platform's `fetch`, as far as it is used. */
export type PlatformFetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a request needs. */
export interface PlatformRequest {
  readonly fetch: PlatformFetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Limits;
  /** Ends the request, with the `Failure` to give back as the reason. */
  readonly signal: AbortSignal;
  /** Read what comes with a 5xx, too. */
  readonly errorPages: boolean;
  /** Let the platform follow a redirect that it hides. */
  readonly followsOpaque: boolean;
  /** Why a URL must not be asked. */
  readonly refuse: (url: URL) => Failure | undefined;
}

/** How much of an error page is read: it says at its beginning what it is. */
const maxPageBytes = 65_536;

/** Asks once. Never rejects. */
export async function requestOverPlatform(url: URL, request: PlatformRequest): Promise<HopEnd> {
  const refusal = request.refuse(url);
  if (refusal !== undefined) return refusal;
  const manual = await requestWith("manual", url, request);
  if (manual !== "opaque-redirect") return manual;
  if (!request.followsOpaque) {
    return { code: "redirect-opaque", message: "this platform does not tell where the redirect leads" };
  }
  const followed = await requestWith("follow", url, request);
  return followed === "opaque-redirect"
    ? { code: "redirect-opaque", message: "a redirect that the platform hides" }
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
    // Status 0 and no fields: what browsers make of a redirect that they are not to follow.
    if (response.type === "opaqueredirect") return "opaque-redirect";
    return endOf(response, request, ending.signal);
  };
  const aborted = rejectionOf(ending.signal);
  try {
    // Also where the platform does not hear the signal.
    return await Promise.race([ask(), aborted]);
  } catch (error) {
    // This side's own abort says why.
    return ending.signal.aborted ? (ending.signal.reason as Failure) : failureOfFetch(error, isHeadRead);
  } finally {
    timer.cancel();
    signal.removeEventListener("abort", onAbort);
  }
}

/** Rejects when the signal, which has not aborted yet, does. Called before fetch, which may be what aborts it. */
function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
  });
}

/** Members of a request that not every platform has: some throw for one that they do not know. */
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

/** Reads what is wanted of a response, and cancels the rest, when `signal` aborts too. */
async function endOf(response: Response, request: PlatformRequest, signal: AbortSignal): Promise<HopEnd> {
  const { limits, errorPages } = request;
  const { status } = response;
  const { headers, refusal } = headOf(response, request);
  const isPage = errorPages && status >= 500;
  const bare: ExchangeResponse = { status, headers, body: new Uint8Array(0), truncated: false };
  const reader = (response.body as ReadableStream<Uint8Array> | null)?.getReader();
  if (reader === undefined) return refusal ?? bare;
  // The platform may not have heard the signal.
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

/** The header fields, and why the response is not taken. */
interface Head {
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Failure | undefined;
}

function headOf({ status, headers: fields, url }: Response, { limits, refuse }: PlatformRequest): Head {
  // No prototype: a field may be named like anything.
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  let bytes = 0;
  for (const [name, value] of fields) {
    headers[name.toLowerCase()] = value;
    bytes += name.length + value.length;
  }
  return { headers, refusal: refusalOf() };

  function refusalOf(): Failure | undefined {
    if (status < 100 || status > 599) return { code: "protocol", message: `the status is ${status}` };
    if (bytes > limits.maxHeaderBytes) {
      return { code: "headers-too-large", message: `more than ${limits.maxHeaderBytes} bytes of names and values` };
    }
    // Undone by the platform already: a coding that it does not know it leaves in place.
    const codings = codingsOf(headers["content-encoding"], limits.maxContentEncodings);
    if (isFailure(codings)) return codings;
    // Where the platform has followed a redirect.
    const place = URL.parse(url);
    return place === null ? undefined : refuse(place);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Body = Pick<ExchangeResponse, "body" | "truncated">;

/** A platform that has all pieces at hand, empty ones without end among them, would keep every timer from ending the exchange. */
const readsAtOnce = 1_024;

function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** The beginning of the body as it streams: at most one piece more than `maxBytes` is held. */
async function readBody(reader: Reader, maxBytes: number): Promise<Body> {
  const pieces = new Pieces();
  for (let reads = 1; ; reads++) {
    const { done, value } = await reader.read();
    if (done) return { body: pieces.whole(maxBytes), truncated: false };
    pieces.add(value);
    if (reads % readsAtOnce === 0) await nextTask();
    if (pieces.length <= maxBytes) continue;
    await cancelQuietly(reader);
    return { body: pieces.whole(maxBytes), truncated: true };
  }
}

/** The same, or undefined where it fails or takes longer. */
async function readInTime(reader: Reader, maxBytes: number, timeoutMs: number): Promise<Body | undefined> {
  let isLate = false;
  const timer = startMonotonicTimer(timeoutMs, () => {
    isLate = true;
    void cancelQuietly(reader);
  });
  try {
    const body = await readBody(reader, maxBytes);
    // A reader that is cancelled gives the end.
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
