// Runs the bench as a process for its tests; returns the process's output and exit code, or the rows of its suites.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

/** Runs the bench to its end, without the recorded data beside the repository. */
export function bench(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ["--conditions=@robots-stream/source", "--expose-gc", main, ...args], {
    encoding: "utf8",
    env: { ...process.env, ROBOTS_STREAM_SHARED: "none", NODE_OPTIONS: "" },
    // Generous, for a busy machine.
    timeout: 1_200_000,
  });
}

/** The rows of one suite, from its `--json` output. */
export interface Suite {
  readonly suite: string;
  readonly rows: readonly Readonly<Record<string, string | number | null>>[];
}

/** Runs suites on small data and returns their rows. */
export function rowsOf(...args: readonly string[]): readonly Suite[] {
  const { status, stdout, stderr } = bench(...args, "--quick", "--json");
  expect(status, stderr).toBe(0);
  return (JSON.parse(stdout) as { reports: readonly Suite[] }).reports;
}
