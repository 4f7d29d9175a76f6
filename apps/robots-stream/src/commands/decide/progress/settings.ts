// Converts the flags about messages, progress and reports to settings.
import { UsageError } from "@robots-stream/engine";
import { type FlagValues, given } from "../../../cli/flag.ts";
import { runFlags } from "../run-flags.ts";

/** The form of a report: text for people, an indented JSON document, or one line of JSON. */
type ReportForm = "text" | "json" | "json-line";

/** A report that is written at the end of a run. */
export interface Report {
  readonly flag: "summary" | "stats-json";
  /** The file to write to; undefined: stderr. */
  readonly path: string | undefined;
  readonly form: ReportForm;
}

export interface SeenSettings {
  readonly reports: readonly Report[];
  /** Whether only errors and requested reports are written. */
  readonly isQuiet: boolean;
  /** Whether the messages of `--verbose` are written, such as one for each loaded robots.txt. */
  readonly isVerbose: boolean;
  /** Whether the flags allow a progress line. */
  readonly hasProgress: boolean;
}

/** Converts the flags to settings. Throws a `UsageError` for flags that cannot be combined. */
export function seenSettingsOf(values: FlagValues): SeenSettings {
  const flags = given(values, runFlags);
  const [isQuiet, isVerbose] = [flags.get("quiet"), flags.get("verbose")];
  if (isQuiet && isVerbose) throw new UsageError("wrong-value", "--quiet and --verbose cannot be combined");
  const reports: Report[] = [];
  for (const flag of ["summary", "stats-json"] as const) {
    const text = flags.get(flag);
    if (text === undefined) continue;
    const path = text === "" ? undefined : text;
    const isJson = /\.json$/i.test(text);
    reports.push({ flag, path, form: flag === "stats-json" ? "json-line" : isJson ? "json" : "text" });
  }
  return { reports, isQuiet, isVerbose, hasProgress: !flags.get("no-progress") && !isQuiet };
}
