// Tests a report's notes on the lines of a robots.txt, and the report's intervals, operators and restrictions, with rules and requests as
// data.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import { type AuditCrawler, type AuditDocument, type LintRow, documentOf, printHtml, reportOf } from "../src/index.ts";
import type { LogLine, World } from "./generator.ts";
import { counterFor, feed, settings } from "./feed.ts";

const origin = "https://shop.example";
const day = 86_400;
/** 2026-11-01. */
const start = 1_793_491_200;

const row = (productToken: string, more: Partial<AuditCrawler> = {}): AuditCrawler => ({
  productToken,
  operator: "Example",
  kind: "crawler",
  purposes: ["search"],
  bound: "yes",
  accessPolicy: "rfc9309",
  honoursCrawlDelay: false,
  ...more,
});

const crawlers = [
  row("ExampleBot"),
  row("OtherBot", { operator: "Other", groupNames: ["OtherBot", "OldBot", "*"] }),
  row("ExampleUser", { kind: "user-triggered", bound: "no" }),
  row("ExampleReader", { kind: "program", bound: "undocumented" }),
];

const ask = (target: string, more: Partial<LogLine> = {}): LogLine => ({
  origin,
  crawler: "ExampleBot",
  verification: "no-check",
  method: "GET",
  target,
  status: 200,
  bytes: 100,
  atSeconds: start + 5 * day,
  ...more,
});

function worldOf(body: string): World {
  const sight = { origin, access: "successful", sha256: "ab" } as const;
  return {
    crawlers,
    observations: [
      { ...sight, atSeconds: start },
      { ...sight, atSeconds: start + 20 * day },
    ],
    bodies: new Map([["ab", body]]),
    lines: [],
    decide: (_version, crawler, target) => {
      const names = crawlers.find(({ productToken }) => productToken === crawler)?.groupNames ?? [crawler];
      const known = names.find((name) => body.includes(`User-agent: ${name}\n`)) ?? crawler;
      return createMatcher(parseRobotsTxt(new TextEncoder().encode(body)), known).decideTarget(target);
    },
  };
}

function documentFor(body: string, lines: readonly LogLine[], lint: readonly LintRow[] = []) {
  const world = worldOf(body);
  const counter = counterFor(world);
  feed(counter, world, lines);
  return documentOf(counter, { settings, inputs: [], textOf: () => body, lintOf: () => lint });
}

const sampled = { name: "a", bytes: 1, sha256: "aa", lines: 3, rejects: {}, sampleRate: 0.1, outside: 0 };

describe("the note of a line", () => {
  test.each<[what: string, body: string, lines: readonly LogLine[], line: number, state: string, note: string]>([
    ["a crossed rule", "User-agent: *\nDisallow: /a\n", [ask("/a")], 2, "crossed", "1 by ExampleBot (no check)"],
    [
      "only a fetcher that is not bound requested the path",
      "User-agent: *\nDisallow: /a\n",
      [ask("/a", { crawler: "ExampleUser" }), ask("/")],
      2,
      "kept-or-needless",
      "1 matching request, none by a crawler it binds",
    ],
    [
      "only a program that anyone may run requested the path",
      "User-agent: *\nDisallow: /a\n",
      [ask("/a", { crawler: "ExampleReader" })],
      2,
      "kept-or-needless",
      "1 matching request, none by a crawler it binds",
    ],
    [
      "only a client with a false identity requested the path",
      "User-agent: *\nDisallow: /a\n",
      [ask("/a", { verification: "false" }), ask("/")],
      2,
      "no-decision",
      "decided no request of ExampleBot",
    ],
    [
      "no request in the directory",
      "User-agent: *\nDisallow: /a/\n",
      [ask("/")],
      2,
      "no-url-beneath",
      "no crawler requested a matching URL",
    ],
    ...["/caf\u00e9/", "/caf%C3%A9/", "/caf%c3%a9/"].map(
      (pattern): [string, string, LogLine[], number, string, string] => [
        `a longer rule decided, and the directory has other characters: ${pattern}`,
        `User-agent: *\nDisallow: ${pattern}\nAllow: ${pattern}a\n`,
        [ask("/caf%C3%A9/a"), ask("/")],
        2,
        "no-decision",
        "decided no request of ExampleBot",
      ],
    ),
    [
      "a longer rule decided, and the slash is in the query",
      "User-agent: *\nDisallow: /a?b/\nAllow: /a?b/c\n",
      [ask("/a?b/c"), ask("/")],
      2,
      "no-decision",
      "decided no request of ExampleBot",
    ],
    ["an allow rule", "User-agent: *\nDisallow: /a\nAllow: /a/b\n", [ask("/a/b"), ask("/a/b/c")], 3, "used", "2"],
    [
      "a longer rule decided",
      "User-agent: *\nDisallow: /a\nAllow: /a/b\n",
      [ask("/a/b")],
      2,
      "no-decision",
      "decided no request of ExampleBot",
    ],
    [
      "a group for a crawler without requests",
      "User-agent: *\nDisallow: /x\n\nUser-agent: SomeBot\nDisallow: /a\n",
      [ask("/x")],
      5,
      "plain",
      "no crawler of this group came",
    ],
    [
      "a group for another name of a crawler",
      "User-agent: *\nDisallow: /x\n\nUser-agent: OldBot\nDisallow: /a\n",
      [ask("/x"), ask("/", { crawler: "OtherBot" })],
      5,
      "no-decision",
      "decided no request of OtherBot",
    ],
    ["nothing disallowed", "User-agent: *\nDisallow:\n", [ask("/x")], 2, "plain", ""],
    [
      "a control token",
      "User-agent: *\nDisallow: /x\n\nUser-agent: Example-Extended\nDisallow: /\n",
      [ask("/x")],
      5,
      "control-token",
      "control token: logs cannot tell",
    ],
  ])("%s", (_what, body, lines, line, state, note) => {
    const report = reportOf(documentFor(body, lines), { controlTokens: ["Example-Extended"] });
    expect(report.originReports[0]!.lines[line - 1]).toMatchObject({ number: line, state, note });
  });

  test("a rule that never decides according to the linter is shadowed, unless it was crossed", () => {
    const body = "User-agent: *\nDisallow: /a\nDisallow: /a/b\nDisallow: /a/c\n";
    const lint: readonly LintRow[] = [
      [3, "info", "redundant-rule", "changes nothing"],
      [4, "info", "redundant-rule", "changes nothing"],
    ];
    const document = documentFor(body, [ask("/a/c")], lint);
    const states = reportOf(document).originReports[0]!.lines.map(({ state }) => state);
    expect(states).toEqual(["plain", "no-decision", "shadowed", "crossed"]);
    expect(printHtml(reportOf(document))).toContain("changes nothing");
  });

  test("in a sample, no note makes a statement about what did not happen", () => {
    const document = documentFor("User-agent: *\nDisallow: /a/\nDisallow: /b\n", [ask("/")]);
    const { lines } = reportOf({ ...document, inputs: [sampled] }).originReports[0]!;
    expect(lines.map(({ note }) => note)).toEqual(["", "", ""]);
  });
});

