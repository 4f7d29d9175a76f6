// Tests the page of a report: its policy, size, determinism and escaping of hostile logs; also the text and the CSV.
import { script, scriptHash, style, styleHash } from "../src/html/shell.ts";
import {
  type TableName,
  csvTableNames,
  documentOf,
  mergeDocuments,
  printCsv,
  printHtml,
  printText,
  reportOf,
} from "../src/index.ts";
import { counterFor, documentFor, feed, settings } from "./feed.ts";
import { createWorld } from "./generator.ts";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";

const world = createWorld(7, { hosts: 30, crawlers: 40, lines: 3_000 });
const document = documentFor(world, world.lines);
const page = printHtml(reportOf(document));

describe("the page", () => {
  test.each([
    ["style", style, styleHash],
    ["script", script, scriptHash],
  ])("the policy has the hash of the page's %s", (what, text, hash) => {
    expect(hash).toBe(`sha256-${createHash("sha256").update(text).digest("base64")}`);
    expect(page).toContain(`'${hash}'`);
    const [, element] = new RegExp(`<${what}>(.*?)</${what}>`, "su").exec(page) ?? [];
    expect(element).toBe(text);
  });

  test("the page loads nothing and has one script", () => {
    expect(page).toContain(`content="default-src 'none';`);
    expect(page.match(/<script/gu)).toHaveLength(1);
    expect(page).not.toMatch(/<(?:link|img|iframe|object|embed|base)\b| src=|url\(|@import| style="| on[a-z]+="/u);
    expect(page.replaceAll(/\shref="#[a-z-]+"/gu, "")).not.toContain("href=");
    expect(Buffer.byteLength(script)).toBeLessThanOrEqual(8_192);
  });

  test("the page has at most 300 kB, and the same bytes for the same document", () => {
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(300_000);
    expect(printHtml(reportOf(documentFor(world, world.lines.toReversed())))).toBe(page);
    expect(printHtml(reportOf(mergeDocuments([document])))).toBe(page);
  });

  test("days are those of the time zone", () => {
    const berlin = reportOf(document, { timeZone: "Europe/Berlin" });
    expect(printHtml(berlin)).toContain("Europe/Berlin");
    const sum = (report: typeof berlin): number => report.days.reduce((all, day) => all + day.violation, 0);
    expect(sum(berlin)).toBe(sum(reportOf(document)));
    expect(berlin.days.map(({ allowed }) => allowed)).not.toEqual(
      reportOf(document).days.map(({ allowed }) => allowed),
    );
  });

  test("times without a zone of their own are those of the time zone", () => {
    const minutesIn = (timeZone: string): readonly number[] =>
      [...printHtml(reportOf(document, { timeZone })).matchAll(/>(\d{4}-\d\d-\d\d) (\d\d:\d\d)</gu)].map(
        ([, day, clock]) => Date.parse(`${day}T${clock}Z`) / 60_000,
      );
    const minutes = minutesIn("UTC");
    expect(minutes.length).toBeGreaterThan(0);
    expect(minutesIn("Asia/Kolkata")).toEqual(minutes.map((minute) => minute + 330));
  });

  test("links lead to sections, ids are unique, plots have names", () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of page.matchAll(/href="#([^"]+)"/gu)) expect(ids).toContain(id);
    for (const [svg] of page.matchAll(/<svg [^>]*>/gu))
      expect(svg).toMatch(/role="img" aria-labelledby="|aria-hidden="true"/u);
  });
});

