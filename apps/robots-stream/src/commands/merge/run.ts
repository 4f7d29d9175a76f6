// Runs the command `merge`, which merges several audits and writes one report, and returns its exit code.
import { type AuditDocument, DocumentMerge } from "@robots-stream/audit";
import { nameOf } from "@robots-stream/engine/internal";
import type { CommandRun } from "../../cli/command.ts";
import { printTo } from "../../cli/command-output.ts";
import { endedBySignals } from "../../cli/ended-by-signals.ts";
import { runToExitCode } from "../../cli/ending.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { asUsage } from "../../cli/audit/as-usage.ts";
import { writeReport } from "../../cli/audit/render.ts";
import { writeSplit } from "../../cli/audit/split.ts";
import { mergeSettingsOf, renderMergeHelp } from "./flags.ts";
import { readPart } from "./read-part.ts";

/** Merges audits and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runMerge(run: CommandRun): Promise<number> {
  const { argv, stdin, stdout, stderr, signal } = run;
  return runToExitCode(run, async () => {
    const settings = mergeSettingsOf(argv);
    if (settings === "help") return { help: renderMergeHelp() };
    const { path } = settings.report.output;
    const reportTo = path === undefined ? stdout : undefined;
    const used = usedFilesOf(settings.namedFiles, { inputs: settings.files, stdin, stdout: reportTo, stderr });
    used.check();
    const merge = async (): Promise<AuditDocument> => {
      const merging = new DocumentMerge();
      // One document at a time is in memory.
      for (const file of settings.files) {
        const part = await readPart(file, { stdin, signal });
        endedBySignals(() => asUsage("", () => merging.add(part, nameOf(file))));
      }
      return endedBySignals(() => asUsage("", () => merging.document()));
    };
    if (settings.report.isSplit) {
      const { files: inputs, namedFiles } = settings;
      return writeSplit(await merge(), settings.report, { run, inputs, namedFiles });
    }
    return printTo(settings.report.output, stdout, used, async (stream) =>
      writeReport(await merge(), settings.report, stream, run),
    );
  });
}