test("one finding names all restricted crawlers that fetched the file and crossed no rule in at least 50 requests", () => {
  const body = "User-agent: *\nDisallow: /a\n";
  const asked = (count: number): readonly LogLine[] => [
    ask("/robots.txt"),
    ...Array.from({ length: count }, (_, at) => ask(`/b/${at}`)),
  ];
  const codesOf = (lines: readonly LogLine[], text = body): readonly string[] =>
    reportOf(documentFor(text, lines)).findings.map(({ code }) => code);
  expect(codesOf(asked(50))).toEqual(["restricted-and-kept"]);
  expect(codesOf(asked(49))).toEqual([]);
  expect(codesOf(asked(50).slice(1))).toEqual([]);
  expect(codesOf(asked(50), "User-agent: *\nDisallow:\n")).toEqual([]);
  expect(codesOf([...asked(50), ask("/a")])).toEqual(["crossed"]);
});

test("a crawler is not named as restricted if an earlier file decided its requests and did not restrict it", () => {
  const lines = [ask("/robots.txt"), ...Array.from({ length: 60 }, (_, at) => ask(`/b/${at}`))];
  const document = documentFor("User-agent: *\nDisallow: /a\n", lines);
  const [known] = document.origins;
  const [first] = known!.intervals;
  const changed = (earlier: string): AuditDocument => ({
    ...document,
    files: { ...document.files, earlier },
    origins: [
      {
        ...known!,
        intervals: [{ ...first!, version: "earlier" }, first!],
        decisions: known!.decisions.flatMap(([, ...cells]) => [[0, ...cells] as const, [1, ...cells] as const]),
      },
    ],
  });
  const codesOf = (earlier: string): readonly string[] => reportOf(changed(earlier)).findings.map(({ code }) => code);
  expect(codesOf("User-agent: *\nDisallow: /c\n")).toContain("restricted-and-kept");
  expect(codesOf("User-agent: *\nDisallow:\n")).not.toContain("restricted-and-kept");
});

