// Reads the files and folders of `--robots-history`, and returns an object that decides records by their time.
import { readHistory, RobotsAsOf, type UsedFiles } from "@robots-stream/engine/internal";
import { countText } from "../../shell/figures.ts";
import { originOfBase } from "../../shell/input-settings.ts";
import type { Settings } from "./settings.ts";

/**
 * Reads the files and folders of `--robots-history`. The caller must close the `source` of the result. Rejects with a `UsageError` for a
 * path that cannot be used, and with the signal's reason.
 */
export async function openHistory(
  paths: readonly string[],
  { base, maxBytes, network: { accessPolicy }, isVerbose }: Settings,
  surroundings: {
    readonly used: UsedFiles;
    readonly say: (sentence: string) => void;
    readonly signal: AbortSignal | undefined;
  },
): Promise<RobotsAsOf> {
  const origin = base === undefined ? undefined : originOfBase(base);
  const seen = await readHistory(paths, { flag: "robots-history", maxBytes, origin, ...surroundings });
  const asOf = new RobotsAsOf(seen, accessPolicy === "google-2024" ? "google" : accessPolicy);
  if (isVerbose)
    surroundings.say(
      `--robots-history: ${countText(seen.observations.length, "observation")} of ${countText(asOf.origins, "origin")}`,
    );
  return asOf;
}
