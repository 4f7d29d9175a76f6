// Makes the texts of an audit's progress: how far it has read its logs, and at its end the counts.
import type { AuditDocument } from "@robots-stream/audit";
import { bytesText, countText, numberText } from "../../cli/figures.ts";
import { fittedLine, leftText, type Measured } from "../../cli/progress.ts";

/** How far the logs were read. */
export interface ReadSoFar {
  /** Lines, or records of an input that is not a log; rejects are among them. */
  readonly records: number;
  /** Bytes of the files before decompression. `totalBytes`: undefined if one of them is not a regular file. */
  readonly readBytes: number;
  readonly totalBytes: number | undefined;
  /** The number of the file that is being read, from 1, and the number of files. */
  readonly file: number;
  readonly files: number;
}

/** Makes the line. It is ASCII and has at most `columns - 1` characters. */
export function auditLineOf(view: ReadSoFar & Measured, columns: number): string {
  const { records, recordsPerSecond, readBytes, totalBytes, file, files } = view;
  const left = leftText({ ...view, earlierBytes: 0 });
  const size = totalBytes === undefined ? bytesText(readBytes) : `${bytesText(readBytes)} of ${bytesText(totalBytes)}`;
  const parts = [
    { text: countText(records, "line"), rank: 0 },
    { text: `${numberText(recordsPerSecond)}/s`, rank: 2 },
    ...(files === 1 ? [] : [{ text: `file ${numberText(file)} of ${numberText(files)}`, rank: 3 }]),
    { text: size, rank: 4 },
    ...(left === undefined ? [] : [{ text: left, rank: 1 }]),
  ];
  return fittedLine(parts, columns);
}

/** Returns the counts: "206 lines, 176 requests by 5 crawlers", "1 reject", "2 files". */
export function countsOf({ inputs, totals, crawlers }: AuditDocument): readonly string[] {
  const lines = inputs.reduce((sum, input) => sum + input.lines, 0);
  const rejects = inputs.flatMap((input) => Object.values(input.rejects)).reduce((sum, count) => sum + count, 0);
  const outside = inputs.reduce((sum, input) => sum + input.outside, 0);
  const requests = countText(totals.requests - totals.notACrawler, "request");
  return [
    `${countText(lines, "line")}, ${requests} by ${countText(crawlers.length, "crawler")}`,
    ...(rejects === 0 ? [] : [countText(rejects, "reject")]),
    ...(outside === 0 ? [] : [`${countText(outside, "line")} outside the time`]),
    countText(inputs.length, "file"),
  ];
}
