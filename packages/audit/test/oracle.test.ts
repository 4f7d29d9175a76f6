// Tests with generated logs that every state, and the requests in eleven tables of a document, equal a slow computation, and that every split
// merges to the same bytes.
import { describe, expect, test } from "vitest";
import {
  type AuditDocument,
  checkDocument,
  countsTextOf,
  documentTextOf,
  mergeDocuments,
  reportOf,
} from "../src/index.ts";
import { documentFor } from "./feed.ts";
import { type LogLine, type World, createWorld } from "./generator.ts";
import { createRandom } from "./random.ts";
import { SlowAudit, Sums, classOf, directoryOf, quarterOf } from "./slow.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const sizes = isThorough ? { hosts: 300, crawlers: 40, lines: 20_000 } : { hosts: 40, crawlers: 12, lines: 1_500 };
const seeds = isThorough ? [1, 2] : [1];
const timeout = isThorough ? 600_000 : 60_000;

/** The tables whose requests are compared, besides `firstFetches`. */
const comparedTables = [
  "times",
  "decisions",
  "directories",
  "crossings",
  "misses",
  "answers",
  "fetches",
  "graceMinutes",
  "parameters",
  "flips",
] as const;

/** The requests in eleven tables by the slow computation, as texts in the form of `foundTables`. */
function expectedTables(world: World, lines: readonly LogLine[]): Record<string, readonly string[]> {
  const slow = new SlowAudit(world);
  const tables = Object.fromEntries(comparedTables.map((name) => [name, new Sums()])) as Record<string, Sums>;
  const firstFetches = new Map<string, number>();
  for (const line of lines) {
    if (line.crawler === undefined) continue;
    const { state, direction, proven, disputed, interval, decision } = slow.expect(line);
    const crawler = world.crawlers.find(({ productToken }) => productToken === line.crawler)!;
    const verification = crawler.kind === "control-token" ? "false" : line.verification;
    const actor = [line.crawler, verification];
    const origin = line.origin ?? "";
    const status = classOf(line.status);
    const method = ["GET", "HEAD", "POST", "OPTIONS", "CONNECT"].includes(line.method) ? line.method : "other";
    tables["times"]!.add([origin, quarterOf(line.atSeconds), ...actor, state, status], 1);
    const code = Math.min(line.status, 1_000);
    tables["answers"]!.add([origin, ...actor, method, state, code], 1);
    if (state === "robots-txt") {
      tables["fetches"]!.add([origin, quarterOf(line.atSeconds), ...actor, method, code], 1);
      const isGood = line.method === "GET" && (line.status === 200 || line.status === 304);
      const fetched = isGood ? slow.fetched(line) : undefined;
      const key = JSON.stringify([origin, fetched, ...actor]);
      if (fetched !== undefined) firstFetches.set(key, Math.min(line.atSeconds!, firstFetches.get(key) ?? Infinity));
      continue;
    }
    if (origin === "" || ["undecidable:asterisk", "undecidable:connect"].includes(state)) continue;
    tables["directories"]!.add([origin, directoryOf(line.target), ...actor, state, status], 1);
    if (["redirected", "not-found", "refused", "failed"].includes(status)) {
      tables["misses"]!.add([origin, directoryOf(line.target), status], 1);
    }
    // A parameter without a name counts as the folded parameter.
    const parameters = (line.target.split("?")[1] ?? "").split("&").filter((parameter) => parameter !== "");
    const names = parameters.map((parameter) => (parameter.includes("=") ? parameter.split("=")[0]! : "…"));
    for (const name of new Set(names)) {
      tables["parameters"]!.add([origin, name.replace("\u00e4", "%C3%A4"), state, status], 1);
    }
    if (decision === undefined) continue;
    const rule = [decision.rule?.type ?? decision.because, decision.rule?.pattern ?? "", decision.rule?.line ?? 0];
    const ground = [interval, rule, ...actor, state, direction, proven, disputed];
    tables["decisions"]!.add([origin, ...ground, code], 1);
    const flip = slow.flip(line);
    if (flip !== undefined) tables["flips"]!.add([origin, directoryOf(line.target), ...actor, flip], 1);
    if (["violation", "grace", "not-bound:violation"].includes(state)) {
      tables["crossings"]!.add([origin, directoryOf(line.target), ...ground], 1);
    }
    if (direction === "tightened" && state === "grace") {
      const minute = Math.floor(line.atSeconds! / 60) * 60;
      tables["graceMinutes"]!.add([origin, minute, ...actor, interval, proven, disputed], 1);
    }
  }
  const shown = [...firstFetches].map(([key, at]) => `${key} ${at}`).toSorted();
  return {
    ...Object.fromEntries(Object.entries(tables).map(([name, sums]) => [name, sums.lines()])),
    firstFetches: shown,
  };
}

