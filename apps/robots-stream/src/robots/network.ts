// Robots.txt files over the network, through @robots-stream/fetch.
import type { RobotsClient, RobotsClientOptions } from "@robots-stream/fetch";
import type { RobotsSource } from "./types.ts";

/** The flags that speak about the network. */
export interface NetworkOptions {
  readonly userAgent: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly concurrency: number;
  readonly allowPrivate: boolean;
  readonly maxBytes: number;
}

/** Asks each origin. The client, and undici behind it, is loaded with the first origin: that takes its time. */
export function createNetworkSource(options: NetworkOptions): RobotsSource {
  let client: Promise<RobotsClient> | undefined;
  return {
    isRemote: true,
    async load(origin, signal) {
      client ??= import("@robots-stream/fetch").then(({ createRobotsClient }) =>
        createRobotsClient(clientOptionsOf(options)),
      );
      const loaded = await (await client).load(origin, { signal });
      const { access, fetched, stored } = loaded;
      return { access, fetched, code: stored.code, matcherOf: (tokens, reading) => loaded.matcherOf(tokens, reading) };
    },
    async close() {
      await (await client)?.close();
    },
  };
}

function clientOptionsOf({
  userAgent,
  timeoutMs,
  concurrency,
  allowPrivate,
  maxBytes,
}: NetworkOptions): RobotsClientOptions {
  return {
    ...(userAgent === undefined ? {} : { userAgent }),
    allowPrivate,
    limits: {
      maxBytes,
      // One bound for the whole origin: the one for waiting until a server answers must not end it earlier.
      ...(timeoutMs === undefined ? {} : { deadlineMs: timeoutMs, headersTimeoutMs: timeoutMs }),
    },
    maxInFlight: concurrency,
    // Nothing is asked twice in a run, so nothing is kept for a second time.
    store: { get: () => undefined, set: () => undefined },
  };
}
