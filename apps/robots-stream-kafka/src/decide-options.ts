// Converts the settings to the options of `decideMessages`, and declares what a run uses of its process.
import type { DecideMessagesOptions } from "@robots-stream/engine";
import type { OpenRobots } from "./robots.ts";
import type { Settings } from "./shell/settings.ts";

/** What a run uses of its process: stderr, stdout, and the signal that ends the run. */
export interface Surroundings {
  readonly say: (sentence: string) => void;
  readonly print: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The options of `decideMessages`, without `onPart` and `byAnswer`, which the caller adds. */
export function decideOptionsOf(
  { deciding, urlFrom, parkBytes }: Settings,
  loader: OpenRobots["loader"],
): Omit<DecideMessagesOptions<never>, "onPart" | "byAnswer"> {
  const { agents, agentField, inputFormat, urlField, base, resultKey, concurrency } = deciding;
  return {
    ...(agentField === undefined ? { agents } : { agentField }),
    robots: loader,
    inputFormat,
    ...(urlFrom === "key" || urlField === undefined ? {} : { urlField }),
    ...(base === undefined ? {} : { base }),
    resultKey: urlFrom === "key" ? "robots" : resultKey,
    concurrency,
    parkBytes,
  };
}
