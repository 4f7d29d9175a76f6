// A report's place in, its text in that place out: stderr, or a file that is replaced as a whole.
import { closeSync, ftruncateSync, writeSync } from "node:fs";
import { IoError, printableJsonOf, shownWordOf, type UsedFiles } from "@robots-stream/engine/internal";
import { type WritableFile, openWritableFile } from "../../../shell/writable-file.ts";
import type { SummaryDocument } from "./document.ts";
import type { Report } from "./settings.ts";
import { summaryTextOf } from "./summary-text.ts";

/** How often, and how long each time, a report waits for the reader of a full pipe. */
const mostWaits = 200;
const waitMs = 10;

/** A report that is to be written. */
export interface OpenReport extends Report {
  /** Undefined: stderr. */
  readonly fd: number | undefined;
  readonly kind: WritableFile["kind"] | undefined;
  readonly undo?: WritableFile["undo"];
}

/** Opens the places of reports. Throws a `UsageError` when one cannot be written, or is used otherwise. */
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

/** The text of a report. `strong` marks the headings of one for people. */
export function reportTextOf(report: Report, document: SummaryDocument, strong: (text: string) => string): string {
  if (report.form === "text") return summaryTextOf(document, strong);
  return `${printableJsonOf(JSON.stringify(document, undefined, report.form === "json" ? 2 : undefined))}\n`;
}

/** Writes a report in its file. Throws an `IoError` when that fails. */
export function writeReport({ fd, kind, flag, path }: OpenReport, text: string): void {
  if (fd === undefined) return;
  try {
    if (kind === "file") ftruncateSync(fd);
    writeAll(fd, Buffer.from(text));
  } catch (error) {
    throw new IoError("report", `--${flag} ${shownWordOf(path ?? "")}`, error);
  }
}

/** A pipe may be full until its reader comes to it. */
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

/** Closes what is open. Where no report was written, a file that was made for it goes. */
export function closeReports(reports: readonly OpenReport[]): void {
  for (const { fd, undo } of reports) {
    if (fd === undefined) continue;
    undo?.();
    closeSync(fd);
  }
}
