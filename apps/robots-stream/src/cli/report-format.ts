// Defines what the flags of all reports have in common: the output formats, and the conditions of `--fail-on` that limit a count.
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

/** A condition: the count `name` is larger than `moreThan`. */
export interface Limit<Name extends string> {
  readonly name: Name;
  readonly moreThan: number;
}

/** Parses a name, ">" and a whole number; undefined for other texts and for names that are not among `names`. */
export function limitIn<Name extends string>(text: string, names: readonly Name[]): Limit<Name> | undefined {
  const [, word, digits] = /^([a-z-]+) ?> ?(\d{1,15})$/.exec(text) ?? [];
  const name = names.find((each) => each === word);
  return name === undefined ? undefined : { name, moreThan: Number(digits) };
}
