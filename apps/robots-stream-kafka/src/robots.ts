// The settings of deciding in, what loads robots.txt files out: saved files, or a client with a cache that a whole group can share.
import { createSavedRobots, type OriginLoader } from "@robots-stream/engine";
import type { DecidingSettings } from "./shell/settings.ts";

/** A loader that is closed at the end. */
export interface OpenRobots {
  readonly loader: OriginLoader;
  close(): Promise<void>;
}

/** Opens it, and looks whether it can be used. Rejects with a `UsageError` or a `FetchError`. */
export async function openRobots(settings: DecidingSettings, warn: (sentence: string) => void): Promise<OpenRobots> {
  const { robotsPath, cacheUrl, userAgent, accessPolicy, timeoutMs, concurrency, perAddress, allowPrivate } = settings;
  if (robotsPath !== undefined) {
    const saved = createSavedRobots(robotsPath, { warn });
    // An archive is opened with the first load.
    await saved.load("https://robots-stream.example", { signal: new AbortController().signal });
    return { loader: saved, close: () => saved.close() };
  }
  const { createRobotsClient } = await import("@robots-stream/fetch");
  const store = cacheUrl === undefined ? undefined : await openStore(cacheUrl, warn);
  const client = createRobotsClient({
    ...(userAgent === undefined ? {} : { userAgent }),
    ...(store === undefined ? {} : { store }),
    policy: accessPolicy,
    limits: { deadlineMs: timeoutMs, headersTimeoutMs: timeoutMs },
    concurrency,
    perAddress,
    allowPrivate,
  });
  return {
    loader: client,
    async close() {
      await client.close();
      await store?.close?.();
    },
  };
}

async function openStore(url: string, warn: (sentence: string) => void) {
  const { createRedisStore } = await import("@robots-stream/fetch/redis");
  const store = createRedisStore(url, { onUnreadable: (why) => warn(`cache: a value is treated as missing: ${why}`) });
  // Opens the connection, so that a wrong address is reported before the group is joined.
  await store.get("");
  return store;
}
