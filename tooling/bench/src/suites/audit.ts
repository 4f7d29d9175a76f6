// Measures audits as whole processes: a compressed log against `gzip -dc`, two processes, a dense log, and every kind of history.
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { writeAccessLog } from "../data/access-logs.ts";
import { crawlerNames, versionsEach, writeDenseHistory, writeDenseLog } from "../data/dense-logs.ts";
import { createRobotsFiles } from "../data/robots-files.ts";
import { hostOf } from "../data/urls.ts";
import { medianOf } from "../measure.ts";
import { type Report, type Row, type SuiteOptions, showNumber, verdictAtMost } from "../report.ts";
import { cli, runCli, runProgram } from "../whole-process.ts";
import { runShell } from "./app-sources.ts";

/** The memory bound applies to logs with at least this number of lines. */
const denseRecords = 10_000_000;
const denseHosts = 300;
const denseCrawlers = 200;
const mostDenseMb = 256;
/** Number of origins in each history. */
const historyOrigins = 2_000;

/**
 * A comparison of two shell scripts. In a script, `APP` is replaced by the app, `AUDIT` by the app's command `audit`, and `FOLDER` by the
 * folder of the files.
 */
interface Comparison {
  readonly name: string;
  readonly other: string;
  readonly ours: string;
  readonly theirs: string;
  /** Upper bounds of the CPU and wall time of `ours`, as shares of the times of `theirs`; undefined: no bound. */
  readonly cpu?: number;
  readonly wall?: number;
}

const judged = "--base FOLDER/base --robots FOLDER/robots.txt";
const gunzip = "gzip -dc FOLDER/access.log.gz > /dev/null";

const comparisons: readonly Comparison[] = [
  {
    name: "combined log, .gz",
    other: "gzip -dc",
    ours: `AUDIT FOLDER/access.log.gz ${judged} > /dev/null`,
    theirs: gunzip,
    cpu: 2,
    wall: 1.3,
  },
  {
    name: "combined log, .gz, history, candidate, verification, HTML",
    other: "gzip -dc",
    ours: `AUDIT FOLDER/access.log.gz --base FOLDER/base --robots-history FOLDER/seen --candidate FOLDER/candidate.txt --verify --ranges FOLDER/ranges -o html > /dev/null`,
    theirs: gunzip,
    cpu: 3,
  },
  {
    name: "two halves in two processes, merged",
    other: "one process",
    ours: `AUDIT FOLDER/1.log.gz ${judged} -o json > FOLDER/1.json & AUDIT FOLDER/2.log.gz ${judged} -o json > FOLDER/2.json & wait; APP merge FOLDER/1.json FOLDER/2.json > /dev/null`,
    theirs: `AUDIT FOLDER/access.log.gz ${judged} > /dev/null`,
    wall: 1 / 1.8,
  },
];

export function runAudit(options: SuiteOptions): Report {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const rows: Row[] = [];
  try {
    const wanted = comparisons.filter(({ name }) => options.wants(name));
    if (wanted.length > 0) writeLogs(folder, options);
    for (const comparison of wanted) rows.push(compare(comparison, folder, options));
    for (const versions of [1, versionsEach]) {
      const name = `dense log, ${versions} robots.txt for each host`;
      if (options.wants(name)) rows.push(measureDense(name, versions, folder, options));
    }
    rows.push(...measureHistories(folder, options));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    suite: "audit",
    title: `whole processes, ${options.records.toLocaleString("en")} lines`,
    columns: [
      { key: "name", heading: "audit" },
      { key: "other", heading: "compared with" },
      { key: "ourCpuMs", heading: "CPU", show: showMs },
      { key: "theirCpuMs", heading: "theirs", show: showMs },
      { key: "cpu", heading: "CPU / theirs", show: showOptional },
      { key: "wall", heading: "wall / theirs", show: showOptional },
      { key: "peakMb", heading: "peak MB", show: (value) => (value === null ? "" : String(Math.round(Number(value)))) },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
    ],
    rows,
    notes: [
      "gzip -dc writes to /dev/null. CPU time covers all processes of a side; wanted: CPU / theirs · wall / theirs, or peak MB.",
      `Dense log: ${denseCrawlers} crawlers, each on all of ${denseHosts} hosts; its bound is for ${denseRecords.toLocaleString("en")} lines.`,
      `History: two fetches of each of ${historyOrigins.toLocaleString("en")} origins, and ten lines of the log need one fetch: the cost is that of opening and looking up.`,
    ],
  };
}

