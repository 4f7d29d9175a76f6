// Runs the app within this process, for tests that do not test the process itself: a separate process would take 0.15 s each time.
import { Readable, Writable } from "node:stream";
import { main } from "../src/main.ts";
import type { Ended } from "./run.ts";

function sinkTo(chunks: Buffer[]): Writable {
  return new Writable({
    write(chunk: Buffer | string, _encoding, callback) {
      chunks.push(Buffer.from(chunk));
      callback();
    },
  });
}

/** Runs the app to its end as `runApp` does. */
export async function runHere(
  args: readonly string[],
  stdin: string | Uint8Array = "",
  variables: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  const code = await main({
    argv: args,
    env: { ROBOTS_STREAM_CACHE: "none", ...variables },
    stdin: Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin)]),
    stdout: sinkTo(stdout),
    stderr: sinkTo(stderr),
  });
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}
