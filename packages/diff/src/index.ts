// The public names of @robots-stream/diff.
export { type DiffOptions, diffRobots, everybody } from "./diff.ts";
export { type Effect, type FileSide } from "./effects.ts";
export { type Example, type Extent, type ExtentOptions, extentOf } from "./extent.ts";
export { namesIn } from "./names.ts";
export type {
  ChangedAnswers,
  ComparedCrawler,
  GroupChange,
  RecordChange,
  RobotsDiff,
  RuleChange,
  Witness,
} from "./types.ts";
