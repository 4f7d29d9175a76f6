// What is asked of every record, and what the rows about it are made with.
import type { OriginTable } from "../origins/origins.ts";
import type { RecordWriter } from "../formats/types.ts";
import type { Question, TargetForm } from "../questions.ts";
import type { Tally } from "../tally.ts";

/** What a decider needs. */
export interface DeciderOptions {
  /** Agent by agent, each with the same dialects. */
  readonly questions: readonly Question[];
  /** Only rows on which the dialects disagree. */
  readonly onlyDifferences: boolean;
  readonly targetForm: TargetForm;
  /**
   * Whether that is counted too which costs time: hits of rules in records that are left out, and records that the other form
   * of their target would decide otherwise.
   */
  readonly countsAll: boolean;
  /** Whether each record says whom it is about; then `questions` grows. */
  readonly asksByRecord?: boolean;
  readonly writer: RecordWriter;
  readonly tally: Tally;
  /** What decides, and is told what is made for an origin. */
  readonly origins: Pick<OriginTable, "answers" | "growTails" | "isTrimDue" | "trim" | "currentOf">;
}
