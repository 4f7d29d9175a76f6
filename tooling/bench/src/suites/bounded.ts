// Runs the whole app over many origins, many crawlers, and origins that never respond. Measures peak memory, and the delay that dead origins
// cause.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Feed } from "../programs/feed.ts";
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
import { type Usage, cliOf, run } from "../whole-process.ts";

const feedProgram = fileURLToPath(new URL("../programs/feed.ts", import.meta.url));
/** The least number of origins for which the bounds apply; a tenth of --records, if that is more. */
const leastOrigins = 100_000;
const deadSeconds = 5;

/** A run of the app over a generated feed. */
interface Case {
  readonly name: string;
  readonly feed: Omit<Feed, "seed">;
  readonly flags: readonly string[];
  /** Rows per record, if not one. */
  readonly rowsEach?: number;
  readonly bounds: readonly Bound[];
  readonly who: string;
}

const container: readonly Bound[] = [["MB", "≤", 512]];

export async function runBounded(options: SuiteOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const server = startServer();
  try {
    const [port] = (await once(server.stdout!, "data")) as [Buffer];
    return { ...head, rows: measure(folder, port.toString().trim(), options) };
  } finally {
    server.stdin!.end();
    await once(server, "close");
    rmSync(folder, { recursive: true, force: true });
  }
}

const head: Omit<Report, "rows"> = {
  suite: "bounded",
  title: "memory of whole processes, and the cost of dead origins",
  columns: [
    { key: "run" },
    { key: "records" },
    { key: "origins" },
    { key: "wallMs", heading: "wall", show: showSeconds },
    { key: "cpuMs", heading: "CPU", show: showSeconds },
    { key: "MB", heading: "peak MB", show: showWhole },
    { key: "wall", heading: "wall / dead ones alone" },
    ...judgement,
  ],
  notes: [
    "Single runs. Every run wrote one row for each record and crawler. The server and the generator of records share the machine's processors with the app.",
    `A dead origin accepts the connection and never answers; it is given up after ${deadSeconds} s. 4,096 origins are requested at once.`,
  ],
};

function measure(folder: string, port: string, options: SuiteOptions): Row[] {
  const { quick, seed, progress, wants } = options;
  const origins = quick ? 100 : Math.max(leastOrigins, Math.floor(options.records / 10));
  const crawlers = quick ? 10 : 10_000;
  writeFileSync(
    join(folder, "robots.txt"),
    "User-agent: *\nDisallow: /private\nAllow: /private/press\nDisallow: /*?sort=\n",
  );
  writeFileSync(join(folder, "agents.txt"), Array.from({ length: crawlers }, (_, at) => `crawler-${at}\n`).join(""));
  const [bing, saved] = [
    ["--agent", "bingbot"],
    ["--robots", "robots.txt"],
  ] as const;
  const asked = quick ? 5 : 2_000;
  const deadFeed = { records: origins * 10, origins: Math.max(10, Math.floor(origins / 10)), port, deadEach: 10 };
  const deadFlags = [...bing, ...networkFlags(4_096), "--timeout", String(quick ? 1 : deadSeconds)];
  const cases: readonly Case[] = [
    {
      name: "saved, many origins",
      feed: { records: origins * 10, origins },
      flags: [...bing, ...saved],
      bounds: container,
      who: "a crawl of the web, in a container",
    },
    {
      name: "network, many origins",
      feed: { records: origins * 3, origins, port },
      flags: [...bing, ...networkFlags(256)],
      bounds: container,
      who: "the same, without saved files",
    },
    {
      name: "many crawlers, many origins",
      feed: { records: asked, origins: asked },
      flags: ["--agents", "agents.txt", ...saved],
      rowsEach: crawlers,
      bounds: container,
      who: "who asks for a list of all crawlers",
    },
    {
      name: "one in ten dead",
      feed: deadFeed,
      flags: deadFlags,
      bounds: [["wall", "≤", 1.25]],
      who: "who waits for the end of a crawl",
    },
  ];
  return cases
    .filter(({ name }) => wants(name))
    .map(({ name, feed, flags, rowsEach, bounds, who }) => {
      progress(name);
      const usage = runFed({ ...feed, seed }, flags, folder, rowsEach);
      const alone = (): number =>
        runFed({ ...deadFeed, seed, records: deadFeed.records / 10, onlyDead: true }, deadFlags, folder).wallMs;
      const wall = feed.deadEach === undefined ? null : usage.wallMs / alone();
      const { wallMs, cpuMs, MB } = usage;
      return judged({ run: name, records: feed.records, origins: feed.origins, wallMs, cpuMs, MB, wall }, bounds, who);
    });
}

/** Runs the app over a generated feed. Throws if rows are missing. */
function runFed(feed: Feed, flags: readonly string[], folder: string, rowsEach = 1): Usage {
  const script = `"${process.execPath}" "${feedProgram}" '${JSON.stringify(feed)}' | "$@" | wc -l`;
  const { stdout, ...usage } = run(script, [cliOf(), "--quiet", ...flags], folder);
  if (Number(stdout) !== feed.records * rowsEach) throw new Error(`${stdout} rows of ${feed.records} records`);
  return usage;
}

function networkFlags(atOnce: number): string[] {
  return ["--allow-private", "--cache", "none", "--concurrency", String(atOnce), "--per-address", String(atOnce)];
}

function startServer(): ChildProcess {
  const program = fileURLToPath(new URL("../programs/answer.ts", import.meta.url));
  const child = spawn(process.execPath, [...process.execArgv, program]);
  child.stderr.pipe(process.stderr);
  return child;
}
