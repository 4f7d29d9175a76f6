// Robots.txt files over the network, through @robots-stream/fetch.
import type { RobotsClient } from "@robots-stream/fetch";
import { type NetworkOptions, checkAsked, openClient } from "./client.ts";
import type { RobotsSource } from "./types.ts";

/**
 * Asks each origin. The client, and undici behind it, is loaded with the first origin: that takes its time. A load
 * rejects with an `IoError` when this machine has nothing left to ask with.
 */
export function createNetworkSource(options: NetworkOptions, say: (sentence: string) => void): RobotsSource {
  let client: Promise<RobotsClient> | undefined;
  return {
    isRemote: true,
    async load(origin, signal) {
      client ??= openClient(options, say);
      const loaded = await (await client).load(origin, { signal });
      const { access, fetched, stored } = loaded;
      checkAsked(stored);
      return { access, fetched, code: stored.code, matcherOf: (tokens, reading) => loaded.matcherOf(tokens, reading) };
    },
    async close() {
      await (await client)?.close();
    },
  };
}
