// Runs the app within this process with sources that are read in small pieces. A test may stop the run before any piece.
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

/** Range of buffer sizes by which reads of sources are recognized; other files are read with smaller or larger buffers. */
const sizesOfSources = { least: 49_152, most: 131_072 };
const clock = new Int32Array(new SharedArrayBuffer(4));

type ReadArguments = [fd: number, into: Buffer, offset: number, length: number, position: number | null];

function slowRead(...args: ReadArguments): number {
  if (args[3] >= sizesOfSources.least && args[3] <= sizesOfSources.most) {
    if (isEnough()) stopping.abort("SIGINT");
    // After a slow read, the reader yields to the event loop, which then processes the earlier pieces.
    Atomics.wait(clock, 0, 0, 5);
    args[3] = pieceBytes;
  }
  return readSync(...args);
}

/** Makes reads return pieces, and syncs return at once. Otherwise, on a busy disk, all input would be read before the first sync ended. */
export async function beginPieces(): Promise<void> {
  fs.readSync = slowRead as typeof readSync;
  fs.fdatasync = ((_fd: number, callback: (error: null) => void) =>
    setImmediate(callback, null)) as unknown as typeof fdatasync;
  prototype ??= await prototypeOfHandles();
  sync = prototype.sync;
  prototype.sync = () => Promise.resolve();
  syncBuiltinESMExports();
}

/** Restores the original functions for reading and syncing files. */
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

/** The lines of a summary that describe the complete run, regardless of the process that wrote the summary. */
export function totalsOf(summary: string): string {
  const end = /^target: .*\n/m.exec(summary);
  const lines = end === null ? summary : summary.slice(0, end.index + end[0].length);
  return lines.replaceAll(/^(agent .*\n) {2}.*\n/gm, "$1");
}

/** Runs the app. `stops` is called before each piece; if it returns true, the run is stopped. */
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

/** Returns a `stops` function that stops a run after a number of pieces. */
export function afterPieces(pieces: number): () => boolean {
  let left = pieces;
  return () => left-- === 0;
}
