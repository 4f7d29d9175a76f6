// Paths and pieces in: the index finds what String.prototype.indexOf finds.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPathIndex } from "./path-index.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "/", "é"), maxLength: 60 });
const piece = fc.string({ unit: fc.constantFrom("a", "b", "c", "/"), minLength: 1, maxLength: 6 });

test("finds what String.prototype.indexOf finds", () => {
  fc.assert(
    fc.property(text, fc.nat(5), fc.array(piece, { minLength: 1, maxLength: 20 }), (path, offset, pieces) => {
      const from = Math.min(offset, path.length);
      const index = createPathIndex(path, from);
      for (const wanted of pieces) {
        const bytes = Buffer.from(wanted);
        for (let at = from; at <= path.length; at++) {
          expect(index.indexOf(bytes, 0, bytes.length, at)).toBe(path.indexOf(wanted, at));
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["one letter", "a".repeat(2000)],
  ["two letters in turn", "ab".repeat(1000)],
  ["Fibonacci's word", fibonacci(16)],
])("paths that repeat themselves: %s", (_, path) => {
  const index = createPathIndex(path, 0);
  for (const wanted of ["a", "b", "ab", "aba", "abaab", "a".repeat(50), "ab".repeat(40), path.slice(100, 180)]) {
    const bytes = Buffer.from(wanted);
    for (let at = 0; at <= path.length; at += 7) {
      expect(index.indexOf(bytes, 0, bytes.length, at)).toBe(path.indexOf(wanted, at));
    }
  }
});

function fibonacci(steps: number): string {
  let [shorter, longer] = ["a", "ab"];
  for (let step = 0; step < steps; step++) [shorter, longer] = [longer, longer + shorter];
  return longer;
}
