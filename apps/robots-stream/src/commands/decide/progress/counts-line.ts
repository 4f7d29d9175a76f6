// Makes the line under a table of rows: the counts of the run, and its duration.
import type { Tally } from "@robots-stream/engine/internal";
import { countText, durationText, numberText } from "../../../cli/figures.ts";

/**
 * Returns "12 allowed, 4 disallowed, 1 undecided · 7 origins · 0.08 s". The counts of allowed, disallowed and undecided are counts of
 * decisions: one for each record, agent and dialect. `ms`: the duration of the run.
 */
export function countsLineOf(tally: Tally, ms: number): string {
  const { questions, noCrawler, rejects, notDecided, outside, rowsLeftOut, origins } = tally;
  const sum = (name: "allowed" | "disallowed" | "undecided"): number =>
    questions.reduce((all, question) => all + question[name], 0);
  const decisions = [
    `${numberText(sum("allowed"))} allowed`,
    `${numberText(sum("disallowed"))} disallowed`,
    `${numberText(sum("undecided"))} undecided`,
    ...(noCrawler === 0 ? [] : [`${numberText(noCrawler)} of no crawler`]),
  ];
  const parts = [
    decisions.join(", "),
    ...(rowsLeftOut === 0 ? [] : [`${countText(rowsLeftOut, "row")} left out`]),
    ...(rejects === 0 ? [] : [countText(rejects, "reject")]),
    ...(outside === 0 ? [] : [`${countText(outside, "record")} outside the time`]),
    ...(notDecided === 0 ? [] : [`${countText(notDecided, "record")} not decided`]),
    countText(origins, "origin"),
    ms < 9_995 ? `${(ms / 1_000).toFixed(2)} s` : durationText(ms),
  ];
  return parts.join(" · ");
}
