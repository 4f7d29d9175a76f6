// Runs programs as whole processes, measures their cost (wall time, CPU time, memory), and compares what they write.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { medianOf } from "./measure.ts";

/** The cost of a process. */
export interface Usage {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** The largest resident set, in MB of 1,048,576 bytes. */
  readonly MB: number;
}

const usageHook = fileURLToPath(new URL("./programs/usage-hook.cjs", import.meta.url));
// Like the packages of this program, the app is the built one, or runs from its sources if Node's conditions select them.
const fromSources = process.execArgv.some((argument) => argument.includes("@robots-stream/source"));

/** The path of the app's program in a checkout; default: this one. */
export function cliOf(checkout: string = fileURLToPath(new URL("../../..", import.meta.url))): string {
  return join(checkout, "apps/robots-stream", fromSources ? "src/cli.ts" : "bin/cli.js");
}

/** Runs a shell script in which "$@" is a program of Node; returns the program's cost and the script's output. Throws if the script fails. */
export function run(script: string, program: readonly string[], folder: string): Usage & { readonly stdout: string } {
  const usageFile = join(folder, "usage.json");
  rmSync(usageFile, { force: true });
  const node = [process.execPath, ...process.execArgv, "--require", usageHook];
  const { wallMs, stdout } = runShell(script, folder, [...node, ...program], { BENCH_USAGE_FILE: usageFile });
  const { cpuMs, peakMb } = JSON.parse(readFileSync(usageFile, "utf8")) as { cpuMs: number; peakMb: number };
  return { wallMs, cpuMs, MB: peakMb, stdout };
}

/** Runs a shell script without measuring the memory. `cpuMs` is the CPU time of all its processes, in hundredths of a second. */
export function runShell(
  script: string,
  folder: string,
  words: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): { readonly stdout: string; readonly wallMs: number; readonly cpuMs: number } {
  const start = performance.now();
  const child = spawnSync("sh", ["-c", `${script}\nended=$?; times; exit $ended`, "sh", ...words], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 64 * 1_048_576,
  });
  const wallMs = performance.now() - start;
  if (child.status !== 0) throw new Error(`${script} (${words.join(" ")}) ended with ${child.status ?? child.signal}`);
  const lines = child.stdout.trimEnd().split("\n");
  let cpuMs = 0;
  for (const [, minutes, seconds] of lines.at(-1)!.matchAll(/(\d+)m([\d.]+)s/gu))
    cpuMs += (Number(minutes) * 60 + Number(seconds)) * 1_000;
  return { stdout: lines.slice(0, -2).join("\n"), wallMs, cpuMs };
}

/** Runs the app to its end, without measuring. Throws if the app fails. */
export function runCli(...args: readonly string[]): void {
  const child = spawnSync(process.execPath, [...process.execArgv, cliOf(), ...args], { encoding: "utf8" });
  if (child.status !== 0) throw new Error(`robots-stream ${args[0]} ended with ${child.status}: ${child.stderr}`);
}

/** The medians of the ratios of paired runs, and of our own costs. */
export function comparisonOf(
  ours: readonly Usage[],
  theirs: readonly Omit<Usage, "MB">[],
): Readonly<Record<"cpu" | "wall" | "cpuMs" | "wallMs" | "theirCpuMs" | "theirWallMs" | "MB", number>> {
  const median = (valueAt: (our: Usage, their: Omit<Usage, "MB">) => number): number =>
    medianOf(ours.map((our, at) => valueAt(our, theirs[at]!)));
  return {
    cpu: median((our, their) => our.cpuMs / their.cpuMs),
    wall: median((our, their) => our.wallMs / their.wallMs),
    cpuMs: median((our) => our.cpuMs),
    wallMs: median((our) => our.wallMs),
    theirCpuMs: median((_, their) => their.cpuMs),
    theirWallMs: median((_, their) => their.wallMs),
    MB: median((our) => our.MB),
  };
}

/** What a program wrote: the lines, how many of them say "allowed", and a digest that does not depend on the lines' order. */
export interface Written {
  readonly lines: number;
  readonly allowed: number;
  readonly digest: bigint;
}

/** Reads what a program wrote into a file. */
export function writtenIn(path: string): Written {
  let [lines, allowed, digest] = [0, 0, 0n];
  const buffer = Buffer.alloc(1_048_576);
  const file = openSync(path, "r");
  let rest = "";
  for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
    const whole = (rest + buffer.toString("latin1", 0, size)).split("\n");
    rest = whole.pop()!;
    lines += whole.length;
    for (const line of whole) {
      if (line.includes('"allowed":true')) allowed++;
      digest += createHash("sha256").update(line, "latin1").digest().readBigUInt64LE();
    }
  }
  closeSync(file);
  return { lines, allowed, digest };
}
