// Compares the whole app, a plain script and a JSON loop, as processes over generated logs: wall time, CPU time and memory.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RecordFormat, type Width, writeRecords, writeRobots } from "../data/records.ts";
import { type Report, type Row, type SuiteOptions, showNumber } from "../report.ts";
import { measureSources } from "./app-sources.ts";
import { type Usage, cli, countAllowed, medianUsage, runProgram } from "../whole-process.ts";

interface Input {
  readonly name: string;
  readonly format: RecordFormat;
  readonly width: Width;
  readonly origins: number;
  /** Upper bounds: wall and CPU time against the plain script, CPU time against the JSON loop, memory. */
  readonly wanted: {
    readonly wall: number;
    readonly cpu: number;
    readonly loop: number | null;
    readonly peakMb: number;
  };
}

const inputs: readonly Input[] = [
  {
    name: "NDJSON thin",
    format: "ndjson",
    width: "thin",
    origins: 1000,
    wanted: { wall: 0.15, cpu: 0.18, loop: 1.7, peakMb: 180 },
  },
  {
    name: "NDJSON wide",
    format: "ndjson",
    width: "wide",
    origins: 1000,
    wanted: { wall: 0.16, cpu: 0.18, loop: 1.1, peakMb: 180 },
  },
  {
    name: "CSV wide",
    format: "csv",
    width: "wide",
    origins: 1000,
    wanted: { wall: 0.105, cpu: 0.12, loop: null, peakMb: 200 },
  },
  {
    name: "NDJSON thin, many origins",
    format: "ndjson",
    width: "thin",
    origins: 100_000,
    wanted: { wall: 0.175, cpu: 0.19, loop: null, peakMb: 320 },
  },
];

// With fewer records than this, a run over many origins spends most of its time on reading their files.
const recordsForManyOrigins = 500_000;

/** Threads of the runs that are compared with single-threaded runs. */
const workers = 2;

const plainScript = fileURLToPath(new URL("../programs/plain-script.mjs", import.meta.url));
const jsonLoop = fileURLToPath(new URL("../programs/json-loop.mjs", import.meta.url));

/** Runs the suite. */
export function runApp(options: SuiteOptions): Report {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const rows: Row[] = [];
  try {
    for (const input of inputs) {
      if (!options.wants(input.name)) continue;
      if (input.origins > 1000 && options.records < recordsForManyOrigins) continue;
      rows.push(measureInput(input, folder, options));
    }
    rows.push(...measureSources(folder, options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const showMs = (value: Row[string]): string => `${showNumber(value)} ms`;
  return {
    suite: "app",
    title: `whole processes over ${options.records.toLocaleString("en")} records: cat FILE | PROGRAM > /dev/null`,
    columns: [
      { key: "input", heading: "input" },
      { key: "recordBytes", heading: "bytes a record" },
      { key: "ourWallMs", heading: "robots-stream", show: showMs },
      { key: "plainWallMs", heading: "(a) plain script", show: showMs },
      { key: "loopWallMs", heading: "(b) JSON loop", show: showMs },
      { key: "wall", heading: "wall / (a)", show: showNumber },
      { key: "cpu", heading: "CPU / (a)", show: showNumber },
      { key: "loop", heading: "CPU / (b)", show: showNumber },
      { key: "peakMb", heading: "peak MB", show: (value) => String(Math.round(Number(value))) },
      { key: "speedup", heading: `${workers} workers: times as fast`, show: showNumber },
      { key: "workersCpu", heading: "their CPU / one's", show: showNumber },
      { key: "workersPeakMb", heading: "their peak MB", show: (value) => String(Math.round(Number(value))) },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
      { key: "allowed", heading: "allowed" },
      { key: "plainAllowed", heading: "by (a)" },
    ],
    rows,
    notes: [
      "(a): node:readline, JSON.parse (csv-parse for CSV), new URL, robots-parser, JSON.stringify; each robots.txt parsed once. (b): JSON.parse and JSON.stringify per line.",
      "The times are wall times. wanted: wall and CPU time against (a), CPU time against (b), peak MB, for 1,000,000 records.",
      `${workers} workers: one thread's wall time divided by theirs, and their CPU time divided by one thread's, in the same rounds.`,
      ".gz and .zst: (a) is the app behind gzip -dc or zstd -dc; --workers 2: (a) is two processes over half of the records each. No `cat`; CPU time of all processes.",
      "peak MB: the largest resident set of the app. allowed: records allowed by the app and by (a).",
    ],
  };
}

function measureInput(input: Input, folder: string, options: SuiteOptions): Row {
  options.progress(`${input.name}: writing records`);
  const origins = options.quick ? 50 : input.origins;
  const robots = join(folder, `robots-${origins}`);
  const file = join(folder, "records");
  writeRobots(robots, origins, options.seed);
  writeRecords(file, { format: input.format, width: input.width, count: options.records, origins, seed: options.seed });
  const app = [
    cli,
    "--agent",
    "bingbot",
    "--no-fallback",
    "--robots",
    robots,
    "--input",
    input.format,
    "--output",
    "ndjson",
  ];
  const plain = [plainScript, robots, input.format];
  const loop = input.format === "ndjson" ? [jsonLoop] : undefined;
  options.progress(`${input.name}: comparing decisions`);
  const ours = countAllowed(app, file, folder);
  const plains = countAllowed(plain, file, folder);
  if (ours.records !== options.records || plains.records !== options.records) {
    throw new Error(`${options.records} records read, ${ours.records} and ${plains.records} written`);
  }
  const together = [...app, "--workers", String(workers)];
  const commands = loop === undefined ? [app, plain, together] : [app, plain, together, loop];
  const usages: Usage[][] = commands.map(() => []);
  const order = commands.map((_, at) => at);
  for (let round = 0; round < options.rounds; round++) {
    options.progress(`${input.name}: round ${round + 1}`);
    for (const at of order) usages[at]!.push(runProgram(commands[at]!, file, "/dev/null", folder));
    order.reverse();
  }
  const [our, script, divided, json] = usages.map(medianUsage) as [Usage, Usage, Usage, Usage | undefined];
  const measured = {
    wall: our.wallMs / script.wallMs,
    cpu: our.cpuMs / script.cpuMs,
    loop: json === undefined ? null : our.cpuMs / json.cpuMs,
    peakMb: our.peakMb,
  };
  const { wanted } = input;
  const above = (["wall", "cpu", "loop", "peakMb"] as const).filter(
    (key) => (measured[key] ?? 0) > (wanted[key] ?? Infinity),
  );
  return {
    input: input.name,
    recordBytes: Math.round(statSync(file).size / options.records),
    ourWallMs: our.wallMs,
    plainWallMs: script.wallMs,
    loopWallMs: json?.wallMs ?? null,
    ...measured,
    speedup: our.wallMs / divided.wallMs,
    workersCpu: divided.cpuMs / our.cpuMs,
    workersPeakMb: divided.peakMb,
    wanted: [wanted.wall, wanted.cpu, wanted.loop ?? "–", wanted.peakMb].join(" · "),
    verdict: options.quick ? "" : above.length === 0 ? "ok" : `ABOVE: ${above.join(", ")}`,
    allowed: ours.allowed,
    plainAllowed: plains.allowed,
    ourCpuMs: our.cpuMs,
    plainCpuMs: script.cpuMs,
    loopCpuMs: json?.cpuMs ?? null,
    plainPeakMb: script.peakMb,
  };
}
