// Runs the command `merge`, which merges several audits and writes one report, and returns its exit code.
import { mergeParts } from "@robots-stream/audit";
import type { CommandRun } from "../../shell/command.ts";
import { printTo } from "../../shell/command-output.ts";
import { runToExitCode } from "../../shell/ending.ts";
import { usedFilesOf } from "../../shell/named-files.ts";
import { asUsage } from "../audit/as-usage.ts";
import { writeReport } from "../audit/render.ts";
import { writeSplit } from "../audit/split.ts";
import { mergeSettingsOf, renderMergeHelp } from "./flags.ts";
import { readPart } from "./read-part.ts";

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
    const merge = () => {
      const parts = settings.files.map((file) => readPart(file));
      return asUsage("", () => mergeParts(parts));
    };
    if (settings.report.isSplit) {
      const { files: inputs, namedFiles } = settings;
      return writeSplit(merge(), settings.report, { run: { stdout, stderr }, inputs, namedFiles });
    }
    return printTo(path, stdout, used, (stream) => writeReport(merge(), settings.report, stream, env));
  });
}
