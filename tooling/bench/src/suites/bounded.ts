// Runs the whole app over many records, many origins, and origins that never respond. Measures peak memory, and the delay that dead
// origins cause.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Feed } from "../programs/feed.ts";
import { type Report, type Row, type SuiteOptions, showNumber, verdictAtMost } from "../report.ts";
import { type Usage, cli, medianUsage, runFed } from "../whole-process.ts";

/** The number of records for which the bounds apply. With fewer records, the numbers of origins and crawlers shrink proportionally. */
const full = 10_000_000;
/** Records per origin over the network; more records would take too long. */
const recordsOfAsked = 3;
const deadSeconds = 5;
/** Number of crawlers in the runs with many crawlers, and the memory bound of these runs. */
const mostAgents = 10_000;
const peakMbOfAgents = 400;
const mostRounds = 3;
/** Upper bound of the wall time with one dead origin in ten, relative to the wall time of a run over the dead ones alone. */
const mostDeadRatio = 1.25;

/** A run over saved files or a server, with its memory bound. */
interface Held {
  readonly name: string;
  readonly feed: Omit<Feed, "seed">;
  readonly flags: readonly string[];
  /** Rows per record; 1 for one crawler. */
  readonly rowsEach?: number;
  readonly peakMb: number;
}

interface Place {
  readonly folder: string;
  readonly robots: string;
  /** The file with the crawlers' names, and how many there are. */
  readonly agents: string;
  readonly agentCount: number;
  readonly port: string;
}

export async function runBounded(options: SuiteOptions): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  const server = startServer();
  try {
    const [port] = (await once(server.stdout!, "data")) as [Buffer];
    const robots = join(folder, "robots.txt");
    writeFileSync(
      robots,
      "User-agent: *\nDisallow: /private\nAllow: /private/press\nDisallow: /*?sort=\nDisallow: /cart\n",
    );
    const agents = join(folder, "agents.txt");
    const agentCount = Math.max(10, Math.floor((mostAgents * options.records) / full));
    writeFileSync(agents, Array.from({ length: agentCount }, (_, at) => `crawler-${at}\n`).join(""));
    const place = { folder, robots, agents, agentCount, port: port.toString().trim() };
    return { ...head(options), rows: [...measureMemory(place, options), ...measureDead(place, options)] };
  } finally {
    server.stdin!.end();
    await once(server, "close");
    rmSync(folder, { recursive: true, force: true });
  }
}

function head({ records }: SuiteOptions): Omit<Report, "rows"> {
  const showMs = (value: Row[string]): string => `${showNumber(value)} ms`;
  return {
    suite: "bounded",
    title: `memory of whole processes, and the cost of dead origins, with --records ${records}`,
    columns: [
      { key: "name", heading: "run" },
      { key: "records", heading: "records" },
      { key: "origins", heading: "origins" },
      { key: "wallMs", heading: "wall", show: showMs },
      { key: "cpuMs", heading: "CPU", show: showMs },
      { key: "peakMb", heading: "peak MB", show: (value) => String(Math.round(Number(value))) },
      { key: "wantedMb", heading: "wanted ≤" },
      { key: "aloneMs", heading: "dead ones alone", show: showMs },
      { key: "ratio", heading: "wall / alone", show: showNumber },
      { key: "wanted", heading: "wanted ≤" },
      { key: "verdict", heading: "" },
    ],
    notes: [
      `The bounds apply to --records ${full}, which gives 1,000,000 origins, 50,000,000 records of one origin, 2,000,000 records with every tenth of 20,000 origins dead, and 10,000 crawlers × 2,000 records.`,
      "peak MB: the largest resident set of the app. Every run wrote one row for each record and crawler.",
      `A dead origin accepts the connection and never answers; it is given up after ${deadSeconds} s. 4,096 origins are requested at once. alone: a run over the dead origins' records only.`,
      "The server and the generator of records share the machine's processors with the app.",
    ],
  };
}

