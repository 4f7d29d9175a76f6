// Times of logs in any order: a time written from bytes equals that of `timeTextOf`, and no instant is written for an invalid time.
import { LogClock, timeTextOf } from "@robots-stream/logs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { viewOf } from "../../records/words.ts";
import { Instants } from "./instants.ts";

const two = (most: number): fc.Arbitrary<string> => fc.nat(most).map((number) => String(number).padStart(2, "0"));

const time = fc
  .tuple(
    fc.constantFrom("17", "18", "31"),
    fc.constantFrom("May", "Jun", "Mai"),
    fc.constantFrom("00", "10", "23", "24"),
    fc.oneof({ weight: 9, arbitrary: two(59) }, { weight: 1, arbitrary: fc.constantFrom("60", "6x", ":1", "-1") }),
    fc.oneof({ weight: 9, arbitrary: two(59) }, { weight: 1, arbitrary: fc.constantFrom("61", "6x", "0/") }),
    fc.constantFrom("+0000", "-0800", "+0530", "-0130", "+05:0", "+0060"),
    fc.constantFrom(":", ":", ":", ":", " "),
  )
  .map(
    ([day, month, hour, minute, second, zone, sign]) =>
      `${day}/${month}/2015:${hour}${sign}${minute}:${second} ${zone}`,
  );

test("a time is written as timeTextOf reads it", () => {
  fc.assert(
    fc.property(fc.array(time, { minLength: 1, maxLength: 60 }), (times) => {
      const instants = new Instants();
      const out = Buffer.alloc(64);
      const written = times.map((each) => {
        const line = Buffer.from(`[${each}] "GET / HTTP/1.1"`);
        const end = instants.putTime(line, viewOf(line), 1, 1 + each.length, viewOf(out), 3);
        return end < 0 ? undefined : out.toString("latin1", 3, end);
      });
      expect(written).toEqual(times.map((each) => timeTextOf(each)));
    }),
    { numRuns: 300 },
  );
});

const zones = ["Z", "+00:00", "-0800", "+05:30", " +0000", " -0130", "", "z", "+1", "00"];
const fractions = ["", ".1", ".123456", ".", ".1234567890"];
const other = fc
  .tuple(
    fc.constantFrom(
      "2018-07-02T22:",
      "2018-07-02 22:",
      "2018-07-02T23:",
      "2018-13-02T22:",
      "02/Jul/2018:22:",
      "25/Oct/2026:02:",
      "2026-10-25 02:",
      "2026-03-29T02:",
      "02/Jux/2018:22:",
    ),
    fc.oneof({ weight: 9, arbitrary: two(59) }, { weight: 1, arbitrary: fc.constantFrom("61", "6x", "0/") }),
    fc.constantFrom(":", ":", ":", ":", " "),
    two(61),
    fc.constantFrom(...fractions),
    fc.constantFrom(...zones),
  )
  .map((parts) => parts.join(""));
const epoch = fc
  .tuple(
    fc.constantFrom("1286536308", "1286536309", "1286536370", "128653637", "12865363x0"),
    fc.constantFrom(...fractions),
  )
  .map((parts) => parts.join(""));

const local = fc.tuple(two(59), two(59)).map(([minute, second]) => `02/Jul/2018:22:${minute}:${second}`);

test.each([undefined, "Asia/Kathmandu", "Europe/Berlin"])("times of several forms by the clock of %s", (zone) => {
  const clock = zone === undefined ? undefined : new LogClock(zone);
  let written = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(time, other, epoch, local), { minLength: 1, maxLength: 60 }), (times) => {
      const instants = new Instants(clock);
      const out = Buffer.alloc(64);
      for (const each of times) {
        const line = Buffer.from(`[${each}] "GET / HTTP/1.1"`);
        const end = instants.putTime(line, viewOf(line), 1, 1 + each.length, viewOf(out), 3);
        // A time that is not written is left to `timeTextOf`, which reads more forms.
        if (end < 0) continue;
        written++;
        const text = timeTextOf(each, clock);
        expect(out.toString("latin1", 3, end)).toBe(text);
      }
    }),
    { numRuns: 300 },
  );
  expect(written).toBeGreaterThan(100);
});
