// Runs the command `detect`, which reports how each file would be read, and returns its exit code.
import type { Writable } from "node:stream";
import { exitCodeAfter, hearErrorEvents, writeText } from "../../shell/ending.ts";
import { look, UsageError } from "@robots-stream/engine/internal";
import type { CommandRun } from "../../shell/command.ts";
import { exitCodes } from "../../shell/exit-codes.ts";
import { openOutput } from "../../shell/command-output.ts";
import { usedFilesOf } from "../../shell/named-files.ts";
import { createSay } from "../../shell/say.ts";
import { type DetectSettings, detectSettingsOf, renderDetectHelp } from "./flags.ts";
import { jsonOf, printedOf } from "./print.ts";

/** Examines the files and resolves to the exit code. Never rejects: errors are written to stderr. */
export async function runDetect({ argv, stdin, stdout, stderr, signal }: Omit<CommandRun, "env">): Promise<number> {
  const say = createSay(stderr);
  hearErrorEvents({ stdout, stderr });
  try {
    const settings = detectSettingsOf(argv);
    if (settings === "help") {
      await writeText(stdout, renderDetectHelp());
      return exitCodes.done;
    }
    if (settings.paths.length === 0 && stdin.isTTY === true) {
      throw new UsageError("no-input", "name a file", "for example: robots-stream detect urls.csv");
    }
    const inputs = settings.paths.length === 0 ? ["-"] : settings.paths;
    const { output, namedFiles } = settings;
    const rowsTo = output.path === undefined ? stdout : undefined;
    const used = usedFilesOf(namedFiles, { inputs, stdin, stdout: rowsTo, stderr });
    used.check();
    const opened = openOutput(output.path, stdout, used);
    try {
      const code = await lookAtAll(inputs, settings, opened.stream, { stdin, say, signal });
      if (code <= exitCodes.conditionMet) await opened.finish();
      return code;
    } finally {
      opened.close();
    }
  } catch (error) {
    return exitCodeAfter(error, say, signal);
  }
}

async function lookAtAll(
  inputs: readonly string[],
  { output, reading }: DetectSettings,
  stdout: Writable,
  { stdin, say, signal }: Pick<CommandRun, "stdin" | "signal"> & { readonly say: (sentence: string) => void },
): Promise<number> {
  const stopping = signal ?? new AbortController().signal;
  const onAssumed = (assumed: string, hint: string): void => {
    say(assumed);
    say(`  ${hint}`);
  };
  let code: number = exitCodes.done;
  let isFirst = true;
  for (const path of inputs) {
    let text: string;
    try {
      const seen = await look(path, stdin, reading, { signal: stopping, onAssumed });
      if (seen.problem !== undefined) code = Math.max(code, exitCodes.usage);
      text = output.format.name === "ndjson" ? jsonOf(seen) : `${isFirst ? "" : "\n"}${printedOf(seen)}`;
    } catch (error) {
      if (stopping.aborted) throw error;
      // The remaining files are still examined.
      code = Math.max(code, exitCodeAfter(error, say));
      continue;
    }
    isFirst = false;
    await writeText(stdout, text);
  }
  return code;
}
