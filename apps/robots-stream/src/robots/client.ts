// The flags that speak about the network in, a client of @robots-stream/fetch out.
import type { RobotsClient, RobotsClientOptions, StoredRobots } from "@robots-stream/fetch";
import { IoError } from "../exit.ts";
import { printableOf } from "../text.ts";

/** What the flags say about the network. */
export interface NetworkOptions {
  readonly userAgent: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly concurrency: number;
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
}

/** What a client may have besides. */
export type ClientMore = Pick<RobotsClientOptions, "store" | "isUsable" | "transport">;

/** Loads @robots-stream/fetch and makes a client. `say` hears once when fewer origins are asked at once than wanted. */
export async function openClient(
  options: NetworkOptions,
  say: (sentence: string) => void,
  more: ClientMore = {},
): Promise<RobotsClient> {
  const { createRobotsClient } = await import("@robots-stream/fetch");
  return createRobotsClient({ ...clientOptionsOf(options, say), ...more });
}

function clientOptionsOf(options: NetworkOptions, say: (sentence: string) => void): RobotsClientOptions {
  const { userAgent, timeoutMs, concurrency, allowPrivate, maxBytes } = options;
  return {
    ...(userAgent === undefined ? {} : { userAgent }),
    allowPrivate,
    limits: {
      maxBytes,
      // One bound for the whole origin: the one for waiting until a server answers must not end it earlier.
      ...(timeoutMs === undefined ? {} : { deadlineMs: timeoutMs, headersTimeoutMs: timeoutMs }),
    },
    maxInFlight: concurrency,
    onShortage({ message, maxInFlight }) {
      const code = /\bE[A-Z]+\b/.exec(message)?.[0] ?? printableOf(message);
      say(
        `no more sockets on this machine (${code}): ${maxInFlight} origins are asked at once instead of ${concurrency}; ` +
          "ulimit -n says how many files and sockets there may be",
      );
    },
    // Nothing is asked twice in a run: without a cache nothing is kept.
    store: { get: () => undefined, set: () => undefined },
  };
}

/** Throws an `IoError` for what was never asked because this machine has nothing left: it decides nothing. */
export function checkAsked({ code, origin }: StoredRobots): void {
  if (code !== "local-resources") return;
  const why = "no file descriptors, ports or memory left on this machine (local-resources); ulimit -n may be too low";
  throw new IoError("input", printableOf(origin), new Error(why));
}
