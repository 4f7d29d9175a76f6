// Runs the command `merge`, which reports on several audits as one, and returns its exit code.
import { type AuditDocument, checkDocument, mergeDocuments } from "@robots-stream/audit";
import { readFileStart, reasonOf, shownWordOf, UsageError } from "@robots-stream/engine/internal";
import type { CommandRun } from "../../shell/command.ts";
import { printTo } from "../../shell/command-output.ts";
import { runToExitCode } from "../../shell/ending.ts";
import { usedFilesOf } from "../../shell/named-files.ts";
import { asUsage, writeReport } from "../audit/render.ts";
import { mergeSettingsOf, renderMergeHelp } from "./flags.ts";

/** Larger than any audit: its tables have limits. */
const mostBytes = 512 * 1_048_576;

/** Merges audits and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runMerge(run: Omit<CommandRun, "stdin">): Promise<number> {
  const { argv, env, stdout, stderr } = run;
  return runToExitCode(run, async () => {
    const settings = mergeSettingsOf(argv);
    if (settings === "help") return { help: renderMergeHelp() };
    const { path } = settings.report.output;
    const reportTo = path === undefined ? stdout : undefined;
    const used = usedFilesOf(settings.namedFiles, { inputs: settings.files, stdout: reportTo, stderr });
    used.check();
    return printTo(path, stdout, used, (stream) => {
      const documents = settings.files.map(readDocument);
      const merged = asUsage("", () => mergeDocuments(documents));
      return writeReport(merged, settings.report, stream, env);
    });
  });
}

/** Reads one audit. Throws a `UsageError` for a file that cannot be read, or is none. */
function readDocument(path: string): AuditDocument {
  const shown = shownWordOf(path);
  let value: unknown;
  try {
    const bytes = readFileStart(path, mostBytes);
    if (bytes.length === mostBytes) throw new Error("is too large for an audit");
    value = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UsageError(
        "unreadable-input",
        `${shown}: is not JSON`,
        "robots-stream audit … --output json makes one",
      );
    }
    throw new UsageError("unreadable-input", `${shown}: ${reasonOf(error)}`);
  }
  return asUsage(`${shown}: `, () => checkDocument(value));
}
