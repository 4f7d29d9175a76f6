// Counts of origins: the sums equal a Map's for any limit of memory and any order of arrival.
import fc from "fast-check";
import { expect, test } from "vitest";
import { OriginCounter } from "./counter.ts";

const origin = fc.constantFrom(
  "https://a.example",
  "http://a.example",
  "https://b.example:8443",
  "https://xn--4ca.example",
);

test.each(["name", "hash"] as const)("sorted by %s: every origin once with its sum", (order) => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(origin, fc.integer({ min: 0, max: 1_000 })), { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      (added, mostOrigins) => {
        const counter = new OriginCounter({ order, mostOrigins });
        const expected = new Map<string, number>();
        try {
          for (const [each, count] of added) {
            counter.add(each, count);
            expected.set(each, (expected.get(each) ?? 0) + count);
          }
          const found = [...counter.origins()].map((one) => [one.origin, one.count] as const);
          expect(found.toSorted()).toEqual([...expected].toSorted());
          if (order === "name") expect(found.map(([each]) => each)).toEqual([...expected.keys()].toSorted());
        } finally {
          counter.close();
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("a sum stops at its limit instead of wrapping", () => {
  const counter = new OriginCounter({ order: "name", mostOrigins: 1 });
  for (let time = 0; time < 3; time++) counter.add("https://a.example", 2 ** 48 - 2);
  expect([...counter.origins()]).toEqual([{ origin: "https://a.example", count: 2 ** 48 - 1 }]);
  counter.close();
});
