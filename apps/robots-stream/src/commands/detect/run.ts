// The command line of `detect` and streams in, exit code out: how would each file be read?
import { exitCodeAfter, hearErrorEvents, writeText } from "../../shell/ending.ts";
import { look, UsageError } from "@robots-stream/engine/internal";
import type { CommandRun } from "../../shell/command.ts";
import { exitCodes } from "../../shell/exit-codes.ts";
import { usedFilesOf } from "../../shell/named-files.ts";
import { createSay } from "../../shell/report.ts";
import { detectSettingsOf, renderDetectHelp } from "./flags.ts";
import { jsonOf, printedOf } from "./print.ts";

/** Looks at files. Never rejects: what goes wrong is told on stderr, and is the exit code. */
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
      throw new UsageError("no-input", "which file is it about?", "for example: robots-stream detect urls.csv");
    }
    const sayAssumed = (assumed: string, hint: string): void => {
      say(assumed);
      say(`  ${hint}`);
    };
    const inputs = settings.paths.length === 0 ? ["-"] : settings.paths;
    usedFilesOf(settings.shared.namedFiles, { inputs, stdin, stdout, stderr }).check();
    const stopping = signal ?? new AbortController().signal;
    let code: number = exitCodes.done;
    let isFirst = true;
    for (const path of inputs) {
      let text: string;
      try {
        const seen = await look(path, stdin, settings.shared, { signal: stopping, onAssumed: sayAssumed });
        if (seen.problem !== undefined) code = Math.max(code, exitCodes.usage);
        text = settings.isJson ? jsonOf(seen) : `${isFirst ? "" : "\n"}${printedOf(seen)}`;
      } catch (error) {
        if (stopping.aborted) throw error;
        // The other files are looked at nevertheless.
        code = Math.max(code, exitCodeAfter(error, say));
        continue;
      }
      isFirst = false;
      await writeText(stdout, text);
    }
    return code;
  } catch (error) {
    return exitCodeAfter(error, say, signal);
  }
}
