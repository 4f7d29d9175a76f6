// Defines the flags of a report, which `audit` and `merge` share, and converts their values to settings.
import { type AuditDocument, type CsvTableName, csvTableNames } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFile } from "@robots-stream/engine/internal";
import { choiceOf, type FlagShape, type FlagValues, lastOf } from "../command-line.ts";
import { filesOfFlags } from "../named-files.ts";
import { type Output, type OutputFlagName, outputFlags, outputOf } from "../output-format.ts";
import { type Condition, conditionNames, conditionOf } from "./fail-on.ts";
import { readDocument } from "./read-document.ts";

/** The output formats of a report; the first is the default. */
const reportFormats: readonly [ReportFormat, ...ReportFormat[]] = [
  { name: "text" },
  { name: "html" },
  { name: "json" },
  { name: "csv" },
];

interface ReportFormat {
  readonly name: "text" | "html" | "json" | "csv";
}

export type ReportFlagName =
  | OutputFlagName
  | "table"
  | "csv-safe"
  | "title"
  | "timezone"
  | "compare"
  | "split-by"
  | "fail-on";

/** The values of `--split-by`. */
const splits = ["origin"] as const;

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
  { name: "csv-safe", about: "Put ' before CSV fields that a spreadsheet would run as a formula." },
  { name: "title", value: "TEXT", about: "Title of the report.", otherwise: "the origin, or the number of origins" },
  {
    name: "timezone",
    value: "NAME",
    about: "The time zone of days and times in the report: Europe/Berlin.",
    otherwise: "UTC",
  },
  {
    name: "compare",
    value: "AUDIT.json",
    file: { use: "reads" },
    about: "Show what changed since an earlier audit, written with --output json.",
  },
  {
    name: "split-by",
    value: "origin",
    choices: splits,
    about: "Write one report for each origin, and an index of all origins, into the folder that --output-file names.",
  },
  {
    name: "fail-on",
    value: "WHAT>N",
    choices: conditionNames.map((name) => `${name}>0`),
    about: `Exit with 1 if dated robots.txt files prove more than N of WHAT: ${conditionNames.join(", ")} (only by requests that audit --verify verified).`,
  },
];

/** Settings of a report. */
export interface ReportSettings {
  readonly output: Output<ReportFormat>;
  readonly table: CsvTableName;
  readonly csvSafe: boolean;
  readonly title: string | undefined;
  readonly timeZone: string | undefined;
  readonly failOn: Condition | undefined;
  /** An earlier audit to compare with. */
  readonly previous: AuditDocument | undefined;
  /** Whether each origin gets its own report in the folder that --output-file names. */
  readonly isSplit: boolean;
}

/** Returns the files that flags name. With --split-by, leaves out the value of --output-file, which is then a folder. */
export function filesOfReport<Name extends string>(
  table: readonly FlagShape<Name>[],
  values: FlagValues<Name | ReportFlagName>,
): readonly UsedFile[] {
  const files = filesOfFlags(table, values);
  return values.has("split-by") ? files.filter(({ shown }) => !shown.startsWith("--output-file ")) : files;
}

/**
 * Converts the flags to settings, and reads the document of --compare. Throws a `UsageError` for the first invalid value, and for a flag
 * that has no effect in the output format.
 */
export function reportSettingsOf(values: FlagValues<ReportFlagName>): ReportSettings {
  const isSplit = values.has("split-by");
  const output = isSplit ? splitOutputOf(values) : outputOf(values, reportFormats);
  const { name } = output.format;
  const isText = name === "text" || name === "html";
  const comparePath = lastOf(values, "compare");
  for (const flag of ["title", "timezone", "compare"] as const)
    if (values.has(flag) && !isText) throw uselessIn(name, flag);
  for (const flag of ["table", "csv-safe"] as const)
    if (values.has(flag) && name !== "csv") throw uselessIn(name, flag);
  return {
    output,
    table: choiceOfTable(lastOf(values, "table")),
    csvSafe: values.has("csv-safe"),
    title: lastOf(values, "title"),
    timeZone: timeZoneOf(lastOf(values, "timezone")),
    failOn: conditionOf(lastOf(values, "fail-on")),
    previous: comparePath === undefined ? undefined : readDocument(comparePath, "compare"),
    isSplit,
  };
}

/** Returns the output for `--split-by`: the folder, and the format of the reports, which is HTML unless `--output text` is given. */
function splitOutputOf(values: FlagValues<ReportFlagName>): Output<ReportFormat> {
  choiceOf("split-by", lastOf(values, "split-by")!, splits);
  const path = lastOf(values, "output-file");
  const name = choiceOf(
    "output",
    lastOf(values, "output") ?? "html",
    reportFormats.map((format) => format.name),
  );
  const format = reportFormats.find((each) => each.name === name)!;
  if (name !== "text" && name !== "html") throw uselessIn(name, "split-by");
  if (path === undefined || path === "") {
    const hint = "for example: --split-by origin --output-file reports";
    throw new UsageError("wrong-value", "--split-by needs --output-file, the folder for the reports", hint);
  }
  return { format, path };
}

function uselessIn(format: string, flag: string): UsageError {
  const where = flag === "table" || flag === "csv-safe" ? "--output csv" : "--output text or html";
  return new UsageError("wrong-value", `--${flag} needs ${where}, not ${format}`);
}

function choiceOfTable(text: string | undefined): CsvTableName {
  return text === undefined ? "crossings" : choiceOf("table", text, csvTableNames);
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
