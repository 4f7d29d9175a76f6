// Defines the flags of a census's report, which `census` and `merge` share, and writes the report.
import {
  type CensusDocument,
  csvPiecesOf,
  damageTextOf,
  documentTextOf,
  printHtml,
  printText,
  rejectsOf,
  sharesOf,
  slicesOfGroup,
  tableNames,
} from "@robots-stream/census";
import { type FlagValues, given } from "./flag.ts";
import { outputOf } from "./output-format.ts";
import { type Limit, limitFlag, refuseUseless, reportFormats, reportRows } from "./report-format.ts";
import type { Running } from "./command-body.ts";
import { type CommandOutput, writePieces } from "./command-output.ts";
import { exitCodes } from "./exit-codes.ts";
import { columnsOf } from "./terminal.ts";

/** The counts that `--fail-on` can limit. */
export const limitedCounts = ["closed", "not-proved", "unreachable"] as const;

type CensusCondition = Limit<(typeof limitedCounts)[number]>;

/** Every flag, in the order of the help. */
export const censusReportFlags = [
  ...reportRows(tableNames, "crawlers", "the number of sites"),
  limitFlag(
    limitedCounts,
    `Exit with 1 if more than N origins are, at the end, WHAT: ${limitedCounts.join(", ")}; for closed and not-proved, the largest number for one crawler counts.`,
    "unreachable>100",
  ),
];

/** Converts the flags to settings. Throws a `UsageError` for the first invalid value, and for a flag without effect in the output format. */
export function censusReportOf(values: FlagValues) {
  const flags = given(values, censusReportFlags);
  const output = outputOf(values, reportFormats);
  refuseUseless(output.format, undefined, flags.first("table", "csv-safe"));
  refuseUseless(output.format, flags.first("title"), undefined);
  return {
    output,
    table: flags.get("table"),
    csvSafe: flags.get("csv-safe"),
    title: flags.get("title"),
    failOn: flags.get("fail-on"),
  };
}

/** Settings of a census's report. */
export type CensusReportSettings = Readonly<ReturnType<typeof censusReportOf>>;

/** Writes the report to `stream`. Resolves to the exit code, which depends on damaged entries and on the condition of `--fail-on`. */
export async function writeCensus(
  document: CensusDocument,
  { output, table, csvSafe, title, failOn }: CensusReportSettings,
  stream: CommandOutput["stream"],
  { env, signal, say }: Pick<Running, "env" | "signal" | "say">,
): Promise<number> {
  const more = "--output-file census.html has more";
  const pieces = {
    text: () => [printText(document, { title, columns: columnsOf(stream, env), more })],
    html: () => [printHtml(document, { title })],
    json: () => [documentTextOf(document)],
    csv: () => csvPiecesOf(document, table, { isSafe: csvSafe }),
  };
  await writePieces(stream, pieces[output.format.name], signal);
  const rejects = rejectsOf(document);
  if (rejects > 0) {
    say(damageTextOf(rejects));
    return exitCodes.failed;
  }
  return failOn !== undefined && isMet(document, failOn) ? exitCodes.conditionMet : exitCodes.done;
}

/** Whether a census meets a condition, at the end of its last period. */
function isMet(document: CensusDocument, { name, moreThan }: CensusCondition): boolean {
  const last = slicesOfGroup(document, null).at(-1);
  if (last === undefined) return false;
  if (name === "unreachable") return last.totals.unreachable > moreThan;
  return sharesOf(document, last).some(({ counts }) => counts[name] > moreThan);
}
