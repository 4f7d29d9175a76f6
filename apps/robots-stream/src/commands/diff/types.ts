// The results of `diff`, for its output formats.
import type { RobotsDiff } from "@robots-stream/diff";
import type { LintSource } from "../lint/types.ts";
import type { LogFlips } from "./log-flips.ts";

/** The sources, a comparison for each dialect and, with logs, the requests whose answers change in each dialect. */
export interface Compared {
  readonly old: LintSource;
  readonly new: LintSource;
  readonly diffs: readonly RobotsDiff[];
  readonly logs: readonly LogFlips[] | undefined;
}
