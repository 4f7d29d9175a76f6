// Runs programs as whole processes, measures their cost (wall time, CPU time, memory), and counts the records that they write.
import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { medianOf } from "./measure.ts";

/** The cost of a process. */
export interface Usage {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The largest resident set, in MB of 1,048,576 bytes. */
  readonly peakMb: number;
}

const usageHook = new URL("./programs/usage-hook.mjs", import.meta.url).href;
const feedProgram = fileURLToPath(new URL("./programs/feed.ts", import.meta.url));
// Like the packages of this program, the app is the built one, or runs from its sources if Node's conditions select them.
const fromSources = process.execArgv.some((argument) => argument.includes("@robots-stream/source"));

/** The path of the app's program. */
export const cli: string = fileURLToPath(
  new URL(`../../../apps/robots-stream/${fromSources ? "src/cli.ts" : "bin/cli.js"}`, import.meta.url),
);

/** Runs `cat FILE | node PROGRAM > OUT` and returns the program's cost. Throws if the program fails. */
export function runProgram(program: readonly string[], file: string, out: string, folder: string): Usage {
  const usageFile = join(folder, "usage.json");
  rmSync(usageFile, { force: true });
  const command = [process.execPath, ...process.execArgv, "--import", usageHook, ...program];
  const start = performance.now();
  const child = spawnSync("sh", ["-c", 'cat "$BENCH_INPUT" | "$@" > "$BENCH_OUTPUT"', "sh", ...command], {
    env: { ...process.env, BENCH_INPUT: file, BENCH_OUTPUT: out, BENCH_USAGE_FILE: usageFile },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const wallMs = performance.now() - start;
  if (child.status !== 0) throw new Error(`${program[0]} ended with ${child.status ?? child.signal}`);
  return { wallMs, ...(JSON.parse(readFileSync(usageFile, "utf8")) as { cpuMs: number; peakMb: number }) };
}

/** Runs a program over the records of `programs/feed.ts`; returns its cost and the number of rows that it wrote. */
export function runFed(program: readonly string[], feed: string, folder: string): Usage & { readonly rows: number } {
  const usageFile = join(folder, "usage.json");
  rmSync(usageFile, { force: true });
  const node = [process.execPath, ...process.execArgv];
  const start = performance.now();
  const script = 'feed="$1"; shift; "$BENCH_NODE" "$BENCH_FEED" "$feed" | "$@" | wc -l';
  const child = spawnSync("sh", ["-c", script, "sh", feed, ...node, "--import", usageHook, ...program], {
    env: { ...process.env, BENCH_NODE: process.execPath, BENCH_FEED: feedProgram, BENCH_USAGE_FILE: usageFile },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  const wallMs = performance.now() - start;
  const usage = JSON.parse(readFileSync(usageFile, "utf8")) as { cpuMs: number; peakMb: number };
  return { wallMs, ...usage, rows: Number(child.stdout) };
}

/** Runs a program and counts the records that it writes, and how many of them are allowed. */
export function countAllowed(
  program: readonly string[],
  file: string,
  folder: string,
): { records: number; allowed: number } {
  const path = join(folder, "out.ndjson");
  runProgram(program, file, path, folder);
  const counts = { records: 0, allowed: 0 };
  const buffer = Buffer.alloc(1024 * 1024);
  const out = openSync(path, "r");
  let rest = "";
  for (let size = readSync(out, buffer); size > 0; size = readSync(out, buffer)) {
    const lines = (rest + buffer.toString("latin1", 0, size)).split("\n");
    rest = lines.pop()!;
    counts.records += lines.length;
    for (const line of lines) if (line.includes('"allowed":true')) counts.allowed++;
  }
  closeSync(out);
  rmSync(path);
  return counts;
}

/** Runs the app to its end, without measuring. Throws if the app fails. */
export function runCli(...args: readonly string[]): void {
  const child = spawnSync(process.execPath, [...process.execArgv, cli, ...args], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(`robots-stream ${args[0]} ended with ${child.status}: ${child.stderr}`);
}

/** The median of each number; undefined for an empty list. */
export function medianUsage(usages: readonly Usage[]): Usage | undefined {
  if (usages.length === 0) return undefined;
  return {
    wallMs: medianOf(usages.map(({ wallMs }) => wallMs)),
    cpuMs: medianOf(usages.map(({ cpuMs }) => cpuMs)),
    peakMb: medianOf(usages.map(({ peakMb }) => peakMb)),
  };
}
