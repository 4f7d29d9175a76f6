#!/usr/bin/env node
// Reads the arguments, runs the worker, aborts the run on a signal, and sets the exit code.
import { readFileSync } from "node:fs";
import { EngineError, UsageError } from "@robots-stream/engine";
import { printableOf, setCallerWords } from "@robots-stream/engine/internal";
import { SetupError, sentenceOf } from "./kafka/failures.ts";
import { exitCodes, run } from "./run.ts";
import { flagOfOption, renderHelp } from "./flags.ts";
import { settingsOf } from "./settings.ts";

const say = (sentence: string): void => {
  const lines = sentence.split("\n").map((line) => printableOf(line, Infinity));
  process.stderr.write(`robots-stream-kafka: ${lines.join("\n")}\n`);
};
const print = (text: string): void => void process.stdout.write(text);
// An "error" event without a listener, after the reader of a pipe has closed it, would end the process at once.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

async function main(): Promise<number> {
  setCallerWords({ option: flagOfOption, texts: {} });
  const settings = settingsOf(process.argv.slice(2), process.env);
  if (settings === "help") {
    print(renderHelp());
    return exitCodes.done;
  }
  if (settings === "version") {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      readonly version: string;
    };
    print(`${version}\n`);
    return exitCodes.done;
  }
  const abort = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      // A second signal ends the process at once.
      if (abort.signal.aborted) process.exit(name === "SIGINT" ? 130 : 143);
      abort.abort(name);
    });
  }
  return run(settings, { say, print, env: process.env, signal: abort.signal });
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof EngineError || error instanceof SetupError)) {
    say(`a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exit(70);
  }
  // A usage error is one sentence of our own, and its last word is what was given: it is not shortened.
  say(error instanceof UsageError ? error.message : sentenceOf(error));
  if (error instanceof UsageError && error.hint !== undefined) say(error.hint);
  process.exitCode = exitCodes.usage;
}
// Wait until a pipe has taken the last messages, then end the process after two seconds even if a connection hangs.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write("", () => resolve()))),
);
setTimeout(() => process.exit(), 2_000).unref();
