// Compares the whole app with a plain script, and with itself for one crawler, as processes over the same inputs.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { base, writeFiles } from "../data/files.ts";
import type { RequestFormat } from "../data/requests.ts";
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
import { cliOf, comparisonOf, run, writtenIn } from "../whole-process.ts";

const plainScript = fileURLToPath(new URL("../programs/plain-script.mjs", import.meta.url));

/** A run of the app over an input, and what it is compared with: the plain script, or the app for one crawler. */
interface Case {
  readonly name: string;
  readonly input: string;
  readonly flags: readonly string[];
  /** Where the app, and where the script, find the robots.txt files. */
  readonly robots: string;
  readonly script?: { readonly format: RequestFormat; readonly robots?: string };
  readonly bounds: readonly Bound[];
  readonly who: string;
}

const bing = ["--agent", "bingbot"];
const byHeader = ["--agent-field", "user_agent"];
const eight = ["--agent", "bingbot,Googlebot,GPTBot,CCBot,ClaudeBot,AhrefsBot,Applebot,YandexBot"];

/** Against a script: a quarter of its CPU time; and memory that a small container has. */
const quarter: Bound = ["cpu", "≤", 0.25];
const small: Bound = ["MB", "≤", 256];
const large: Bound = ["MB", "≤", 512];

function scripted(name: string, input: string, format: RequestFormat, flags: readonly string[], who: string): Case {
  return { name, input, flags, robots: "hosts", script: { format }, bounds: [quarter, small], who };
}

const many = { input: "many.ndjson", flags: bing, bounds: [quarter, large] };
const inMemory = { format: "thin", robots: "archive.ndjson" } as const;

export const appCases: readonly Case[] = [
  scripted("NDJSON thin", "thin.ndjson", "thin", bing, "a crawler that filters its list"),
  scripted("NDJSON wide", "wide.ndjson", "wide", bing, "an index that filters its records"),
  scripted("CSV", "quoted.csv", "csv", bing, "who exports a table"),
  scripted("list of URLs", "urls.txt", "list", bing, "who pipes a list through it"),
  scripted("combined log", "combined.log", "combined", [...byHeader, "--base", base], "who waits for a site's log"),
  scripted("vhost_combined log", "vhost.log", "vhost", byHeader, "who waits for a host's log"),
  {
    ...many,
    name: "many origins",
    robots: "archive.ndjson",
    script: inMemory,
    who: "a crawl of the web, in a container",
  },
  {
    ...many,
    name: "many origins, snapshot",
    robots: "snapshot",
    script: inMemory,
    who: "the same, by a shared archive",
  },
  {
    name: "a crawler for each record",
    input: "wide.ndjson",
    flags: byHeader,
    robots: "hosts",
    bounds: [["cpu", "≤", 1.5]],
    who: "who asks for all crawlers of a log at once",
  },
  {
    name: "8 crawlers",
    input: "thin.ndjson",
    flags: eight,
    robots: "hosts",
    bounds: [["cpu", "≤", 2.5]],
    who: "who would start eight runs",
  },
  {
    name: "all AI crawlers, one row for each record",
    input: "thin.ndjson",
    flags: ["--agents", "ai", "--rows", "record"],
    robots: "hosts",
    bounds: [["cpu", "≤", 2]],
    who: "who would ask for one crawler instead",
  },
];

export function runApp(options: SuiteOptions): Report {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const rows: Row[] = [];
  try {
    for (const each of appCases) if (options.wants(each.name)) rows.push(measureCase(each, folder, options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    suite: "app",
    title: `whole processes over ${options.records.toLocaleString("en")} records`,
    columns: [
      { key: "input" },
      { key: "other", heading: "against" },
      { key: "cpuMs", heading: "CPU", show: showSeconds },
      { key: "theirCpuMs", heading: "theirs", show: showSeconds },
      { key: "cpu", heading: "cpu: ours / theirs" },
      { key: "wall", heading: "wall: ours / theirs" },
      { key: "MB", heading: "peak MB", show: showWhole },
      { key: "allowed" },
      ...judgement,
    ],
    rows,
    notes: [
      "script: node:readline, JSON.parse (csv-parse, or a regular expression), new URL, robots-parser, JSON.stringify; each robots.txt is parsed once.",
      "Both sides allow the same records. many origins: one origin for ten records; the script holds all robots.txt files in memory.",
      "The bounds are for 1,000,000 records: start and compilation have a larger share of a shorter run.",
    ],
  };
}

function measureCase(
  { name, input, flags, robots, script, bounds, who }: Case,
  folder: string,
  options: SuiteOptions,
): Row {
  options.progress(`${name}: writing files`);
  const theirRobots = script?.robots ?? robots;
  writeFiles([input, robots, theirRobots], folder, { count: options.records, seed: options.seed });
  const app = (asked: readonly string[]): string[] => [
    cliOf(),
    ...asked,
    "--robots",
    robots,
    "-o",
    "ndjson",
    "--no-fallback",
    "--quiet",
    input,
  ];
  const agent = flags.includes("bingbot") ? "bingbot" : "by-header";
  const ours = app(flags);
  const theirs = script === undefined ? app(bing) : [plainScript, script.format, theirRobots, agent, base];
  const runOne = (program: readonly string[]) => run(`"$@" < ${input} > rows`, program, folder);
  const written = [ours, theirs].map((program) => {
    options.progress(`${name}: counting rows`);
    runOne(program);
    return writtenIn(join(folder, "rows"));
  });
  const [our, their] = [written[0]!, written[1]!];
  const isSame =
    script === undefined ? our.lines % their.lines === 0 : our.lines === their.lines && our.allowed === their.allowed;
  if (their.lines !== options.records || !isSame)
    throw new Error(`${name}: ${our.lines} rows (${our.allowed} allowed), theirs ${their.lines} (${their.allowed})`);
  options.progress(`${name}: ${options.rounds} rounds`);
  const [oursRuns, theirRuns] = inTurns(options.rounds, [() => runOne(ours), () => runOne(theirs)]);
  const row = {
    input: name,
    other: script === undefined ? "one crawler" : script.robots === undefined ? "script" : "script, files in memory",
    ...comparisonOf(oursRuns!, theirRuns!),
    rows: our.lines,
    allowed: our.allowed,
  };
  return judged(row, bounds, who);
}
