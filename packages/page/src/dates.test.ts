// Tests reading dates of unavailable_after as instants, and writing instants.
import fc from "fast-check";
import { expect, test } from "vitest";
import { instantOf, isWeekday, isoOf } from "./dates.ts";

test.each<[text: string, iso: string | undefined]>([
  ["25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"],
  ["25-Aug-2007 15:00:00 EST", "2007-08-25T20:00:00Z"],
  ["Tuesday, 31-Dec-30 23:59:59 GMT", "2030-12-31T23:59:59Z"],
  ["Fri, 1 January 99 00:00 UTC", "1999-01-01T00:00:00Z"],
  ["1 sept 2026", "2026-09-01T00:00:00Z"],
  ["Sunday, 06-Nov-94 08:49:37 +0230", "1994-11-06T06:19:37Z"],
  ["2026-02-28T24:00:00Z", undefined],
  ["2026-02-29", undefined],
  ["2024-02-29", "2024-02-29T00:00:00Z"],
  ["2024-02-29 10:20", "2024-02-29T10:20:00Z"],
  ["2024-02-29T10:20:30.5-08:00", "2024-02-29T18:20:30Z"],
  ["2026-01-01T00:00:00+25:00", undefined],
  ["2026-01-01T00:00:00 XYZ", undefined],
  ["2020", undefined],
  ["2020-01", undefined],
  ["31 Foo 2020", undefined],
  ["31 Junk 2020", undefined],
  ["0 Jan 2020", undefined],
  ["", undefined],
  ["1".repeat(1_000), undefined],
])("%j", (text, iso) => {
  const instant = instantOf(text);
  expect(instant === undefined ? undefined : isoOf(instant)).toBe(iso);
});

test("weekdays", () => {
  for (const day of ["Mon", "tuesday", "Thurs", "SAT"]) expect(isWeekday(day)).toBe(true);
  for (const day of ["", "day", "Moon", "Mon day"]) expect(isWeekday(day)).toBe(false);
});

test("each instant from the year 100 to the year 9999 equals the instant of Date", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date("0100-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
      const seconds = Math.floor(date.getTime() / 1_000);
      const iso = new Date(seconds * 1_000).toISOString().replace(".000", "");
      expect(isoOf(seconds)).toBe(iso);
      expect(instantOf(iso)).toBe(seconds);
      expect(instantOf(new Date(seconds * 1_000).toUTCString())).toBe(seconds);
    }),
  );
});
