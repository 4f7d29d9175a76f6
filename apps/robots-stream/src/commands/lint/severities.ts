// Defines the order of the severities of findings, and converts counts of findings by severity to text.
import type { FindingSeverity } from "@robots-stream/core/lint";

/** The severities, lowest first. */
export const lintSeverities: readonly FindingSeverity[] = ["info", "warning", "error"];

/** Whether a severity is equal to or higher than `least`. */
export function isAtLeast(severity: FindingSeverity, least: FindingSeverity): boolean {
  return lintSeverities.indexOf(severity) >= lintSeverities.indexOf(least);
}

/** Returns the counts of findings as text: "2 errors, 1 warning, 3 infos". */
export function countsInWords(counts: Readonly<Record<FindingSeverity, number>>): string {
  const words = lintSeverities
    .toReversed()
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}${counts[severity] === 1 ? "" : "s"}`);
  return words.length === 0 ? "nothing found" : words.join(", ");
}
