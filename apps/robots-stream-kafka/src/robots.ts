// Opens the source of robots.txt files that the settings name: saved files, or a client with a cache that the whole group can share.
import { createSavedRobots, type OriginLoader } from "@robots-stream/engine";
import type { DecidingSettings } from "./shell/settings.ts";

/** A loader, with a function that closes it. */
export interface OpenRobots {
  readonly loader: OriginLoader;
  close(): Promise<void>;
}

/** Opens the source. Rejects with a `UsageError`, an `IoError` or a `FetchError` when the source is not usable. */
export async function openRobots(settings: DecidingSettings, warn: (sentence: string) => void): Promise<OpenRobots> {
  const { robotsPath, cacheUrl, userAgent, accessPolicy, timeoutMs, concurrency, perAddress, allowPrivate } = settings;
  if (robotsPath !== undefined) {
    const saved = createSavedRobots(robotsPath, { warn });
    // The first load opens an archive, so that a missing archive is reported now.
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
  // The first command opens the connection, so that a wrong address is reported before the group is joined.
  await store.get("");
  return store;
}
