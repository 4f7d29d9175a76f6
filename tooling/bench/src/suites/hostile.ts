// Hostile files, fixed ones and those a seeded search finds → the time to parse, build and decide, and how much worse than ordinary that is.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { type Family, lineFamily, ruleFamily } from "../data/hostile-families.ts";
import { type HostileFile, createHostileFiles, hostileFileBytes } from "../data/hostile-files.ts";
import { type NamedPath, createHostilePaths, hostilePathLength } from "../data/hostile-paths.ts";
import { createRandom } from "../data/random.ts";
import { createLongTarget } from "../data/urls.ts";
import { createOneGroupFile, createOrdinaryFile } from "../data/robots-files.ts";
import { type Report, type Row, type SuiteOptions, showNumber } from "../report.ts";

const mostParseMs = 20;
const mostDecideMs = 10;
// Decisions a matcher gives one after the other: among them is the one that pays for an index, wherever that comes.
const coldDecisions = 24;
const hotDecisions = 101;
const longestSearchMs = 60_000;
const token = "bingbot";

/** What one file cost. */
interface Cost {
  readonly parseMs: number;
  readonly buildMs: number;
  readonly decideMs: number;
  /** Which decision that was, and on which path. */
  readonly when: string;
  readonly hotMs: number;
  readonly rules: number;
}

/** Runs the suite. */
export function runHostile(options: SuiteOptions): Report {
  const ordinary = [createOrdinaryFile(hostileFileBytes, options.seed), createOneGroupFile(hostileFileBytes, options.seed)].map(
    (text) => new Uint8Array(Buffer.from(text)),
  );
  const repeats = options.quick ? 1 : 3;
  // Compiles the code under measurement: hostile files are not the first a process sees.
  for (const bytes of ordinary) costOf(bytes, repeats, hostilePathsOf(bytes, options.seed).slice(0, 1));
  const ordinaryPaths = createOrdinaryPaths(options.seed);
  const [many, one] = ordinary.map((bytes) => costOf(bytes, repeats, ordinaryPaths)) as [Cost, Cost];
  const base = { parseMs: Math.max(many.parseMs, one.parseMs), decideMs: Math.max(many.decideMs, one.decideMs) };
  const rows: Row[] = [];
  const add = (name: string, cost: Cost): void => void rows.push(rowOf(name, cost, base));
  add("ordinary, many groups", many);
  add("ordinary, one group", one);
  if (options.wants("ordinary, hostile paths")) {
    add("ordinary, hostile paths", costOf(ordinary[1]!, repeats, hostilePathsOf(ordinary[1]!, options.seed)));
  }
  const files = [...createHostileFiles(options.seed), ...sharedFiles()];
  for (const file of options.quick ? files.filter((_, at) => at % 6 === 0) : files) {
    if (!options.wants(file.name)) continue;
    options.progress(file.name);
    add(file.name, costOf(file.bytes, repeats, hostilePathsOf(file.bytes, options.seed)));
  }
  for (const goal of ["parse", "build", "decide"] as const) {
    const name = `worst found by search: ${goal}`;
    if (!options.wants(name)) continue;
    options.progress(name);
    const { file, cost } = goal === "decide" ? search(ruleFamily, goal, options) : search(lineFamily, goal, options);
    add(`${name}: ${file.name}`, cost);
  }
  return {
    suite: "hostile",
    title: `files of 500 KiB and paths of ${hostilePathLength.toLocaleString("en")} characters made to be slow`,
    columns: [
      { key: "file", heading: "file" },
      { key: "rules", heading: "rules" },
      { key: "parseMs", heading: "parse ms" },
      { key: "parseRatio", heading: "× ordinary", show: showNumber },
      { key: "buildMs", heading: "build ms" },
      { key: "decideMs", heading: "decide ms" },
      { key: "decideRatio", heading: "× ordinary", show: showNumber },
      { key: "hotMs", heading: "hot ms" },
      { key: "over", heading: "" },
      { key: "when", heading: "slowest decision" },
    ],
    rows,
    notes: [
      `parse: bytes to parsed file; build: parsed file to matcher. OVER: parse above ${mostParseMs} ms, or build or decide above ${mostDecideMs} ms.`,
      `decide: the slowest of a new matcher's first ${coldDecisions} decisions, over all paths; hot: the slowest after 100 decisions.`,
      "Each time is the best of several tries: what the work takes, not what else the machine did. × ordinary: against the slower ordinary file with ordinary paths as long.",
    ],
  };
}

/** Measures one file. */
function costOf(bytes: Uint8Array, repeats: number, paths: readonly NamedPath[]): Cost {
  const parseMs = best(repeats + 2, () => void parseRobotsTxt(bytes));
  const robots = parseRobotsTxt(bytes);
  const buildMs = best(repeats, () => void createMatcher(robots, token));
  return { parseMs, buildMs, rules: patternsOf(bytes).length, ...worstDecision(robots, paths, repeats) };
}

function hostilePathsOf(bytes: Uint8Array, seed: number): NamedPath[] {
  return createHostilePaths(patternsOf(bytes), createRandom(seed, "paths"));
}

