// Runs the app as a real process with arguments and stdin, and returns its output and exit code.
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Node's arguments that run the bundled app, as users have it; `npm test` builds the bundle first. Running from sources would take 0.1 s
 * longer for each of the many processes. bundled.test.ts compares the bundle with its modules.
 */
export const appArguments: readonly string[] = [fileURLToPath(new URL("../bin/cli.js", import.meta.url))];

const env: NodeJS.ProcessEnv = { ...process.env };
// Tests ignore the environment's proxy; a test that needs a proxy sets one.
for (const name of Object.keys(env)) if (/_proxy$/i.test(name)) delete env[name];

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the app in the repository's root. */
export function startApp(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  how: readonly string[] = appArguments,
): ChildProcess & { readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [...how, ...args], {
    cwd: root,
    stdio: "pipe",
    env: { ...env, ...variables },
  });
  const outputs = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    return chunks;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const [stdout = "", stderr = ""] = outputs.map((chunks) => Buffer.concat(chunks).toString("utf8"));
      resolve({ code, stdout, stderr });
    });
  });
  // Ignore write errors: the app may end without reading all of its input.
  child.stdin.on("error", () => undefined);
  return Object.assign(child, { ended });
}

/** Runs the app to its end. */
export function runApp(
  args: readonly string[],
  stdin: string | Uint8Array = "",
  variables: NodeJS.ProcessEnv = {},
  how: readonly string[] = appArguments,
): Promise<Ended> {
  const child = startApp(args, variables, how);
  child.stdin?.end(stdin);
  return child.ended;
}

/** The records of an NDJSON output. */
export function recordsOf<Row = Record<string, unknown>>(stdout: string): Row[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}
