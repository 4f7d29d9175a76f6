#!/usr/bin/env node
// Reads the arguments, runs the worker, aborts the run on a signal, and sets the exit code.
import { readFileSync } from "node:fs";
import { printableOf, setCallerWords } from "@robots-stream/engine/internal";
import { exitCodeAfter, hearErrorEvents } from "robots-stream/internal";
import { exitCodes, run } from "./run.ts";
import { flagOfOption, renderHelp } from "./flags.ts";
import { settingsOf } from "./settings.ts";

const say = (sentence: string): void => {
  const lines = sentence.split("\n").map((line) => printableOf(line, Infinity));
  process.stderr.write(`robots-stream-kafka: ${lines.join("\n")}\n`);
};
const print = (text: string): void => void process.stdout.write(text);

async function main(): Promise<number> {
  setCallerWords({ option: flagOfOption, texts: {} });
  const settings = settingsOf(process.argv.slice(2), process.env);
  if (typeof settings === "string") {
    const file = new URL("../package.json", import.meta.url);
    const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
    print(settings === "help" ? renderHelp() : `${version}\n`);
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

hearErrorEvents(process);
process.exitCode = await main().catch((error: unknown) => exitCodeAfter(error, say));
// Wait until a pipe has taken the last messages, then end the process after two seconds even if a connection hangs.
await Promise.all(
  [process.stdout, process.stderr].map((stream) => new Promise<void>((resolve) => stream.write("", () => resolve()))),
);
setTimeout(() => process.exit(), 2_000).unref();
