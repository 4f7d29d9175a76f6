// Arguments in, a run of the app within this process out: its sources come in small pieces, and after so many of them it is stopped.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { Readable, Writable } from "node:stream";
import { main } from "../src/main.ts";

const pieceBytes = 2_000;
let piecesLeft = Infinity;
let stopping = new AbortController();
const { read } = fs;

const slowRead = (fd: number, buffer: Buffer, offset: number, length: number, ...rest: [number, () => void]): void => {
  if (--piecesLeft === 0) stopping.abort("SIGINT");
  // What was read before is worked on first.
  setTimeout(() => read(fd, buffer, offset, Math.min(length, pieceBytes), ...rest), 2);
};

/** Lets files be read in pieces. */
export function beginPieces(): void {
  fs.read = slowRead as typeof read;
  syncBuiltinESMExports();
}

/** Lets files be read as always. */
export function endPieces(): void {
  fs.read = read;
  syncBuiltinESMExports();
}

/** Runs the app; `pieces`: stopped when it has read so many. */
export async function runPieces(
  args: readonly string[],
  stdin = "",
  pieces = Infinity,
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
  piecesLeft = pieces;
  async function* piecesOfStdin(): AsyncGenerator<Buffer> {
    const bytes = Buffer.from(stdin);
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      if (--piecesLeft === 0) stopping.abort("SIGINT");
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
