// Lines of a help text, wrapped to a width.
import { expect, test } from "vitest";
import { wrapHelp } from "./help-text.ts";

test.each<[what: string, text: string, columns: number, lines: readonly string[]]>([
  ["short lines", "Usage\n  a b\n\nEnd", 10, ["Usage", "  a b", "", "End"]],
  ["a paragraph", "one two three four", 9, ["one two", "three", "four"]],
  ["an example", "  cmd --flag value --other", 14, ["  cmd", "      --flag", "      value", "      --other"]],
  [
    "a row",
    "  -a, --agent X  one two three four five six",
    45,
    ["  -a, --agent X  one two three four five six".slice(0, 45)],
  ],
  [
    "a row, wrapped",
    `  -a  ${"word ".repeat(8)}end`,
    36,
    [`  -a  ${"word ".repeat(6).trim()}`, `      ${"word ".repeat(2)}end`],
  ],
  ["a narrow row", "  -a, --agent X  one two three", 28, ["  -a, --agent X", "        one two three"]],
  ["a long word", "https://example.com/long", 10, ["https://example.com/long"]],
])("%s", (_what, text, columns, lines) => expect(wrapHelp(text, columns).split("\n")).toEqual(lines));
