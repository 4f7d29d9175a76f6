// Measures parsing, building and deciding for hostile files, relative to an ordinary file. Some of the files are fixed; a seeded search
// finds the others.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { type Family, lineFamily, ruleFamily } from "../data/hostile-families.ts";
import { type HostileFile, createHostileFiles, hostileFileBytes } from "../data/hostile-files.ts";
import { type NamedPath, createHostilePaths, hostilePathLength } from "../data/hostile-paths.ts";
import { createRandom } from "../data/random.ts";
import { createLongTarget } from "../data/urls.ts";
import { createOneGroupFile, createOrdinaryFile } from "../data/robots-files.ts";
import { type Cost, type Effort, costOf, patternsOf, slowestDecisionMs } from "../hostile-cost.ts";
import { type Report, type Row, type SuiteOptions, showNumber } from "../report.ts";

const mostParseMs = 20;
const mostDecideMs = 10;
// Enough decisions to include the decision that builds the index.
const countedDecisions = 120;
const longestSearchMs = 60_000;

/** File size of a quick run, which takes seconds and gives no meaningful figures. */
const quickBytes = 4000;
const quickEffort: Effort = { tries: 1, decisions: 20, paths: 3 };

export function runHostile(options: SuiteOptions): Report {
  const sized = (bytes: Uint8Array): Uint8Array => (options.quick ? bytes.slice(0, quickBytes) : bytes);
  const ordinary = [
    createOrdinaryFile(hostileFileBytes, options.seed),
    createOneGroupFile(hostileFileBytes, options.seed),
  ].map((text) => sized(new Uint8Array(Buffer.from(text))));
  const effort: Effort = options.quick
    ? quickEffort
    : { tries: 3, decisions: countedDecisions, paths: Number.POSITIVE_INFINITY };
  // Compile the measured code first: a hostile file is rarely the first file of a process.
  for (const bytes of ordinary) costOf(bytes, hostilePathsOf(bytes, options.seed), { ...effort, paths: 1 });
  const ordinaryPaths = createOrdinaryPaths(options.seed);
  const [many, one] = ordinary.map((bytes) => costOf(bytes, ordinaryPaths, effort)) as [Cost, Cost];
  const base = { parseMs: Math.max(many.parseMs, one.parseMs), decideMs: Math.max(many.decideMs, one.decideMs) };
  const rows: Row[] = [];
  const add = (name: string, cost: Cost): void => void rows.push(rowOf(name, cost, base));
  add("ordinary, many groups", many);
  add("ordinary, one group", one);
  if (options.wants("ordinary, hostile paths")) {
    add("ordinary, hostile paths", costOf(ordinary[1]!, hostilePathsOf(ordinary[1]!, options.seed), effort));
  }
  const files = [...createHostileFiles(options.seed), ...sharedFiles()];
  for (const file of files) {
    if (!options.wants(file.name)) continue;
    options.progress(file.name);
    const bytes = sized(file.bytes);
    add(file.name, costOf(bytes, hostilePathsOf(bytes, options.seed), effort));
  }
  for (const goal of ["parse", "build", "decide"] as const) {
    const name = `worst found by search: ${goal}`;
    if (!options.wants(name)) continue;
    options.progress(name);
    const { file, cost } =
      goal === "decide"
        ? search(ruleFamily, goal, sized, effort, options)
        : search(lineFamily, goal, sized, effort, options);
    add(`${name}: ${file.name}`, cost);
  }
  return {
    suite: "hostile",
    title: `files of 500 KiB and paths of ${hostilePathLength.toLocaleString("en")} characters designed to be slow`,
    columns: [
      { key: "file", heading: "file" },
      { key: "rules", heading: "rules" },
      { key: "parseMs", heading: "parse ms" },
      { key: "parseRatio", heading: "× ordinary", show: showNumber },
      { key: "buildMs", heading: "build ms" },
      { key: "decideMs", heading: "decide ms" },
      { key: "decideRatio", heading: "× ordinary", show: showNumber },
      { key: "hotMs", heading: "hot ms" },
      { key: "verdict", heading: "" },
      { key: "when", heading: "slowest decision" },
    ],
    rows,
    notes: [
      `parse: bytes to parsed file; build: parsed file to matcher. OVER: parse above ${mostParseMs} ms, or build or decide above ${mostDecideMs} ms.`,
      `decide: the slowest of a new matcher's first ${countedDecisions} decisions, over all paths; hot: the slowest of a matcher after as many decisions on a short path.`,
      "Each time is the best of several tries, which excludes other load of the machine. × ordinary: relative to the slower ordinary file, with ordinary paths of the same length.",
    ],
  };
}

function hostilePathsOf(bytes: Uint8Array, seed: number): NamedPath[] {
  return createHostilePaths(patternsOf(bytes), createRandom(seed, "paths"));
}

function createOrdinaryPaths(seed: number): NamedPath[] {
  const random = createRandom(seed, "ordinary-paths");
  return Array.from({ length: 8 }, (_, at) => ({
    name: `ordinary ${at + 1}`,
    path: createLongTarget(random, hostilePathLength),
  }));
}

/** Hill-climbs from random files towards slower ones. */
function search<Genes>(
  family: Family<Genes>,
  goal: "parse" | "build" | "decide",
  sized: (bytes: Uint8Array) => Uint8Array,
  effort: Effort,
  options: SuiteOptions,
): { readonly file: HostileFile; readonly cost: Cost } {
  const random = createRandom(options.seed, `search ${goal}`);
  const tryOut = (genes: Genes): { genes: Genes; file: HostileFile; cost: Cost } => {
    const file = family.create(genes);
    const bytes = sized(file.bytes);
    const paths = goal === "decide" ? Math.min(effort.paths, 8) : 0;
    return { genes, file, cost: costOf(bytes, hostilePathsOf(bytes, options.seed), { ...effort, tries: 1, paths }) };
  };
  const msOf = ({ cost }: { cost: Cost }): number => (goal === "decide" ? slowestDecisionMs(cost) : cost[`${goal}Ms`]);
  const steps = options.quick ? 5 : goal === "decide" ? 150 : 400;
  const end = performance.now() + longestSearchMs;
  let worst = tryOut(family.draw(random));
  for (let step = 0; step < steps && performance.now() < end; step++) {
    // A third of the steps restart at random, so that the search does not stop at the first local maximum.
    const next = tryOut(random.chance(0.34) ? family.draw(random) : family.mutate(worst.genes, random));
    if (msOf(next) > msOf(worst)) worst = next;
  }
  const bytes = sized(worst.file.bytes);
  return { file: worst.file, cost: costOf(bytes, hostilePathsOf(bytes, options.seed), effort) };
}

/** The hostile files in the folder beside the repository, if it exists. */
function sharedFiles(): HostileFile[] {
  const shared =
    process.env["ROBOTS_STREAM_SHARED"] ?? fileURLToPath(new URL("../../../../../shared", import.meta.url));
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

function rowOf(file: string, cost: Cost, base: { readonly parseMs: number; readonly decideMs: number }): Row {
  const over = [
    cost.parseMs > mostParseMs ? "parse" : "",
    cost.buildMs > mostDecideMs ? "build" : "",
    slowestDecisionMs(cost) > mostDecideMs ? "decide" : "",
  ].filter((name) => name !== "");
  return {
    file,
    ...cost,
    parseRatio: cost.parseMs / base.parseMs,
    decideRatio: cost.decideMs / base.decideMs,
    verdict: over.length === 0 ? "" : `OVER: ${over.join(", ")}`,
  };
}
