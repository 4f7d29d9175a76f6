// What is asked of every record, and what the rows about it are made with.
import type { MatcherCache } from "../origins/matcher-cache.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { RecordWriter } from "../formats/types.ts";
import type { Question, TargetForm } from "../questions.ts";
import type { Tally } from "../tally.ts";

/** What a decider needs. */
export interface DeciderOptions {
  /** Agent by agent, each with the same dialects. Grows where each record names its crawler. */
  readonly questions: readonly Question[];
  /** Questions about one record, where each names its crawler; otherwise all. */
  readonly questionsEach?: number | undefined;
  /** Only rows on which the dialects disagree. */
  readonly onlyDifferences: boolean;
  readonly targetForm: TargetForm;
  /**
   * Whether that is counted too which costs time: hits of rules in records that are left out, and records that the other form
   * of their target would decide otherwise.
   */
  readonly countsAll: boolean;
  readonly writer: RecordWriter;
  readonly tally: Tally;
  /** What decides, and is told what is made for an origin. */
  readonly matchers: Pick<MatcherCache, "answers" | "growTails" | "isEvictionDue" | "evict">;
  readonly origins: Pick<OriginTable, "currentOf">;
}