function createOrdinaryPaths(seed: number): NamedPath[] {
  const random = createRandom(seed, "ordinary-paths");
  return Array.from({ length: 8 }, (_, at) => ({ name: `ordinary ${at + 1}`, path: createLongTarget(random, hostilePathLength) }));
}

function worstDecision(
  robots: ReturnType<typeof parseRobotsTxt>,
  paths: readonly NamedPath[],
  repeats: number,
): Pick<Cost, "decideMs" | "when" | "hotMs"> {
  let decideMs = 0;
  let when = "";
  let hotMs = 0;
  for (const { name, path } of paths) {
    const times = new Float64Array(coldDecisions).fill(Number.POSITIVE_INFINITY);
    let hot = Number.POSITIVE_INFINITY;
    for (let repeat = 0; repeat < repeats; repeat++) {
      const matcher = createMatcher(robots, token);
      let spent = 0;
      let asked = 0;
      for (; asked < coldDecisions; asked++) {
        const ms = timed(() => void matcher.decide(path));
        times[asked] = Math.min(times[asked]!, ms);
        spent += ms;
        // One very slow decision says enough.
        if (spent > 40 * mostDecideMs && ms > 4 * mostDecideMs) break;
      }
      if (asked < coldDecisions) {
        hot = Math.min(hot, times[asked]!);
        break;
      }
      for (; asked < hotDecisions && spent < 40 * mostDecideMs; asked++) spent += timed(() => void matcher.decide(path));
      hot = Math.min(hot, best(3, () => void matcher.decide(path)));
    }
    hotMs = Math.max(hotMs, hot);
    for (let at = 0; at < coldDecisions; at++) {
      if (times[at]! > decideMs && times[at] !== Number.POSITIVE_INFINITY) {
        decideMs = times[at]!;
        when = `no. ${at + 1}, ${name}`;
      }
    }
    // Bad enough: the other paths would only take long to say the same.
    if (decideMs > 10 * mostDecideMs) break;
  }
  return { decideMs, when, hotMs };
}

/** Climbs from random files to slower ones. */
function search<Genes>(
  family: Family<Genes>,
  goal: "parse" | "build" | "decide",
  options: SuiteOptions,
): { readonly file: HostileFile; readonly cost: Cost } {
  const random = createRandom(options.seed, `search ${goal}`);
  const measured = ({ bytes }: HostileFile): Cost =>
    costOf(bytes, 1, goal === "decide" ? hostilePathsOf(bytes, options.seed).slice(0, 8) : []);
  const steps = options.quick ? 5 : goal === "decide" ? 150 : 400;
  const end = performance.now() + longestSearchMs;
  const msOf = (cost: Cost): number => cost[`${goal}Ms`];
  let genes = family.draw(random);
  let file = family.create(genes);
  let cost = measured(file);
  for (let step = 0; step < steps && performance.now() < end; step++) {
    // A third of the steps look elsewhere, so that the climb does not end on the first hill.
    const nextGenes = random.chance(0.34) ? family.draw(random) : family.mutate(genes, random);
    const next = family.create(nextGenes);
    const nextCost = measured(next);
    if (msOf(nextCost) <= msOf(cost)) continue;
    genes = nextGenes;
    file = next;
    cost = nextCost;
  }
  return { file, cost: costOf(file.bytes, options.quick ? 1 : 3, hostilePathsOf(file.bytes, options.seed)) };
}

/** The hostile files that lie beside the repository, where they do. */
function sharedFiles(): HostileFile[] {
  const shared = process.env["ROBOTS_STREAM_SHARED"] ?? fileURLToPath(new URL("../../../../../shared", import.meta.url));
  const folder = `${shared}/faults/adversarial`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((name) => {
      const bytes = readFileSync(`${folder}/${name}`);
      return { name, bytes: new Uint8Array(name.endsWith(".gz") ? gunzipSync(bytes) : bytes) };
    })
    .filter(({ bytes }) => bytes.length > 1000);
}

/** The patterns of a file's rules as they stand there, by a look that is quick rather than exact. */
function patternsOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes).toString("latin1");
  return text
    .split(/[\r\n]/u)
    .filter((line) => /^(?:dis)?allow:/iu.test(line))
    .map((line) => line.slice(line.indexOf(":") + 1).trim());
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function best(times: number, run: () => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time++) least = Math.min(least, timed(run));
  return least;
}

function rowOf(file: string, cost: Cost, base: { readonly parseMs: number; readonly decideMs: number }): Row {
  const over = [
    cost.parseMs > mostParseMs ? "parse" : "",
    cost.buildMs > mostDecideMs ? "build" : "",
    Math.max(cost.decideMs, cost.hotMs) > mostDecideMs ? "decide" : "",
  ].filter((name) => name !== "");
  return {
    file,
    ...cost,
    parseRatio: cost.parseMs / base.parseMs,
    decideRatio: cost.decideMs / base.decideMs,
    over: over.length === 0 ? "" : `OVER: ${over.join(", ")}`,
  };
}
