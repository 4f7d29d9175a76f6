// Compares the CPU time of the app, as a process over a generated log, for one crawler, for several, and for each record's own crawler.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aiCrawlers } from "../data/ai-crawlers.ts";
import { type Width, writeRecords, writeRobots } from "../data/records.ts";
import { type Report, type Row, type SuiteOptions, showNumber } from "../report.ts";
import { type Usage, cli, countAllowed, medianUsage, runProgram } from "../whole-process.ts";

const eight = "bingbot,Googlebot,GPTBot,ClaudeBot,CCBot,YandexBot,Applebot,AhrefsBot";
const record = ["--rows", "record"];
/** Placeholder for the path of the file that lists `aiCrawlers`. */
const aiFile = "AI-CRAWLERS";
const ai = ["--agents", aiFile, "--quiet"];

interface Asked {
  readonly name: string;
  readonly flags: readonly string[];
  readonly width: Width;
  /** Rows for each record. */
  readonly rows: number;
  /** Upper bounds: CPU time relative to one agent, and microseconds of CPU time for each row of a record after its first. */
  readonly wanted: { readonly cpu?: number; readonly perRow?: number };
}

const all: readonly Asked[] = [
  { name: "1 agent", flags: ["--agent", "bingbot"], width: "thin", rows: 1, wanted: {} },
  { name: "8 agents", flags: ["--agent", eight], width: "thin", rows: 8, wanted: { cpu: 2.5, perRow: 0.2 } },
  { name: "41 agents", flags: ai, width: "thin", rows: aiCrawlers.length, wanted: { perRow: 0.2 } },
  { name: "8 agents, --rows record", flags: ["--agent", eight, ...record], width: "thin", rows: 1, wanted: { cpu: 2 } },
  { name: "41 agents, --rows record", flags: [...ai, ...record], width: "thin", rows: 1, wanted: { cpu: 2 } },
  { name: "1 agent, wide records", flags: ["--agent", "bingbot"], width: "wide", rows: 1, wanted: {} },
  {
    name: "the agent of each record",
    flags: ["--agent-field", "user_agent"],
    width: "wide",
    rows: 1,
    wanted: { cpu: 1.5 },
  },
];

/** For each width, the index in `all` of the row with which the other rows are compared. */
const bases: Readonly<Record<Width, number>> = {
  thin: all.findIndex(({ width }) => width === "thin"),
  wide: all.findIndex(({ width }) => width === "wide"),
};

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
    title: `whole processes over ${options.records.toLocaleString("en")} NDJSON records, by crawlers`,
    columns: [
      { key: "asked", heading: "asked about" },
      { key: "rows", heading: "rows out" },
      { key: "wallMs", heading: "wall", show: showMs },
      { key: "cpuMs", heading: "CPU", show: showMs },
      { key: "wall", heading: "wall / 1 agent", show: showNumber },
      { key: "cpu", heading: "CPU / 1 agent", show: showNumber },
      { key: "perRow", heading: "CPU of a row beyond the first", show: (value) => `${showNumber(value)} µs` },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
    ],
    notes: [
      "Reading, locating and loading are done once for all agents. Eight agents write eight times the rows.",
      "wanted: CPU / 1 agent, and the CPU time of a row beyond the first of a record.",
    ],
  };
}

function measure(folder: string, options: SuiteOptions): Row[] {
  const origins = options.quick ? 50 : 1000;
  const robots = join(folder, "robots");
  const fileOf = (width: Width): string => join(folder, width);
  options.progress("writing records");
  writeRobots(robots, origins, options.seed);
  const names = join(folder, "ai-crawlers.txt");
  writeFileSync(names, `${aiCrawlers.join("\n")}\n`);
  for (const width of ["thin", "wide"] as const) {
    writeRecords(fileOf(width), { format: "ndjson", width, count: options.records, origins, seed: options.seed });
  }
  const asked = all.filter(({ name, width }, at) => at === bases[width] || options.wants(name));
  const commands = asked.map(({ flags }) => [
    cli,
    ...flags.map((flag) => (flag === aiFile ? names : flag)),
    "--robots",
    robots,
    "--input",
    "ndjson",
  ]);
  const rowsOf = asked.map(({ name, width, rows }, at) => {
    options.progress(`${name}: counting rows`);
    const { records } = countAllowed(commands[at]!, fileOf(width), folder);
    const each = records / options.records;
    if (each !== rows) {
      throw new Error(`${name}: ${records} rows of ${options.records} records`);
    }
    return each;
  });
  const usages: Usage[][] = asked.map(() => []);
  const order = asked.map((_, at) => at);
  for (let round = 0; round < options.rounds; round++) {
    options.progress(`round ${round + 1}`);
    for (const at of order) {
      usages[at]!.push(runProgram(commands[at]!, fileOf(asked[at]!.width), "/dev/null", folder));
    }
    order.reverse();
  }
  const medians = usages.map((each) => medianUsage(each)!);
  return asked.map(({ name, width, wanted }, at) => {
    const base = medians[asked.indexOf(all[bases[width]]!)]!;
    const rows = rowsOf[at]!;
    const { wallMs, cpuMs } = medians[at]!;
    const cpu = cpuMs / base.cpuMs;
    const perRow = rows === 1 ? null : ((cpuMs - base.cpuMs) * 1_000) / options.records / (rows - 1);
    const isAbove = cpu > (wanted.cpu ?? Infinity) || (perRow ?? 0) > (wanted.perRow ?? Infinity);
    const hasBound = wanted.cpu !== undefined || wanted.perRow !== undefined;
    return {
      asked: name,
      rows: rows * options.records,
      wallMs,
      cpuMs,
      wall: wallMs / base.wallMs,
      cpu,
      perRow,
      wanted: [wanted.cpu, wanted.perRow === undefined ? undefined : `${wanted.perRow} µs`]
        .filter((bound) => bound !== undefined)
        .join(" · "),
      verdict: !hasBound ? "" : isAbove ? "ABOVE" : "ok",
    };
  });
}
