// Defines what the flags of all reports have in common: the output formats, their rows, and the conditions of `--fail-on`.
import { UsageError } from "@robots-stream/engine";
import { shownWordOf } from "@robots-stream/engine/internal";
import { flag } from "./flag.ts";
import { outputFlags } from "./output-format.ts";
import { oneOf } from "./values.ts";

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

/** The first rows of every report. `tables`: the names of its CSV tables, of which `usual` is the default; `title`: its usual title. */
export function reportRows<const Table extends string>(tables: readonly Table[], usual: NoInfer<Table>, title: string) {
  return [
    ...outputFlags(reportFormats),
    flag({
      name: "table",
      value: "NAME",
      choices: tables,
      about: `The table of --output csv: ${tables.join(", ")}.`,
      otherwise: usual,
      read: oneOf(tables),
      usual,
    }),
    flag({ name: "csv-safe", about: "Put ' before CSV fields that a spreadsheet would run as a formula." }),
    flag({ name: "title", value: "TEXT", about: "Title of the report.", otherwise: title }),
  ];
}

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

/** The row of `--fail-on` for these counts. `example`: a condition, which a shell needs in quotes. */
export function limitFlag<const Name extends string>(names: readonly Name[], about: string, example: string) {
  return flag({
    name: "fail-on",
    value: "WHAT>N",
    choices: names.map((name) => `${name}>0`),
    about,
    read(text): Limit<Name> {
      const [, word, digits] = /^([a-z-]+) ?> ?(\d{1,15})$/.exec(text) ?? [];
      const name = names.find((each) => each === word);
      if (name !== undefined) return { name, moreThan: Number(digits) };
      const forms = names.map((each) => `${each}>N`);
      throw new UsageError(
        "wrong-value",
        `--fail-on ${shownWordOf(text, 60)}: must be ${forms.length === 2 ? forms.join(" or ") : `one of ${forms.join(", ")}`}`,
        `for example: --fail-on "${example}", with quotes, because the shell interprets >`,
      );
    },
  });
}
