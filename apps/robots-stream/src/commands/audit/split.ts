// Writes a folder with one report for each origin of a document.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type AuditDocument, printHtml, printText, reportOf } from "@robots-stream/audit";
import { reasonOf, shownWordOf, UsageError, type UsedFile } from "@robots-stream/engine/internal";
import type { CommandRun } from "../../shell/command.ts";
import { printTo } from "../../shell/command-output.ts";
import { writeText } from "../../shell/ending.ts";
import { exitCodes } from "../../shell/exit-codes.ts";
import { shownFlag, usedFilesOf } from "../../shell/named-files.ts";
import { isMet } from "./fail-on.ts";
import { controlTokens } from "./registry.ts";
import { programName } from "./render.ts";
import type { ReportSettings } from "./report-flags.ts";

/** The streams and files with which the written files are compared. */
export interface SplitSurroundings {
  readonly run: Pick<CommandRun, "stdout" | "stderr">;
  readonly inputs: readonly string[];
  /** The files that flags name and the run reads. */
  readonly namedFiles: readonly UsedFile[];
}

/**
 * Writes `index` with the report of all origins, and a file for each origin with counted requests. Files are named like the files of
 * `--robots DIR`. Resolves to the exit code.
 */
export async function writeSplit(
  document: AuditDocument,
  settings: ReportSettings,
  { run, inputs, namedFiles }: SplitSurroundings,
): Promise<number> {
  const { title, timeZone, failOn, previous } = settings;
  const folder = settings.output.path!;
  const program = programName();
  const isHtml = settings.output.format.name === "html";
  const ending = isHtml ? "html" : "txt";
  makeFolder(folder);
  const origins = document.origins.map(({ origin }) => origin).filter((origin) => origin !== "" && origin !== "…");
  const named = [...fileNamesOf(origins)].map(([origin, name]) => ({ origin, file: `${name}.${ending}` }));
  const whole = reportOf(document, { title, timeZone, previous, controlTokens, program });
  const links = new Map(named.map(({ origin, file }) => [origin, encodeURI(`./${file}`)]));
  const texts = [
    { file: `index.${ending}`, text: () => (isHtml ? printHtml(whole, { links }) : printText(whole)) },
    ...named.map(({ origin, file }) => ({
      file,
      text: () => {
        const report = reportOf(document, { timeZone, origin, controlTokens, program });
        return isHtml ? printHtml(report) : printText(report);
      },
    })),
  ];
  for (const { file, text } of texts) {
    const path = join(folder, file);
    const written: UsedFile = { shown: shownFlag("output-file", path), use: "writes", at: path };
    const read = namedFiles.filter(({ use }) => use === "reads");
    const used = usedFilesOf([written, ...read], { inputs, stdout: undefined, stderr: run.stderr });
    used.check();
    await printTo(path, run.stdout, used, async (stream) => {
      await writeText(stream, text());
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

/** Gives each origin a distinct file name. */
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

/** Maximum length of a name: below the limit of file systems, with room for a number and an ending. */
const longestName = 200;

/** The file name of an origin, without characters that a file system forbids: `shop.example`, `http@shop.example@8080`. */
function fileNameOf(origin: string): string {
  const [, scheme = "", host = "", port] = /^(https?):\/\/(\[[^\]]*\]|[^:/]*)(?::(\d+))?$/.exec(origin) ?? [];
  const parts = [
    ...(scheme === "https" ? [] : [scheme]),
    host.replaceAll(":", "-"),
    ...(port === undefined ? [] : [port]),
  ];
  // A name that consists of dots would be a folder.
  const name = parts.join("@").replaceAll(/[^0-9A-Za-z@.[\]_-]/g, "_");
  return /^\.*$/.test(name) ? `_${name}` : name;
}
