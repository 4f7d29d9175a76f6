// Tests the texts of numbers and days, the escaping of texts, days in time zones, and the detection of size changes.
import { cutTextOf, safeTextOf } from "../text/safe-text.ts";
import { calendarDayOf, isoDayOf, isoOf, periodTextOf } from "../time.ts";
import { createZoneClock } from "./days.ts";
import { sizeShiftOf } from "./file-findings.ts";
import {
  amountOf,
  bytesTextOf,
  countTextOf,
  durationTextOf,
  listTextOf,
  shareTextOf,
  shortAmountOf,
  shortCountOf,
} from "./numbers.ts";
import { describe, expect, test } from "vitest";

test.each<[found: string, text: string]>([
  [countTextOf(0), "0"],
  [countTextOf(999), "999"],
  [countTextOf(1_234_567), "1,234,567"],
  [shortCountOf(812), "812"],
  [shortCountOf(4_123_456), "4.1 M"],
  [shortCountOf(155_276), "155 k"],
  [shortCountOf(999_600), "1 M"],
  [bytesTextOf(999), "999 B"],
  [bytesTextOf(231_000_000), "231 MB"],
  [bytesTextOf(1_500), "1.5 kB"],
  [durationTextOf(14 * 3_600), "14 h"],
  [durationTextOf(31 * 86_400), "31 days"],
  [durationTextOf(20), "1 min"],
  [shareTextOf(0, 0), "–"],
  [shareTextOf(0, 48_210), "0 %"],
  [shareTextOf(1, 1_000_000), "<0.01 %"],
  [shareTextOf(1, 3), "33 %"],
  [shareTextOf(2, 1_000), "0.20 %"],
  [amountOf(1, "request"), "1 request"],
  [amountOf(2, "request"), "2 requests"],
  [shortAmountOf(1, "line"), "1 line"],
  [shortAmountOf(155_276, "line"), "155 k lines"],
  [listTextOf(["a", "b", "c"]), "a, b and c"],
  [periodTextOf(20_758, 20_787), "1 to 30 November 2026"],
  [periodTextOf(20_757, 20_787), "31 October to 30 November 2026"],
  [periodTextOf(20_787, 20_850), "30 November 2026 to 1 February 2027"],
  [periodTextOf(20_787, 20_787), "30 November 2026"],
  [isoOf(1_794_561_240), "2026-11-13T09:14:00Z"],
  [safeTextOf("a\u001b[31m\u202eb\ud800"), "a\\x1b[31m\\u202eb\\ud800"],
  [cutTextOf("abcdefgh", 5), "ab…gh"],
  [cutTextOf("abc", 5), "abc"],
])("%s", (found, text) => {
  expect(found).toBe(text);
});

test("calendar days equal those of Date", () => {
  for (let days = -800_000; days < 800_000; days += 97) {
    const date = new Date(days * 86_400_000);
    expect(calendarDayOf(days)).toEqual({
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    });
  }
  expect(isoDayOf(0)).toBe("1970-01-01");
});

describe("time zones", () => {
  test.each<[timeZone: string, iso: string, day: string, time: string]>([
    ["UTC", "2026-11-13T23:30:00Z", "2026-11-13", "23:30"],
    ["Europe/Berlin", "2026-11-13T23:30:00Z", "2026-11-14", "00:30"],
    ["America/New_York", "2026-11-01T03:59:00Z", "2026-10-31", "23:59"],
    ["Asia/Kathmandu", "2026-11-13T18:20:00Z", "2026-11-14", "00:05"],
  ])("%s", (timeZone, iso, day, time) => {
    const clock = createZoneClock(timeZone);
    const seconds = Date.parse(iso) / 1_000;
    const minutes = Math.round((clock.daysOf(seconds) % 1) * 1_440);
    const found = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
    expect([isoDayOf(clock.dayOf(seconds)), found]).toEqual([day, time]);
  });

  test("an unknown zone", () => {
    expect(() => createZoneClock("Europe/Atlantis")).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
  });
});

describe("sizes of robots.txt", () => {
  const rows = (sizes: readonly (readonly [least: number, most: number])[]) =>
    sizes.map(([least, most], day) => [day * 86_400, 1, least, most] as const);

  test.each<[what: string, sizes: readonly (readonly [number, number])[], shiftDay: number | undefined]>([
    [
      "one size",
      [
        [5, 5],
        [5, 5],
        [5, 5],
        [5, 5],
        [5, 5],
        [5, 5],
      ],
      undefined,
    ],
    [
      "another size from the fourth day on",
      [
        [5, 5],
        [5, 5],
        [5, 5],
        [9, 9],
        [9, 9],
        [9, 9],
      ],
      3,
    ],
    [
      "two sizes on every day",
      [
        [5, 9],
        [5, 9],
        [5, 9],
        [5, 9],
        [5, 9],
        [5, 9],
      ],
      undefined,
    ],
    [
      "fewer than three days after the change",
      [
        [5, 5],
        [5, 5],
        [5, 5],
        [9, 9],
        [9, 9],
      ],
      undefined,
    ],
    [
      "a lasting change to sizes that do not overlap with those before",
      [
        [5, 9],
        [4, 6],
        [5, 5],
        [20, 30],
        [25, 40],
        [19, 19],
        [22, 22],
      ],
      3,
    ],
    [
      "a change that is reversed later",
      [
        [5, 5],
        [5, 5],
        [5, 5],
        [9, 9],
        [9, 9],
        [9, 9],
        [5, 5],
      ],
      undefined,
    ],
    ["no day", [], undefined],
  ])("%s", (_what, sizes, shiftDay) => {
    expect(sizeShiftOf(rows(sizes))?.atSeconds).toBe(shiftDay === undefined ? undefined : shiftDay * 86_400);
  });
});
