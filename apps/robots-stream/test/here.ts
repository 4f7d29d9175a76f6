// Runs the app within this process, for tests that do not test the process itself: a separate process would take 0.15 s each time.
import { Readable, Writable } from "node:stream";
import { main } from "../src/main.ts";

/** How a run ended. */
interface Ran<Output> {
  readonly code: number;
  readonly stdout: Output;
  readonly stderr: string;
}

/** A stream that keeps copies of its chunks, because the app uses the memory of a chunk again once it is written. */
function sinkTo(chunks: Buffer[]): Writable {
  return new Writable({
    write(chunk: Buffer | string, _encoding, callback) {
      chunks.push(Buffer.from(chunk));
      callback();
    },
  });
}

/** The streams and the signal of a run that are not the usual ones. `isTTY`: whether stdout and stderr are a terminal. */
interface Unusual {
  readonly stdout?: Writable;
  readonly isTTY?: boolean;
  readonly signal?: AbortSignal;
}

/** Runs the app to its end, with stdout as bytes. `stdin`: the input, its chunks, or the stream of it. */
export async function bytesHere(
  argv: readonly string[],
  stdin: string | Uint8Array | readonly Uint8Array[] | Readable = "",
  variables: NodeJS.ProcessEnv = {},
  unusual: Unusual = {},
): Promise<Ran<Buffer>> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  const terminal = unusual.isTTY === true ? { isTTY: true, columns: 80 } : {};
  const chunks = typeof stdin === "string" || stdin instanceof Uint8Array ? [Buffer.from(stdin)] : stdin;
  const code = await main({
    argv,
    env: { ROBOTS_STREAM_CACHE: "none", ...variables },
    stdin: chunks instanceof Readable ? chunks : Readable.from(chunks.filter((chunk) => chunk.length > 0)),
    stdout: Object.assign(unusual.stdout ?? sinkTo(stdout), terminal),
    stderr: Object.assign(sinkTo(stderr), terminal),
    signal: unusual.signal,
  });
  return { code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
}

/** Runs the app to its end as `runApp` does. */
export async function runHere(...given: Parameters<typeof bytesHere>): Promise<Ran<string>> {
  const { code, stdout, stderr } = await bytesHere(...given);
  return { code, stdout: stdout.toString(), stderr };
}
