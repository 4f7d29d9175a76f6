// Measures audits as whole processes: a compressed log against `gzip -dc`, and the memory of a log with many crawlers and hosts.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { base, writeFiles } from "../data/files.ts";
import { inTurns } from "../measure.ts";
import {
  type Bound,
  type Report,
  type Row,
  type SuiteOptions,
  judged,
  judgement,
  showSeconds,
  showWhole,
} from "../report.ts";
import { cliOf, comparisonOf, run, runShell } from "../whole-process.ts";

interface Case {
  readonly name: string;
  readonly input: string;
  readonly flags: readonly string[];
  readonly bounds: readonly Bound[];
  readonly who: string;
}

const judgedBy = ["--base", base, "--candidate", "candidate.txt", "--verify", "--ranges", "ranges"];
const cases: readonly Case[] = [
  {
    name: "combined log",
    input: "combined.log.gz",
    flags: ["--base", base, "--robots", "robots.txt"],
    bounds: [
      ["cpu", "≤", 2],
      ["wall", "≤", 1.3],
    ],
    who: "who is used to zgrep",
  },
  {
    name: "history, candidate, verification, HTML",
    input: "combined.log.gz",
    flags: [...judgedBy, "--robots-history", "history", "-o", "html"],
    bounds: [["cpu", "≤", 3]],
    who: "who asks for the whole report every night",
  },
  {
    name: "dense log",
    input: "dense.log.gz",
    flags: ["--robots", "hosts", "-o", "json"],
    bounds: [["MB", "≤", 256]],
    who: "a platform of many hosts, in a small container",
  },
];

export function runAudit(options: SuiteOptions): Report {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const rows: Row[] = [];
  try {
    for (const each of cases) if (options.wants(each.name)) rows.push(measureCase(each, folder, options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    suite: "audit",
    title: `audits of compressed logs as whole processes, ${options.records.toLocaleString("en")} lines, against gzip -dc`,
    columns: [
      { key: "audit" },
      { key: "cpuMs", heading: "CPU", show: showSeconds },
      { key: "theirCpuMs", heading: "gzip -dc", show: showSeconds },
      { key: "cpu", heading: "cpu: ours / gzip" },
      { key: "wall", heading: "wall: ours / gzip" },
      { key: "MB", heading: "peak MB", show: showWhole },
      ...judgement,
    ],
    rows,
    notes: [
      "dense log: 200 crawlers, each on all of 300 hosts. Its bound is for 10,000,000 lines, the others are for 1,000,000.",
      "gzip -dc writes to /dev/null.",
    ],
  };
}

function measureCase({ name, input, flags, bounds, who }: Case, folder: string, options: SuiteOptions): Row {
  options.progress(`${name}: writing files`);
  writeFiles([input, ...flags], folder, { count: options.records, seed: options.seed });
  options.progress(`${name}: ${options.rounds} rounds`);
  const program = [cliOf(), "audit", ...flags, input];
  const ours = (): ReturnType<typeof run> => run('"$@" > /dev/null', program, folder);
  const theirs = (): ReturnType<typeof run> => ({ ...runShell(`gzip -dc ${input} > /dev/null`, folder), MB: 0 });
  const [our, their] = inTurns(options.rounds, [ours, theirs]);
  return judged({ audit: name, ...comparisonOf(our!, their!) }, bounds, who);
}
