// Tests with changed documents that the check refuses a document whose tables contradict one another, and that a document which the check
// accepts can be merged and printed in every format.
import { describe, expect, test } from "vitest";
import {
  type AuditDocument,
  AuditError,
  checkDocument,
  csvTableNames,
  documentTextOf,
  mergeDocuments,
  printCsv,
  printHtml,
  printText,
  reportOf,
} from "../src/index.ts";
import { tableColumns, tableNames } from "../src/document/tables.ts";
import { documentFor } from "./feed.ts";
import { createWorld } from "./generator.ts";
import { type Random, createRandom } from "./random.ts";

type Row = unknown[];
type Origin = Record<string, Row[]> & { intervals: Record<string, unknown>[]; rules: Record<string, unknown>[] };
interface Changed {
  readonly crawlers: Record<string, unknown>[];
  readonly totals: Record<string, number>;
  readonly files: Record<string, string>;
  readonly lint: Record<string, unknown>;
  readonly urls: Record<string, unknown>[];
  readonly otherAgents: Record<string, unknown>[];
  readonly origins: Origin[];
  readonly period: Record<string, number>;
}

const world = createWorld(23, { hosts: 5, crawlers: 8, lines: 1_200 });
const text = documentTextOf(documentFor(world, world.lines.slice(0, 1_000)));
const other = documentFor(world, world.lines.slice(1_000), {}, [
  { name: "b", bytes: 1, sha256: "b", lines: 200, rejects: {}, sampleRate: 1, outside: 0 },
]);
const read = (): Changed => JSON.parse(text) as Changed;

/** Undefined for a document that is refused; otherwise its merge with another document, after every format was printed. */
function usedOf(changed: Changed): AuditDocument | undefined {
  let merged: AuditDocument;
  try {
    merged = mergeDocuments([checkDocument(JSON.parse(JSON.stringify(changed))), other]);
  } catch (error) {
    if (error instanceof AuditError) return undefined;
    throw error;
  }
  for (const timeZone of ["UTC", "Asia/Kolkata"]) {
    const report = reportOf(merged, { timeZone, previous: merged });
    printText(report);
    printHtml(report);
  }
  for (const table of csvTableNames) printCsv(merged, table);
  checkDocument(JSON.parse(documentTextOf(merged)));
  return merged;
}

test("an unchanged document is accepted", () => {
  expect(usedOf(read())).toBeDefined();
  // Every table has rows, so that each can be changed.
  const empty = tableNames.filter((name) => read().origins.every((origin) => origin[name]!.length === 0));
  expect(empty).toEqual([]);
});

/** The tables of which each number is also in another table. */
const bound = ["times", "decisions", "directories", "crossings", "answers", "fetches"] as const;

const originWith = (document: Changed, table: string): Origin =>
  document.origins.find((origin) => origin[table]!.length > 1 && origin.intervals.length > 0)!;

const countAt = (table: (typeof tableNames)[number]): number =>
  (tableColumns[table] as readonly string[]).indexOf("requests");

describe.each(bound)("%s", (table) => {
  test.each<[what: string, change: (rows: Row[]) => unknown]>([
    ["a missing row", (rows) => rows.pop()],
    ["no rows", (rows) => rows.splice(0)],
    ["a row twice", (rows) => rows.push([...rows[0]!])],
    ["one request more", (rows) => ((rows[0]![countAt(table)] as number) += 1)],
    ["a row without a request", (rows) => (rows[0]![countAt(table)] = 0)],
    ["another verification", (rows) => (rows[0]![tableColumns[table].indexOf("verification")] = "false")],
  ])("%s is refused", (_what, change) => {
    const changed = read();
    const rows = originWith(changed, table)[table]!;
    // Another verification must be another one.
    if (rows[0]!.includes("false")) rows.reverse();
    change(rows);
    expect(() => checkDocument(changed)).toThrow(
      expect.objectContaining({
        code: "ERR_INVALID_DOCUMENT",
        message: expect.stringMatching(/origins\[\d+\]/u) as string,
      }),
    );
  });
});

