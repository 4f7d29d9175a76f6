// Measures the cost of the bridge: compares the CPU time of the package for Spark, without Spark, with the CPU time of the command over the
// same records.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeEntries, writeRecords } from "../data/records.ts";
import { medianOf } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, showNumber, verdictAtMost } from "../report.ts";
import { cli, runCli, runProgram } from "../whole-process.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const program = fileURLToPath(new URL("../programs/bridge.py", import.meta.url));

/** The rows: the command's arguments, and the upper bound of the bridge's CPU time relative to the command's. */
const all = [
  { name: "decide", flags: ["--agent", "bingbot"], wanted: 1.6 },
  { name: "audit", flags: ["audit", "--input", "ndjson", "-o", "json"], wanted: 1.6 },
] as const;

interface Bridged {
  readonly rows: number;
  readonly pythonMs: number;
  readonly childMs: number;
}

/** A Python with the package installed: `$ROBOTS_STREAM_PYTHON`, or the environment that the check `spark` makes. */
const python = process.env["ROBOTS_STREAM_PYTHON"] ?? join(root, ".cache/spark/venv/bin/python");

export function runBridge(options: SuiteOptions): Report {
  const isThere = existsSync(python);
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const rows: Row[] = [];
  try {
    const origins = options.quick ? 50 : 1_000;
    const [entries, cache, snapshot, records] = ["entries", "cache", "snapshot", "records"].map((name) =>
      join(folder, name),
    ) as [string, string, string, string];
    writeEntries(entries, origins, options.seed);
    runCli("cache", "import", "--cache", cache, entries);
    runCli("cache", "export", "--cache", cache, "--snapshot", snapshot);
    writeRecords(records, { count: options.records, origins, seed: options.seed, width: "wide", format: "ndjson" });
    const bridge = (name: string): Bridged => {
      const env = { ...process.env, ROBOTS_STREAM_COMMAND: cli, ROBOTS_STREAM_NODE: process.execPath };
      const child = spawnSync(python, [program, name, snapshot, records], { env, encoding: "utf8" });
      if (child.status !== 0) throw new Error(`${program} ended with ${child.status}: ${child.stderr}`);
      return JSON.parse(child.stdout) as Bridged;
    };
    for (const { name, flags, wanted } of all) {
      if (!isThere || !options.wants(name)) continue;
      const [ours, theirs]: [number[], Bridged[]] = [[], []];
      for (let round = 0; round < options.rounds; round++) {
        options.progress(`${name}: round ${round + 1}`);
        ours.push(runProgram([cli, ...flags, "--robots", snapshot], records, "/dev/null", folder).cpuMs);
        theirs.push(bridge(name));
      }
      const commandMs = medianOf(ours);
      const pythonMs = medianOf(theirs.map((each) => each.pythonMs));
      const childMs = medianOf(theirs.map((each) => each.childMs));
      const ratio = (pythonMs + childMs) / commandMs;
      const verdict = verdictAtMost(ratio, wanted);
      rows.push({ name, rows: theirs[0]!.rows, commandMs, childMs, pythonMs, ratio, wanted, verdict });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const showMs = (value: Row[string]): string => `${showNumber(value)} ms`;
  return {
    suite: "bridge",
    title: `the package for Spark, without Spark, over ${options.records.toLocaleString("en")} records: CPU time`,
    columns: [
      { key: "name", heading: "work" },
      { key: "commandMs", heading: "the command", show: showMs },
      { key: "childMs", heading: "bridge: child", show: showMs },
      { key: "pythonMs", heading: "bridge: Python", show: showMs },
      { key: "ratio", heading: "bridge / command", show: showNumber },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
      { key: "rows", heading: "rows" },
    ],
    rows,
    notes: [
      ...(isThere ? [] : [`Left out: there is no ${python}; npm run proof -- --only spark creates it.`]),
      "The command reads NDJSON; the bridge gets columns, in batches of 10,000 rows, and gives columns. The JVM is not included.",
    ],
  };
}
