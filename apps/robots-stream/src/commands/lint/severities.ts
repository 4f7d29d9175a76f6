// Severities of findings: their order, and the sentence that counts them.
import type { FindingSeverity } from "@robots-stream/core/lint";

/** The lowest first. */
export const lintSeverities: readonly FindingSeverity[] = ["info", "warning", "error"];

/** Whether a severity is another one or a higher one. */
export function isAtLeast(severity: FindingSeverity, least: FindingSeverity): boolean {
  return lintSeverities.indexOf(severity) >= lintSeverities.indexOf(least);
}

/** How many there are of each severity: "2 errors, 1 warning, 3 infos". */
export function countsInWords(counts: Readonly<Record<FindingSeverity, number>>): string {
  const words = lintSeverities
    .toReversed()
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}${counts[severity] === 1 ? "" : "s"}`);
  return words.length === 0 ? "nothing found" : words.join(", ");
}
