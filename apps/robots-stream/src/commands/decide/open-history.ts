// Reads the files and folders of `--robots-history`, and returns an object that decides records by their time.
import {
  crawlerListOf,
  judgedCrawlerOf,
  readHistory,
  RobotsAsOf,
  type UsedFiles,
} from "@robots-stream/engine/internal";
import { countText } from "../../cli/figures.ts";
import { originOfBase } from "../../cli/input-settings.ts";
import type { Settings } from "./settings.ts";

/**
 * Reads the files and folders of `--robots-history`. The caller must close the `source` of the result. Rejects with a `UsageError` for a
 * path that cannot be used, and with the signal's reason.
 */
export async function openHistory(
  paths: readonly string[],
  settings: Settings,
  surroundings: {
    readonly used: UsedFiles;
    readonly say: (sentence: string) => void;
    readonly onDamaged: (origin: string) => void;
    readonly signal: AbortSignal | undefined;
  },
): Promise<RobotsAsOf> {
  const { base, maxBytes, isVerbose } = settings;
  const origin = base === undefined ? undefined : originOfBase(base);
  const seen = await readHistory(paths, { from: "robotsHistory", maxBytes, origin, ...surroundings });
  const asOf = new RobotsAsOf(seen, policyChoiceOf(settings));
  if (isVerbose)
    surroundings.say(
      `--robots-history: ${countText(seen.observations.length, "observation")} of ${countText(asOf.origins, "origin")}`,
    );
  return asOf;
}

/**
 * The access policy for the crawler of a record: that of `--access-policy`, else that by which an audit judges the crawler. Several crawlers
 * of the command line are asked about the same version, so they have Google's policy if their policies differ.
 */
function policyChoiceOf(settings: Settings): ConstructorParameters<typeof RobotsAsOf>[1] {
  const { network, questions, questionOptions, hasAccessPolicy } = settings;
  const given = network.accessPolicy === "google-2024" ? "google" : network.accessPolicy;
  if (hasAccessPolicy === true) return () => given;
  const { crawlerOf } = crawlerListOf(questionOptions.crawlers);
  const policyOf = (agent: string): typeof given => judgedCrawlerOf(agent, crawlerOf(agent)).accessPolicy;
  const asked = new Set(questions.map(({ agent }) => policyOf(agent)));
  const [only = given] = asked;
  if (questions.length > 0) return () => (asked.size === 1 ? only : given);
  const known = new Map<string | undefined, typeof given>();
  return (agent) => {
    let policy = known.get(agent);
    if (policy === undefined) known.set(agent, (policy = agent === undefined ? given : policyOf(agent)));
    return policy;
  };
}
