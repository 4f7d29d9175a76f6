// Tests that the examples of a cell are those with the smallest hashes in every order, and compares their texts with texts that are made
// with strings.
import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOf } from "../hash.ts";
import { type Example, Examples, exampleTextOf } from "./examples.ts";
import { escapedTextOf } from "./names.ts";

const example = fc.record({
  cell: fc.nat({ max: 12 }),
  high: fc.nat({ max: 3 }),
  low: fc.nat({ max: 3 }),
});

test("a cell keeps the examples with the smallest hashes, each hash once, sorted by hash", () => {
  fc.assert(
    fc.property(fc.constantFrom(1, 3), fc.array(example, { maxLength: 200 }), (most, added) => {
      const examples = new Examples(true, most);
      const all = new Map<number, Map<number, Example>>();
      for (const [at, { cell, high, low }] of added.entries()) {
        const target = `/${high}/${low}`;
        if (at % 2 === 0) examples.addExample(cell, { high, low, target });
        else examples.add(cell, high, low, bytesOf(target), 0, target.length);
        const own = all.get(cell) ?? new Map<number, Example>();
        all.set(cell, own.set(high * 4 + low, { high, low, target }));
      }
      for (let cell = 0; cell <= 20; cell++) {
        const sorted = [...(all.get(cell) ?? [])].toSorted(([one], [other]) => one - other);
        expect(examples.of(cell)).toEqual(sorted.slice(0, most).map(([, each]) => each));
      }
    }),
  );
});

/** The text of an example, made with strings. */
function plainTextOf(bytes: Uint8Array, start: number, end: number, withValues: boolean): string {
  const cut = Math.min(end, start + 200);
  const text = escapedTextOf(bytes, start, cut) + (cut < end ? "…" : "");
  const query = text.indexOf("?");
  if (withValues || query < 0) return text;
  const names = text
    .slice(query + 1)
    .split("&")
    .map((parameter) => (parameter.includes("=") ? `${parameter.slice(0, parameter.indexOf("="))}=…` : "…"));
  return `${text.slice(0, query)}?${names.join("&")}`;
}

const pieces = fc.constantFrom("/", "a", "=", "&", "?", "%", " ", "é", "name=value", "&".repeat(90), "x".repeat(150));
const targets = fc.oneof(
  fc.array(pieces, { maxLength: 20 }).map((parts) => bytesOf(parts.join(""))),
  fc.uint8Array({ maxLength: 300 }),
);

test("the text of an example equals the text made with strings, with and without the values of parameters", () => {
  fc.assert(
    fc.property(targets, fc.nat({ max: 5 }), fc.boolean(), (bytes, skipped, withValues) => {
      const start = Math.min(skipped, bytes.length);
      expect(exampleTextOf(bytes, start, bytes.length, withValues)).toBe(
        plainTextOf(bytes, start, bytes.length, withValues),
      );
    }),
    { numRuns: 2_000 },
  );
  const longest = bytesOf(`?${"&".repeat(300)}`);
  expect(exampleTextOf(longest, 0, longest.length, false)).toBe(plainTextOf(longest, 0, longest.length, false));
});
