// Tests the states, informed requests and findings of audits with cases as data: observations of one origin, and requests.
import type { Observation } from "@robots-stream/fetch/history";
import { type Matcher, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import {
  type AuditCrawler,
  type StateCode,
  documentOf,
  printCsv,
  printHtml,
  printText,
  reportOf,
} from "../src/index.ts";
import type { LogLine, World } from "./generator.ts";
import { counterFor, feed, settings } from "./feed.ts";

const origin = "https://shop.example";
const minute = 60;
const hour = 3_600;
const day = 86_400;
/** 2026-11-13T09:14:00Z, when the file changes from A to B. */
const changed = 1_794_561_240;

const bodies = new Map([
  ["a", "User-agent: *\nDisallow: /always\n"],
  ["b", "User-agent: *\nDisallow: /always\nDisallow: /cart\n"],
  ["c", "User-agent: *\nDisallow: /always\n\nUser-agent: ExampleNamedBot\nDisallow: /always\n"],
  ["d", "User-agent: ExampleBot\nDisallow: /always\n"],
  ["e", "User-agent: *\nDisallow: /always\nDisallow: /cart\nDisallow: /more\n"],
]);

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
  row("ExampleImageBot"),
  row("ExampleNamedBot", { bound: "by-name" }),
  row("ExampleSilentBot", { bound: "undocumented" }),
  row("ExampleUser", { kind: "user-triggered", bound: "no" }),
  row("ExampleAssistant", { kind: "user-triggered", bound: "undocumented" }),
  row("ExampleReader", { kind: "program", bound: "undocumented" }),
  row("Example-Extended", { kind: "control-token" }),
];

type See = readonly [atSeconds: number | undefined, version: string];

function observationsOf(sights: readonly See[]): readonly Observation[] {
  return sights.map(([atSeconds, version]) => ({
    origin,
    ...(atSeconds === undefined ? {} : { atSeconds }),
    ...(version === "down"
      ? { access: "unreachable" as const }
      : version === "none"
        ? { access: "unavailable" as const }
        : { access: "successful" as const, sha256: version }),
  }));
}

function worldOf(sights: readonly See[]): World {
  const matchers = new Map<string, Matcher>();
  return {
    crawlers,
    observations: observationsOf(sights),
    bodies,
    lines: [],
    decide: (version, crawler, target) => {
      if (version === "unavailable") return { allowed: true, because: "unavailable" };
      const key = `${version} ${crawler}`;
      const matcher =
        matchers.get(key) ?? createMatcher(parseRobotsTxt(new TextEncoder().encode(bodies.get(version))), crawler);
      matchers.set(key, matcher);
      return matcher.decideTarget(target);
    },
  };
}

function ask(atSeconds: number | undefined, target: string, more: Partial<LogLine> = {}): LogLine {
  return {
    origin,
    crawler: "ExampleBot",
    verification: "no-check",
    method: "GET",
    target,
    status: 200,
    bytes: 100,
    atSeconds,
    ...more,
  };
}

const daily = (from: number, to: number, version: string): See[] =>
  Array.from({ length: Math.floor((to - from) / day) + 1 }, (_, at) => [from + at * day, version]);

/** Version A is observed every day, then version B every day; the last observation of A is a day before the first of B. */
const changes: readonly See[] = [
  ...daily(changed - 10 * day, changed - day, "a"),
  ...daily(changed, changed + 10 * day, "b"),
];
const hold = 24 * hour + 5 * minute;

interface Case {
  readonly what: string;
  readonly sights: readonly See[];
  readonly lines: readonly LogLine[];
  readonly states: readonly StateCode[];
  /** The expected number of requests in grace after the crawler's own fetch. */
  readonly informed?: number;
  /** The expected codes of findings. */
  readonly findings?: readonly string[];
}

const fetch = (atSeconds: number, more: Partial<LogLine> = {}): LogLine => ask(atSeconds, "/robots.txt", more);
const later = changed + 2 * hour;

