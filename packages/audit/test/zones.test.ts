// Tests the days of crawlers and plots in the report's time zone, also in zones that differ from UTC by a half or a quarter of an hour, and
// the levels to which a table by time is folded.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AuditDocument, mergeDocuments, reportOf } from "../src/index.ts";
import { documentFor } from "./feed.ts";
import type { LogLine, World } from "./generator.ts";

const origin = "https://shop.example";
const world: World = {
  crawlers: [
    {
      productToken: "ExampleBot",
      operator: "Example",
      kind: "crawler",
      purposes: [],
      bound: "yes",
      accessPolicy: "rfc9309",
      honoursCrawlDelay: false,
    },
  ],
  observations: [{ origin, access: "unavailable", atSeconds: Date.UTC(2026, 0) / 1_000 }],
  bodies: new Map(),
  lines: [],
  decide: () => ({ allowed: true, because: "unavailable" }),
};

const lineAt = (atSeconds: number): LogLine => ({
  origin,
  crawler: "ExampleBot",
  verification: "no-check",
  method: "GET",
  target: "/a",
  status: 200,
  bytes: 1,
  atSeconds,
});

const secondsOf = (time: string): number => Date.parse(time) / 1_000;
const dayIn = (timeZone: string, atSeconds: number): string =>
  new Date(atSeconds * 1_000).toLocaleDateString("sv-SE", { timeZone });

function daysOf(document: AuditDocument, timeZone: string): number {
  return reportOf(document, { timeZone }).crawlerRows[0]!.days!;
}

test("requests of two days in zones with a half or a quarter of an hour", () => {
  const kolkata = documentFor(world, ["2026-11-13T18:10:00Z", "2026-11-13T18:40:00Z"].map(secondsOf).map(lineAt));
  expect([daysOf(kolkata, "UTC"), daysOf(kolkata, "Asia/Kolkata"), daysOf(kolkata, "Asia/Kathmandu")]).toEqual([
    1, 2, 2,
  ]);
  const kathmandu = documentFor(world, ["2026-11-13T18:10:00Z", "2026-11-13T18:20:00Z"].map(secondsOf).map(lineAt));
  expect([daysOf(kathmandu, "Asia/Kolkata"), daysOf(kathmandu, "Asia/Kathmandu")]).toEqual([1, 2]);
});

test("the days and the plot equal those of the requests, in every zone", () => {
  const zones = ["UTC", "Asia/Kathmandu", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Chatham", "America/St_Johns"];
  const times = fc.array(fc.integer({ min: secondsOf("2026-03-25T00:00Z"), max: secondsOf("2026-04-10T00:00Z") }), {
    minLength: 1,
    maxLength: 40,
  });
  fc.assert(
    fc.property(times, fc.constantFrom(...zones), (all, timeZone) => {
      const document = documentFor(world, all.map(lineAt));
      const days = all.map((at) => dayIn(timeZone, at));
      expect(daysOf(document, timeZone)).toBe(new Set(days).size);
      const bars = reportOf(document, { timeZone }).days;
      const counted = bars.flatMap(({ day, allowed }) =>
        Array.from({ length: allowed }, () => new Date(day * 86_400_000).toISOString().slice(0, 10)),
      );
      expect(counted).toEqual(days.toSorted());
    }),
  );
});

test("a table by time keeps quarters of hours, then hours, then days, then no times, in every order of merging", () => {
  const from = secondsOf("2026-11-13T00:00:00Z");
  const lines = Array.from({ length: 96 }, (_, at) => lineAt(from + at * 900 + 7));
  const levelOf = (timeCells: number): readonly unknown[] => {
    const whole = documentFor(world, lines, { limits: { timeCells } });
    const halves = [lines.slice(40), lines.slice(0, 40)].map((part) =>
      documentFor(world, part, { limits: { timeCells } }),
    );
    const merged = mergeDocuments(halves);
    expect({ ...merged, inputs: [] }).toEqual({ ...whole, inputs: [] });
    const [{ folded, times }] = whole.origins as [AuditDocument["origins"][number]];
    return [folded.times, times.length, times[0]![0]];
  };
  expect([96, 95, 24, 23].map(levelOf)).toEqual([
    [0, 96, from],
    [1, 24, from],
    [1, 24, from],
    [2, 1, from],
  ]);
});
