// Collects the observations of robots.txt files by which an audit judges requests, from histories, folders, a file, or the network.
import type { Base } from "@robots-stream/logs";
import { readHistory, SeenRobots, type UsedFiles } from "@robots-stream/engine/internal";
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
  /** Whether the robots.txt of the hosts in the log is requested. */
  readonly fetchesHosts: boolean;
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
  // As when rows are decided, an archive has the files of many origins. One file without a date is that of `origin`, or of every origin.
  if (robotsPath !== undefined) {
    return readHistory([robotsPath], { from: "robots", isDated: false, isShared: !settings.fetchesHosts, ...reading });
  }
  const seen = new SeenRobots(maxBytes);
  // With `--fetch` and without an origin, the robots.txt files are loaded later: the hosts are known only from the log.
  if (origin === undefined) return seen;
  try {
    await addFetched(seen, origin, settings, surroundings);
    return seen;
  } catch (error) {
    seen.close();
    throw error;
  }
}

/** Loads the robots.txt of an origin from the network, and adds the result to `seen`. */
async function addFetched(
  seen: SeenRobots,
  origin: string,
  settings: ObservedSettings,
  surroundings: ClientSurroundings,
): Promise<void> {
  const { say, signal } = surroundings;
  const source = createNetworkSource(settings, surroundings);
  try {
    await source.check?.();
    const loaded = await source.load(origin, signal ?? new AbortController().signal);
    seen.addLoaded(origin, loaded);
    if (loaded.access === "unreachable") say(`${origin}: its robots.txt is unreachable (${loaded.code})`);
  } finally {
    await source.close();
  }
}
