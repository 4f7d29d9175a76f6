// Lines of a robots.txt are split and numbered as the parser splits and numbers them.
import { parseDirectives } from "@robots-stream/core/lint";
import fc from "fast-check";
import { expect, test } from "vitest";
import { linesOf } from "./lines.ts";

const textsOf = (bytes: Uint8Array): string[] => {
  const lines = linesOf(bytes);
  return Array.from({ length: lines.count }, (_, at) => lines.textOf(at + 1));
};

test.each<[string, string[]]>([
  ["", [""]],
  ["a", ["a"]],
  ["a\n", ["a", ""]],
  ["a\r\nb\rc\nd", ["a", "b", "c", "d"]],
  ["\n\r\n\r", ["", "", "", ""]],
  ["\u{feff}a\n\u{feff}b", ["a", "\u{feff}b"]],
  ["ü\u0000x", ["ü\u0000x"]],
])("%j", (text, expected) => {
  expect(textsOf(new TextEncoder().encode(text))).toEqual(expected);
});

test("the text of a line that does not exist is empty", () => {
  const lines = linesOf(new TextEncoder().encode("a"));
  expect([lines.textOf(0), lines.textOf(2)]).toEqual(["", ""]);
});

test("lines are numbered as the parser numbers them", () => {
  const bytes = fc
    .array(fc.constantFrom(0xef, 0xbb, 0xbf, 0x0a, 0x0d, 0x61, 0x3a, 0x23, 0x00), { maxLength: 20 })
    .map((list) => new Uint8Array(list));
  fc.assert(
    fc.property(bytes, (file) => {
      expect(linesOf(file).count).toBe(parseDirectives(file).length);
    }),
    { numRuns: 2000 },
  );
});

test("lines contain the values that the parser reads", () => {
  const line = fc.constantFrom("allow: /a", "disallow:/b # c", "", "#", "\u{feff}", "host: x");
  const end = fc.constantFrom("\n", "\r", "\r\n");
  fc.assert(
    fc.property(fc.array(fc.tuple(line, end), { maxLength: 10 }), (parts) => {
      const text = parts.flat().join("");
      const lines = linesOf(new TextEncoder().encode(text));
      for (const { line: number, key, value } of parseDirectives(text)) {
        expect(lines.textOf(number)).toContain(key);
        expect(lines.textOf(number)).toContain(value);
      }
    }),
  );
});
