// Collects the observations of robots.txt files by which an audit judges requests, from histories, folders, a file, or the network.
import { statSync } from "node:fs";
import { UsageError } from "@robots-stream/engine";
import type { Base } from "@robots-stream/logs";
import { openSavedSource, readHistory, SeenRobots, type UsedFiles } from "@robots-stream/engine/internal";
import { type CachedSettings, createNetworkSource } from "../../cli/network/network.ts";
import type { ClientSurroundings } from "../../cli/network/client.ts";
import { originOfBase } from "../../cli/input-settings.ts";
import type { DamagedOrigins } from "../../cli/robots/damaged-origins.ts";

interface ObservedSurroundings extends ClientSurroundings {
  /** Takes the origins whose entries in a snapshot are damaged. */
  readonly damaged?: DamagedOrigins | undefined;
}

/** The settings that name the robots.txt files of an audit. */
export interface ObservedSettings extends CachedSettings {
  /** The path of `--robots`. */
  readonly robotsPath: string | undefined;
  /** The origin of `--base`. */
  readonly base: Base | undefined;
  /** The paths of `--robots-history`. */
  readonly historyPaths: readonly string[];
}

/**
 * Reads the histories or the saved files that the settings name. If they name none, loads the robots.txt of `--base` from the network. The
 * caller must close the result. Rejects with a `UsageError` for a source that cannot be used.
 */
export async function observe(
  settings: ObservedSettings,
  used: UsedFiles,
  surroundings: ObservedSurroundings,
): Promise<SeenRobots> {
  const { robotsPath, historyPaths, base, maxBytes } = settings;
  const { say, signal, damaged } = surroundings;
  const origin = base === undefined ? undefined : originOfBase(base);
  const reading = { maxBytes, origin, used, say, onDamaged: damaged?.add, signal };
  if (historyPaths.length > 0) {
    return readHistory(historyPaths, { from: "robotsHistory", ...reading });
  }
  if (robotsPath !== undefined && isDirectory(robotsPath)) {
    return readHistory([robotsPath], { from: "robots", isDated: false, ...reading });
  }
  const seen = new SeenRobots(maxBytes);
  try {
    if (origin === undefined && robotsPath === undefined) {
      // With `--fetch`, the robots.txt files are loaded later: the hosts are known only from the log.
      return seen;
    } else if (origin === undefined) {
      const hint = "for example: --base https://shop.example; or a folder with a file for each host";
      throw new UsageError("wrong-value", "--robots FILE needs --base, the origin of that robots.txt", hint);
    } else await addLoaded(seen, origin, settings, used, surroundings);
    return seen;
  } catch (error) {
    seen.close();
    throw error;
  }
}

/** Loads the robots.txt of an origin from the file of `--robots` or from the network, and adds the result to `seen`. */
async function addLoaded(
  seen: SeenRobots,
  origin: string,
  settings: ObservedSettings,
  used: UsedFiles,
  surroundings: ClientSurroundings,
): Promise<void> {
  const { robotsPath, maxBytes } = settings;
  const { say, signal } = surroundings;
  const source =
    robotsPath === undefined
      ? createNetworkSource(settings, surroundings)
      : await openSavedSource(robotsPath, { maxBytes, warn: say, used, signal });
  try {
    await source.check?.();
    const loaded = await source.load(origin, signal ?? new AbortController().signal);
    seen.addLoaded(origin, loaded);
    if (loaded.access === "unreachable") say(`${origin}: its robots.txt is unreachable (${loaded.code})`);
  } finally {
    await source.close();
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
