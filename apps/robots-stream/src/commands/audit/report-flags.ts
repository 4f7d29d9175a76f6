// The flags of a report that `audit` and `merge` share, read into settings. Mistakes are thrown as UsageErrors.
import { type CsvTableName, csvTableNames } from "@robots-stream/audit";
import { shownWordOf, UsageError } from "@robots-stream/engine/internal";
import { choiceOf, type FlagShape, type FlagValues, lastOf } from "../../shell/command-line.ts";
import { type Output, type OutputFlagName, outputFlags, outputOf } from "../../shell/output-format.ts";
import { type Condition, conditionNames, conditionOf } from "./fail-on.ts";

/** The output formats of a report, the default first. */
const reportFormats: readonly [ReportFormat, ...ReportFormat[]] = [
  { name: "text" },
  { name: "html" },
  { name: "json" },
  { name: "csv" },
];

/** An output format of a report. */
interface ReportFormat {
  readonly name: "text" | "html" | "json" | "csv";
}

/** The names of these flags. */
export type ReportFlagName = OutputFlagName | "table" | "csv-safe" | "title" | "timezone" | "fail-on";

/** Every flag, in the order of the help. */
export const reportFlags: readonly FlagShape<ReportFlagName>[] = [
  ...outputFlags(reportFormats),
  {
    name: "table",
    value: "NAME",
    choices: csvTableNames,
    about: `The table of --output csv: ${csvTableNames.join(", ")}.`,
    otherwise: "crossings",
  },
  { name: "csv-safe", about: "Put ' before a CSV field that a spreadsheet would run as a formula." },
  { name: "title", value: "TEXT", about: "The report's title.", otherwise: "the origin, or how many there are" },
  {
    name: "timezone",
    value: "NAME",
    about: "The time zone of days and times in the report: Europe/Berlin.",
    otherwise: "UTC",
  },
  {
    name: "fail-on",
    value: "WHAT>N",
    choices: conditionNames.map((name) => `${name}>0`),
    about: `Exit with 1 when dated robots.txt files prove more than N: ${conditionNames.join(", ")} (of crawlers whose address was verified).`,
  },
];

/** How a document is reported. */
export interface ReportSettings {
  readonly output: Output<ReportFormat>;
  readonly table: CsvTableName;
  readonly csvSafe: boolean;
  readonly title: string | undefined;
  readonly timeZone: string | undefined;
  readonly failOn: Condition | undefined;
}

/** Reads the flags. Throws a `UsageError` for the first invalid value, and for a flag that the format has no use for. */
export function reportSettingsOf(values: FlagValues<ReportFlagName>): ReportSettings {
  const output = outputOf(values, reportFormats);
  const { name } = output.format;
  const isText = name === "text" || name === "html";
  for (const flag of ["title", "timezone"] as const) if (values.has(flag) && !isText) throw uselessIn(name, flag);
  for (const flag of ["table", "csv-safe"] as const)
    if (values.has(flag) && name !== "csv") throw uselessIn(name, flag);
  return {
    output,
    table: choiceOfTable(lastOf(values, "table")),
    csvSafe: values.has("csv-safe"),
    title: lastOf(values, "title"),
    timeZone: timeZoneOf(lastOf(values, "timezone")),
    failOn: conditionOf(lastOf(values, "fail-on")),
  };
}

function uselessIn(format: string, flag: string): UsageError {
  const where = flag === "table" || flag === "csv-safe" ? "--output csv" : "--output text or html";
  return new UsageError("wrong-value", `--${flag} needs ${where}, not ${format}`);
}

function choiceOfTable(text: string | undefined): CsvTableName {
  if (text === undefined) return "crossings";
  // The names have capitals, and a user need not know where.
  const lower = csvTableNames.map((name) => name.toLowerCase());
  return csvTableNames[lower.indexOf(choiceOf("table", text, lower))]!;
}

function timeZoneOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new UsageError(
      "wrong-value",
      `--timezone ${shownWordOf(text, 60)}: no time zone has this name`,
      "for example: --timezone Europe/Berlin",
    );
  }
}