/** The same eleven tables of a document as texts. */
function foundTables(document: AuditDocument): Record<string, readonly string[]> {
  const sums = Object.fromEntries([...comparedTables, "firstFetches"].map((name) => [name, new Sums()])) as Record<
    string,
    Sums
  >;
  for (const each of document.origins) {
    const { origin } = each;
    const intervalOf = (at: number): string => `${each.intervals[at]!.from} ${each.intervals[at]!.version}`;
    const ruleOf = (at: number, interval: number): unknown[] => {
      const { directive, pattern, lines } = each.rules[at]!;
      return [directive, pattern, lines[each.intervals[interval]!.version] ?? 0];
    };
    for (const [time, crawler, verification, state, status, requests] of each.times) {
      sums["times"]!.add([origin, time, crawler, verification, state, status], requests);
    }
    for (const [
      interval,
      rule,
      crawler,
      verification,
      state,
      direction,
      proven,
      disputed,
      status,
      requests,
    ] of each.decisions) {
      const ground = [
        intervalOf(interval),
        ruleOf(rule, interval),
        crawler,
        verification,
        state,
        direction,
        proven,
        disputed,
      ];
      sums["decisions"]!.add([origin, ...ground, status], requests);
    }
    for (const [directory, crawler, verification, state, status, requests] of each.directories) {
      sums["directories"]!.add([origin, directory, crawler, verification, state, status], requests);
    }
    for (const [directory, interval, rule, ...rest] of each.crossings) {
      const [crawler, verification, state, direction, proven, disputed, requests] = rest;
      const ground = [
        intervalOf(interval),
        ruleOf(rule, interval),
        crawler,
        verification,
        state,
        direction,
        proven,
        disputed,
      ];
      sums["crossings"]!.add([origin, directory, ...ground], requests);
    }
    for (const [name, state, status, requests] of each.parameters) {
      sums["parameters"]!.add([origin, name, state, status], requests);
    }
    for (const [directory, crawler, verification, flip, requests] of each.flips) {
      sums["flips"]!.add([origin, directory, crawler, verification, flip], requests);
    }
    for (const [directory, status, requests] of each.misses) {
      sums["misses"]!.add([origin, directory, status], requests);
    }
    for (const [crawler, verification, method, state, status, requests] of each.answers) {
      sums["answers"]!.add([origin, crawler, verification, method, state, status], requests);
    }
    for (const [time, crawler, verification, method, status, requests] of each.fetches) {
      sums["fetches"]!.add([origin, time, crawler, verification, method, status], requests);
    }
    for (const [interval, crawler, verification, time] of each.firstFetches) {
      sums["firstFetches"]!.add([origin, intervalOf(interval), crawler, verification], time!);
    }
    for (const [time, crawler, verification, interval, proven, disputed, requests] of each.graceMinutes) {
      sums["graceMinutes"]!.add(
        [origin, time, crawler, verification, intervalOf(interval), proven, disputed],
        requests,
      );
    }
  }
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum.lines()]));
}

