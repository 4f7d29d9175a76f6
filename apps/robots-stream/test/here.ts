// Runs the app within this process, for tests that do not test the process itself: a separate process would take 0.15 s each time.
import { Readable, Transform } from "node:stream";
import { main } from "../src/main.ts";

/** How a run ended. */
interface Ran<Output> {
  readonly code: number;
  readonly stdout: Output;
  readonly stderr: string;
}

/** An output that keeps copies of its chunks: the app reuses the memory of a chunk when it is written. */
function createOutput(): Transform {
  return new Transform({
    transform: (chunk: Buffer | string, _encoding, callback) => callback(null, Buffer.from(chunk as Buffer)),
  });
}

/** Runs the app to its end, with stdout as bytes. `stdin`: the input, or its chunks. */
export async function bytesHere(
  argv: readonly string[],
  stdin: string | Uint8Array | readonly Uint8Array[] = "",
  variables: NodeJS.ProcessEnv = {},
  signal?: AbortSignal,
): Promise<Ran<Buffer>> {
  const [stdout, stderr] = [createOutput(), createOutput()];
  const outputs = Promise.all([stdout, stderr].map(async (stream) => Buffer.concat(await stream.toArray())));
  const chunks = typeof stdin === "string" || stdin instanceof Uint8Array ? [Buffer.from(stdin)] : stdin;
  const code = await main({
    argv,
    env: { ROBOTS_STREAM_CACHE: "none", ...variables },
    stdin: Readable.from(chunks.filter((chunk) => chunk.length > 0)),
    stdout,
    stderr,
    signal,
  });
  stdout.end();
  stderr.end();
  const [out, error] = await outputs;
  return { code, stdout: out!, stderr: error!.toString() };
}

/** Runs the app to its end as `runApp` does. */
export async function runHere(...given: Parameters<typeof bytesHere>): Promise<Ran<string>> {
  const { code, stdout, stderr } = await bytesHere(...given);
  return { code, stdout: stdout.toString(), stderr };
}
