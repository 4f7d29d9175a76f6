#!/usr/bin/env node
// The process in, its exit code out: gives main its streams and turns signals into its abort signal.
import { createReadStream, createWriteStream, fstatSync } from "node:fs";
import type { Readable } from "node:stream";
import { isatty } from "node:tty";
import { main } from "./main.ts";

const stopping = new AbortController();
for (const [name, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const) {
  process.on(name, () => {
    // The second one does not wait.
    if (stopping.signal.aborted) process.exit(code);
    stopping.abort(name);
  });
}

// For files process.stdout takes a write for done that a full disk cut short; a file stream goes on, and hears of it.
const kind = fstatSync(1);
const isFile = !kind.isFIFO() && !kind.isSocket() && !isatty(1);
const stdout = isFile ? createWriteStream("", { fd: 1, autoClose: false }) : process.stdout;

const exitCode = await main({
  argv: process.argv.slice(2),
  env: process.env,
  stdin: stdinOf(),
  stdout,
  stderr: process.stderr,
  signal: stopping.signal,
});
// All is written by now; what may still be open is stdin, or a socket that was given up.
process.exit(exitCode);

/** process.stdin takes a directory, or a device that it does not know, for the end of the input; a file stream says what it is. */
function stdinOf(): Readable & { readonly isTTY?: boolean } {
  const stat = fstatSync(0);
  const isKnown = stat.isFile() || stat.isFIFO() || stat.isSocket() || stat.isCharacterDevice();
  return isKnown ? process.stdin : createReadStream("", { fd: 0, autoClose: false });
}
