// Selects the findings of a file that the page shows: they are underlined in the file's editor, and those of the first file are listed.
import type { Finding } from "@robots-stream/core/lint";
import { countText } from "./dom.ts";

/** Maximum number of findings of a file that are shown. */
const mostShown = 500;

/** The first findings, and a sentence about the findings that are not shown; undefined if all are shown. */
export interface ShownFindings {
  readonly shown: readonly Finding[];
  readonly leftOut: string | undefined;
}

/** Selects the first findings in their order. */
export function shownFindingsOf(findings: readonly Finding[]): ShownFindings {
  const left = findings.length - mostShown;
  if (left <= 0) return { shown: findings, leftOut: undefined };
  const leftOut = `${countText(left, "more finding")} ${left === 1 ? "is" : "are"} not shown.`;
  return { shown: findings.slice(0, mostShown), leftOut };
}
