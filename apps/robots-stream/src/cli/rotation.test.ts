// Tests the order in which log files are read, by their names.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oldestFirst } from "./rotation.ts";

/** The order of files with these names. The first of the given files was changed last. */
function sorted(names: readonly string[]): string[] {
  return oldestFirst(names.map((path, index) => ({ path, modifiedMs: 1_000 - index })));
}

const series: Readonly<Record<string, readonly string[]>> = {
  "numbers count backwards": ["access.log.10.gz", "access.log.9.gz", "access.log.2.gz", "access.log.1", "access.log"],
  "a number before the ending": ["access.2.log", "access.1.log", "access.log"],
  "dates of logrotate": ["access.log-20241231.gz", "access.log-20250101.gz", "access.log-20250102", "access.log"],
  "dates before the ending": ["access-2024-12-31.log.zst", "access-2025-01-01.log", "access.log"],
  hours: ["ELB.2025-01-01-09.ffa.gz", "ELB.2025-01-01-10.00b.gz", "ELB.2025-01-02-00.aaa.gz"],
  "times of load balancers": [
    "1_elb_eu_app.lb_20250101T2355Z_192.0.2.9_x.log.gz",
    "1_elb_eu_app.lb_20250102T0000Z_192.0.2.1_a.log.gz",
  ],
  "days and hours of IIS": ["u_ex241231.log", "u_ex250101.log", "u_ex25010113.log", "u_ex250102.log"],
  "times of rotatelogs": ["access.1735689600", "access.1735776000"],
  "a day and its parts": ["app-2025-01-01-2.log.gz", "app-2025-01-01-10.log.gz", "app-2025-01-02-1.log.gz"],
  "several series": ["a.log.2", "a.log.1", "a.log", "b.log.1", "b.log"],
  "folders one after the other": ["x/access.log.2", "x/access.log", "y/access.log.3", "y/access.log.1"],
  "rotated logs before other files": ["z.log.1", "z.log", "b", "a"],
  "no day, so the time of the change": ["old-20251399.log", "new-20250231.log"].toReversed(),
};

describe("the order", () => {
  test.each(Object.entries(series))("%s", (what, names) => {
    // Names without a date or number are sorted by their times only; the first of the given files is the newest.
    const given = /other files|no day/.test(what) ? names.toReversed() : names.toSorted();
    expect(sorted(given)).toEqual(names);
    if (given !== names && !/other files|no day/.test(what)) expect(sorted(names.toReversed())).toEqual(names);
  });

  test("equal times: by name, numbers by value", () => {
    const files = ["part-10.csv", "part-9.csv", "Part-9.csv"].map((path) => ({ path, modifiedMs: 5 }));
    expect(oldestFirst(files)).toEqual(["part-9.csv", "Part-9.csv", "part-10.csv"]);
  });
});

test("property: the order does not depend on the order of the folder, and no name is lost", () => {
  const name = fc.string({
    unit: fc.constantFrom("a", ".", "-", "1", "20250101", "2", "0", "gz", "log", "1735689600", "ex", "_"),
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.uniqueArray(name), (names) => {
      const files = names.map((path) => ({ path, modifiedMs: path.length }));
      const once = oldestFirst(files);
      expect(once.toSorted()).toEqual(names.toSorted());
      expect(oldestFirst(files.toReversed())).toEqual(once);
    }),
  );
});
