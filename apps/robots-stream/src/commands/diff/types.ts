// Defines the result of `diff`, which the output formats render.
import type { RobotsDiff } from "@robots-stream/diff";
import type { RobotsSource } from "../../cli/robots/sources.ts";
import type { LogFlips } from "./log-flips.ts";

/** The two sources, the comparison in each dialect, and the flips in the logs in each dialect; `logs` is undefined without logs. */
export interface Compared {
  readonly old: RobotsSource;
  readonly new: RobotsSource;
  readonly diffs: readonly RobotsDiff[];
  readonly logs: readonly LogFlips[] | undefined;
}
