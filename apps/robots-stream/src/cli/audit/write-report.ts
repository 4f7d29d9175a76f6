// Writes the report of an audit's document in the requested format, or a folder with one report for each origin and an index.
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
import { paintFor, columnsOf } from "../terminal.ts";
import type { CommandRun } from "../command.ts";
import { type CommandOutput, writePieces, printTo } from "../command-output.ts";
import { endedBySignals, exitCodes } from "../exit-codes.ts";
import { isMet, type ReportSettings } from "./report-flags.ts";
import { versionOf } from "../../version.ts";
import { registryFacts } from "./registry.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "@robots-stream/engine";
import { reasonOf, shownWordOf, type UsedFile } from "@robots-stream/engine/internal";
import { writeText } from "../ending.ts";
import { shownFlag, usedFilesOf } from "../named-files.ts";

/** What the sentences of a report advise. */
const advice: Advice = {
  zone: "--log-timezone NAME says which zone the log's clock shows",
  otherHost: (host) => `--base host:${host}=ORIGIN says that its requests are those of ORIGIN`,
  window: "--from and --to choose the time that an audit counts",
  refusing:
    "“robots-stream agents ai-training --output robots” writes the group of robots.txt that refuses the crawlers for AI training. Its names Google-Extended and Applebot-Extended, which no request carries, refuse training with what the other crawlers of Google and Apple fetch. “robots-stream agents --help” lists the other sets.",
  queryValues: "--query-values keeps them",
  privateAddresses: "private addresses are requested only with --allow-private",
};

/** Where the rows are that the text leaves out. */
const moreRows = "--output-file report.html has more";

type Shown = Partial<Pick<ReportSettings, "title" | "timeZone" | "previous">> & { readonly origin?: string };

/** Makes the report of a document, with the facts of the registry. */
const reportIn = (document: AuditDocument, shown: Shown): AuditReport =>
  reportOf(document, { ...shown, ...registryFacts, advice, program: `robots-stream ${versionOf()}` });

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
  const report = (): AuditReport => (known ??= reportIn(document, { title, timeZone, previous }));
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

/** The streams and input files of the run. A report must not replace any of them. */
interface SplitSurroundings {
  readonly run: Pick<CommandRun, "stdin" | "stdout" | "stderr" | "signal">;
  readonly inputs: readonly string[];
  /** The files named by flags. A report must not replace a named file that the run reads. */
  readonly namedFiles: readonly UsedFile[];
}

/**
 * Writes the file `index` with the report of all origins, and one file for each origin of the document. The file of an origin has a name
 * like that of a file in `--robots DIR`, with another ending for HTML. Resolves to the exit code. Rejects with a `UsageError` for a file
 * that has another use in this run.
 */
export async function writeSplit(
  document: AuditDocument,
  settings: ReportSettings,
  { run, inputs, namedFiles }: SplitSurroundings,
): Promise<number> {
  const { title, timeZone, failOn, previous } = settings;
  const folder = settings.output.path!;
  const isHtml = settings.output.format.name === "html";
  const ending = isHtml ? "html" : "txt";
  makeFolder(folder);
  const origins = document.origins.map(({ origin }) => origin).filter((origin) => origin !== "" && origin !== "…");
  const named = [...fileNamesOf(origins)].map(([origin, name]) => ({ origin, file: `${name}.${ending}` }));
  const whole = reportIn(document, { title, timeZone, previous });
  const links = new Map(named.map(({ origin, file }) => [origin, encodeURI(`./${file}`)]));
  const texts = [
    {
      file: `index.${ending}`,
      text: () => (isHtml ? printHtml(whole, { links }) : printText(whole, { more: moreRows })),
    },
    ...named.map(({ origin, file }) => ({
      file,
      text: () => {
        const report = reportIn(document, { timeZone, origin });
        return isHtml ? printHtml(report) : printText(report, { more: moreRows });
      },
    })),
  ];
  const pathOf = (file: string): string => join(folder, file);
  const written = texts.map(({ file }): UsedFile => {
    const path = pathOf(file);
    return { shown: shownFlag("output-file", path), use: "writes", at: path };
  });
  const read = namedFiles.filter(({ use }) => use === "reads");
  const used = usedFilesOf([...written, ...read], { inputs, stdin: run.stdin, stdout: undefined, stderr: run.stderr });
  used.check();
  const { format } = settings.output;
  for (const { file, text } of texts) {
    await printTo({ path: pathOf(file), format, isChosen: true }, run.stdout, used, async (stream) => {
      await writeText(stream, endedBySignals(text));
      // Signals are handled between two reports.
      await new Promise(setImmediate);
      run.signal?.throwIfAborted();
      return exitCodes.done;
    });
  }
  return failOn !== undefined && isMet(failOn, whole) ? exitCodes.conditionMet : exitCodes.done;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new UsageError("unusable-output", `--output-file ${shownWordOf(path)}: ${reasonOf(error)}`);
  }
}

/** Returns a file name without an ending for each origin. The names are distinct even for a file system that ignores case. */
export function fileNamesOf(origins: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set(["index"]);
  return new Map(
    origins.map((origin) => {
      const name = fileNameOf(origin).slice(0, longestName);
      let own = name;
      for (let count = 2; taken.has(own.toLowerCase()); count++) own = `${name}-${count}`;
      taken.add(own.toLowerCase());
      return [origin, own];
    }),
  );
}

/** Maximum length of a file name before a number and an ending are added. File systems limit the whole name. */
const longestName = 200;

/**
 * Converts an origin to a file name such as `shop.example` or `http@shop.example@8080`. Replaces characters that a file system may
 * forbid.
 */
function fileNameOf(origin: string): string {
  const [, scheme = "", host = "", port] = /^(https?):\/\/(\[[^\]]*\]|[^:/]*)(?::(\d+))?$/.exec(origin) ?? [];
  const parts = [
    ...(scheme === "https" ? [] : [scheme]),
    host.replaceAll(":", "-"),
    ...(port === undefined ? [] : [port]),
  ];
  // The names "." and ".." mean folders, so a name of dots gets the prefix "_".
  const name = parts.join("@").replaceAll(/[^0-9A-Za-z@.[\]_-]/g, "_");
  return /^\.*$/.test(name) ? `_${name}` : name;
}
