// Tests with a generated log that the sums by operator and purpose equal a slow computation from the lines, and that no request counts twice.
import { describe, expect, test } from "vitest";
import {
  type AuditCrawler,
  type AuditReport,
  mayBeAccused,
  printCsv,
  printHtml,
  printText,
  reportOf,
} from "../src/index.ts";
import { documentFor } from "./feed.ts";
import { type LogLine, type World, createWorld } from "./generator.ts";
import { SlowAudit, classOf } from "./slow.ts";

const purposes = [["search"], ["ai-training", "search"], ["ai-training"], [], ["seo", "ads"], ["research"]];
const generated = createWorld(11, { hosts: 6, crawlers: 12, lines: 3_000 });
const world: World = {
  ...generated,
  crawlers: generated.crawlers.map((crawler, at) => ({
    ...crawler,
    operator: `Operator ${at % 4}`,
    purposes: purposes[at % purposes.length]!,
    kind: at === 5 ? "program" : crawler.kind,
  })),
};
const slow = new SlowAudit(world);

/** The sums by the name of a crawler's group, as texts: lines are looked at one by one, and no table of the document is read. */
function expectedRows(nameOf: (crawler: AuditCrawler) => string, offsetSeconds: number): readonly string[] {
  const groups = new Map<string, { line: LogLine; crawler: AuditCrawler }[]>();
  for (const line of world.lines) {
    const crawler = world.crawlers.find(({ productToken }) => productToken === line.crawler);
    if (crawler === undefined || crawler.kind === "control-token" || line.verification === "false") continue;
    groups.set(nameOf(crawler), [...(groups.get(nameOf(crawler)) ?? []), { line, crawler }]);
  }
  return [...groups]
    .map(([name, own]) => {
      const lines = own.map(({ line }) => line);
      const days = lines.flatMap(({ atSeconds }) =>
        atSeconds === undefined ? [] : [Math.floor((atSeconds + offsetSeconds) / 86_400)],
      );
      const judged = own.flatMap(({ line, crawler }) => {
        const { state, proven, disputed } = slow.expect(line);
        const counts = proven && !disputed && mayBeAccused(crawler, line.verification);
        return counts && (state === "allowed" || state === "violation") ? [state] : [];
      });
      const isFetch = ({ target, method, status }: LogLine): boolean =>
        target === "/robots.txt" && method === "GET" && (status === 200 || status === 304);
      return [
        name,
        [...new Set(own.map(({ crawler }) => crawler.productToken))].toSorted().join("+"),
        lines.length,
        lines.filter(({ verification }) => verification === "verified").length,
        lines.reduce((sum, { bytes = 0 }) => sum + bytes, 0),
        new Set(days).size,
        lines.filter(isFetch).length,
        lines.filter(({ status }) => classOf(status) === "refused").length,
        judged.filter((state) => state === "violation").length,
        judged.length,
      ].join(" ");
    })
    .toSorted();
}

function foundRows(rows: AuditReport["purposes"]): readonly string[] {
  return rows
    .map(({ name, crawlers, requests, verified, bytes, days, fetches, answers, judged }) =>
      [
        name,
        crawlers.toSorted().join("+"),
        requests,
        verified,
        bytes,
        days,
        fetches,
        answers.refused,
        judged.violations,
        judged.judged,
      ].join(" "),
    )
    .toSorted();
}

const byPurpose = (crawler: AuditCrawler): string => crawler.purposes[0] ?? "other";
const byOperator = ({ kind, operator }: AuditCrawler): string =>
  kind === "program" ? "programs that anyone may run" : operator;

describe.each([
  ["UTC", 0],
  ["Asia/Kolkata", 19_800],
] as const)("in %s", (timeZone, offsetSeconds) => {
  const report = reportOf(documentFor(world, world.lines), { timeZone });

  test("sums by purpose and by operator equal the slow computation", () => {
    expect(foundRows(report.purposes)).toEqual(expectedRows(byPurpose, offsetSeconds));
    const came = report.operators.filter(({ requests }) => requests > 0);
    expect(foundRows(came)).toEqual(expectedRows(byOperator, offsetSeconds));
    expect(report.purposes.some(({ judged }) => judged.violations > 0)).toBe(true);
    // The feed counts a visit for each of these lines.
    const visits = world.lines.filter(({ crawler, target }) => crawler === undefined && target.includes("img"));
    expect(report.operators.map((row) => row.visits).filter((count) => count > 0)).toEqual([visits.length]);
  });

  test("the bars by purpose equal the requests with a time", () => {
    const dayOf = (line: LogLine): number => Math.floor((line.atSeconds! + offsetSeconds) / 86_400);
    const sums = new Map<string, number>();
    for (const line of world.lines) {
      const crawler = world.crawlers.find(({ productToken }) => productToken === line.crawler);
      if (crawler === undefined || crawler.kind === "control-token" || line.verification === "false") continue;
      if (line.atSeconds === undefined) continue;
      const purpose = byPurpose(crawler);
      const key = `${dayOf(line)} ${purpose === "research" ? "other" : purpose}`;
      sums.set(key, (sums.get(key) ?? 0) + 1);
    }
    const found = report.purposeDays.flatMap(({ day, ...counts }) =>
      Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${day} ${name} ${count}`])),
    );
    expect(found.toSorted()).toEqual([...sums].map(([key, count]) => `${key} ${count}`).toSorted());
  });
});

test("each request counts once: both sums are those of the crawlers, without false identities", () => {
  const report = reportOf(documentFor(world, world.lines));
  const sumOf = (rows: readonly { readonly requests: number }[]): number =>
    rows.reduce((sum, { requests }) => sum + requests, 0);
  const expected = sumOf(report.crawlerRows.filter(({ verification }) => verification !== "false"));
  expect([sumOf(report.purposes), sumOf(report.operators)]).toEqual([expected, expected]);
});

test("text, page and CSV have the sums", () => {
  const document = documentFor(world, world.lines);
  const report = reportOf(document);
  const [first] = report.operators;
  const line = printText(report)
    .split("\n")
    .find((text) => text.startsWith(`  ${first!.name} `));
  expect(line).toContain(first!.requests.toLocaleString("en"));
  const page = printHtml(report);
  for (const text of ["By purpose", "By operator", "Requests by crawlers by day and purpose"])
    expect(page).toContain(text);
  for (const [table, rows] of [
    ["operators", report.operators],
    ["purposes", report.purposes],
  ] as const) {
    const lines = printCsv(document, table).trimEnd().split("\r\n").slice(1);
    expect(lines.map((text) => text.split(",")[3])).toEqual(rows.map(({ requests }) => String(requests)));
  }
});

test("the text names the first crawlers of a purpose whole, and counts the others", () => {
  const many = createWorld(3, { hosts: 2, crawlers: 60, lines: 2_000 });
  const report = reportOf(documentFor(many, many.lines));
  const lines = printText(report).split("\n");
  const cut = report.purposes.slice(0, 8).filter(({ crawlers }) => crawlers.join(", ").length > 40);
  expect(cut.length).toBeGreaterThan(0);
  for (const { crawlers } of cut) {
    const texts = crawlers.map((_, at) => `${crawlers.slice(0, at).join(", ")} and ${crawlers.length - at} more`);
    expect(texts.some((text) => lines.some((line) => line.endsWith(`  ${text}`)))).toBe(true);
  }
});
