#!/usr/bin/env node
// The process: gives main its streams, turns signals into an abort signal, and ends with the exit code of main.
import { createReadStream, fstatSync } from "node:fs";
import type { Writable } from "node:stream";
import { isatty } from "node:tty";
import { DirectInput, type InputStream, PipeInput, bugTextOf, shortageOf } from "@robots-stream/engine/start";
import { exitCodes, signalCodes } from "./shell/exit-codes.ts";
import { FileOutput } from "./shell/file-output.ts";

/** Time between a signal and a forced exit. */
const mostMsOfEnd = 1_900;

const stopping = new AbortController();
for (const [name, code] of Object.entries(signalCodes)) {
  process.on(name, () => {
    // A second signal ends the process at once.
    if (stopping.signal.aborted) process.exit(code);
    stopping.abort(name);
    setTimeout(() => {
      process.stderr.write(`robots-stream: stopped by ${name}, before all that was under way had ended\n`);
      process.exit(code);
    }, mostMsOfEnd).unref();
  });
}

// Node would print the message, which may quote the input.
process.on("uncaughtException", (error) => {
  process.stderr.write(`robots-stream: a bug: ${bugTextOf(error)}\n`);
  process.exit(exitCodes.failed);
});

// Loaded after the signal handlers are set: loading takes time, and a signal may come meanwhile.
const { main } = await import("./main.ts").catch((error: unknown) => {
  const shortage = shortageOf(error);
  if (shortage === undefined) throw error;
  process.stderr.write(`robots-stream: ${shortage.message}\n`);
  process.exit(exitCodes.failed);
});
const exitCode = await main({
  argv: process.argv.slice(2),
  env: process.env,
  stdin: stdinOf(),
  stdout: stdoutOf(),
  stderr: process.stderr,
  signal: stopping.signal,
});
// Everything is written. stdin, or an abandoned socket, may still be open and would keep the process alive.
process.exit(exitCode);

/** process.stdin reports a directory or an unknown device as the end of the input; a file stream reports an error. */
function stdinOf(): InputStream {
  const stat = fstatSync(0);
  if (stat.isFile()) return new DirectInput(0, { isOwn: false });
  const isPipe = stat.isFIFO() || stat.isSocket();
  // process.stdin allocates memory for each chunk; PipeInput reuses one buffer, but does not support pipes on Windows.
  if (isPipe && process.platform !== "win32") return new PipeInput(0, false);
  return isPipe || stat.isCharacterDevice() ? process.stdin : createReadStream("", { fd: 0, autoClose: false });
}

/** process.stdout reports a write as complete that a full disk truncated; FileOutput reports the error. */
function stdoutOf(): Writable {
  const stat = fstatSync(1);
  return stat.isFIFO() || stat.isSocket() || isatty(1) ? process.stdout : new FileOutput(1);
}
