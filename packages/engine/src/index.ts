// The engine's public interface: decideStream, decideMessages and createSavedRobots, with their types and the errors that they throw.
import "@robots-stream/fetch/internal";

export {
  type DecideBytesOptions,
  type DecideDuplexOptions,
  type DecideRecordsOptions,
  type RowsOfRecords,
  decideStream,
} from "./library/decide-stream.ts";
export {
  type DecideMessagesOptions,
  type MessageDecider,
  type MessagePart,
  type MessageReject,
  decideMessages,
} from "./library/decide-messages.ts";
export type { RowsByAnswer } from "./library/message-format.ts";
export type { MessageLines } from "./library/message-rows.ts";
export type { DecideDuplex } from "./library/decide-duplex.ts";
export type { Decisions } from "./library/decide-stream.ts";
export { type SavedRobots, type SavedRobotsOptions, createSavedRobots } from "./library/loader.ts";
export type {
  AgentAnswer,
  AgentSummary,
  ByteInput,
  DecideOptions,
  DecideSummary,
  LoadedOrigin,
  OriginLoader,
  ParsedRecord,
  RecordAnswers,
  RecordDecision,
  RecordReject,
  UrlRecord,
} from "./library/types.ts";
export type { UndecidedBecause } from "./formats/types.ts";
export type { AskedRecords, MemberRecord, MemberValues, RecordMembers } from "./decide/record-members.ts";
export type { AskedText } from "./formats/asked-fields.ts";
export { EngineError, IoError, UsageError, type UsageErrorCode } from "./common/errors.ts";
export type { TargetProblem } from "./common/target.ts";
