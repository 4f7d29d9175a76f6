// Makes the text of a report, and writes it to a file. The text replaces the content of the file.
import { closeSync, ftruncateSync, writeSync } from "node:fs";
import { IoError } from "@robots-stream/engine";
import { printableJsonOf, shownWordOf, type UsedFiles } from "@robots-stream/engine/internal";
import { type WritableFile, openWritableFile } from "../../../cli/writable-file.ts";
import type { SummaryDocument } from "./document.ts";
import type { Report } from "./settings.ts";
import { summaryTextOf } from "./summary-text.ts";

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
  return `${printableJsonOf(JSON.stringify(document, undefined, report.form === "json" ? 2 : undefined))}\n`;
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
