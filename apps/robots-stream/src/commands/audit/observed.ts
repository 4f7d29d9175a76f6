// The flags about robots.txt in, what was seen of robots.txt files out: from folders and files, or the network.
import { statSync } from "node:fs";
import { openSavedSource, UsageError, type UsedFiles } from "@robots-stream/engine/internal";
import { createNetworkSource } from "../../shell/network/network.ts";
import type { ClientSurroundings } from "../../shell/network/client.ts";
import { type AuditSettings, originOfBase } from "./flags.ts";
import { ObservedRobots } from "./observed-robots.ts";
import { readFolder } from "./robots-folder.ts";

/** Reads the folders and files of the settings, or loads the robots.txt of `--base`. Throws a `UsageError` for what cannot be used. */
export async function observe(
  settings: AuditSettings,
  used: UsedFiles,
  surroundings: ClientSurroundings,
): Promise<ObservedRobots> {
  const { robotsPath, historyPath, base, maxBytes } = settings;
  const { say, signal } = surroundings;
  const observed = new ObservedRobots();
  if (historyPath !== undefined) {
    readFolder(observed, historyPath, { flag: "robots-history", isDated: true, maxBytes, used, say });
  } else if (robotsPath !== undefined && isDirectory(robotsPath)) {
    readFolder(observed, robotsPath, { flag: "robots", isDated: false, maxBytes, used, say });
  } else if (base === undefined) {
    const hint = "for example: --base https://shop.example; or a folder with a file for each host";
    throw new UsageError("wrong-value", "--robots FILE needs --base, the site whose robots.txt it is", hint);
  } else {
    const source =
      robotsPath === undefined
        ? createNetworkSource(settings, surroundings)
        : await openSavedSource(robotsPath, { maxBytes, warn: say, used, signal });
    try {
      await source.check?.();
      const origin = originOfBase(base);
      const loaded = await source.load(origin, signal ?? new AbortController().signal);
      const endedAt = loaded.exchange?.endedAt;
      observed.add(origin, endedAt === undefined ? undefined : Math.floor(endedAt / 1_000), loaded);
      if (loaded.access === "unreachable") say(`${origin}: its robots.txt is unreachable (${loaded.code})`);
    } finally {
      await source.close();
    }
  }
  return observed;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
