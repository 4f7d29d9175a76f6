// Runs the command as a process: passes the process's streams to main, turns signals into an abort signal, and exits with main's exit code.
import { createReadStream, fstatSync } from "node:fs";
import type { Writable } from "node:stream";
import { isatty } from "node:tty";
import { DirectInput, type InputStream, PipeInput, bugTextOf, shortageOf } from "@robots-stream/engine/start";
import { exitCodes, signalCodes } from "./cli/exit-codes.ts";
import { FileOutput } from "./cli/file-output.ts";

/** Time between a signal and a forced exit. */
const mostMsOfEnd = 1_900;

const stopping = new AbortController();
for (const [name, code] of Object.entries(signalCodes)) {
  process.on(name, () => {
    // A second signal ends the process at once.
    if (stopping.signal.aborted) process.exit(code);
    stopping.abort(name);
    setTimeout(() => {
      process.stderr.write(`robots-stream: stopped by ${name}, before all running work had ended\n`);
      process.exit(code);
    }, mostMsOfEnd).unref();
  });
}

// This handler replaces Node's, which would print the error's message; the message may quote the input.
process.on("uncaughtException", (error) => {
  process.stderr.write(`robots-stream: a bug: ${bugTextOf(error)}\n`);
  process.exit(exitCodes.failed);
});

// main is imported after the signal handlers are set: the import takes time, and a signal may arrive meanwhile.
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
// Standard output is written. Messages may still wait for room in a pipe, which process.exit would drop.
await new Promise<void>((resolve) => void process.stderr.write("", () => resolve()));
// An open stdin or an abandoned socket would keep the process alive.
process.exit(exitCode);

/**
 * The stream of standard input, chosen by the kind of descriptor 0. For a directory or an unknown device, a file stream reports an error;
 * process.stdin would report the end of the input.
 */
function stdinOf(): InputStream {
  const stat = fstatSync(0);
  if (stat.isFile()) return new DirectInput(0, { isOwn: false });
  const isPipe = stat.isFIFO() || stat.isSocket();
  // process.stdin allocates memory for each chunk; PipeInput reuses one buffer, but does not support pipes on Windows.
  if (isPipe && process.platform !== "win32") return new PipeInput(0, false);
  return isPipe || stat.isCharacterDevice() ? process.stdin : createReadStream("", { fd: 0, autoClose: false });
}

/**
 * The stream of standard output: process.stdout for a pipe, a socket or a terminal, else a FileOutput. process.stdout would report a write
 * that a full disk truncated as complete.
 */
function stdoutOf(): Writable {
  const stat = fstatSync(1);
  return stat.isFIFO() || stat.isSocket() || isatty(1) ? process.stdout : new FileOutput(1);
}
