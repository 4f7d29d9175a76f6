// Tests that the index of a path matches patterns as the equivalent regular expressions do.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPathIndex } from "./path-index.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "/", "é"), maxLength: 60 });
const piece = fc.string({ unit: fc.constantFrom("a", "b", "c", "/"), maxLength: 6 });
const pieces = fc.array(piece, { minLength: 1, maxLength: 4 });

/** Whether the pattern `*piece*piece…`, tied to the end or not, matches a path from a position on. */
function holds(wanted: readonly string[], tied: boolean, path: string, at: number): boolean {
  return new RegExp(`^${wanted.map((each) => `.*${each}`).join("")}${tied ? "$" : ""}`, "su").test(path.slice(at));
}

test("the index gives the same result as a regular expression", () => {
  fc.assert(
    fc.property(text, fc.nat(5), fc.array(pieces, { minLength: 1, maxLength: 20 }), (path, offset, patterns) => {
      const from = Math.min(offset, path.length);
      const index = createPathIndex(Buffer.from(path, "latin1"), from, path.length);
      for (const wanted of patterns) {
        // Bytes outside the range must not matter.
        const bytes = Buffer.from(`a*${wanted.join("*")}a`);
        for (let at = from; at <= path.length; at += 3) {
          for (const tied of [false, true]) {
            expect(index(bytes, 1, bytes.length - 1, tied, at)).toBe(holds(wanted, tied, path, at));
          }
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ["one letter", "a".repeat(2000)],
  ["two letters in turn", "ab".repeat(1000)],
  ["the Fibonacci word", fibonacci(16)],
  ["runs far apart", `${"a".repeat(700)}${"b".repeat(1000)}${"a".repeat(300)}`],
])("paths that repeat themselves: %s", (_, path) => {
  const index = createPathIndex(Buffer.from(path), 0, path.length);
  const all = ["a", "b", "ab", "aba", "abaab", "a".repeat(50), "ab".repeat(40), "b".repeat(80), path.slice(100, 180)];
  // Searches several times, because a state gets a bitmap only after many searches.
  for (let round = 0; round < 3; round++) {
    for (const wanted of all) {
      for (let at = 0; at <= path.length; at += 7) {
        // The smallest end leaves the rest of the path after the piece.
        const found = path.indexOf(wanted, at);
        const rest = path.slice(found + wanted.length);
        const bytes = Buffer.from(`*${wanted}*${rest}`);
        expect(index(bytes, 0, wanted.length + 1, false, at)).toBe(found >= 0);
        if (found >= 0) expect(index(bytes, 0, bytes.length, false, at)).toBe(true);
      }
    }
  }
});

function fibonacci(steps: number): string {
  let [shorter, longer] = ["a", "ab"];
  for (let step = 0; step < steps; step++) [shorter, longer] = [longer, longer + shorter];
  return longer;
}
