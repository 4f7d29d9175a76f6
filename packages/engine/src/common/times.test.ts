// Tests the instants of texts in logs and data, in milliseconds since the epoch, and whether they have a zone.
import { LogClock } from "@robots-stream/logs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PackedRecords } from "../records/packed.ts";
import { RecordTimes } from "../locate/record-times.ts";
import { readTime } from "./times.ts";

test.each<[text: string, instant: string | undefined]>([
  ["2025-12-10", "2025-12-10T00:00:00.000Z"],
  ["2025-12-10T08:30", "2025-12-10T08:30:00.000Z"],
  ["2025-12-10T08:30:15Z", "2025-12-10T08:30:15.000Z"],
  ["2025-12-10 08:30:15", "2025-12-10T08:30:15.000Z"],
  ["2025-12-10\t08:30:15", "2025-12-10T08:30:15.000Z"],
  ["2025-12-10T08:30:15.123456+01:30", "2025-12-10T07:00:15.123Z"],
  ["2025-12-10T08:30:15,9-0500", "2025-12-10T13:30:15.900Z"],
  ["2025-12-10 08:30:15+09", "2025-12-09T23:30:15.000Z"],
  ["2025/12/10 08:30:15", "2025-12-10T08:30:15.000Z"],
  ["2025-12-10 08:30:15 UTC", "2025-12-10T08:30:15.000Z"],
  ["10/Dec/2025:08:30:15 +0100", "2025-12-10T07:30:15.000Z"],
  ["[10/Dec/2025:08:30:15 -0000]", "2025-12-10T08:30:15.000Z"],
  ["1/Jan/2026:00:00:00", "2026-01-01T00:00:00.000Z"],
  ["20251210083015", "2025-12-10T08:30:15.000Z"],
  ["1765355415", "2025-12-10T08:30:15.000Z"],
  ["1765355415.5", "2025-12-10T08:30:15.500Z"],
  ["1765355415123", "2025-12-10T08:30:15.123Z"],
  ["1765355415123456", "2025-12-10T08:30:15.123Z"],
  ["1765355415123456789", "2025-12-10T08:30:15.123Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ["1000-01-01", "1000-01-01T00:00:00.000Z"],
  ["0999-12-31", undefined],
  ["1000-01-01T00:30:00+01:00", undefined],
  ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"],
  ["9999-12-31T23:30:00-01:00", undefined],
  ["0050-01-01", undefined],
  ["0001-01-01T00:00:00Z", undefined],
  ["01/Jan/0050:08:30:15 +0100", undefined],
  ["00500101083015", undefined],
  ["2025-02-29", undefined],
  ["2025-13-01", undefined],
  ["2025-12-10T24:30", undefined],
  ["31/Foo/2025:08:30:15 +0100", undefined],
  ["yesterday", undefined],
  ["17653554", undefined],
  ["", undefined],
  ["-", undefined],
  [`2025-12-10${" ".repeat(100)}`, undefined],
])("the instant of %j", (text, instant) => {
  const { ms } = readTime(text);
  expect(Number.isNaN(ms) ? undefined : new Date(ms).toISOString()).toBe(instant);
});

test.each<[text: string, zone: string | undefined, instant: string, hasZone: boolean]>([
  ["2025-12-10T08:30:15Z", undefined, "2025-12-10T08:30:15.000Z", true],
  ["1765355415", "Asia/Tokyo", "2025-12-10T08:30:15.000Z", true],
  ["2025-12-10 08:30:15.5", undefined, "2025-12-10T08:30:15.500Z", false],
  ["2025-12-10 08:30:15.5", "Asia/Tokyo", "2025-12-09T23:30:15.500Z", true],
  ["10/Dec/2025:08:30:15", "UTC", "2025-12-10T08:30:15.000Z", true],
  ["20251210083015", undefined, "2025-12-10T08:30:15.000Z", false],
  // A date has no time of day; the clock of Berlin shows the hour after 2 twice.
  ["2025-12-10", "Asia/Tokyo", "2025-12-09T15:00:00.000Z", false],
  ["2026-10-25 02:30:00", "Europe/Berlin", "2026-10-25T00:30:00.000Z", false],
])("%j by the clock of %s", (text, zone, instant, hasZone) => {
  const read = readTime(text, zone === undefined ? undefined : new LogClock(zone));
  expect([new Date(read.ms).toISOString(), read.hasZone]).toEqual([instant, hasZone]);
});

test("the times of neighbouring records are read as if each were alone", () => {
  const pad = (number: number): string => String(number).padStart(2, "0");
  const two = (most: number): fc.Arbitrary<string> => fc.integer({ min: 0, max: most }).map(pad);
  const instant = fc
    .tuple(
      fc.constantFrom("1969-12-31", "2025-12-10", "2025-12-11"),
      two(1),
      two(2),
      two(61),
      fc.constantFrom("Z", "z", "+", ""),
    )
    .map(([date, hour, minute, second, zone]) => `${date}T${hour}:${minute}:${second}${zone}`);
  const text = fc.oneof(instant, fc.constantFrom("", "-", "1765355415", "10/Dec/2025:08:30:15 +0100", "x".repeat(20)));
  const records = fc.array(fc.record({ text: fc.option(text), isDecoded: fc.boolean() }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(records, (all) => {
      const bytes = Buffer.from(all.map((record) => record.text ?? "").join(""));
      const packed = new PackedRecords(bytes, bytes, 1);
      let at = 0;
      for (const record of all) {
        packed.push(0, 0, 0, 0);
        const end = at + (record.text ?? "").length;
        if (record.text !== null && record.isDecoded) packed.pushDecodedField("time", record.text);
        else if (record.text !== null) packed.pushField("time", at, end);
        at = end;
      }
      const clock = new LogClock("Asia/Kathmandu");
      const times = new RecordTimes(clock);
      const read = all.map((_, record) => ({ ms: times.msOf(packed, record), hasZone: times.hasZone }));
      expect(read).toEqual(all.map((record) => readTime(record.text ?? "", clock)));
    }),
  );
});