const showMs = (value: Row[string]): string => (value === null ? "" : `${showNumber(value)} ms`);
const showOptional = (value: Row[string]): string => (value === null ? "" : showNumber(value));

/** Writes the log, its halves, and the robots.txt files and ranges of the audit. Every request goes to the first host. */
function writeLogs(folder: string, { records, seed, progress }: SuiteOptions): void {
  progress("writing logs");
  const file = join(folder, "access.log");
  writeAccessLog(file, { format: "combined", count: records, origins: 1, seed });
  const log = readFileSync(file);
  const middle = log.indexOf("\n", log.length >> 1) + 1;
  writeFileSync(`${file}.gz`, gzipSync(log));
  writeFileSync(join(folder, "1.log.gz"), gzipSync(log.subarray(0, middle)));
  writeFileSync(join(folder, "2.log.gz"), gzipSync(log.subarray(middle)));
  const [robots, candidate] = createRobotsFiles(200, seed)
    .toSorted((one, other) => other.length - one.length)
    .slice(20);
  writeFileSync(join(folder, "robots.txt"), robots!);
  writeFileSync(join(folder, "candidate.txt"), candidate!);
  writeDenseHistory(join(folder, "seen"), 1, seed);
  mkdirSync(join(folder, "ranges"));
  const prefixes = Array.from({ length: 200 }, (_, at) => ({ ipv4Prefix: `66.249.${at}.0/27` }));
  const ranges = JSON.stringify({ creationTime: "2025-05-01T00:00:00", prefixes });
  writeFileSync(join(folder, "ranges", "googlebot.json"), ranges);
}

function compare(comparison: Comparison, folder: string, options: SuiteOptions): Row {
  const { name, other, ours, theirs, cpu: mostCpu, wall: mostWall } = comparison;
  const app = '"$NODE" "$CLI"';
  const scripts = [ours, theirs].map((script) =>
    script
      .replaceAll("AUDIT", `${app} audit`)
      .replaceAll("APP", app)
      .replaceAll("FOLDER/base", `https://${hostOf(0)}`)
      .replaceAll("FOLDER", folder),
  );
  const cpus: number[][] = [[], []];
  const walls: number[][] = [[], []];
  const order = [0, 1];
  for (let round = 0; round < options.rounds; round++) {
    options.progress(`${name}: round ${round + 1}`);
    for (const at of order) {
      const { cpuMs, wallMs } = runShell(scripts[at]!);
      cpus[at]!.push(cpuMs);
      walls[at]!.push(wallMs);
    }
    order.reverse();
  }
  const [ourCpuMs, theirCpuMs] = cpus.map(medianOf) as [number, number];
  const [ourWallMs, theirWallMs] = walls.map(medianOf) as [number, number];
  const cpu = ourCpuMs / theirCpuMs;
  const wall = ourWallMs / theirWallMs;
  const above = [
    ...(mostCpu !== undefined && cpu > mostCpu ? ["cpu"] : []),
    ...(mostWall !== undefined && wall > mostWall ? ["wall"] : []),
  ];
  return {
    name,
    other,
    ourCpuMs,
    theirCpuMs,
    cpu,
    wall,
    peakMb: null,
    wanted: [mostCpu, mostWall].map((most) => (most === undefined ? "–" : showNumber(most))).join(" · "),
    verdict: above.length === 0 ? "ok" : `ABOVE: ${above.join(", ")}`,
  };
}

