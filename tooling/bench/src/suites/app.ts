// Compares the whole app, a plain script and a JSON loop as processes over generated logs: wall time, CPU time and memory.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeRobots } from "../data/records.ts";
import { type Report, type Row, type SuiteOptions, showNumber } from "../report.ts";
import { type AppInput, appInputs } from "./app-inputs.ts";
import { measureSources } from "./app-sources.ts";
import { type Usage, countAllowed, medianUsage, runProgram } from "../whole-process.ts";

// With fewer records than this, a run over many origins spends most of its time on reading the origins' robots.txt files.
const recordsForManyOrigins = 500_000;

/** A program and its input file. */
interface Program {
  readonly command: readonly string[];
  readonly file: string;
}

export function runApp(options: SuiteOptions): Report {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const rows: Row[] = [];
  try {
    for (const input of appInputs) {
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
      { key: "other", heading: "(a)" },
      { key: "plainWallMs", heading: "(a)", show: showMs },
      { key: "loopWallMs", heading: "(b) JSON loop", show: showMs },
      { key: "wall", heading: "wall / (a)", show: showNumber },
      { key: "cpu", heading: "CPU / (a)", show: showNumber },
      { key: "loop", heading: "CPU / (b)", show: showNumber },
      { key: "peakMb", heading: "peak MB", show: (value) => String(Math.round(Number(value))) },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
      { key: "allowed", heading: "allowed" },
      { key: "plainAllowed", heading: "by (a)" },
    ],
    rows,
    notes: [
      "(a), a plain script: node:readline, JSON.parse (csv-parse for CSV, a regular expression for logs), new URL, robots-parser, JSON.stringify; each robots.txt parsed once. (b): JSON.parse and JSON.stringify per line.",
      "The times are wall times. wanted: wall and CPU time against (a), CPU time against (b), peak MB, for 1,000,000 records.",
      ".gz and .zst: (a) is the app behind gzip -dc or zstd -dc; two processes: (a) is one process over all records. No `cat`; CPU time of all processes.",
      "peak MB: the largest resident set of the app. allowed: records allowed by the app and by (a).",
    ],
  };
}

function measureInput(input: AppInput, folder: string, options: SuiteOptions): Row {
  options.progress(`${input.name}: writing records`);
  const origins = options.quick ? 50 : input.origins;
  const robots = join(folder, input.save === undefined ? `robots-${origins}` : "robots");
  const file = join(folder, "records");
  const size = { count: options.records, origins, seed: options.seed };
  if (input.save === undefined) writeRobots(robots, origins, options.seed);
  else input.save(robots, size);
  input.write(file, size);
  const otherFile = input.other.write === undefined ? file : join(folder, "other-records");
  input.other.write?.(otherFile, size);
  const app: Program = { command: input.ours(robots), file };
  const plain: Program = { command: input.other.program(robots), file: otherFile };
  options.progress(`${input.name}: comparing decisions`);
  const ours = countAllowed(app.command, app.file, folder);
  const plains = countAllowed(plain.command, plain.file, folder);
  if (ours.records !== options.records || plains.records !== options.records) {
    throw new Error(`${options.records} records read, ${ours.records} and ${plains.records} written`);
  }
  const programs = [app, plain];
  if (input.loop !== undefined) programs.push({ command: input.loop, file });
  const usages: Usage[][] = programs.map(() => []);
  const order = programs.map((_, at) => at);
  for (let round = 0; round < options.rounds; round++) {
    options.progress(`${input.name}: round ${round + 1}`);
    for (const at of order) {
      const { command, file: read } = programs[at]!;
      usages[at]!.push(runProgram(command, read, "/dev/null", folder));
    }
    order.reverse();
  }
  const [our, script, json] = usages.map(medianUsage) as [Usage, Usage, Usage | undefined];
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
    other: input.other.is,
    recordBytes: Math.round(statSync(file).size / options.records),
    ourWallMs: our.wallMs,
    plainWallMs: script.wallMs,
    loopWallMs: json?.wallMs ?? null,
    ...measured,
    wanted: [wanted.wall, wanted.cpu, wanted.loop ?? "–", wanted.peakMb].join(" · "),
    verdict: above.length === 0 ? "ok" : `ABOVE: ${above.join(", ")}`,
    allowed: ours.allowed,
    plainAllowed: plains.allowed,
    ourCpuMs: our.cpuMs,
    plainCpuMs: script.cpuMs,
    loopCpuMs: json?.cpuMs ?? null,
    plainPeakMb: script.peakMb,
  };
}
