// Tests with random arrangements of quotes where fields and rows end.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closingQuoteFrom, endOfRow } from "./quotes.ts";

test.each([
  ["one quote", 'a"', 1],
  ["a doubled quote, which is text, before the closing quote", 'a""b"', 4],
  ["three quotes, of which the third closes the field", 'a"""', 3],
  ["no quote", "a", -1],
  ["only doubled quotes", '""""', -1],
])("the closing quote of a field with %s", (_what, text, at) => {
  expect(closingQuoteFrom(text, 0)).toBe(at);
});

const text = fc
  .array(fc.constantFrom('"', '"', '""', ",", "a", "\n", "\r\n", "\r"), { maxLength: 14 })
  .map((parts) => parts.join(""));

describe("endOfRow", () => {
  /** By definition: each quote opens or closes a field. */
  function slowEndOfRow(row: string, lineEnd: string, isOpen: boolean): number {
    let inQuotes = isOpen;
    for (let at = 0; at < row.length; at++) {
      if (row[at] === '"') inQuotes = !inQuotes;
      else if (row[at] === lineEnd && !inQuotes) return at;
    }
    return -1;
  }

  test("is the first line end outside of quotes", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(text, fc.constantFrom("\n", "\r"), fc.boolean(), (row, lineEnd, isOpen) => {
        // When a text begins within quotes, its first quote is not the second half of a doubled one.
        expect(endOfRow(row, lineEnd, isOpen)).toBe(slowEndOfRow(row, lineEnd, isOpen));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is found within the time limit of a test after a million quotes", () => {
    expect(endOfRow(`${'"a",'.repeat(500_000)}\n`, "\n")).toBe(2_000_000);
  });
});