function measureDense(name: string, versions: number, folder: string, options: SuiteOptions): Row {
  options.progress(`${name}: writing the log`);
  const hosts = options.quick ? 10 : denseHosts;
  const crawlers = crawlerNames(options.quick ? 10 : denseCrawlers);
  const log = join(folder, "dense.log.gz");
  writeDenseLog(log, { count: options.records, hosts, crawlers, seed: options.seed });
  const seen = join(folder, `seen-${versions}`);
  writeDenseHistory(seen, hosts, options.seed, versions);
  options.progress(name);
  const out = join(folder, "dense.json");
  const { cpuMs, peakMb } = runProgram(
    [cli, "audit", log, "--robots-history", seen, "-o", "json"],
    "/dev/null",
    out,
    folder,
  );
  const verdict = options.records < denseRecords ? "" : verdictAtMost(peakMb, mostDenseMb);
  return { ...alone(name), ourCpuMs: cpuMs, peakMb, wanted: `${mostDenseMb} MB`, verdict };
}

const alone = (name: string): Row => ({ name, other: "", theirCpuMs: null, cpu: null, wall: null });

/** Measures opening every kind of source that `--robots-history` reads; each source contains the same fetches. */
function measureHistories(folder: string, options: SuiteOptions): Row[] {
  const kinds = ["folder", "cache", "NDJSON", "snapshot", "WARC"] as const;
  const nameOf = (kind: (typeof kinds)[number]): string => `history from a ${kind}`;
  if (!kinds.some((kind) => options.wants(nameOf(kind)))) return [];
  options.progress("history: writing sources");
  const paths = {
    folder: join(folder, "history"),
    cache: join(folder, "history-cache"),
    NDJSON: join(folder, "history.ndjson"),
    snapshot: join(folder, "history-snapshot"),
    WARC: join(folder, "history.warc.gz"),
  };
  writeHistory(paths.folder, paths.NDJSON, options.quick ? 20 : historyOrigins, options.seed);
  runCli("cache", "import", paths.NDJSON, "--cache", paths.cache);
  runCli("cache", "export", "--snapshot", paths.snapshot, "--cache", paths.cache);
  runCli("cache", "export", "--output-file", paths.WARC, "--cache", paths.cache);
  const log = join(folder, "few.log");
  writeAccessLog(log, { format: "combined", count: 10, origins: 1, seed: options.seed });
  return kinds
    .filter((kind) => options.wants(nameOf(kind)))
    .map((kind) => {
      const flags = ["--base", `https://${hostOf(0)}`, "--robots-history", paths[kind]];
      const out = join(folder, "few.txt");
      const usages = Array.from({ length: options.rounds }, () =>
        runProgram([cli, "audit", log, ...flags], "/dev/null", out, folder),
      );
      const ourCpuMs = medianOf(usages.map(({ cpuMs }) => cpuMs));
      const peakMb = Math.max(...usages.map((usage) => usage.peakMb));
      return { ...alone(nameOf(kind)), ourCpuMs, peakMb, wanted: "", verdict: "" };
    });
}

/** Writes two fetches of each origin as files with dated names, and as cache entries. */
function writeHistory(folder: string, entries: string, origins: number, seed: number): void {
  mkdirSync(folder);
  const file = openSync(entries, "w");
  for (const [at, body] of createRobotsFiles(origins, seed).entries()) {
    const origin = `https://${hostOf(at)}`;
    const hops = [{ url: `${origin}/robots.txt`, status: 200 }];
    for (const day of ["2025-05-31", "2025-06-20"]) {
      const fetchedAt = Date.parse(`${day}T00:00:00Z`);
      const freshUntil = fetchedAt + 86_400_000;
      const entry = { origin, fetchedAt, freshUntil, access: "successful", code: "ok", status: 200, hops, body };
      writeSync(file, `${JSON.stringify(entry)}\n`);
      writeFileSync(join(folder, `https@${hostOf(at)}@${day}T000000Z.txt`), body);
    }
  }
  closeSync(file);
}
