// Makes the texts of a census's progress: how many origins were counted, and at its end the counts.
import { type CensusDocument, originsOf, rejectsOf, slicesOfGroup } from "@robots-stream/census";
import { countText, durationText, numberText } from "../../cli/figures.ts";
import { fittedLine, leftText, type Measured } from "../../cli/progress.ts";

/** How far the sources were read and counted. */
export interface CountedSoFar {
  /** Origins. */
  readonly records: number;
  /** The number of origins, and the milliseconds until it was known; undefined while the sources are read. */
  readonly all?: { readonly origins: number; readonly afterMs: number } | undefined;
}

/** Makes the line. It is ASCII and has at most `columns - 1` characters. */
export function censusLineOf(view: CountedSoFar & Measured, columns: number): string {
  const { records, all, recordsPerSecond, elapsedMs } = view;
  if (all === undefined) return fittedLine([{ text: `reading for ${durationText(elapsedMs)}`, rank: 0 }], columns);
  const counting = { readBytes: records, totalBytes: all.origins, earlierBytes: 0, elapsedMs: elapsedMs - all.afterMs };
  const left = leftText(counting);
  const parts = [
    { text: `${numberText(records)} of ${countText(all.origins, "origin")}`, rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    ...(left === undefined ? [] : [{ text: left, rank: 1 }]),
  ];
  return fittedLine(parts, columns);
}

/** Returns the counts: "450 origins", "1 reject", "2 sources". */
export function countsOf(document: CensusDocument): readonly string[] {
  const { parts } = document;
  const rejects = rejectsOf(document);
  const last = slicesOfGroup(document, null).at(-1);
  const sources = parts.flatMap(({ names }) => names).length;
  return [
    countText(last === undefined ? 0 : originsOf(last), "origin"),
    ...(rejects === 0 ? [] : [countText(rejects, "reject")]),
    countText(sources, "source"),
  ];
}