test.each<[what: string, change: (document: Changed) => unknown, message: RegExp]>([
  [
    "crossings without decisions",
    (document) => (originWith(document, "crossings")["decisions"] = []),
    /0 requests in decisions/,
  ],
  ["another interval", (document) => swap(originWith(document, "crossings")["crossings"]!, 1), /requests in crossings/],
  ["another rule", (document) => swap(originWith(document, "crossings")["crossings"]!, 2), /requests in crossings/],
  ["an earlier first request", (document) => (findTimed(document)[10] = 1), /before the beginning of the period/],
  ["a text of a version that no origin has", (document) => (document.files["ab"] = "x"), /files has a version/],
  ["findings in a version that no origin has", (document) => (document.lint["ab"] = []), /lint has a version/],
  [
    "a line of a version that the origin does not have",
    (document) => (ruleWithLine(document)["lines"] = { ab: 1 }),
    /rules\[\d+\]/,
  ],
  ["a total", (document) => (document.totals["requests"]! += 1), /totals\.requests/],
  ["bytes", (document) => (document.totals["bytes"]! += 1), /totals\.bytes/],
  ["a crawler without requests", (document) => document.urls.push({ ...document.urls[0]!, verification: "x" }), /urls/],
  [
    "a period that ends early",
    (document) => (document.period["last"] = document.period["first"]!),
    /after the end of the period/,
  ],
  ["an interval that ends before it begins", (document) => (interval(document)["seen"] = 1), /its times/],
  ["an interval without a date", (document) => (interval(document)["from"] = null), /its times/],
  ["a time that no calendar has", (document) => (interval(document)["seen"] = 2 ** 50), /intervals\[/],
  ["a fetch that is not in fetches", (document) => firstOfOther(document), /firstFetches has a fetch/],
  ["sizes", (document) => (originWith(document, "sizes")["sizes"]![0]![2] = 2 ** 40), /smallest size/],
  ["flips", (document) => (originWith(document, "flips")["flips"]![0]![4] = 10_000), /10000 requests in flips/],
  ["grace", (document) => (originWith(document, "graceMinutes")["graceMinutes"]![0]![6] = 10_000), /in graceMinutes/],
  ["pace", (document) => (originWith(document, "pace")["pace"]![0]![3] = 10_000), /in pace/],
  ["parameters", (document) => (originWith(document, "parameters")["parameters"]![0]![3] = 10_000), /in parameters/],
  [
    "visits",
    (document) => (document.origins.find(({ referrals }) => referrals!.length > 0)!["referrals"]![0]![1] = 10_000),
    /visits/,
  ],
  ["agents", (document) => (document.otherAgents[0]!["requests"] = 10_000), /otherAgents/],
])("a document with other %s is refused", (_what, change, message) => {
  const changed = read();
  change(changed);
  expect(() => checkDocument(changed)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_DOCUMENT", message: expect.stringMatching(message) as string }),
  );
});

/** Gives the first row with another value in a column this value. */
function swap(rows: Row[], column: number): void {
  const row = rows.find((each) => each[column] !== rows[0]![column])!;
  row[column] = rows[0]![column];
}

function findTimed(document: Changed): Row {
  return originWith(document, "decisions")["decisions"]!.find((row) => row[10] !== null)!;
}

function ruleWithLine(document: Changed): Record<string, unknown> {
  return originWith(document, "decisions").rules.find(({ lines }) => Object.keys(lines as object).length > 0)!;
}

function interval(document: Changed): Record<string, unknown> {
  return document.origins.find(({ intervals }) => (intervals[0]?.["from"] ?? null) !== null)!.intervals[0]!;
}

function firstOfOther(document: Changed): void {
  const origin = originWith(document, "firstFetches");
  const actors = new Set(
    origin["fetches"]!.map(([, crawler, verification]) => `${String(crawler)} ${String(verification)}`),
  );
  const row = origin["times"]!.find(
    ([, crawler, verification]) => !actors.has(`${String(crawler)} ${String(verification)}`),
  )!;
  origin["firstFetches"]![0]![1] = row[1];
  origin["firstFetches"]![0]![2] = row[2];
}

test("two documents that say different things about an origin, a crawler or a version do not merge", () => {
  const changes: readonly ((document: Changed) => unknown)[] = [
    (document) => (document.crawlers[0]!["operator"] = "Another"),
    (document) => (interval(document)["seen"] = (interval(document)["seen"] as number) + 1),
    (document) => (document.files[Object.keys(document.files)[0]!] = "another"),
  ];
  for (const change of changes) {
    const changed = read();
    change(changed);
    const document = checkDocument(changed);
    expect(() => mergeDocuments([document, other])).toThrow(
      expect.objectContaining({ code: "ERR_DIFFERENT_DOCUMENTS" }),
    );
  }
});

/** Changes one value of a document at random. */
function mutate(document: Changed, random: Random): void {
  const origin = random.one(document.origins);
  const table = random.one(tableNames);
  const rows = origin[table]!;
  if (rows.length === 0) return;
  const row = random.one(rows);
  const at = random.below(row.length);
  const someRow = random.one(random.one(document.origins)[table]!.concat(rows));
  switch (random.below(6)) {
    case 0:
      rows.splice(rows.indexOf(row), 1);
      break;
    case 1:
      rows.push([...row]);
      break;
    case 2:
      row[at] = someRow[at];
      break;
    case 3:
      row[at] = typeof row[at] === "number" ? Math.max(0, row[at] + random.below(5) - 2) : null;
      break;
    case 4:
      random.one([origin.intervals, origin.rules, document.crawlers, document.urls, document.otherAgents]).pop();
      break;
    default: {
      const totals = document.totals;
      const name = random.one(Object.keys(totals));
      totals[name] = Math.max(0, totals[name]! + random.below(9) - 4);
    }
  }
}

test("a document that was changed at random is refused, or gives a whole report", { timeout: 600_000 }, () => {
  const random = createRandom(5);
  const same = JSON.stringify(read());
  let [made, refused] = [0, 0];
  const tries = process.env["ROBOTS_STREAM_THOROUGH"] === undefined ? 100 : 1_000;
  for (let count = 0; count < tries; count++) {
    const changed = read();
    mutate(changed, random);
    if (JSON.stringify(changed) === same) continue;
    made++;
    if (usedOf(changed) === undefined) refused++;
  }
  // Most changes contradict something.
  expect(refused).toBeGreaterThan(made / 2);
});
