// The command line of `detect` and streams in, exit code out: how would each file be read?
import type { Writable } from "node:stream";
import { exitCodeAfter, writeText } from "../ending.ts";
import { UsageError, exitCodes } from "../exit.ts";
import { usedFilesOf } from "../files/named-files.ts";
import type { InputStream } from "../input/types.ts";
import { createSay } from "../report.ts";
import { detectSettingsOf, renderDetectHelp } from "./flags.ts";
import { look } from "./look.ts";
import { jsonOf, printedOf } from "./print.ts";

/** What a run gets from its surroundings. */
export interface DetectOptions {
  /** The arguments after the word `detect`. */
  readonly argv: readonly string[];
  readonly stdin: InputStream;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Stops the run; its reason is "SIGINT" or "SIGTERM". */
  readonly signal?: AbortSignal | undefined;
}

/** Looks at files. Never rejects: what goes wrong is told on stderr, and is the exit code. */
export async function runDetect({ argv, stdin, stdout, stderr, signal }: DetectOptions): Promise<number> {
  const say = createSay(stderr);
  // Errors come back with each write; unheard "error" events would end the process.
  for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
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
