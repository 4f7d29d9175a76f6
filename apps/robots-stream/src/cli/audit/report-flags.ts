// Defines the flags of a report, which `audit` and `merge` share, and converts their values to settings.
import { csvTableNames, type AuditReport, mayBeAccused } from "@robots-stream/audit";
import { UsageError } from "@robots-stream/engine";
import { shownWordOf, type UsedFile } from "@robots-stream/engine/internal";
import { flag, type FlagValues, given } from "../flag.ts";
import { type Output, outputOf } from "../output-format.ts";
import {
  type Limit,
  limitFlag,
  refuseUseless,
  type ReportFormat,
  reportFormats,
  reportRows,
} from "../report-format.ts";
import { oneOf, rowOf } from "../values.ts";
import { readDocument } from "./read-document.ts";

const conditionNames = ["violations", "verified-violations"] as const;

/** A condition. A report meets it if the count is larger than the limit. */
type Condition = Limit<(typeof conditionNames)[number]>;

const splits = ["origin"] as const;

/** Every flag, in the order of the help. */
export const reportFlags = [
  ...reportRows(csvTableNames, "crossings", "the origin, or the number of origins"),
  flag({
    name: "timezone",
    value: "NAME",
    about: "The time zone of days and times in the report: Europe/Berlin.",
    otherwise: "UTC",
    read: timeZoneOf,
  }),
  flag({
    name: "compare",
    value: "AUDIT.json",
    file: { use: "reads" },
    about: "Show what changed since an earlier audit, written with --output json.",
    read: readDocument,
  }),
  flag({
    name: "split-by",
    value: "origin",
    choices: splits,
    about: "Write one report for each origin, and an index of all origins, into the folder that --output-file names.",
    read: oneOf(splits),
  }),
  limitFlag(
    conditionNames,
    `Exit with 1 if dated robots.txt files prove more than N of WHAT: ${conditionNames.join(", ")} (only by requests that audit --verify verified).`,
    "violations>0",
  ),
];

/** Returns the files among `named` that are files: with --split-by, the value of --output-file is a folder. */
export function filesOfReport(
  named: readonly UsedFile[],
  { isSplit }: Pick<ReportSettings, "isSplit">,
): readonly UsedFile[] {
  return isSplit ? named.filter(({ shown }) => !shown.startsWith("--output-file ")) : named;
}

/**
 * Converts the flags to settings, and reads the document of --compare. Throws a `UsageError` for the first invalid value, and for a flag
 * that has no effect in the output format.
 */
export function reportSettingsOf(values: FlagValues) {
  const flags = given(values, reportFlags);
  const isSplit = flags.get("split-by") !== undefined;
  const output = isSplit ? splitOutputOf(values) : outputOf(values, reportFormats);
  refuseUseless(output.format, flags.first("title", "timezone", "compare"), flags.first("table", "csv-safe"));
  return {
    output,
    table: flags.get("table"),
    csvSafe: flags.get("csv-safe"),
    title: flags.get("title"),
    timeZone: flags.get("timezone"),
    failOn: flags.get("fail-on"),
    /** An earlier audit to compare with. */
    previous: flags.get("compare"),
    /** Whether each origin gets its own report in the folder that --output-file names. */
    isSplit,
  };
}

/** Settings of a report. */
export type ReportSettings = Readonly<ReturnType<typeof reportSettingsOf>>;

/** Returns the output for `--split-by`: the folder, and the format of the reports, which is HTML unless `--output text` is given. */
function splitOutputOf(values: FlagValues): Output<ReportFormat> {
  const flags = given(values, reportFlags);
  const path = flags.get("output-file");
  const format = rowOf("output", flags.get("output") ?? "html", reportFormats);
  refuseUseless(format, "split-by", undefined);
  if (path === undefined || path === "") {
    const hint = "for example: --split-by origin --output-file reports";
    throw new UsageError("wrong-value", "--split-by needs --output-file, the folder for the reports", hint);
  }
  return { format, path };
}

function timeZoneOf(text: string): string {
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

/**
 * Whether a report meets a condition. Counts only violations that are proven by dated robots.txt files, and only for crawlers that may be
 * accused (see `mayBeAccused`). For "verified-violations", the clients must also be verified.
 */
export function isMet({ name, moreThan }: Condition, { crawlerRows }: AuditReport): boolean {
  const counted = crawlerRows.filter(
    ({ verification, crawler }) =>
      mayBeAccused(crawler, verification) && (name === "violations" || verification === "verified"),
  );
  return counted.reduce((sum, { proven }) => sum + proven.violations, 0) > moreThan;
}
