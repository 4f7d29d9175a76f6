// Tests how a report names the files by which it judges: their days, years, and outages that some crawlers take for a missing file.
import type { Observation } from "@robots-stream/fetch/history";
import { describe, expect, test } from "vitest";
import { type AuditCrawler, type AuditReport, documentOf, printHtml, printText, reportOf } from "../src/index.ts";
import { counterFor, feed, settings } from "./feed.ts";
import type { LogLine } from "./generator.ts";

const origin = "https://shop.example";
const at = (text: string): number => Date.parse(text) / 1_000;

const botOf = (productToken: string, accessPolicy: AuditCrawler["accessPolicy"]): AuditCrawler => ({
  productToken,
  operator: "Example",
  kind: "crawler",
  purposes: ["search"],
  bound: "yes",
  accessPolicy,
  honoursCrawlDelay: false,
});
const crawlers = [botOf("ExampleBot", "rfc9309"), botOf("OtherBot", "yandex")];

const accessOf = (version: string): Pick<Observation, "access" | "sha256"> => {
  if (version === "none") return { access: "unavailable" };
  if (version === "long") {
    return { access: { google: "successful", rfc9309: "successful", yandex: "unavailable" }, sha256: "a" };
  }
  if (version === "429") return { access: { google: "unreachable", rfc9309: "unavailable", yandex: "unavailable" } };
  if (version === "503") return { access: { google: "unreachable", rfc9309: "unreachable", yandex: "unavailable" } };
  return { access: "successful", sha256: version };
};

/** The report of requests of both crawlers, by the times and versions that were seen; version "b" disallows everything. */
function reportFor(seen: readonly (readonly [time: string, version: string])[], times: readonly string[]): AuditReport {
  const world = {
    crawlers,
    observations: seen.map(([time, version]) => ({ origin, atSeconds: at(time), ...accessOf(version) })),
    bodies: new Map<string, string>(),
    lines: [],
    decide: (version: string) =>
      version === "b"
        ? { allowed: false, because: "rule", rule: { type: "disallow", pattern: "/", line: 2 } }
        : { allowed: true, because: "no-rule" },
  };
  const counter = counterFor(world);
  const lines = times.flatMap((time) =>
    crawlers.map(({ productToken }): LogLine => ({
      origin,
      crawler: productToken,
      verification: "no-check",
      method: "GET",
      target: "/x",
      status: 200,
      bytes: 1,
      atSeconds: at(time),
    })),
  );
  feed(counter, world, lines);
  return reportOf(documentOf(counter, { settings, inputs: [] }));
}

const days = ["2026-11-03T12:00:00Z", "2026-11-06T12:00:00Z", "2026-11-10T12:00:00Z"];

describe("the head", () => {
  test.each<[what: string, seen: readonly (readonly [string, string])[], head: RegExp]>([
    [
      "a day on which the server failed is no day of a file",
      [
        ["2026-11-01", "a"],
        ["2026-11-05", "503"],
        ["2026-11-08", "a"],
        ["2026-11-20", "a"],
      ],
      /^Judged by the robots\.txt of 1 November\. Its state was seen before and after every judged request; nothing is assumed\.$/u,
    ],
    [
      "a file that is too long for some crawlers",
      [
        ["2026-11-01", "long"],
        ["2026-11-20", "long"],
      ],
      /^Judged by the robots\.txt of 1 November\. /u,
    ],
    [
      "an answer that some crawlers take for a failing server, and others for a missing file",
      [
        ["2026-11-01", "a"],
        ["2026-11-05", "429"],
        ["2026-11-20", "a"],
      ],
      /^Judged by the robots\.txt of 1 November\. /u,
    ],
    [
      "a missing file after a failing server",
      [
        ["2026-10-01", "503"],
        ["2026-11-02", "none"],
        ["2026-11-20", "none"],
      ],
      /^Judged by the absence of robots\.txt from 2 November on\. /u,
    ],
    [
      "a missing file",
      [
        ["2026-11-01", "a"],
        ["2026-11-04", "a"],
        ["2026-11-05", "none"],
        ["2026-11-20", "none"],
      ],
      /^Judged by the robots\.txt of 1 November, and by its absence from 5 November on\. /u,
    ],
    [
      "no file at all",
      [
        ["2026-11-01", "none"],
        ["2026-11-20", "none"],
      ],
      /^Judged by the absence of robots\.txt from 1 November on\. /u,
    ],
    [
      "a file of an earlier year",
      [
        ["2025-12-31", "a"],
        ["2026-01-20", "a"],
        ["2026-02-10", "a"],
        ["2026-11-01", "a"],
        ["2026-11-20", "a"],
      ],
      /^Judged by the robots\.txt of 31 December 2025\. /u,
    ],
  ])("%s", (_what, seen, head) => {
    expect(reportFor(seen, days).judgedBy).toMatch(head);
  });
});

test("a failing server is no version: not in the plot of fetches, and not among the changes", () => {
  const report = reportFor(
    [
      ["2026-11-01", "a"],
      ["2026-11-05", "503"],
      ["2026-11-08", "a"],
      ["2026-11-09", "b"],
      ["2026-11-20", "b"],
    ],
    days,
  );
  expect(report.lanes!.bands.map(({ label }) => label)).toEqual([
    "file of 1 November",
    "file of 9 November",
    "unreachable",
  ]);
  expect(report.events.map(({ text }) => text)).toEqual(["unreachable for 3 days", "new file seen"]);
  expect(report.originReports[0]!.intervals.map(({ number, isMissingForSome }) => [number, isMissingForSome])).toEqual([
    [1, false],
    [0, true],
    [1, false],
    [2, false],
  ]);
  const page = printHtml(report);
  expect(page).toContain("An answer that some crawlers take for a missing file, first seen 2026-11-05");
  expect(page).not.toMatch(/version \d</u);
});

test("days of a log over several years have their year", () => {
  const seen = [
    ["2025-12-20", "b"],
    ["2026-01-10", "b"],
  ] as const;
  const text = printText(reportFor(seen, ["2025-12-30T12:00:00Z", "2026-01-02T12:00:00Z"]), { columns: 200 });
  expect(text).toContain("Judged by the robots.txt of 20 December 2025.");
  expect(text).toContain("ExampleBot crossed disallow: / (line 2) between 30 December 2025 and 2 January 2026\n");
});
