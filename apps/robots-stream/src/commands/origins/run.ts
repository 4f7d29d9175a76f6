// Runs the command `origins`, which writes the distinct origins of its inputs with counts, and returns its exit code.
import { UsageError } from "@robots-stream/engine";
import { findFiles } from "../../cli/found-files.ts";
import { OriginCounter } from "../../cli/origins/counter.ts";
import type { CommandRun } from "../../cli/command.ts";
import { type CommandOutput, printTo } from "../../cli/command-output.ts";
import { exitCodeAfter, runToExitCode, writeText } from "../../cli/ending.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { lineOfOrigin } from "../../cli/origins/counted-line.ts";
import { type OriginsSettings, originsSettingsOf, renderOriginsHelp } from "./flags.ts";
import { readOrigins, type ReadSurroundings, recordsText } from "../../cli/origins/read-origins.ts";

/** Minimum number of characters that are collected for one write. */
const pieceLength = 65_536;

/** Writes the origins and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runOrigins(run: CommandRun): Promise<number> {
  const { argv, stdin, stdout, stderr, signal } = run;
  return runToExitCode(run, async (say) => {
    const settings = originsSettingsOf(argv);
    if (settings === "help") return { help: renderOriginsHelp() };
    if (settings.files.length === 0 && stdin.isTTY === true) {
      throw new UsageError(
        "no-input",
        "name a file, or pipe one in",
        "for example: robots-stream origins access.log.gz",
      );
    }
    const { namedFiles } = settings;
    const { path } = settings.output;
    const streams = { stdin, stdout: path === undefined ? stdout : undefined, stderr };
    const written = usedFilesOf(namedFiles, { ...streams, inputs: [] });
    const named = settings.files.length === 0 ? ["-"] : settings.files;
    const { files, notes } = findFiles(named, (each) => written.isWritten(each));
    const used = usedFilesOf(namedFiles, { ...streams, inputs: files });
    used.check();
    for (const note of notes) say(note);
    return printTo(settings.output, stdout, used, (stream) =>
      list({ ...settings, files }, stream, { stdin, say, signal }),
    );
  });
}

async function list(
  settings: OriginsSettings,
  stream: CommandOutput["stream"],
  surroundings: ReadSurroundings,
): Promise<number> {
  const { say, signal } = surroundings;
  const counter = new OriginCounter({ order: "name" });
  try {
    const read = await readOrigins(settings, counter, surroundings);
    const isText = settings.output.format.name === "text";
    let origins = 0;
    let text = "";
    for (const { origin, count } of counter.origins()) {
      origins++;
      text += isText ? `${String(count).padStart(12)}  ${origin}\n` : lineOfOrigin(origin, count);
      if (text.length < pieceLength) continue;
      await writeText(stream, text);
      signal?.throwIfAborted();
      text = "";
    }
    await writeText(stream, text);
    say(`${origins} origin${origins === 1 ? "" : "s"} of ${recordsText(read)}`);
    return read.failures.reduce((worst, error) => Math.max(worst, exitCodeAfter(error, say)), exitCodes.done as number);
  } finally {
    counter.close();
  }
}
