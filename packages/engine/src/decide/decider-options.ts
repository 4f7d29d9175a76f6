// The settings and objects that the decider needs to build rows, and the kinds of rows that `only` selects.
import type { MatcherCache } from "../origins/matcher-cache.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { RecordWriter, RowForm } from "../formats/types.ts";
import type { Question, TargetForm } from "../questions/questions.ts";
import type { Tally } from "../origins/tally.ts";
import type { RecordMembers } from "./record-members.ts";

/** A kind of row that can be chosen. */
export type RowChoice = "allowed" | "disallowed" | "undecided" | "crawlers";

/** The kinds of rows, in the order of the help. */
export const rowChoices: readonly { readonly name: RowChoice; readonly about: string }[] = [
  { name: "allowed", about: "the crawler may fetch the URL" },
  { name: "disallowed", about: "the crawler may not fetch the URL" },
  { name: "undecided", about: "no robots.txt applies to the URL" },
  {
    name: "crawlers",
    about: "allowed, disallowed and undecided rows of requests that a crawler made",
  },
];

/**
 * For each kind of answer, whether rows with such an answer are written. Rows of records that no crawler made are written only without
 * `only`.
 */
export interface ChosenRows {
  readonly allowed: boolean;
  readonly disallowed: boolean;
  readonly undecided: boolean;
}

/** The kinds of rows that `only` selects: every kind that at least one of its names includes. */
export function chosenRowsOf(only: readonly RowChoice[]): ChosenRows {
  const isChosen = (name: RowChoice): boolean => only.includes(name) || only.includes("crawlers");
  return { allowed: isChosen("allowed"), disallowed: isChosen("disallowed"), undecided: isChosen("undecided") };
}

export interface DeciderOptions {
  /**
   * Grouped by agent: the questions about one agent are adjacent. Every agent has the same dialects. With `agentField`, questions are added
   * during the run.
   */
  readonly questions: readonly Question[];
  /** With `agentField`: the number of questions about one record. Undefined: every question applies to every record. */
  readonly questionsEach?: number | undefined;
  /**
   * The form of rows: "agent" (default) makes a row for each question, "record" a single row. "record" excludes `agentField`,
   * `onlyDifferences`, `only` and several dialects.
   */
  readonly rows?: RowForm | undefined;
  /** Output only rows on which the dialects disagree. */
  readonly onlyDifferences: boolean;
  /** Output only rows of these kinds; undefined: all. */
  readonly only?: readonly RowChoice[] | undefined;
  /**
   * The sources of members that differ from record to record; undefined: none. With sources, the requested fields follow each head, see
   * `FieldCarrier`. The input must have the fields of the sources, and the writer the names of their members.
   */
  readonly members?: readonly RecordMembers[] | undefined;
  readonly targetForm: TargetForm;
  /**
   * Whether to collect the counts that cost time: rule hits of records without a row, and records whose other target form (raw or
   * normalized) would be decided differently.
   */
  readonly countsAll: boolean;
  readonly writer: RecordWriter;
  /**
   * For answers as objects (`HeadAnswer`), which take the place of rows: whether they have the dialect. The first four bytes of a head are
   * then its number.
   */
  readonly objects?: { readonly hasDialect: boolean } | undefined;
  readonly tally: Tally;
  /** Builds matchers and counts the memory that an origin's row tails add. */
  readonly matchers: Pick<MatcherCache, "answers" | "growTails" | "isEvictionDue" | "evict" | "robotsOf" | "versionOf">;
  readonly origins: Pick<OriginTable, "currentOf">;
}
