#!/usr/bin/env node
// The process in, its exit code out: gives main its streams and turns signals into its abort signal.
import { createReadStream, fstatSync } from "node:fs";
import type { Writable } from "node:stream";
import { isatty } from "node:tty";
import { DirectInput, type InputStream, PipeInput, bugTextOf, shortageOf } from "@robots-stream/engine/start";
import { exitCodes, signalCodes } from "./shell/exit-codes.ts";
import { FileOutput } from "./shell/file-output.ts";

/** How long it may take to end in order. */
const mostMsOfEnd = 1_900;

const stopping = new AbortController();
for (const [name, code] of Object.entries(signalCodes)) {
  process.on(name, () => {
    // The second one does not wait.
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

// Loaded when the signals are listened to: that takes its time, and they may come any time.
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
// All is written by now; what may still be open is stdin, or a socket that was given up.
process.exit(exitCode);

/** process.stdin takes a directory, or a device that it does not know, for the end of the input; a file stream says what it is. */
function stdinOf(): InputStream {
  const stat = fstatSync(0);
  if (stat.isFile()) return new DirectInput(0, { isOwn: false });
  const isPipe = stat.isFIFO() || stat.isSocket();
  // process.stdin reads each chunk into memory of its own; elsewhere it knows more kinds of pipes.
  if (isPipe && process.platform !== "win32") return new PipeInput(0, false);
  return isPipe || stat.isCharacterDevice() ? process.stdin : createReadStream("", { fd: 0, autoClose: false });
}

/** For files and devices process.stdout takes a write for done that a full disk cut short; a file output goes on, and hears of it. */
function stdoutOf(): Writable {
  const stat = fstatSync(1);
  return stat.isFIFO() || stat.isSocket() || isatty(1) ? process.stdout : new FileOutput(1);
}