// Google's parser reads these user-agent lines as lines of ExampleBot, and RFC 9309 does not.
test.each([
  "User-agent: ExampleBot/2.1",
  "User-agent: ExampleBot (all)",
  "User-agent: ExampleBot, OtherBot",
  "Useragent: ExampleBot",
  "User-agent ExampleBot",
])("nothing is said about a crawler when it is not certain which group binds it: %s", (userAgent) => {
  const lines = [ask("/robots.txt"), ...Array.from({ length: 60 }, (_, at) => ask(`/b/${at}`))];
  const before = `${userAgent}\nDisallow:\n\nUser-agent: *\nDisallow: /x/y\n`;
  const behind = `User-agent: *\nDisallow:\n\n${userAgent}\nDisallow: /x/y\n`;
  // For RFC 9309, the rule behind a misspelt line belongs to the group before it: both readings restrict the crawler.
  for (const body of userAgent.startsWith("User-agent:") ? [before, behind] : [before]) {
    const report = reportOf(documentFor(body, lines));
    expect(report.findings).toEqual([]);
    expect(report.crawlerRows[0]!.restricted!.lines).toBe(0);
    expect(report.originReports[0]!.lines.map(({ note }) => note).join("")).toBe("");
  }
});

test.each(["User-agent: OtherBot/2.1", "User-agent: ExampleBotter"])(
  "a group of another crawler changes nothing about a crawler: %s",
  (userAgent) => {
    const lines = [ask("/robots.txt"), ...Array.from({ length: 60 }, (_, at) => ask(`/b/${at}`))];
    const body = `${userAgent}\nDisallow:\n\nUser-agent: *\nDisallow: /x/y\n`;
    expect(reportOf(documentFor(body, lines)).findings.map(({ code }) => code)).toEqual(["restricted-and-kept"]);
  },
);

test("the days of an interval, its days with a fetch, and the order of the first fetch and request", () => {
  const lines = [
    ask("/robots.txt", { atSeconds: start + day }),
    ask("/b", { atSeconds: start + day + 60 }),
    ask("/b", { atSeconds: start + 3 * day }),
    ask("/b", { atSeconds: start + 3 * day + 1 }),
  ];
  const [interval] = reportOf(documentFor("User-agent: *\nDisallow: /a\n", lines)).originReports[0]!.intervals;
  expect(interval).toMatchObject({ requests: 3, disallowed: 0, tightened: 0, beginsBeforeLog: true });
  expect(interval!.uses).toMatchObject([
    { crawler: "ExampleBot", requests: 3, days: 3, perDay: 1, pageDays: 2, fetchDays: 1 },
  ]);
  expect(interval!.uses[0]!.firstFetch! < interval!.uses[0]!.firstRequest!).toBe(true);
});

test("operators: requests by identity, without false identities, and visits sent", () => {
  const world = worldOf("User-agent: *\nDisallow: /a\n");
  const counter = counterFor(world);
  feed(counter, world, [
    ask("/b", { verification: "verified" }),
    ask("/b", { verification: "claimed" }),
    ask("/b", { verification: "false" }),
    ask("/b", { crawler: "OtherBot" }),
  ]);
  counter.addReferral(origin, "Example", 3);
  counter.addReferral("https://elsewhere.example", "Nobody");
  expect(reportOf(documentOf(counter, { settings, inputs: [] })).operators).toMatchObject([
    { name: "Example", requests: 2, verified: 1, visits: 3 },
    { name: "Other", requests: 1, visits: 0 },
    { name: "Nobody", requests: 0, verified: 0, visits: 1 },
  ]);
});

test("tables accuse no crawler of requests by programs or clients with a false identity, or of assumed violations", () => {
  const body = "User-agent: *\nDisallow: /a\n";
  const document = documentFor(body, [
    ask("/a/x", { crawler: "ExampleReader" }),
    ask("/a/x", { verification: "false" }),
    ask("/a/x", { atSeconds: start - 90 * day }),
  ]);
  const report = reportOf(document);
  expect(report.violations.map(({ crawler, proven, mark }) => [crawler, proven, mark]).toSorted()).toEqual([
    ["ExampleBot", 0, ""],
    ["ExampleBot", 0, ""],
    ["ExampleReader", 0, "not known whether bound"],
  ]);
  expect(report.originReports[0]).toMatchObject({ assumed: 1, proven: 0 });
  expect(printHtml(report)).toContain("–<small>1 assumed</small>");
  expect(report.originReports[0]!.intervals.flatMap(({ uses }) => uses.map(({ violations }) => violations))).toEqual([
    0, 0, 0,
  ]);
  expect(report.days.length === 0 || report.days.reduce((sum, { violation }) => sum + violation, 0) === 1).toBe(true);
  expect(printHtml(report)).not.toContain('class="bad"');
  expect(report.findings.filter(({ severity }) => severity === "violation")).toEqual([]);
});

test("the report on a file with thousands of names and lines shows 1,000 lines", () => {
  const names = Array.from({ length: 2_500 }, (_, at) => `User-agent: b${at}\n`).join("");
  const body = `${names}Disallow: /x\nUser-agent: *\n${"Disallow: /y\n".repeat(1_500)}`;
  const { originReports, crawlerRows } = reportOf(documentFor(body, [ask("/z")]));
  expect(originReports[0]!.lines).toHaveLength(1_000);
  expect(crawlerRows[0]!.restricted!.lines).toBeGreaterThan(100);
});
