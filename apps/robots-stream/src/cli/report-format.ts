// Defines the output formats of reports, and what the flags of all reports have in common.
import { UsageError } from "@robots-stream/engine";
import { flag } from "./flag.ts";

/** A format of a report. */
export interface ReportFormat {
  readonly name: "text" | "html" | "json" | "csv";
}

/** The output formats; the first is the default. */
export const reportFormats: readonly [ReportFormat, ...ReportFormat[]] = [
  { name: "text" },
  { name: "html" },
  { name: "json" },
  { name: "csv" },
];

export const csvSafeFlag = flag({
  name: "csv-safe",
  about: "Put ' before CSV fields that a spreadsheet would run as a formula.",
});

/**
 * Throws a `UsageError` for a flag without effect in the output format: `ofText` is a given flag of reports for people, `ofTable` one of CSV
 * tables; undefined if none is given.
 */
export function refuseUseless(format: ReportFormat, ofText: string | undefined, ofTable: string | undefined): void {
  const { name } = format;
  if (ofText !== undefined && name !== "text" && name !== "html") throw needs(ofText, "text or html", format);
  if (ofTable !== undefined && name !== "csv") throw needs(ofTable, "csv", format);
}

function needs(flagName: string, formats: string, { name }: ReportFormat): UsageError {
  return new UsageError("wrong-value", `--${flagName} needs --output ${formats}, not ${name}`);
}
