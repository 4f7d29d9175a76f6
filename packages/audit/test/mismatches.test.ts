// Tests with generated logs that the requests that a server answers against robots.txt equal a slow computation from the lines.
import { expect, test } from "vitest";
import { type AuditReport, mayBeAccused, printCsv, reportOf, sentenceTextOf } from "../src/index.ts";
import { documentFor } from "./feed.ts";
import { type LogLine, type World, createWorld } from "./generator.ts";
import { SlowAudit } from "./slow.ts";

/** A generated world in which dialects differ about every fifth target. */
function disputedWorld(seed: number): World {
  const world = createWorld(seed, { hosts: 4, crawlers: 4, lines: 12_000 });
  const isDisputed = (target: string): boolean => target.length % 5 === 0;
  return {
    ...world,
    decide: (version, crawler, target) => ({
      ...world.decide(version, crawler, target),
      ...(isDisputed(target) ? { disputed: true } : {}),
    }),
  };
}

const worlds = [1, 2, 3, 4].map(disputedWorld);
const documents = worlds.map((world) => documentFor(world, world.lines));
const reports = documents.map((document) => reportOf(document));
const findings = reports.map((report) => report.findings.filter(({ code }) => code.includes("-yet-")));
const refusals = new Set([401, 402, 403, 407, 429, 444, 451]);
const isServed = (status: number): boolean => status === 304 || (status >= 200 && status < 300);

interface Group {
  readonly of: LogLine[];
  readonly hits: LogLine[];
}

const noGroup = (): Group => ({ of: [], hits: [] });

/** The mismatches by the definition: lines are looked at one by one, and no table of the document is read. */
function expectedRows(world: World): readonly string[] {
  const slow = new SlowAudit(world);
  const groups = new Map<string, Record<"proven" | "assumed" | "disputed", Group>>();
  for (const line of world.lines) {
    const { state, proven, disputed } = slow.expect(line);
    const crawler = world.crawlers.find(({ productToken }) => productToken === line.crawler);
    if (crawler === undefined || line.status < 0) continue;
    const verification = crawler.kind === "control-token" ? "false" : line.verification;
    const isAllowed = state === "allowed" || state === "not-bound:allowed";
    if (!isAllowed && state !== "violation") continue;
    if (verification === "false" || (!isAllowed && !mayBeAccused(crawler, verification))) continue;
    const kind = isAllowed ? "allowed-yet-refused" : "disallowed-yet-served";
    const key = [line.origin, line.crawler, verification, kind].join(" ");
    const group = groups.get(key) ?? { proven: noGroup(), assumed: noGroup(), disputed: noGroup() };
    groups.set(key, group);
    const part = group[disputed ? "disputed" : proven ? "proven" : "assumed"];
    part.of.push(line);
    if (isAllowed ? refusals.has(line.status) : isServed(line.status)) part.hits.push(line);
  }
  return [...groups]
    .flatMap(([key, { proven, assumed, disputed }]) => {
      const isProven = proven.hits.length >= 10;
      const counted = isProven ? [proven] : [proven, assumed];
      const hits = counted.flatMap((group) => group.hits);
      const isServing = key.endsWith("served");
      if (hits.length < 10 || (isServing && !isProven)) return [];
      const times = hits.flatMap(({ atSeconds }) => (atSeconds === undefined ? [] : [atSeconds]));
      const countOf = (status: number): number => hits.filter((line) => line.status === status).length;
      const statuses = [...new Set(hits.map(({ status }) => status))];
      const shown = statuses.map((status) => `${status}×${countOf(status)}`).toSorted();
      const of = counted.reduce((sum, group) => sum + group.of.length, 0);
      const left = [isProven ? assumed.hits.length : 0, disputed.hits.length];
      return [[key, isProven, hits.length, of, ...shown, Math.min(...times), Math.max(...times), ...left].join(" ")];
    })
    .toSorted();
}

/** The rows of a report as texts in the form of `expectedRows`. */
function foundRows({ mismatches }: AuditReport): readonly string[] {
  return mismatches
    .map((row) => {
      const { origin, crawler, verification, kind, isProven, requests, of, first, last, assumed, disputed } = row;
      const statuses = row.statuses.map(({ status, requests: count }) => `${status}×${count}`).toSorted();
      const key = [origin, crawler, verification, kind];
      return [...key, isProven, requests, of, ...statuses, first, last, assumed, disputed].join(" ");
    })
    .toSorted();
}

test("the requests that the server answered against robots.txt equal the slow computation", () => {
  for (const [at, world] of worlds.entries()) expect(foundRows(reports[at]!)).toEqual(expectedRows(world));
  // The worlds have each kind, proven and assumed rows, and rows that leave something out.
  const found = reports.flatMap(foundRows).join("\n");
  for (const text of [/refused true/, /refused false/, /served true/]) expect(found).toMatch(text);
  const rows = reports.flatMap(({ mismatches }) => mismatches);
  expect(rows.some(({ disputed }) => disputed > 0)).toBe(true);
  expect(rows.some(({ assumed }) => assumed > 0)).toBe(true);
});

test("each row is a finding, and each of its statuses is a row of CSV", () => {
  for (const [at, { mismatches }] of reports.entries()) {
    expect(findings[at]!.map(({ code }) => code).toSorted()).toEqual(mismatches.map(({ kind }) => kind).toSorted());
    const rows = printCsv(documents[at]!, "mismatches").trimEnd().split("\r\n").slice(1);
    expect(rows).toHaveLength(mismatches.reduce((sum, { statuses }) => sum + statuses.length, 0));
    const sum = rows.reduce((total, row) => total + Number(row.split(",")[6]), 0);
    expect(sum).toBe(mismatches.reduce((total, { requests }) => total + requests, 0));
  }
});

test("a sentence says what it counts, what it leaves out, and that anybody can use the name", () => {
  const sentences = findings.flat().map(({ sentence }) => sentenceTextOf(sentence));
  const texts = [
    /got a refusal although robots.txt allows them at \S+ between [^:]+: \d+ with status \d+/u,
    /were served although robots.txt disallows them/u,
    /disputed left out/u,
    /by a file that is assumed to have been in force/u,
    /not known who sent them, so they may be imitators/u,
  ];
  for (const text of texts)
    expect(
      sentences.some((sentence) => text.test(sentence)),
      String(text),
    ).toBe(true);
  const verified = sentences.filter((sentence) => sentence.includes("(verified)"));
  expect(verified.filter((sentence) => sentence.includes("imitators"))).toEqual([]);
});
