// Compares the CPU time of the app over a generated log for one crawler, for eight, and for each record's own crawler, as processes.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeRecords, writeRobots } from "../data/records.ts";
import { type Report, type Row, type SuiteOptions, showNumber } from "../report.ts";
import { type Usage, cli, countAllowed, medianUsage, runProgram } from "../whole-process.ts";

const eight = "bingbot Googlebot GPTBot ClaudeBot CCBot YandexBot Applebot AhrefsBot".split(" ");

interface Asked {
  readonly name: string;
  readonly flags: readonly string[];
  readonly rows: number;
  /** Upper bound of CPU time relative to one agent. */
  readonly wanted: number | null;
}

const all: readonly Asked[] = [
  { name: "1 agent", flags: ["--agent", "bingbot"], rows: 1, wanted: null },
  { name: "8 agents", flags: eight.flatMap((agent) => ["--agent", agent]), rows: 8, wanted: 2.5 },
  { name: "the agent of each record", flags: ["--agent-field", "user_agent"], rows: 1, wanted: 1.5 },
];

/** Runs the suite. */
export function runAgents(options: SuiteOptions): Report {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  try {
    return { ...head(options), rows: measure(folder, options) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function head(options: SuiteOptions): Omit<Report, "rows"> {
  const showMs = (value: Row[string]): string => `${showNumber(value)} ms`;
  return {
    suite: "agents",
    title: `whole processes over ${options.records.toLocaleString("en")} wide NDJSON records, by crawlers`,
    columns: [
      { key: "asked", heading: "asked about" },
      { key: "rows", heading: "rows out" },
      { key: "wallMs", heading: "wall", show: showMs },
      { key: "cpuMs", heading: "CPU", show: showMs },
      { key: "wall", heading: "wall / 1 agent", show: showNumber },
      { key: "cpu", heading: "CPU / 1 agent", show: showNumber },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
    ],
    notes: ["Reading, locating and loading are done once for all agents. Eight agents write eight times the rows."],
  };
}

function measure(folder: string, options: SuiteOptions): Row[] {
  const origins = options.quick ? 50 : 1000;
  const robots = join(folder, "robots");
  const file = join(folder, "records");
  options.progress("writing records");
  writeRobots(robots, origins, options.seed);
  writeRecords(file, { format: "ndjson", width: "wide", count: options.records, origins, seed: options.seed });
  const asked = all.filter(({ name }, at) => at === 0 || options.wants(name));
  const commands = asked.map(({ flags }) => [cli, ...flags, "--robots", robots, "--input", "ndjson"]);
  for (const [at, { name, rows }] of asked.entries()) {
    options.progress(`${name}: counting rows`);
    const { records } = countAllowed(commands[at]!, file, folder);
    if (records !== options.records * rows) throw new Error(`${name}: ${records} rows of ${options.records} records`);
  }
  const usages: Usage[][] = asked.map(() => []);
  const order = asked.map((_, at) => at);
  for (let round = 0; round < options.rounds; round++) {
    options.progress(`round ${round + 1}`);
    for (const at of order) usages[at]!.push(runProgram(commands[at]!, file, "/dev/null", folder));
    order.reverse();
  }
  const medians = usages.map((each) => medianUsage(each)!);
  return asked.map(({ name, rows, wanted }, at) => {
    const { wallMs, cpuMs } = medians[at]!;
    const cpu = cpuMs / medians[0]!.cpuMs;
    return {
      asked: name,
      rows: rows * options.records,
      wallMs,
      cpuMs,
      wall: wallMs / medians[0]!.wallMs,
      cpu,
      wanted,
      verdict: options.quick || wanted === null ? "" : cpu <= wanted ? "ok" : "ABOVE",
    };
  });
}
