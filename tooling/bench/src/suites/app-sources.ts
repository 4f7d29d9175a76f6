// Compares two ways of reading one input: compressed files against `gzip -dc` or `zstd -dc` in a pipe, and two processes with a half each
// against one process.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Width, writeRecords, writeRobots } from "../data/records.ts";
import { medianOf } from "../measure.ts";
import type { Row, SuiteOptions } from "../report.ts";
import { cli } from "../whole-process.ts";

/** The compressed files of one input, beside its file `FILE`. */
type FileName = "FILE.gz" | "FILE.zst";

/** A comparison. In a command, `APP` is replaced by the app with its flags. The commands of one side run in parallel. */
interface Comparison {
  readonly name: string;
  readonly other: string;
  readonly width: Width;
  readonly files: readonly FileName[];
  readonly ours: readonly string[];
  readonly theirs: string;
  /** Upper bound of the wall time of robots-stream, as a share of the other program's wall time. */
  readonly wanted: number;
}

const nodeZstd = `"$NODE" -e 'process.stdin.pipe(require("node:zlib").createZstdDecompress()).pipe(process.stdout)' <`;
const hasZstd = spawnSync("zstd", ["--version"]).status === 0;

const compressed = (["gz", "zst"] as const).flatMap((ending) =>
  (["thin", "wide"] as const).map((width): Comparison => {
    const unpacked = ending === "gz" ? "gzip -dc" : hasZstd ? "zstd -dc" : nodeZstd;
    return {
      name: `NDJSON ${width}, .${ending}`,
      other: ending === "gz" || hasZstd ? `${unpacked} FILE | app` : "Node's zstd | app",
      width,
      files: [`FILE.${ending}`],
      ours: [`APP FILE.${ending}`],
      theirs: `${unpacked} FILE.${ending} | APP`,
      wanted: 1.15,
    };
  }),
);

const divided = (["thin", "wide"] as const).map((width): Comparison => ({
  name: `NDJSON ${width}, two processes`,
  other: "one process",
  width,
  files: [],
  ours: ["split -n l/1/2 FILE | APP", "split -n l/2/2 FILE | APP"],
  theirs: "APP FILE",
  wanted: 1,
}));

/** Measures the requested rows; writes the input files into `folder`. */
export function measureSources(folder: string, options: SuiteOptions): Row[] {
  return [...compressed, ...divided]
    .filter(({ name }) => options.wants(name))
    .map((each) => compare(each, folder, options));
}

function compare(comparison: Comparison, folder: string, options: SuiteOptions): Row {
  const { name, other, width, files, ours, theirs, wanted } = comparison;
  const format = "ndjson";
  options.progress(`${name}: writing records`);
  const origins = options.quick ? 50 : 1000;
  const robots = join(folder, `robots-${origins}`);
  writeRobots(robots, origins, options.seed);
  const file = join(folder, "records");
  writeRecords(file, { format, width, count: options.records, origins, seed: options.seed });
  for (const which of files) writeFileSync(file + which.slice("FILE".length), packed(which, file));
  const app = `"$NODE" "$CLI" --agent bingbot --no-fallback --robots "${robots}" --input ${format} --output ndjson`;
  const scripts = [ours, [theirs]].map((commands) =>
    commands.map((command) => command.replaceAll("APP", app).replaceAll("FILE", file)),
  );
  const [allowed, theirAllowed] = scripts.map((commands) => {
    const counted = `{ ${commands.join("; ")}; } | grep -c '"allowed":true'`;
    return Number(runShell(counted).output.split("\n")[0]);
  });
  const wall: number[][] = [[], []];
  const cpu: number[][] = [[], []];
  const order = [0, 1];
  for (let round = 0; round < options.rounds; round++) {
    options.progress(`${name}: round ${round + 1}`);
    for (const at of order) {
      const script = scripts[at]!.map((command) => `{ ${command}; } > /dev/null &`).join(" ");
      const { wallMs, cpuMs } = runShell(`${script} wait`);
      wall[at]!.push(wallMs);
      cpu[at]!.push(cpuMs);
    }
    order.reverse();
  }
  const [ourWallMs, plainWallMs] = wall.map(medianOf) as [number, number];
  const [ourCpuMs, plainCpuMs] = cpu.map(medianOf) as [number, number];
  return {
    input: name,
    other,
    ourWallMs,
    plainWallMs,
    wall: ourWallMs / plainWallMs,
    cpu: ourCpuMs / plainCpuMs,
    ourCpuMs,
    plainCpuMs,
    wanted: String(wanted),
    verdict: ourWallMs / plainWallMs <= wanted ? "ok" : "ABOVE: wall",
    allowed: allowed!,
    plainAllowed: theirAllowed!,
  };
}

function packed(which: FileName, file: string): Uint8Array {
  const records = readFileSync(file);
  return which === "FILE.gz" ? gzipSync(records) : zstdCompressSync(records);
}

/** Runs a shell script. `cpuMs` is the CPU time of all processes of the script. */
export function runShell(script: string): { readonly output: string; readonly wallMs: number; readonly cpuMs: number } {
  const start = performance.now();
  const { status, signal, stdout } = spawnSync("sh", ["-c", `${script}\nended=$?; times; exit $ended`], {
    env: { ...process.env, NODE: process.execPath, CLI: cli, NODE_OPTIONS: process.execArgv.join(" ") },
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
  });
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`${script} ended with ${status ?? signal}`);
  const children = stdout.trimEnd().split("\n").at(-1)!;
  let cpuMs = 0;
  for (const [, minutes, seconds] of children.matchAll(/(\d+)m([\d.]+)s/gu)) {
    cpuMs += (Number(minutes) * 60 + Number(seconds)) * 1000;
  }
  return { output: stdout, wallMs, cpuMs };
}
