// Runs the command `answer`, which writes an answer for each frame on stdin, to stdout or a file, and returns the command's exit code.
import type { CommandRun } from "../../cli/command.ts";
import { printTo } from "../../cli/command-output.ts";
import { runToExitCode } from "../../cli/ending.ts";
import { exitCodes } from "../../cli/exit-codes.ts";
import { usedFilesOf } from "../../cli/named-files.ts";
import { answerDecisions } from "./decided-answers.ts";
import { answerSettingsOf, renderAnswerHelp } from "./flags.ts";
import { framesOf } from "./frames.ts";
import { answerOrigins } from "./origin-answers.ts";

/** Answers frames until stdin ends, and resolves to the exit code. Never rejects: errors are written to stderr. */
export function runAnswer(run: CommandRun): Promise<number> {
  const { argv, stdin, stdout, stderr, signal } = run;
  return runToExitCode(run, async (say) => {
    const settings = await answerSettingsOf(argv, signal);
    if (settings === "help") return { help: renderAnswerHelp() };
    const { deciding, output, namedFiles } = settings;
    const answersTo = output.path === undefined ? stdout : undefined;
    const used = usedFilesOf(namedFiles, { inputs: ["-"], stdin, stdout: answersTo, stderr });
    used.check();
    return printTo(output, stdout, used, async (stream) => {
      const stop = (): void => void stdin.destroy();
      signal?.addEventListener("abort", stop, { once: true });
      try {
        if (deciding === undefined) await answerOrigins(framesOf(stdin, 1), stream);
        else await answerDecisions(deciding, { stdin, stdout: stream, used, say, signal });
      } finally {
        signal?.removeEventListener("abort", stop);
      }
      signal?.throwIfAborted();
      return exitCodes.done;
    });
  });
}
