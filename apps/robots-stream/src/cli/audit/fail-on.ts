// Parses the condition of `--fail-on`, and checks whether a report meets it.
import { type AuditReport, mayBeAccused } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";

/** The counts that a condition can limit. */
export const conditionNames = ["violations", "verified-violations"] as const;

/** A condition. A report meets it if the count `name` is larger than `moreThan`. */
export interface Condition {
  readonly name: (typeof conditionNames)[number];
  readonly moreThan: number;
}

/** Parses the value of `--fail-on`: a name, ">" and a whole number. Throws a `UsageError` for other values. */
export function conditionOf(text: string): Condition {
  const [, word, digits] = /^([a-z-]+) ?> ?(\d{1,15})$/.exec(text) ?? [];
  const name = conditionNames.find((each) => each === word);
  if (name !== undefined) return { name, moreThan: Number(digits) };
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