const roomy = {
  timeCells: 1e6,
  directories: 60_000,
  directoryCells: 1e6,
  crossingCells: 1e6,
  parameters: 1_000,
  otherOrigins: 1_000,
  otherAgents: 100,
  paceMinutes: 20,
};
const narrow = {
  timeCells: 60,
  directories: 12,
  directoryCells: 90,
  crossingCells: 30,
  parameters: 2,
  otherOrigins: 1,
  otherAgents: 3,
  paceMinutes: 4,
};

describe.each(seeds)("seed %i", { timeout }, (seed) => {
  const world = createWorld(seed, sizes);

  test("every state, and the requests in eleven tables, equal the slow computation", () => {
    const document = documentFor(world, world.lines, { limits: roomy });
    const found = foundTables(document);
    const expected = expectedTables(world, world.lines);
    for (const [name, lines] of Object.entries(expected)) expect(found[name], name).toEqual(lines);
    const states = new Set(document.origins.flatMap(({ times }) => times.map(([, , , state]) => state)));
    // The world has every state: otherwise a missing state would compare as equal.
    expect(states.size).toBe(13);
    expect(document.totals.requests).toBe(world.lines.length);
    const { crawlerRows } = reportOf(document);
    for (const row of crawlerRows) {
      const { requests, robotsTxt, undecidable, notBound, disputed, grace, allowed, assumed, proven, answers } = row;
      const columns = [robotsTxt, undecidable, notBound, disputed, grace, allowed, assumed, proven.violations];
      expect(columns.reduce((sum, count) => sum + count)).toBe(requests);
      expect(Object.values(answers).reduce((sum, count) => sum + count)).toBe(requests);
    }
    // Each column has requests of some crawler.
    for (const name of ["robotsTxt", "undecidable", "notBound", "disputed", "grace", "allowed", "assumed"] as const) {
      expect(crawlerRows.some((row) => row[name] > 0)).toBe(true);
    }
    expect(document.totals.notACrawler).toBe(world.lines.filter(({ crawler }) => crawler === undefined).length);
    expect(document.totals.withoutTime).toBe(world.lines.filter(({ atSeconds }) => atSeconds === undefined).length);
    expect(document.totals.bytes).toBe(world.lines.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0));
  });

  test.each<[what: string, limits: typeof roomy]>([
    ["nothing folded", roomy],
    ["nearly everything folded", narrow],
  ])("few and many parts merge to the same bytes in any order: %s", (_what, limits) => {
    const random = createRandom(seed);
    const whole = documentFor(world, world.lines, { limits });
    const text = countsTextOf(whole);
    for (const parts of isThorough || limits === narrow ? [1, 2, 7, 100] : [2, 7]) {
      const shuffled = random.shuffled(world.lines);
      const documents = Array.from({ length: parts }, (_, part) =>
        documentFor(
          world,
          shuffled.filter((_line, at) => at % parts === part),
          { limits },
        ),
      );
      // The parts are written and read as files, then merged all at once and one after another.
      const read = random.shuffled(documents).map((each) => checkDocument(JSON.parse(documentTextOf(each))));
      expect(countsTextOf(mergeDocuments(read)) === text, `${parts} parts at once`).toBe(true);
      if (parts > 7) continue;
      const oneByOne = read.reduce((sum, each) => mergeDocuments([sum, each]));
      expect(countsTextOf(oneByOne) === text, `${parts} parts, one by one`).toBe(true);
    }
    const requests = (document: AuditDocument): number =>
      document.origins.flatMap(({ times }) => times).reduce((sum, [, , , , , count]) => sum + count, 0);
    expect(requests(whole)).toBe(world.lines.filter(({ crawler }) => crawler !== undefined).length);
    if (limits === narrow) {
      expect(whole.origins.some(({ folded }) => folded.times > 0 && folded.directories > 0)).toBe(true);
      expect(whole.origins.some(({ origin }) => origin === "…")).toBe(true);
    }
  });
});
