// Runs the command `detect`, which reports how each file would be read, and returns its exit code.
import type { Writable } from "node:stream";
import { UsageError } from "@robots-stream/engine";
import { lineToldBy, look, printableOf, utf8TextOf } from "@robots-stream/engine/internal";
import { exitCodeAfter, runToExitCode, writeText } from "../../cli/ending.ts";
import { findBases } from "../../cli/file-bases.ts";
import { findFiles } from "../../cli/found-files.ts";
import type { CommandRun } from "../../cli/command.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { printTo } from "../../cli/command-output.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { type DetectSettings, detectSettingsOf, renderDetectHelp } from "./flags.ts";
import { commandOf } from "./command-line.ts";
import { jsonOf, printedOf } from "./print.ts";

/** Examines the files and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runDetect(run: Omit<CommandRun, "env">): Promise<number> {
  const { argv, stdin, stdout, stderr, signal } = run;
  return runToExitCode(run, async (say) => {
    const settings = detectSettingsOf(argv);
    if (settings === "help") return { help: renderDetectHelp() };
    if (settings.paths.length === 0 && stdin.isTTY === true) {
      throw new UsageError("no-input", "name a file", "for example: robots-stream detect urls.csv");
    }
    const { path } = settings.output;
    const streams = { stdin, stdout: path === undefined ? stdout : undefined, stderr };
    const written = usedFilesOf(settings.namedFiles, { ...streams, inputs: [] });
    const named = settings.paths.length === 0 ? ["-"] : settings.paths;
    const { files: inputs, notes } = findFiles(named, (each) => written.isWritten(each));
    const used = usedFilesOf(settings.namedFiles, { ...streams, inputs });
    used.check();
    const { baseOfFile, notes: ofBases } = findBases(settings.reading.fileBases, inputs);
    for (const note of [...notes, ...ofBases]) say(note);
    return printTo(settings.output, stdout, used, (stream) =>
      lookAtAll(inputs, settings, stream, { stdin, say, signal, baseOfFile }),
    );
  });
}

interface LookSurroundings extends Pick<ReturnType<typeof findBases>, "baseOfFile"> {
  readonly say: (sentence: string) => void;
}

async function lookAtAll(
  inputs: readonly string[],
  { output, reading }: DetectSettings,
  stdout: Writable,
  { stdin, say, signal, baseOfFile }: Pick<CommandRun, "stdin" | "signal"> & LookSurroundings,
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
      const seen = await look(
        path,
        stdin,
        { ...reading, base: baseOfFile.get(path) ?? reading.base },
        { signal: stopping, onAssumed },
      );
      if (seen.problem !== undefined) code = Math.max(code, exitCodes.usage);
      const command = commandOf(path, seen, reading);
      text =
        output.format.name === "ndjson" ? jsonOf(seen, command) : `${isFirst ? "" : "\n"}${printedOf(seen, command)}`;
    } catch (error) {
      if (stopping.aborted) throw error;
      // An error in one file does not end the command: the remaining files are still examined.
      code = Math.max(code, exitCodeAfter(error, say));
      const line = error instanceof UsageError ? lineToldBy(error) : undefined;
      if (line !== undefined) say(`  its first line: ${printableOf(utf8TextOf(line), 500)}`);
      continue;
    }
    isFirst = false;
    await writeText(stdout, text);
  }
  return code;
}