describe("a hostile log", () => {
  const hostile = [
    "/</script><script>alert(1)</script>/x",
    "/\"onmouseover='alert(1)'/x?a=<b>",
    "/\u001b]0;title\u0007/x",
    "/\u202egnp.exe/x",
    "/&lt;b&gt;/x",
    `/${"long".repeat(500_000)}/x`,
    "/x?password=hunter2&q=secret",
  ];
  const lines = hostile.flatMap((target) =>
    world.lines
      .filter(({ origin, crawler }) => origin !== undefined && crawler !== undefined)
      .slice(0, 40)
      .map((line) => ({ ...line, target, method: "GET" })),
  );
  const counter = counterFor(world);
  feed(counter, world, lines);
  counter.addOtherAgent("<img src=x onerror=alert(1)>\u001b[31m\u202e bot");
  const found = documentOf(counter, {
    settings,
    inputs: [
      {
        name: "</title><script>",
        bytes: 1,
        sha256: "00",
        lines: 280,
        rejects: { "<i>\u001b[2J": 3 },
        sampleRate: 1,
        outside: 0,
      },
    ],
    textOf: () => "User-agent: *\nDisallow: /</script><b>\u001b[31m\u202e\n",
  });
  const report = reportOf(found, { title: "</h1><script>alert(1)</script>\u202e" });

  test("texts of the log never become markup on the page", () => {
    const hostilePage = printHtml(report);
    expect(hostilePage.match(/<script/gu)).toHaveLength(1);
    expect(hostilePage).not.toMatch(/<img|<i>|onerror=alert\(1\)>|<b>\\u/u);
    // oxlint-disable-next-line no-control-regex
    expect(hostilePage).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
    expect(Buffer.byteLength(hostilePage)).toBeLessThanOrEqual(300_000);
  });

  test("the page of a sample makes no statement about the order of fetches and requests", () => {
    const asked = /<td>(?:no certain fetch in this log|later|yes)<\/td><td>/u;
    expect(printHtml(report)).toMatch(asked);
    const inputs = found.inputs.map((input) => ({ ...input, sampleRate: 0.1 }));
    expect(printHtml(reportOf({ ...found, inputs }))).not.toMatch(asked);
  });

  test("texts of the log never act as control sequences on a terminal", () => {
    for (const colors of [false, true]) {
      const text = printText(report, { colors, columns: 80 });
      /* oxlint-disable no-control-regex */
      expect(text.replaceAll(/\u001b\[\d+m/gu, "")).not.toMatch(
        /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/u,
      );
      /* oxlint-enable no-control-regex */
      if (!colors) expect(text).not.toContain("\u001b");
    }
  });

  test("a document has no values of parameters, unless they were requested", () => {
    expect(/hunter2|secret/u.test(JSON.stringify(found))).toBe(false);
    const open = counterFor(world, { queryValues: true });
    feed(open, world, lines);
    expect(JSON.stringify(documentOf(open, { settings, inputs: [] }))).toContain("hunter2");
  });
});

describe("CSV", () => {
  test.each(csvTableNames)("%s has the rows of the document, each with as many fields as the heading", (name) => {
    const [heading, ...rows] = printCsv(document, name, { isSafe: true }).trimEnd().split("\r\n");
    const { otherAgents } = document;
    const { operators, purposes, ...report } = reportOf(document);
    const mismatches = report.mismatches.flatMap((row) => row.statuses);
    const whole: Readonly<Record<string, readonly unknown[]>> = { otherAgents, operators, purposes, mismatches };
    const isOfOrigins = heading!.startsWith("origin,") && name !== "mismatches";
    const expected = isOfOrigins
      ? document.origins.flatMap((origin) => origin[name as TableName] as readonly unknown[])
      : whole[name]!;
    expect(rows).toHaveLength(expected.length);
    const fields = heading!.split(",").length;
    for (const row of rows) expect(row.replaceAll(/"[^"]*"/gu, "").split(",")).toHaveLength(fields);
  });

  test("on request, a field that a spreadsheet would run as a formula begins with '", () => {
    const counter = counterFor(world);
    counter.addOtherAgent('=HYPERLINK("x")');
    const made = documentOf(counter, { settings, inputs: [] });
    expect(printCsv(made, "otherAgents")).toContain('"=HYPERLINK(""x"")",1');
    expect(printCsv(made, "otherAgents", { isSafe: true })).toContain(`"'=HYPERLINK(""x"")",1`);
  });
});
