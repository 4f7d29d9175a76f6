// The public names of the package, for programs; the command is cli.ts.
export {
  type DecideBytesOptions,
  type DecideDuplexOptions,
  type DecideRecordsOptions,
  decideStream,
} from "@robots-stream/engine";
export type { DecideDuplex } from "@robots-stream/engine";
export type { Decisions } from "@robots-stream/engine";
export { type SavedRobotsOptions, createSavedRobots } from "@robots-stream/engine";
export type {
  AgentSummary,
  ByteInput,
  DecideOptions,
  DecideSummary,
  LoadedOrigin,
  OriginLoader,
  ParsedRecord,
  RecordDecision,
  RecordReject,
  UrlRecord,
} from "@robots-stream/engine";
export { EngineError, IoError, UsageError, type UsageErrorCode } from "@robots-stream/engine";
export type { TargetProblem } from "@robots-stream/engine";