function measureMemory(place: Place, options: SuiteOptions): Row[] {
  const { folder, robots, port } = place;
  const { records } = options;
  const origins = Math.max(1, Math.floor(records / 10));
  const runs: readonly Held[] = [
    { name: "saved, many origins", feed: { records, origins }, flags: ["--robots", robots], peakMb: 512 },
    {
      name: "network, many origins",
      feed: { records: origins * recordsOfAsked, origins, port },
      flags: networkFlags(256),
      peakMb: 512,
    },
    { name: "saved, one origin", feed: { records: records * 5, origins: 1 }, flags: ["--robots", robots], peakMb: 220 },
    ...runsOfManyAgents(place, options),
  ];
  return runs
    .filter(({ name }) => options.wants(name))
    .map(({ name, feed, flags, rowsEach = 1, peakMb }) => {
      options.progress(name);
      const asked = rowsEach === 1 ? ["--agent", "bingbot"] : [];
      const usage = runWhole({ ...feed, seed: options.seed }, [...asked, ...flags], folder, rowsEach);
      const verdict = verdictAtMost(usage.peakMb, peakMb);
      return { name, records: feed.records, origins: feed.origins, ...usage, wantedMb: peakMb, verdict };
    });
}

/** The runs with many crawlers and few records; each record has a row for each crawler. */
function runsOfManyAgents({ robots, agents, agentCount }: Place, { records }: SuiteOptions): readonly Held[] {
  const count = Math.max(5, Math.floor(records / 5_000));
  const held = { rowsEach: agentCount, peakMb: peakMbOfAgents };
  const flags = ["--agents", agents, "--robots", robots];
  const many: Held = { ...held, name: "many crawlers, many origins", feed: { records: count, origins: count }, flags };
  const one: Held = { ...held, name: "many crawlers, one origin", feed: { records: count, origins: 1 }, flags };
  return [
    many,
    { ...many, name: `${many.name}, --matcher-bytes 16M`, flags: [...flags, "--matcher-bytes", "16M"] },
    { ...many, name: `${many.name}, --ordered`, flags: [...flags, "--ordered"] },
    one,
    { ...one, name: `${one.name}, --matcher-bytes 16M`, flags: [...flags, "--matcher-bytes", "16M"] },
  ];
}

function measureDead({ folder, port }: Place, options: SuiteOptions): Row[] {
  const ways = [
    { name: "one in ten dead", flags: [] },
    { name: "one in ten dead, --ordered", flags: ["--ordered"] },
  ].filter(({ name }) => options.wants(name));
  if (ways.length === 0) return [];
  const records = Math.max(10, Math.floor(options.records / 5));
  const origins = Math.max(10, Math.floor(records / 100));
  const feed: Feed = { records, origins, port, deadEach: 10, seed: options.seed };
  const network = ["--agent", "bingbot", ...networkFlags(4_096), "--timeout", String(options.quick ? 1 : deadSeconds)];
  const alone: Usage[] = [];
  const usages: Usage[][] = ways.map(() => []);
  for (let round = 0; round < Math.min(options.rounds, mostRounds); round++) {
    options.progress(`one in ten dead, round ${round + 1}`);
    alone.push(runWhole({ ...feed, records: records / 10, onlyDead: true }, network, folder));
    for (const [at, { flags }] of ways.entries()) usages[at]!.push(runWhole(feed, [...network, ...flags], folder));
  }
  const aloneMs = medianUsage(alone)!.wallMs;
  return ways.map(({ name }, at) => {
    const usage = medianUsage(usages[at]!)!;
    const ratio = usage.wallMs / aloneMs;
    const verdict = verdictAtMost(ratio, mostDeadRatio);
    return { name, records, origins, ...usage, aloneMs, ratio, wanted: mostDeadRatio, verdict };
  });
}

/** Runs the app over a generated feed. Throws if rows are missing. */
function runWhole(feed: Feed, flags: readonly string[], folder: string, rowsEach = 1): Usage {
  const { rows, ...usage } = runFed([cli, "--quiet", ...flags], JSON.stringify(feed), folder);
  if (rows !== Math.floor(feed.records) * rowsEach) throw new Error(`${rows} rows of ${feed.records} records`);
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
