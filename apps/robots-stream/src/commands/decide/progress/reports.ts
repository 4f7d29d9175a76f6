// The reports at the end of a run: makes their texts from the summary document, and writes them to files.
import { closeSync, ftruncateSync, writeSync } from "node:fs";
import { IoError } from "@robots-stream/engine";
import { visibleJsonOf } from "@robots-stream/core/internal";
import { printableOf, shownWordOf, type UsedFiles } from "@robots-stream/engine/internal";
import { robotsUrlOf } from "@robots-stream/url";
import { bytesText, countText, durationText, numberText } from "../../../cli/figures.ts";
import { type WritableFile, openWritableFile } from "../../../cli/writable-file.ts";
import type { Report } from "../run-flags.ts";
import type { Times } from "./collect.ts";
import type { FetchCounts, SummaryDocument } from "./document.ts";

/** Maximum number of waits for a full pipe, and milliseconds of each wait. */
const mostWaits = 200;
const waitMs = 10;

/** A report and its open file. */
export interface OpenReport extends Report {
  /** The descriptor of the file; undefined: stderr. */
  readonly fd: number | undefined;
  readonly kind: WritableFile["kind"] | undefined;
  readonly undo?: WritableFile["undo"];
}

/** Opens the files of reports. Throws a `UsageError` when a file cannot be written or has another use in this run. */
export function openReports(reports: readonly Report[], used: UsedFiles): readonly OpenReport[] {
  const opened: OpenReport[] = [];
  try {
    for (const report of reports) {
      const { flag, path } = report;
      if (path === undefined) opened.push({ ...report, fd: undefined, kind: undefined });
      else opened.push({ ...report, ...openWritableFile({ flag, path, used }) });
    }
    return opened;
  } catch (error) {
    closeReports(opened);
    throw error;
  }
}

/** Makes the text of a report from the summary document. `strong` formats the headings of a report for people. */
export function reportTextOf(report: Report, document: SummaryDocument, strong: (text: string) => string): string {
  if (report.form === "text") return summaryTextOf(document, strong);
  return `${visibleJsonOf(JSON.stringify(document, undefined, report.form === "json" ? 2 : undefined))}\n`;
}

/** Writes a report to its file. Does nothing for a report to stderr. Throws an `IoError` when the write fails. */
export function writeReport({ fd, kind, flag, path }: OpenReport, text: string): void {
  if (fd === undefined) return;
  try {
    if (kind === "file") ftruncateSync(fd);
    writeAll(fd, Buffer.from(text));
  } catch (error) {
    throw new IoError("report", `--${flag} ${shownWordOf(path ?? "")}`, error);
  }
}

/** Writes all bytes. Waits and retries while a pipe is full, at most `mostWaits` times, and blocks the thread during the wait. */
function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0, waits = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN" || ++waits > mostWaits) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
}

/** Closes the files of reports. Removes a file that `openReports` created and that is still empty. */
export function closeReports(reports: readonly OpenReport[]): void {
  for (const { fd, undo } of reports) {
    if (fd === undefined) continue;
    undo?.();
    closeSync(fd);
  }
}

/** Maximum number of rows in each list of the text. */
const topLength = 10;

/** Makes the text. Control characters in names are escaped. `strong` formats a heading, or returns it unchanged. */
export function summaryTextOf(document: SummaryDocument, strong: (text: string) => string): string {
  const { records, agents, fetches, targetForm } = document;
  const lines = countLines(document);
  const hasDialects = new Set(agents.map(({ dialect }) => dialect)).size > 1;
  const recordsOf = ({ allowed, disallowed, undecided }: (typeof agents)[number]): number =>
    allowed + disallowed + undecided;
  // With --agent-field, the crawlers are sorted by their numbers of records. With --agent, these numbers are equal, so the sort keeps the
  // order of the flags.
  const sorted = agents.toSorted((one, other) => recordsOf(other) - recordsOf(one));
  for (const { agent, dialect, known, allowed, disallowed, undecided, because } of sorted) {
    if (known === false) continue;
    const who = printableOf(hasDialects ? `${agent} (${dialect})` : agent);
    lines.push(`agent ${who}: ${allowed} allowed, ${disallowed} disallowed, ${undecided} undecided`);
    const grounds = Object.entries(because).map(([ground, count]) => `${ground} ${count}`);
    if (grounds.length > 0) lines.push(`  ${grounds.join(", ")}`);
  }
  const { otherForm } = records;
  const otherwise = `--target ${targetForm === "raw" ? "normalized" : "raw"}`;
  lines.push(`target: ${otherForm} record${otherForm === 1 ? " is" : "s are"} decided differently with ${otherwise}`);
  const list = (title: string, rows: readonly CountedRow[]): void => {
    if (rows.length > 0) lines.push(strong(title), ...withCounts(rows).map((row) => `  ${row}`));
  };
  list(
    "unknown crawlers with the most records",
    document.unknownCrawlers.slice(0, topLength).map(({ agent, records: count, allowed, disallowed }) => ({
      count,
      text: `${printableOf(agent)}: ${allowed} allowed, ${disallowed} disallowed`,
    })),
  );
  list(
    "origins with the most records",
    document.topOrigins
      .slice(0, topLength)
      .map(({ origin, records: count, atMost }) => ({ count, atMost, text: printableOf(origin) })),
  );
  list(
    "rules that decided the most records",
    document.topRules.slice(0, topLength).map(({ origin, file, line, rule, hits: count, atMost }) => ({
      count,
      atMost,
      // A saved file may apply to several origins, so the row of a saved file also names the origin.
      text: `${printableOf(file)}:${line}  ${printableOf(rule, 100)}${file === robotsUrlOf(origin) ? "" : ` (${printableOf(origin)})`}`,
    })),
  );
  list(
    "fetches by outcome",
    fetches.byCode.map((each) => ({ count: each.count, text: `${printableOf(each.code)}${fetchText(each)}` })),
  );
  if (records.earlier > 0) {
    const first = records.earlier === 1 ? "the first record" : `the first ${countText(records.earlier, "record")}`;
    lines.push(`grounds, lists and fetches do not include ${first}`);
  }
  lines.push(runLine(document));
  return `${lines.join("\n")}\n`;
}

