// Writes a census in the requested format, and returns the exit code.
import {
  type CensusDocument,
  csvPiecesOf,
  documentTextOf,
  printHtml,
  printText,
  sharesOf,
  slicesOfGroup,
} from "@robots-stream/census";
import type { CommandRun } from "../command.ts";
import type { CommandOutput } from "../command-output.ts";
import { writePieces } from "../pieces.ts";
import { exitCodes } from "../exit-codes.ts";
import { columnsOf } from "../terminal-width.ts";
import type { CensusCondition, CensusReportSettings } from "./report-flags.ts";

/** Writes the report to `stream`. Resolves to the exit code, which depends on the condition of `--fail-on`. */
export async function writeCensus(
  document: CensusDocument,
  { output, table, csvSafe, title, failOn }: CensusReportSettings,
  stream: CommandOutput["stream"],
  { env, signal }: Pick<CommandRun, "env" | "signal">,
): Promise<number> {
  const more = "--output-file census.html has more";
  const pieces = {
    text: () => [printText(document, { title, columns: columnsOf(stream, env), more })],
    html: () => [printHtml(document, { title })],
    json: () => [documentTextOf(document)],
    csv: () => csvPiecesOf(document, table, { isSafe: csvSafe }),
  };
  await writePieces(stream, pieces[output.format.name], signal);
  return failOn !== undefined && isMet(document, failOn) ? exitCodes.conditionMet : exitCodes.done;
}

/** Whether a census meets a condition, at the end of its last period. */
function isMet(document: CensusDocument, { name, moreThan }: CensusCondition): boolean {
  if (name === "rejects") return document.rejects > moreThan;
  const last = slicesOfGroup(document, null).at(-1);
  if (last === undefined) return false;
  if (name === "unreachable") return last.totals.unreachable > moreThan;
  return sharesOf(document, last).some(({ states }) => states[name] > moreThan);
}
