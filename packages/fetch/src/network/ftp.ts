// Implements the transport for ftp:// (RFC 959, RFC 2428): anonymous, passive, binary, with the same guard, limits and turns as HTTP. An
// exchange records facts only; policy.ts judges them.
import { type Failure, RefusedError } from "../common/failures.ts";
import { FtpDialog, type FtpModule } from "./ftp-dialog.ts";
import { withSignal } from "../common/abort.ts";
import { createLateModule } from "../common/late.ts";
import type { Limits } from "../common/limits.ts";
import { refusePort } from "./guard.ts";
import { aFunction, readOptions } from "../common/options.ts";
import { type NetworkContext, type NetworkOptions, createNetworkContext, networkChecks } from "./network-context.ts";
import type { Turn } from "../common/semaphore.ts";
import type { ExchangeResponse, Transport } from "../common/types.ts";
import { ExchangesUnderWay, type UnderWay } from "./under-way.ts";

/** Options of `createFtpTransport`. */
export interface FtpTransportOptions extends NetworkOptions {
  /** Returns the time in milliseconds since the epoch. Default: Date.now. Timeouts use timers, not this clock. */
  readonly now?: () => number;
}

/**
 * A transport for ftp://. A received file is a response with the status 200; a missing file is the failure `ftp-not-found`. Loads
 * basic-ftp with its first exchange. Throws `ERR_INVALID_OPTION` for invalid options.
 */
export function createFtpTransport(given: FtpTransportOptions = {}): Transport {
  const options = readOptions(given, { ...networkChecks, now: aFunction });
  const network = createNetworkContext(options);
  const ftp = ftpTransportOver(network, options.now);
  return {
    exchange: ftp.exchange,
    close() {
      void ftp.close?.();
      network.close();
    },
  };
}

/** The ftp transport over a network context that other transports share. Closing the transport leaves the context open. */
export function ftpTransportOver(network: NetworkContext, now: () => number = Date.now): Transport {
  const underWay = new ExchangesUnderWay();
  const module = createLateModule<FtpModule>("basic-ftp", () => import("basic-ftp"));

  return {
    async exchange(robotsUrl, limits, signal, slot) {
      const startedAt = now();
      const end = (found: ExchangeResponse | Failure, url: string) =>
        "code" in found
          ? { hops: [], startedAt, endedAt: now(), failure: { code: found.code, message: found.message, url } }
          : { hops: [{ url, status: found.status }], startedAt, endedAt: now(), response: found };
      const url = URL.parse(robotsUrl);
      if (url?.protocol !== "ftp:") {
        return end({ code: "scheme-unsupported", message: "this transport supports only ftp" }, url?.href ?? robotsUrl);
      }
      url.username = url.password = url.hash = "";
      const refusal = refusePort(url);
      if (refusal !== undefined) return end({ code: "blocked-port", message: refusal }, url.href);
      const course = underWay.begin(limits, signal, slot);
      try {
        if (network.proxyFor(url) !== undefined) {
          return end({ code: "ftp-unsupported", message: "ftp through a proxy is not supported" }, url.href);
        }
        const ftp = await course.hold(module());
        return end(await ask(url, { ftp, network, limits, course }), url.href);
      } catch (error) {
        if (error instanceof RefusedError) return end(error.failure, url.href);
        throw error;
      } finally {
        course.end();
      }
    },
    close() {
      underWay.close();
    },
  };
}

interface AskOptions {
  readonly course: UnderWay;
  readonly ftp: FtpModule;
  readonly network: NetworkContext;
  readonly limits: Limits;
}

/**
 * Gets the file at `url`: waits for the exchange's turn at the origin and at each address, and tries the addresses until one connects.
 * Never rejects.
 */
async function ask(url: URL, { ftp, network, limits, course }: AskOptions): Promise<ExchangeResponse | Failure> {
  const { signal } = course;
  const turns: Turn[] = [];
  const turnAt = async (place: string, max: number): Promise<void> => {
    const turn = network.turns.take(place, max, signal);
    turns.push(turn instanceof Promise ? await course.idle(turn) : turn);
  };
  try {
    await turnAt(url.origin === "null" ? `ftp://${url.host}` : url.origin, 1);
    const addresses = await within(
      network.addressesOf(url.hostname.replace(/^\[(.*)\]$/, "$1")),
      limits.connectTimeoutMs,
      signal,
    );
    let end: ExchangeResponse | Failure = { code: "network-unreachable", message: "no address to connect to" };
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
  const failure: Failure = { code: "dns-timeout", message: `no address within ${timeoutMs} ms` };
  const timer = setTimeout(() => late.abort(new RefusedError(failure)), timeoutMs);
  try {
    return await withSignal(promise, AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