/** Makes the first lines of the text. Each has a name and a count. */
function countLines({ records, rowsLeftOut, origins, fetches }: SummaryDocument): string[] {
  const some = (what: string, count: number): [string, number][] => (count === 0 ? [] : [[what, count]]);
  const counts: [string, number][] = [
    ["records", records.read],
    ["decided", records.decided],
    // Decided records without a row because of --only-differences.
    ...some("  alike", records.alike),
    ...some("  no crawler", records.noCrawler),
    ...some("  no agent field", records.withoutAgentField),
    ...some("  too many names", records.furtherCrawlers),
    ["rejects", records.rejects],
    ...some("rows left out", rowsLeftOut),
    ...some("not decided", records.notDecided),
    ...some("in other shards", records.elsewhere),
    ...some("outside the time", records.outside),
    ...some("  without a time", records.timeless),
    ...some("without a zone", records.zoneless),
    [origins.isUpperBound === true ? "origins, at most" : "origins", origins.known],
    ["  unavailable", origins.unavailable],
    ["  unreachable", origins.unreachable],
    // Origins with a redirect from https to http. An attacker on the network can change a response over http.
    ...some("  downgraded", origins.downgraded),
    ...Object.entries(origins.formatsInstead).map(([format, count]): [string, number] => [
      `  ${format} instead`,
      count,
    ]),
    ["fetches", origins.fetched],
  ];
  const nameWidth = Math.max(13, ...counts.map(([what]) => what.length));
  const width = Math.max(...counts.map(([, count]) => String(count).length));
  const lines = counts.map(([what, count]) => `${what.padEnd(nameWidth)} ${String(count).padStart(width)}`);
  if (fetches.count > 0) lines[lines.length - 1] += fetchText(fetches);
  return lines;
}

interface CountedRow {
  readonly count: number;
  readonly atMost?: number | undefined;
  readonly text: string;
}

/** Makes one line of each row: the count, right-aligned, and the text. A row with `atMost` shows the range from `count` to `atMost`. */
function withCounts(rows: readonly CountedRow[]): readonly string[] {
  const shown = rows.map(({ count, atMost }) => (atMost === undefined ? String(count) : `${count}–${atMost}`));
  const width = Math.max(...shown.map(({ length }) => length));
  return rows.map(({ text }, index) => `${shown[index]!.padStart(width)}  ${text}`);
}

function fetchText({ bytes, ms }: FetchCounts): string {
  return `${bytes === 0 ? "" : `, ${bytesText(bytes)}`}${ms === null ? "" : `, ${timesText(ms)}`}`;
}

function timesText({ min, median, p95, max }: Times): string {
  const [least, middle, most] = [min, median, p95].map((ms) => durationText(ms)) as [string, string, string];
  return `${least} to ${durationText(max)} (median ${middle}, 95 % within ${most})`;
}

function runLine({ seconds, cpuSeconds, recordsPerSecond, peakMemoryBytes, inputBytes }: SummaryDocument): string {
  const parts = [
    `${durationText(seconds * 1_000)} (CPU ${durationText(cpuSeconds * 1_000)})`,
    `${numberText(recordsPerSecond)} records/s`,
    `${bytesText(inputBytes)} read`,
    `at most ${bytesText(peakMemoryBytes)} of memory`,
  ];
  return `took ${parts.join(", ")}`;
}
