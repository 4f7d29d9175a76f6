// Writes the report of an audit's document in the requested format, and returns the exit code.
import {
  type Advice,
  type AuditDocument,
  type AuditReport,
  csvPiecesOf,
  documentPiecesOf,
  printHtml,
  printText,
  reportOf,
} from "@robots-stream/audit";
import { paintFor } from "../colours.ts";
import type { CommandRun } from "../command.ts";
import type { CommandOutput } from "../command-output.ts";
import { writePieces } from "../pieces.ts";
import { endedBySignals } from "../ended-by-signals.ts";
import { exitCodes } from "../exit-codes.ts";
import { columnsOf } from "../terminal-width.ts";
import { isMet } from "./fail-on.ts";
import { versionOf } from "../../version.ts";
import { registryFacts } from "./registry.ts";
import type { ReportSettings } from "./report-flags.ts";

/** What the sentences of a report advise. */
export const advice: Advice = {
  zone: "--log-timezone NAME says which zone the log's clock shows",
  otherHost: (host) => `--base host:${host}=ORIGIN says that its requests are those of ORIGIN`,
  window: "--from and --to choose the time that an audit counts",
  refusing:
    "“robots-stream agents ai-training --output robots” writes the group of robots.txt that refuses the crawlers for AI training. Its names Google-Extended and Applebot-Extended, which no request carries, refuse training with what the other crawlers of Google and Apple fetch. “robots-stream agents --help” lists the other sets.",
  queryValues: "--query-values keeps them",
  privateAddresses: "private addresses are requested only with --allow-private",
};

/** Where the rows are that the text leaves out. */
export const moreRows = "--output-file report.html has more";

/** Returns the program's name and version, as reports show them. */
export function programName(): string {
  return `robots-stream ${versionOf()}`;
}

/** Writes the report to `stream`. Resolves to the exit code, which depends on the condition of `--fail-on`. */
export async function writeReport(
  document: AuditDocument,
  settings: ReportSettings,
  stream: CommandOutput["stream"],
  { env, signal }: Pick<CommandRun, "env" | "signal">,
): Promise<number> {
  const { title, timeZone, failOn, previous } = settings;
  let known: AuditReport | undefined;
  // The report is made only when the format or `--fail-on` needs it.
  const report = (): AuditReport =>
    (known ??= reportOf(document, { title, timeZone, previous, ...registryFacts, advice, program: programName() }));
  const pieces = {
    text: () => [
      printText(report(), {
        more: moreRows,
        columns: columnsOf(stream, env),
        colors: paintFor(stream, env)("red", "") !== "",
      }),
    ],
    html: () => [printHtml(report())],
    json: () => documentPiecesOf(document),
    csv: () => csvPiecesOf(document, settings.table, { isSafe: settings.csvSafe }),
  };
  await writePieces(stream, pieces[settings.output.format.name], signal);
  return failOn !== undefined && isMet(failOn, endedBySignals(report)) ? exitCodes.conditionMet : exitCodes.done;
}
