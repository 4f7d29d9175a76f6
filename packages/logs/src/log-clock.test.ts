// Times without a zone, by the clock of a zone: its offset, the hours that it shows twice or never, and the text of each time.
import fc from "fast-check";
import { expect, test } from "vitest";
import { LogClock, instantOf, timeIn, timeTextOf } from "./index.ts";

test.each<[zone: string, time: string, text: string]>([
  ["UTC", "06/Feb/2009:12:14:14.655", "2009-02-06T12:14:14.655Z"],
  ["Asia/Tokyo", "06/Feb/2009:12:14:14.655", "2009-02-06T03:14:14.655Z"],
  ["+09:00", "2026-01-02 00:14:47", "2026-01-01T15:14:47Z"],
  ["Asia/Kathmandu", "2026-01-02T00:14:47,5", "2026-01-01T18:29:47.5Z"],
  ["America/New_York", "2026-07-02 00:14", "2026-07-02T04:14:00Z"],
  // A time with a zone, and a time since 1970, do not depend on the clock.
  ["Asia/Tokyo", "2026-01-02 00:14:47 +0100", "2026-01-01T23:14:47Z"],
  ["Asia/Tokyo", "1795244109", "2026-11-21T06:55:09Z"],
  // A date alone has no time of day.
  ["Asia/Tokyo", "2026-01-02", "2026-01-02"],
  // The end of summer time: the clock shows 02:00 to 03:00 twice.
  ["Europe/Berlin", "2026-10-25 01:59:59", "2026-10-24T23:59:59Z"],
  ["Europe/Berlin", "2026-10-25 02:00:00", "2026-10-25T02:00:00"],
  ["Europe/Berlin", "2026-10-25 02:59:59", "2026-10-25T02:59:59"],
  ["Europe/Berlin", "2026-10-25 03:00:00", "2026-10-25T02:00:00Z"],
  // The beginning of summer time: the clock never shows 02:00 to 03:00.
  ["Europe/Berlin", "2026-03-29 01:59:59", "2026-03-29T00:59:59Z"],
  ["Europe/Berlin", "2026-03-29 02:30:00", "2026-03-29T02:30:00"],
  ["Europe/Berlin", "2026-03-29 03:00:00", "2026-03-29T01:00:00Z"],
  // A change of half an hour, and a day that did not exist.
  ["Australia/Lord_Howe", "2026-04-05 01:29:59", "2026-04-04T14:29:59Z"],
  ["Australia/Lord_Howe", "2026-04-05 01:30:00", "2026-04-05T01:30:00"],
  ["Australia/Lord_Howe", "2026-04-05 02:00:00", "2026-04-04T15:30:00Z"],
  ["Pacific/Apia", "2011-12-30 12:00:00", "2011-12-30T12:00:00"],
  ["Pacific/Apia", "2011-12-31 00:00:00", "2011-12-30T10:00:00Z"],
])("the clock of %s: %s is %s", (zone, time, text) => {
  const clock = new LogClock(zone);
  expect(timeTextOf(time, clock)).toBe(text);
  expect(instantOf(time, clock)).toBe(text.endsWith("Z") ? text : undefined);
});

test("without a clock, a time without a zone stays without one", () => {
  expect(timeTextOf("06/Feb/2009:12:14:14.655")).toBe("2009-02-06T12:14:14.655");
  expect(timeTextOf("20240722120756")).toBe("2024-07-22T12:07:56");
  expect(instantOf("06/Feb/2009:12:14:14.655")).toBeUndefined();
});

test.each(["Europe/Atlantis", "", "+9", "+25:00", "9"])("%j is no zone", (zone) => {
  expect(() => new LogClock(zone)).toThrow(RangeError);
});

test("an instant that is sure is the only one at which the clock shows the time", () => {
  const zones = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Kolkata"];
  const clocks = new Map(zones.map((zone) => [zone, new LogClock(zone)]));
  const shownAt = (zone: string, ms: number): number => {
    const text = new Date(ms).toLocaleString("sv-SE", { timeZone: zone });
    return timeIn(text)!.ms;
  };
  const near = fc.tuple(
    fc.integer({ min: Date.UTC(2_000, 0), max: Date.UTC(2_027, 0) }),
    fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 20 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...zones), near, (zone, [from, steps]) => {
      for (const step of steps) {
        const shown = Math.floor((from + step * 1_800_000) / 1_000) * 1_000;
        const utc = clocks.get(zone)!.utcMsOf(shown);
        const found = [-24, -12, 0, 12, 24].flatMap((hours) => {
          const offset = shownAt(zone, shown + hours * 3_600_000) - (shown + hours * 3_600_000);
          return shownAt(zone, shown - offset) === shown ? [shown - offset] : [];
        });
        expect([zone, shown, clocks.get(zone)!.isSure]).toEqual([zone, shown, new Set(found).size === 1]);
        if (found.length > 0) expect(utc).toBe(Math.min(...found));
      }
    }),
  );
});