const cases: readonly Case[] = [
  {
    what: "a request that the only possible version disallows",
    sights: changes,
    lines: [ask(changed + 5 * day, "/cart")],
    states: ["violation"],
    findings: ["crossed"],
  },
  {
    what: "the last second of grace",
    sights: changes,
    lines: [ask(changed + hold - 1, "/cart")],
    states: ["grace"],
    findings: [],
  },
  {
    what: "24 h and 5 min after the change: the end of grace",
    sights: changes,
    lines: [ask(changed + hold, "/cart")],
    states: ["violation"],
    findings: ["crossed"],
  },
  {
    what: "a request that every version of the window disallows",
    sights: changes,
    lines: [ask(changed + hour, "/always")],
    states: ["violation"],
    findings: ["crossed"],
  },
  {
    what: "5 min before the newer file may have appeared",
    sights: changes,
    lines: [ask(changed - day + 1 - 5 * minute, "/cart")],
    states: ["grace"],
  },
  {
    what: "6 min before the newer file may have appeared",
    sights: changes,
    lines: [ask(changed - day - 6 * minute, "/cart")],
    states: ["allowed"],
  },
  {
    what: "a fetch before the change",
    sights: changes,
    lines: [fetch(changed - 3 * day), ask(later, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 0,
    findings: [],
  },
  {
    what: "a fetch after the change and before the request",
    sights: changes,
    lines: [fetch(changed + hour), ask(later, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 1,
    findings: ["informed"],
  },
  {
    what: "a fetch in the same minute as the request",
    sights: changes,
    lines: [fetch(later), ask(later + 1, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 0,
  },
  {
    what: "a fetch within the 5 min by which clocks may differ",
    sights: changes,
    lines: [fetch(changed + 4 * minute), ask(later, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 0,
  },
  { what: "no fetch", sights: changes, lines: [ask(later, "/cart")], states: ["grace"], informed: 0 },
  {
    what: "a fetch by HEAD",
    sights: changes,
    lines: [fetch(changed + hour, { method: "HEAD" }), ask(later, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 0,
  },
  {
    what: "a fetch that was redirected",
    sights: changes,
    lines: [fetch(changed + hour, { status: 301 }), ask(later, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 0,
  },
  {
    what: "a fetch that was answered with 304",
    sights: changes,
    lines: [fetch(changed + hour, { status: 304 }), ask(later, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 1,
  },
  {
    what: "a fetch that the client cancelled",
    sights: changes,
    lines: [fetch(changed + hour, { status: 499 }), ask(later, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 0,
  },
  {
    what: "two crawlers of one operator: the fetch of one does not inform the other",
    sights: changes,
    lines: [fetch(changed + hour, { crawler: "ExampleImageBot" }), ask(later, "/cart")],
    states: ["robots-txt", "grace"],
    informed: 0,
    findings: [],
  },
  {
    what: "obeyed the new file from the fetch on",
    sights: changes,
    lines: [ask(changed + hour, "/cart"), fetch(changed + 2 * hour), ask(changed + 3 * day, "/shop")],
    states: ["grace", "robots-txt", "allowed"],
    informed: 0,
    findings: ["kept"],
  },
  {
    what: "obeyed the new file from the fetch on, and crossed the same rule of a later file",
    sights: [
      ...changes.filter(([at]) => at! < changed + 5 * day),
      ...daily(changed + 5 * day, changed + 10 * day, "e"),
    ],
    lines: [
      ask(changed + hour, "/cart"),
      fetch(changed + 2 * hour),
      ask(changed + 3 * day, "/shop"),
      ask(changed + 8 * day, "/cart"),
    ],
    states: ["grace", "robots-txt", "allowed", "violation"],
    informed: 0,
    findings: ["crossed"],
  },
  {
    what: "versions A, B, A: grace after the changes, then only the last version",
    sights: [
      [changed - day, "a"],
      [changed, "b"],
      [changed + 2 * hour, "a"],
      [changed + 5 * day, "a"],
    ],
    lines: [ask(changed + 3 * hour, "/cart"), ask(changed + 4 * day, "/cart")],
    states: ["grace", "allowed"],
    findings: [],
  },
  {
    what: "an outage of a day: the last good copy stays in force",
    sights: [
      ...daily(changed - 5 * day, changed, "b"),
      [changed + hour, "down"],
      [changed + 25 * hour, "down"],
      ...daily(changed + 26 * hour, changed + 5 * day, "b"),
    ],
    lines: [ask(changed + 10 * hour, "/cart"), ask(changed + 10 * hour, "/shop")],
    states: ["violation", "allowed"],
    findings: ["crossed", "outage"],
  },
  {
    what: "an outage of 31 days: the last good copy is in force for 30 days, and may be used for another day",
    sights: [[changed - day, "b"], [changed, "b"], ...daily(changed + day, changed + 32 * day, "down")],
    lines: [
      ask(changed + 30 * day + hold, "/cart"),
      ask(changed + 30 * day + hold + 1, "/cart"),
      ask(changed + 32 * day, "/shop"),
    ],
    states: ["violation", "undecidable:outage", "undecidable:outage"],
    findings: ["outage", "nothing-proven"],
  },
  {
    what: "an outage after a change: a crawler may still have only the copy before the change",
    sights: [
      ...daily(changed - 5 * day, changed - day, "a"),
      ...daily(changed, changed + 3 * day, "b"),
      [changed + 4 * day, "down"],
      ...daily(changed + 5 * day, changed + 9 * day, "b"),
    ],
    lines: [ask(changed + 2 * day, "/cart"), ask(changed + 4 * day, "/cart"), ask(changed + 7 * day, "/cart")],
    states: ["violation", "grace", "violation"],
    findings: ["crossed", "outage"],
  },
  {
    what: "an outage without an earlier copy",
    sights: [
      [changed, "down"],
      [changed + day, "down"],
    ],
    lines: [ask(changed + hour, "/cart")],
    states: ["undecidable:outage"],
    findings: ["outage"],
  },
  {
    what: "no robots.txt on the server",
    sights: [
      [changed - 2 * day, "none"],
      [changed + 2 * day, "none"],
    ],
    lines: [ask(changed, "/cart")],
    states: ["allowed"],
  },
  {
    what: "a request without a time that versions decide differently",
    sights: changes,
    lines: [ask(undefined, "/cart")],
    states: ["undecidable:no-time"],
    findings: [],
  },
  {
    what: "a request without a time that all versions decide alike",
    sights: changes,
    lines: [ask(undefined, "/always")],
    states: ["violation"],
    findings: ["nothing-proven"],
  },
  {
    what: "one file without a date: everything is assumed",
    sights: [[undefined, "b"]],
    lines: [ask(changed, "/cart"), fetch(changed)],
    states: ["violation", "robots-txt"],
    findings: ["nothing-proven"],
  },
  {
    what: "a request before the first observation",
    sights: changes,
    lines: [ask(changed - 20 * day, "/always")],
    states: ["violation"],
    findings: ["nothing-proven"],
  },
  {
    what: "equal observations 30 days apart",
    sights: [
      [changed, "b"],
      [changed + 30 * day, "b"],
    ],
    lines: [ask(changed + 15 * day, "/cart")],
    states: ["violation"],
    findings: ["crossed"],
  },
  {
    what: "equal observations more than 30 days apart",
    sights: [
      [changed, "b"],
      [changed + 30 * day + 1, "b"],
    ],
    lines: [ask(changed + 15 * day, "/cart")],
    states: ["violation"],
    findings: ["nothing-proven"],
  },
  {
    what: "a request without an origin",
    sights: changes,
    lines: [ask(changed, "/cart", { origin: undefined })],
    states: ["undecidable:no-url"],
    findings: [],
  },
  {
    what: "an origin without known robots.txt",
    sights: changes,
    lines: [ask(changed, "/cart", { origin: "https://other.example" })],
    states: ["undecidable:no-file"],
    findings: ["no-file"],
  },
  {
    what: "OPTIONS * and CONNECT",
    sights: changes,
    lines: [ask(later, "*", { method: "OPTIONS" }), ask(later, "/x", { method: "CONNECT" })],
    states: ["undecidable:asterisk", "undecidable:connect"],
  },
  {
    what: "/robots.txt?x is an ordinary URL",
    sights: changes,
    lines: [ask(changed + 5 * day, "/robots.txt?x")],
    states: ["allowed"],
  },
  {
    what: "HEAD and POST are judged like GET",
    sights: changes,
    lines: [ask(changed + 5 * day, "/cart", { method: "HEAD" }), ask(changed + 5 * day, "/cart", { method: "POST" })],
    states: ["violation", "violation"],
  },
  {
    what: "a fetcher that robots.txt does not bind",
    sights: changes,
    lines: [ask(changed + 5 * day, "/cart", { crawler: "ExampleUser" })],
    states: ["not-bound:violation"],
    findings: ["would-be"],
  },
  {
    what: "by-name: a group that names the crawler binds it",
    sights: daily(changed, changed + 10 * day, "c"),
    lines: [
      ask(changed + 5 * day, "/always", { crawler: "ExampleNamedBot" }),
      ask(changed + 5 * day, "/x", { crawler: "ExampleNamedBot" }),
    ],
    states: ["violation", "allowed"],
    findings: ["crossed"],
  },
  {
    what: "by-name: the group for * does not bind the crawler",
    sights: changes,
    lines: [
      ask(changed + 5 * day, "/always", { crawler: "ExampleNamedBot" }),
      ask(changed + 5 * day, "/x", { crawler: "ExampleNamedBot" }),
    ],
    states: ["not-bound:violation", "not-bound:allowed"],
    findings: ["would-be"],
  },
  {
    what: "by-name: a file that names only other crawlers does not bind the crawler",
    sights: daily(changed, changed + 10 * day, "d"),
    lines: [ask(changed + 5 * day, "/always", { crawler: "ExampleNamedBot" })],
    states: ["not-bound:allowed"],
  },
  {
    what: "by-name: no file binds nobody",
    sights: daily(changed, changed + 10 * day, "none"),
    lines: [ask(changed + 5 * day, "/always", { crawler: "ExampleNamedBot" })],
    states: ["allowed"],
  },
  {
    what: "by-name: one of two versions that may have been in force does not name the crawler",
    sights: [...daily(changed - 10 * day, changed - day, "b"), ...daily(changed, changed + 10 * day, "c")],
    lines: [
      ask(later, "/always", { crawler: "ExampleNamedBot" }),
      ask(later, "/cart", { crawler: "ExampleNamedBot" }),
      ask(changed + 5 * day, "/always", { crawler: "ExampleNamedBot" }),
    ],
    states: ["not-bound:violation", "not-bound:grace", "violation"],
    findings: ["crossed", "would-be"],
  },
  {
    what: "a crawler whose operator is silent",
    sights: changes,
    lines: [ask(changed + 5 * day, "/cart", { crawler: "ExampleSilentBot" })],
    states: ["violation"],
    findings: ["crossed"],
  },
  {
    what: "a user-triggered fetcher for which no source says whether it is bound",
    sights: changes,
    lines: [ask(changed + 5 * day, "/cart", { crawler: "ExampleAssistant" })],
    states: ["violation"],
    findings: ["undocumented"],
  },
  {
    what: "a program that anyone may run",
    sights: changes,
    lines: [ask(changed + 5 * day, "/cart", { crawler: "ExampleReader" })],
    states: ["violation"],
    findings: ["undocumented"],
  },
  {
    what: "a control token, which no User-Agent header contains",
    sights: changes,
    lines: [ask(changed + 5 * day, "/cart", { crawler: "Example-Extended" })],
    states: ["violation"],
    findings: ["false-identity"],
  },
  {
    what: "a client with a false identity",
    sights: changes,
    lines: [ask(changed + 5 * day, "/cart", { verification: "false" })],
    states: ["violation"],
    findings: ["false-identity"],
  },
];

function documentFor({ sights, lines }: Case) {
  const world = worldOf(sights);
  const counter = counterFor(world);
  feed(counter, world, lines);
  return documentOf(counter, { settings, inputs: [], textOf: (version) => bodies.get(version) });
}

describe("states and findings", () => {
  test.each(cases)("$what", (each) => {
    for (const [at, line] of each.lines.entries()) {
      const alone = documentFor({ ...each, lines: [line] });
      expect(alone.origins.flatMap(({ times }) => times.map(([, , , state]) => state))).toEqual([each.states[at]]);
    }
    const report = reportOf(documentFor(each));
    if (each.informed !== undefined) {
      expect(report.crawlerRows.reduce((sum, { informed }) => sum + informed, 0)).toBe(each.informed);
    }
    if (each.findings !== undefined) expect(report.findings.map(({ code }) => code)).toEqual(each.findings);
  });
});

test("A, B, A are two versions and three intervals", () => {
  const [found] = documentFor(cases.find(({ what }) => what.startsWith("versions A, B, A"))!).origins;
  expect(found!.intervals.map(({ version }) => version)).toEqual(["a", "b", "a"]);
});

test("a lasting change of the size of robots.txt is reported while only one version is known", () => {
  const sights = daily(changed, changed + 12 * day, "b");
  const sized = (bytesOfDay: (at: number) => number): readonly LogLine[] =>
    Array.from({ length: 10 }, (_, at) => fetch(changed + at * day + hour, { bytes: bytesOfDay(at) }));
  const codesOf = (lines: readonly LogLine[]): readonly string[] =>
    reportOf(documentFor({ what: "", sights, states: [], lines })).findings.map(({ code }) => code);
  expect(codesOf(sized((at) => (at < 5 ? 100 : 200)))).toEqual(["file-may-have-changed"]);
  expect(codesOf(sized((at) => (at % 2 === 0 ? 100 : 200)))).toEqual([]);
});

test("the head names the files by which requests were judged, and what is assumed", () => {
  const headOf = (sights: Case["sights"], at: number): string =>
    reportOf(documentFor({ what: "", sights, states: [], lines: [ask(at, "/cart")] })).judgedBy;
  expect(headOf(daily(changed, changed + 12 * day, "b"), changed + 5 * day)).toBe(
    "Judged by the robots.txt of 13 November. Its state was seen before and after every judged request; nothing is assumed.",
  );
  expect(headOf(daily(changed, changed + 2 * day, "b"), changed + 5 * day)).toBe(
    "Judged by the robots.txt of 13 November. The audit assumes that it was in force at the time of the requests.",
  );
});

test.each<[verification: LogLine["verification"], text: string]>([
  ["no-check", "1  client calling itself ExampleBot has obeyed disallow: /cart (line 3) since"],
  ["verified", "1  crawler, ExampleBot (verified), has obeyed disallow: /cart (line 3) since"],
])("a crawler that obeys a new file counts as one: %s", (verification, text) => {
  const kept = cases.find(({ what }) => what.startsWith("obeyed the new file"))!;
  const lines = kept.lines.map((line) => ({ ...line, verification }));
  expect(printText(reportOf(documentFor({ ...kept, lines })), { columns: 200 })).toContain(text);
});

test("a report on a sample makes no statement about what did not happen", () => {
  const kept = cases.find(({ what }) => what.startsWith("obeyed the new file"))!;
  const document = documentFor(kept);
  const input = { name: "a", bytes: 1, sha256: "aa", lines: 3, rejects: {}, sampleRate: 0.1, outside: 0 };
  const report = reportOf({ ...document, inputs: [input] });
  expect(report.findings).toEqual([]);
  expect(printText(report)).toContain("The log is a sample");
});

test("a sentence names the crawler if it is verified, else a request calling itself the crawler", () => {
  const at = changed + 5 * day;
  const textFor = (verification: LogLine["verification"]): string =>
    printText(
      reportOf(documentFor({ what: "", sights: changes, states: [], lines: [ask(at, "/cart", { verification })] })),
      { columns: 200 },
    );
  expect(textFor("claimed")).toContain(
    "1  request calling itself ExampleBot crossed disallow: /cart (line 3) on 18 November",
  );
  expect(textFor("no-check")).toContain("request calling itself ExampleBot crossed");
  expect(textFor("verified")).toContain("ExampleBot (verified) crossed disallow: /cart (line 3)");
  expect(textFor("false")).not.toContain("crossed");
});

describe("the mark of a crawler whose operator does not say whether it obeys", () => {
  const mark = "its operator does not say whether it obeys";
  const document = documentFor({
    what: "",
    sights: changes,
    states: [],
    lines: ["ExampleSilentBot", "ExampleBot", "ExampleReader"].map((crawler) =>
      ask(changed + 5 * day, "/cart", { crawler }),
    ),
  });
  const report = reportOf(document);
  const lineWith = (text: string, part: string): string => text.split("\n").find((line) => line.includes(part))!;

  test("in the text: in the sentence, and below the table", () => {
    const text = printText(report, { columns: 200 });
    expect(lineWith(text, "ExampleSilentBot crossed")).toMatch(
      /on 18 November; its operator does not say whether it obeys$/u,
    );
    expect(lineWith(text, "ExampleBot crossed")).toMatch(/on 18 November$/u);
    expect(lineWith(text, "  ExampleSilentBot ")).toMatch(/ †1 +1$/u);
    // The table of crawlers, its legend, the sums by purpose and by operator, their legend.
    expect(text.split("†")).toHaveLength(6);
    expect(text).toContain(`\n  † ${mark}\n`);
  });

  test("on the page: in the sentence, in both tables, in the sums, in the uses of the version, and beside the line of the file", () => {
    const page = printHtml(report);
    expect(page.split(mark)).toHaveLength(8);
    expect(page.split(`<small>${mark}</small>`)).toHaveLength(4);
    expect(page).toContain(`1 by ExampleBot (no check) and 1 by ExampleSilentBot (no check; ${mark})`);
  });

  test("in the uses of a version: only beside crawlers with violations", () => {
    const uses = report.originReports.flatMap(({ intervals }) => intervals.flatMap((interval) => interval.uses));
    expect(uses.map(({ crawler, violations, mark: shown }) => [crawler, violations, shown])).toEqual([
      ["ExampleBot", 1, ""],
      ["ExampleReader", 0, "not known whether bound"],
      ["ExampleSilentBot", 1, mark],
    ]);
  });

  test("in a comparison with an earlier audit; crawlers that no sentence may accuse have no violations there", () => {
    const lines = (["ExampleSilentBot", "ExampleBot", "ExampleReader", "ExampleFalseBot"] as const).map((crawler) =>
      ask(changed + 5 * day, "/cart", {
        crawler: crawler === "ExampleFalseBot" ? "ExampleBot" : crawler,
        verification: crawler === "ExampleFalseBot" ? "false" : "no-check",
      }),
    );
    const now = documentFor({ what: "", sights: changes, states: [], lines });
    const compared = reportOf(now, { previous: document });
    const text = printText(compared, { columns: 200 }).split("Compared with")[1]!;
    const cellsOf = (crawler: string): readonly string[] =>
      lineWith(text, ` ${crawler} `).trim().split(/ {2,}/u).slice(-3);
    expect(cellsOf("ExampleSilentBot")).toEqual(["†1 of 1", "†1 of 1", "no check"]);
    expect(cellsOf("ExampleReader")).toEqual(["1 of 1 would be", "1 of 1 would be", "no check"]);
    expect(text).toMatch(/ExampleBot .* 1 of 1 +1 of 1 +no check/u);
    expect(text).toMatch(/ExampleBot .* – +– +false/u);
    expect(text).toContain(`\n  † ${mark}\n`);
    const page = printHtml(compared).split('<section id="compared">')[1]!.split("</section>")[0]!;
    expect(page.split(`<small>${mark}</small>`)).toHaveLength(2);
    expect(page).toContain("not known whether bound");
  });

  test("in the CSV: the column bound", () => {
    const rows = printCsv(document, "decisions")
      .trimEnd()
      .split("\r\n")
      .map((cells) => cells.split(","));
    const [crawlerAt, boundAt] = ["crawler", "bound"].map((name) => rows[0]!.indexOf(name));
    expect(rows.slice(1).map((cells) => [cells[crawlerAt!], cells[boundAt!]])).toEqual([
      ["ExampleBot", "yes"],
      ["ExampleReader", "undocumented"],
      ["ExampleSilentBot", "undocumented"],
    ]);
    for (const cells of rows) expect(cells).toHaveLength(rows[0]!.length);
    expect(printCsv(document, "parameters")).not.toContain("bound");
  });

  test("no mark without a violation", () => {
    const [line] = [ask(changed + 5 * day, "/x", { crawler: "ExampleSilentBot" })];
    const quiet = reportOf(documentFor({ what: "", sights: changes, states: [], lines: [line] }));
    expect(printText(quiet) + printHtml(quiet)).not.toContain(mark);
  });
});

test("by-name: the table has the violations, and the requests that the file does not bind", () => {
  const lines = [later, changed + 5 * day].map((at) => ask(at, "/always", { crawler: "ExampleNamedBot" }));
  const sights = [...daily(changed - 10 * day, changed - day, "b"), ...daily(changed, changed + 10 * day, "c")];
  const both = reportOf(documentFor({ what: "", sights, states: [], lines }));
  expect(printText(both)).toContain(" 1 · 1 would be ");
  expect(printHtml(both)).toMatch(/1 of 1<\/span><small>1 would be/u);
  const free = reportOf(documentFor({ what: "", sights: changes, states: [], lines }));
  expect(printText(free, { columns: 200 })).toContain(
    "requests calling themselves ExampleNamedBot would be disallowed; its operator documents another rule for a file that does not name it",
  );
  expect(printText(free)).toMatch(/ {2}2 would be /u);
  expect(free.crawlerRows).toMatchObject([{ violations: 0, notBound: 2, wouldBe: 2, restricted: { lines: 0 } }]);
});
