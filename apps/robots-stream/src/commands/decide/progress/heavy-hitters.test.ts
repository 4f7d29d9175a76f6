// Tests the keys with the largest counts: they are exact if every key is added once, otherwise within known bounds.
import fc from "fast-check";
import { expect, test } from "vitest";
import { HeavyHitters } from "./heavy-hitters.ts";

test("when every key comes once, the largest counts among 10,000 keys are exact", () => {
  const hitters = new HeavyHitters(10);
  let made = 0;
  for (let index = 0; index < 10_000; index++) {
    const count = (index * 7_919) % 10_007;
    hitters.add(() => (made++, `key ${count}`), count, true);
  }
  const counts = Array.from({ length: 10_000 }, (_, index) => (index * 7_919) % 10_007);
  const largest = counts.toSorted((a, b) => b - a).slice(0, 10);
  expect(hitters.top(10)).toEqual(largest.map((count) => ({ key: `key ${count}`, count, atMost: count })));
  // For most keys, `keyOf` was not even called.
  expect(made).toBeLessThan(1_000);
});

test("when keys repeat, counts are given as bounds, and no frequent key is missing", () => {
  const adds = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 50 })), { maxLength: 400 });
  fc.assert(
    fc.property(adds, (list) => {
      const capacity = 8;
      const hitters = new HeavyHitters(capacity);
      const real = new Map<string, number>();
      for (const [key, count] of list) {
        hitters.add(() => String(key), count, false);
        real.set(String(key), (real.get(String(key)) ?? 0) + count);
      }
      const top = hitters.top(Infinity);
      expect(top.length).toBeLessThan(capacity * 2);
      for (const { key, count, atMost } of top) {
        expect(count).toBeLessThanOrEqual(real.get(key)!);
        expect(atMost).toBeGreaterThanOrEqual(real.get(key)!);
      }
      const known = new Set(top.map(({ key }) => key));
      const least = Math.min(...top.map(({ atMost }) => atMost));
      for (const [key, count] of real) if (!known.has(key)) expect(count).toBeLessThanOrEqual(least);
    }),
  );
});
