// Selects the findings of the first file that the page shows: the same findings are listed, and underlined in the editor.
import type { Finding } from "@robots-stream/core/lint";
import { countText } from "./dom.ts";

/** Maximum number of findings that are listed and underlined. */
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
