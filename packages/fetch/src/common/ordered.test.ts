// The linked list against an array.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Entry, Ordered } from "./ordered.ts";

test("any sequence of additions and removals keeps the order of an array", () => {
  const step = fc.oneof(fc.constant("add" as const), fc.constant("shift" as const), fc.nat());
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const list = new Ordered<number>();
      const entries: Entry<number>[] = [];
      let expected: number[] = [];
      for (const [id, what] of steps.entries()) {
        if (what === "add") {
          entries.push(list.add(id));
          expected.push(id);
        } else if (what === "shift") expect(list.shift()).toBe(expected.shift());
        else if (entries.length > 0) {
          // The entry may already have been removed.
          const entry = entries[what % entries.length]!;
          list.remove(entry);
          expected = expected.filter((value) => value !== entry.value);
        }
        expect([list.size, list.first?.value]).toEqual([expected.length, expected[0]]);
      }
      for (const value of expected) expect(list.shift()).toBe(value);
      expect(list.shift()).toBeUndefined();
    }),
  );
});
