// Runs programs and returns their output, or an error that describes the failure.
import { spawn, spawnSync } from "node:child_process";

/** Options for running a program. `input` is written to the program's stdin, which is otherwise empty. */
export interface RunOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The error for a program that could not start or whose exit code is not 0. */
class RunError extends Error {
  constructor(program: string, args: readonly string[], ending: string, output: string) {
    super(`${[program, ...args].join(" ")} ${ending}\n${output.trim()}`);
    this.name = "RunError";
  }
}

/** Runs a program to its end and returns its stdout. If the program fails, throws a RunError with all of its output. */
export function runQuietly(program: string, args: readonly string[], options: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      shell: process.platform === "win32",
    });
    const out: Buffer[] = [];
    const all: Buffer[] = [];
    child.stdout.on("data", (bytes: Buffer) => all.push(bytes) && out.push(bytes));
    child.stderr.on("data", (bytes: Buffer) => all.push(bytes));
    // Ignore write errors: the program may end without reading its stdin.
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.once("error", (error) => reject(new RunError(program, args, `could not start: ${error.message}`, "")));
    child.once("close", (code, signal) => {
      if (code === 0) resolve(Buffer.concat(out).toString("utf8"));
      else reject(new RunError(program, args, `ended with ${code ?? signal}`, Buffer.concat(all).toString("utf8")));
    });
  });
}

/** Runs a program with this process's stdout and stderr. Returns its exit code, or 1 if a signal ended it. */
export function runOpenly(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: NodeJS.ProcessEnv = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      shell: process.platform === "win32",
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", ...variables },
    });
    child.once("error", (error) => reject(new RunError(program, args, `could not start: ${error.message}`, "")));
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** How a program ended, and its output. */
export interface Ended {
  /** Null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; an exit code other than 0 is not an error. */
export function runToEnd(program: string, args: readonly string[], options: RunOptions): Ended {
  const { cwd, input = "", env = process.env } = options;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, input, encoding: "utf8" });
  return { code: status, stdout, stderr };
}
