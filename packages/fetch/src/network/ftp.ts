// Implements the transport for ftp:// (RFC 959, RFC 2428): anonymous, passive, binary, with the same guard, limits and turns as HTTP. An
// exchange records facts only; policy.ts judges them.
import { type Failure, RefusedError, timeoutIn } from "../common/failures.ts";
import { FtpDialog, type FtpModule } from "./ftp-dialog.ts";
import { withSignal } from "../common/abort.ts";
import { createLateModule } from "../common/late.ts";
import type { Limits } from "../common/limits.ts";
import { refusePort } from "./guard.ts";
import { readOptions } from "../common/options.ts";
import { type NetworkContext, type NetworkOptions, networkChecks, transportOverOwn } from "./network-context.ts";
import { failedEnd } from "./redirects.ts";
import type { Turn } from "../common/semaphore.ts";
import { type HopEnd, type Transport, isFailure } from "../common/types.ts";
import { ExchangesUnderWay, type UnderWay } from "./under-way.ts";

/** Options of `createFtpTransport`. */
export type FtpTransportOptions = NetworkOptions;

/**
 * A transport for ftp://. A received file is a response with the status 200; a missing file is the failure `ftp-not-found`. Loads
 * basic-ftp with its first exchange. Throws `ERR_INVALID_OPTION` for invalid options.
 */
export function createFtpTransport(given: FtpTransportOptions = {}): Transport {
  const options = readOptions(given, networkChecks);
  return transportOverOwn(options, (network) => ftpTransportOver(network, options.now));
}

/** The ftp transport over a network context that other transports share. Closing the transport leaves the context open. */
export function ftpTransportOver(network: NetworkContext, now: () => number = Date.now): Transport {
  const underWay = new ExchangesUnderWay();
  const module = createLateModule<FtpModule>("basic-ftp", () => import("basic-ftp"));

  return {
    exchange: (robotsUrl, limits, signal, slot) =>
      underWay.run({ limits, signal, slot, now }, async (course) => {
        const url = URL.parse(robotsUrl);
        if (url !== null) url.username = url.password = url.hash = "";
        const end = await ask(url, { module, network, limits, course });
        const href = url?.href ?? robotsUrl;
        return isFailure(end) ? failedEnd([], end, href) : { hops: [{ url: href, status: end.status }], response: end };
      }),
    close() {
      underWay.close();
    },
  };
}

interface AskOptions {
  readonly course: UnderWay;
  readonly module: () => Promise<FtpModule>;
  readonly network: NetworkContext;
  readonly limits: Limits;
}

/**
 * Gets the file at `url`: waits for the exchange's turn at the origin and at each address, and tries the addresses until one connects.
 * Never rejects.
 */
async function ask(url: URL | null, { module, network, limits, course }: AskOptions): Promise<HopEnd> {
  if (url?.protocol !== "ftp:") return { code: "scheme-unsupported", message: "this transport supports only ftp" };
  const refusal = refusePort(url);
  if (refusal !== undefined) return { code: "blocked-port", message: refusal };
  const { signal } = course;
  const turns: Turn[] = [];
  const turnAt = async (place: string, max: number): Promise<void> => {
    const turn = network.turns.take(place, max, signal);
    turns.push(turn instanceof Promise ? await course.idle(turn) : turn);
  };
  try {
    if (network.proxyFor(url) !== undefined) {
      return { code: "ftp-unsupported", message: "ftp through a proxy is not supported" };
    }
    const ftp = await course.hold(module());
    await turnAt(url.origin === "null" ? `ftp://${url.host}` : url.origin, 1);
    const addresses = await within(
      network.addressesOf(url.hostname.replace(/^\[(.*)\]$/, "$1")),
      limits.connectTimeoutMs,
      signal,
    );
    let end: HopEnd = { code: "network-unreachable", message: "no address to connect to" };
    for (const { address } of addresses) {
      const turn = turns.length;
      await turnAt(address, network.perAddress);
      const dialog = new FtpDialog(ftp, limits, signal);
      try {
        end = await dialog.get(address, Number(url.port || 21), decodeURIComponent(url.pathname.slice(1)));
      } finally {
        dialog.close();
        turns[turn]?.end();
      }
      if (dialog.hasConnected || signal.aborted) break;
    }
    return end;
  } catch (error) {
    if (signal.aborted) return signal.reason as Failure;
    if (error instanceof RefusedError) return error.failure;
    return FtpDialog.failureOf(error, "resolve");
  } finally {
    for (const turn of turns) turn.end();
  }
}

/** Settles as `promise` does, but rejects with `dns-timeout` after `timeoutMs`, and with the signal's reason when the signal aborts. */
async function within<T>(promise: Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new RefusedError(timeoutIn("resolve", timeoutMs))), timeoutMs);
  try {
    return await withSignal(promise, AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
