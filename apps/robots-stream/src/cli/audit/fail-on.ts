// Parses the condition of `--fail-on`, and checks whether a report meets it.
import { type AuditReport, mayBeAccused } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { type Limit, limitIn } from "../limit.ts";

/** The counts that a condition can limit. */
export const conditionNames = ["violations", "verified-violations"] as const;

/** A condition. A report meets it if the count is larger than the limit. */
export type Condition = Limit<(typeof conditionNames)[number]>;

/** Parses the value of `--fail-on`: a name, ">" and a whole number. Throws a `UsageError` for other values. */
export function conditionOf(text: string): Condition {
  const limit = limitIn(text, conditionNames);
  if (limit !== undefined) return limit;
  throw new UsageError(
    "wrong-value",
    `--fail-on ${shownWordOf(text, 60)}: must be ${conditionNames.map((each) => `${each}>N`).join(" or ")}`,
    `for example: --fail-on "violations>0", with quotes, because the shell interprets >`,
  );
}

/**
 * Whether a report meets a condition. Counts only violations that are proven by dated robots.txt files, and only for crawlers that may be
 * accused (see `mayBeAccused`). For "verified-violations", the clients must also be verified.
 */
export function isMet({ name, moreThan }: Condition, { crawlerRows }: AuditReport): boolean {
  const counted = crawlerRows.filter(
    ({ verification, crawler }) =>
      mayBeAccused(crawler, verification) && (name === "violations" || verification === "verified"),
  );
  return counted.reduce((sum, { proven }) => sum + proven.violations, 0) > moreThan;
}
