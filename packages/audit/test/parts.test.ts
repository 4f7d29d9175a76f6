// Tests that merged parts equal one run although every table exceeds its limit, also if a robots.txt redirects to an origin without one.
import { createHistory } from "@robots-stream/fetch/history";
import { expect, test } from "vitest";
import {
  type AuditDocument,
  checkDocument,
  countsTextOf,
  DocumentMerge,
  documentTextOf,
  mergeDocuments,
} from "../src/index.ts";
import { documentFor } from "./feed.ts";
import { createWorld, type LogLine } from "./generator.ts";
import { createRandom } from "./random.ts";

const limits = {
  timeCells: 60,
  directories: 12,
  directoryCells: 90,
  crossingCells: 30,
  parameters: 2,
  otherOrigins: 5,
  otherAgents: 3,
  paceMinutes: 4,
};
const random = createRandom(31);
const world = createWorld(31, { hosts: 3, crawlers: 6, lines: 6_000 });
const elsewhere = Array.from({ length: 40 }, (_, at) => `https://elsewhere${at}.example`);

/** Each unknown origin has a robots.txt to which a known origin redirected. */
const observations = world.observations.map((each) => ({
  ...each,
  redirects: elsewhere.map((origin) => ({ origin, target: "/files/robots.txt" })),
}));
const lines = world.lines.flatMap((line): readonly LogLine[] => [
  line,
  { ...line, origin: random.one(elsewhere), target: random.one(["/files/robots.txt", "/", "/a/b/c?q=1"]) },
]);
const documentOf = (part: readonly LogLine[]): AuditDocument =>
  documentFor({ ...world, observations }, part, { limits, history: createHistory(observations) });
const whole = documentOf(lines);

test("the log exceeds every limit", () => {
  const folded = whole.origins.filter(({ isKnown }) => isKnown).map((origin) => origin.folded);
  for (const table of ["times", "fetches", "directories", "parameters"] as const) {
    expect(folded.some((levels) => levels[table] > 0)).toBe(true);
  }
  expect(whole.origins.filter(({ origin, isKnown }) => !isKnown && origin !== "" && origin !== "…")).toHaveLength(5);
  expect(whole.otherAgents).toHaveLength(3);
  const rest = whole.origins.find(({ origin }) => origin === "…")!;
  // A fetch is a fetch, whether its origin is kept by name or not.
  expect(rest.fetches.length).toBeGreaterThan(0);
  const fetched = whole.origins.flatMap(({ fetches }) => fetches).reduce((sum, row) => sum + row[5], 0);
  const isFetch = ({ target, crawler }: LogLine): boolean =>
    crawler !== undefined && (target === "/robots.txt" || target === "/files/robots.txt");
  expect(fetched).toBe(lines.filter(isFetch).length);
});

test.each([1, 2, 25])("%i parts merge to the document of one run", (parts) => {
  const shuffled = random.shuffled(lines);
  const read = Array.from({ length: parts }, (_, part) =>
    checkDocument(JSON.parse(documentTextOf(documentOf(shuffled.filter((_line, at) => at % parts === part))))),
  );
  expect(countsTextOf(mergeDocuments(random.shuffled(read)))).toBe(countsTextOf(whole));
});

test("a merge keeps no document that was added", () => {
  const merge = new DocumentMerge();
  for (const part of [lines.slice(0, 900), lines.slice(900)]) {
    const document = JSON.parse(documentTextOf(documentOf(part))) as AuditDocument;
    merge.add(document);
    for (const origin of document.origins) Object.assign(origin, { times: [], directories: [], rules: [] });
  }
  expect(countsTextOf(merge.document())).toBe(countsTextOf(whole));
});
