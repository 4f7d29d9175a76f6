// Tests, with logs in which every crawler sends the same number of requests a day, that each version of robots.txt has this rate.
import type { Observation } from "@robots-stream/fetch/history";
import { describe, expect, test } from "vitest";
import { type AuditCrawler, documentOf, printHtml, reportOf } from "../src/index.ts";
import { counterFor, feed, settings } from "./feed.ts";
import type { LogLine, World } from "./generator.ts";

const origin = "https://shop.example";
const day = 86_400;
/** 2026-11-01T00:00:00Z. */
const start = 1_793_491_200;

const crawlers = (["rfc9309", "google", "yandex"] as const).map((accessPolicy): AuditCrawler => ({
  productToken: `Bot-${accessPolicy}`,
  operator: "Example",
  kind: "crawler",
  purposes: ["search"],
  bound: "yes",
  accessPolicy,
  honoursCrawlDelay: false,
}));

type See = readonly [day: number, version: string];

const accessOf = (version: string): Pick<Observation, "access" | "sha256"> => {
  if (version === "none") return { access: "unavailable" };
  // Yandex takes a failing server for a missing file.
  if (version === "503") return { access: { google: "unreachable", rfc9309: "unreachable", yandex: "unavailable" } };
  return { access: "successful", sha256: version };
};

function worldOf(seen: readonly See[]): World {
  return {
    crawlers,
    observations: seen.map(([at, version]) => ({ origin, atSeconds: start + at * day, ...accessOf(version) })),
    bodies: new Map(),
    lines: [],
    decide: () => ({ allowed: true, because: "no-rule" }),
  };
}

/** Requests of all crawlers on 28 days: `perDay` pages a day, and a fetch of robots.txt. */
function linesOf(perDay: number): readonly LogLine[] {
  return crawlers.flatMap(({ productToken }) =>
    Array.from({ length: 28 }, (_, at) =>
      Array.from({ length: perDay + 1 }, (_line, number): LogLine => ({
        origin,
        crawler: productToken,
        verification: "no-check",
        method: "GET",
        target: number === 0 ? "/robots.txt" : `/${at}/${number}`,
        status: 200,
        bytes: 10,
        atSeconds: start + at * day + Math.floor((number * day) / (perDay + 1)) + 60,
      })),
    ).flat(),
  );
}

const weekly = (versions: readonly string[]): readonly See[] => versions.map((version, at) => [at * 7, version]);

describe.each<[what: string, seen: readonly See[], days: Readonly<Record<string, readonly number[]>>]>([
  ["one version", weekly(["a", "a", "a", "a", "a"]), { rfc9309: [28], google: [28], yandex: [28] }],
  ["A, then B", weekly(["a", "a", "b", "b", "b"]), { rfc9309: [14, 14], google: [14, 14], yandex: [14, 14] }],
  ["A, B, A", weekly(["a", "b", "a", "a", "a"]), { rfc9309: [7, 14], google: [7, 14], yandex: [7, 14] }],
  [
    "A, a failing server, A: only Yandex takes it for a change",
    weekly(["a", "503", "a", "a", "a"]),
    { rfc9309: [28], google: [28], yandex: [7, 14] },
  ],
  [
    "A, a failing server, B",
    weekly(["a", "503", "b", "b", "b"]),
    { rfc9309: [14, 14], google: [14, 14], yandex: [7, 14] },
  ],
  [
    "a missing file between A and B",
    weekly(["a", "none", "b", "b", "b"]),
    { rfc9309: [7, 14], google: [7, 14], yandex: [7, 14] },
  ],
  ["seen once, in the middle", [[10, "a"]], { rfc9309: [28], google: [28], yandex: [28] }],
  [
    "a change in the middle of a day, which counts for the newer version",
    [
      [0, "a"],
      [9.4, "a"],
      [10.4, "b"],
      [30, "b"],
    ],
    { rfc9309: [10, 18], google: [10, 18], yandex: [10, 18] },
  ],
])("%s", (_what, seen, days) => {
  test.each([1, 2, 5])("%i requests a day", (perDay) => {
    const world = worldOf(seen);
    const counter = counterFor(world);
    feed(counter, world, linesOf(perDay));
    const report = reportOf(documentOf(counter, { settings, inputs: [] }));
    const uses = report.originReports[0]!.intervals.flatMap((interval) => interval.uses);
    for (const { productToken, accessPolicy } of crawlers) {
      // A version that was seen only once is never the newest that a crawler may have used, so it has no row.
      const own = uses.filter(({ crawler }) => crawler === productToken);
      expect(own.map((use) => use.days)).toEqual(days[accessPolicy]);
      expect(own.map((use) => use.perDay)).toEqual(own.map(() => perDay));
      expect(own.map((use) => [use.fetchDays, use.pageDays])).toEqual(own.map((use) => [use.days, use.days]));
    }
    expect(printHtml(report)).toContain(`>${perDay}.0</td>`);
  });
});
