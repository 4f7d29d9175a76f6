// Arguments in, a run of the app within this process out: its sources come in small pieces, and before any of them it may be stopped.
import fs from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { Readable, Writable } from "node:stream";
import { main } from "../src/main.ts";

const pieceBytes = 2_000;
let isEnough: () => boolean = () => false;
let stopping = new AbortController();
const { readSync, fdatasync } = fs;
let prototype: FileHandle | undefined;
let sync: FileHandle["sync"] | undefined;

/** A source is read in pieces of about this size; other files are read as a whole, into more or less room. */
const sizesOfSources = { least: 49_152, most: 131_072 };
const clock = new Int32Array(new SharedArrayBuffer(4));

type ReadArguments = [fd: number, into: Buffer, offset: number, length: number, position: number | null];

function slowRead(...args: ReadArguments): number {
  if (args[3] >= sizesOfSources.least && args[3] <= sizesOfSources.most) {
    if (isEnough()) stopping.abort("SIGINT");
    // After so long a time the event loop has its turn, and what was read before is worked on.
    Atomics.wait(clock, 0, 0, 5);
    args[3] = pieceBytes;
  }
  return readSync(...args);
}

/** Lets files be read in pieces, and does not wait for the disk: on a busy one all would be read before anything is written. */
export async function beginPieces(): Promise<void> {
  fs.readSync = slowRead as typeof readSync;
  fs.fdatasync = ((_fd: number, callback: (error: null) => void) =>
    setImmediate(callback, null)) as unknown as typeof fdatasync;
  prototype ??= await prototypeOfHandles();
  sync = prototype.sync;
  prototype.sync = () => Promise.resolve();
  syncBuiltinESMExports();
}

/** Lets files be read and written as always. */
export function endPieces(): void {
  Object.assign(fs, { readSync, fdatasync });
  if (prototype !== undefined && sync !== undefined) prototype.sync = sync;
  syncBuiltinESMExports();
}

async function prototypeOfHandles(): Promise<FileHandle> {
  const handle = await open(process.execPath);
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

/** The lines of a summary that are about the whole of a run, whichever part of it wrote them. */
export function totalsOf(summary: string): string {
  const end = /^target: .*\n/m.exec(summary);
  const lines = end === null ? summary : summary.slice(0, end.index + end[0].length);
  return lines.replaceAll(/^(agent .*\n) {2}.*\n/gm, "$1");
}

/** Runs the app; `stops` says before each piece whether it is stopped now. */
export async function runPieces(
  args: readonly string[],
  stdin = "",
  stops: () => boolean = () => false,
): Promise<{ code: number; stderr: string }> {
  let stderr = "";
  const sink = (take: (text: string) => void): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, callback) => {
        take(chunk.toString());
        callback();
      },
    });
  stopping = new AbortController();
  isEnough = stops;
  async function* piecesOfStdin(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(stdin);
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      if (isEnough()) stopping.abort("SIGINT");
      yield bytes.subarray(from, from + pieceBytes);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  const code = await main({
    argv: args,
    env: { ROBOTS_STREAM_CACHE: "none" },
    stdin: Readable.from(piecesOfStdin()),
    stdout: sink(() => undefined),
    stderr: sink((text) => (stderr += text)),
    signal: stopping.signal,
  });
  return { code, stderr };
}

/** Says so after some pieces. */
export function after(pieces: number): () => boolean {
  let left = pieces;
  return () => left-- === 0;
}
