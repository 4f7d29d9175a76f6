// Opens the source of robots.txt files that the settings name: saved files, or a client with a cache that the whole group can share.
import { createSavedRobots, type OriginLoader, UsageError } from "@robots-stream/engine";
import { openClient } from "robots-stream/internal";
import { sentenceOf, unusable } from "./kafka/client.ts";
import type { Settings } from "./settings.ts";

/** A loader, with a function that closes it. */
export interface OpenRobots {
  readonly loader: OriginLoader;
  close(): Promise<void>;
}

/** Opens the source. Rejects with a `UsageError` when the source is not usable. */
export async function openRobots(
  { robots, cacheUrl }: Pick<Settings, "robots" | "cacheUrl">,
  env: NodeJS.ProcessEnv,
  say: (sentence: string) => void,
): Promise<OpenRobots> {
  try {
    if (robots.robotsPath !== undefined) {
      const saved = createSavedRobots(robots.robotsPath, { warn: say });
      // The first load opens an archive, so that a missing archive is reported now.
      await saved.load("https://robots-stream.example", { signal: new AbortController().signal });
      return { loader: saved, close: () => saved.close() };
    }
    const store = cacheUrl === undefined ? undefined : await openStore(cacheUrl, robots.maxBytes, say);
    const client = await openClient(robots, { env, say }, store === undefined ? {} : { store });
    return {
      loader: client,
      async close() {
        await client.close();
        await store?.close?.();
      },
    };
  } catch (error) {
    throw error instanceof UsageError ? error : unusable(`robots.txt files: ${sentenceOf(error)}`);
  }
}

async function openStore(url: string, maxBytes: number, say: (sentence: string) => void) {
  const { createRedisStore } = await import("@robots-stream/fetch/redis");
  const onUnreadable = (why: string): void => say(`cache: a value is treated as missing: ${why}`);
  const store = createRedisStore(url, { maxBytes, onUnreadable });
  // The first command opens the connection, so that a wrong address is reported before the group is joined.
  await store.get("");
  return store;
}
