// Tests the text that is kept of the User-Agent header of an unknown crawler.
import { shownAgentOf } from "./names.ts";
import { expect, test } from "vitest";

test.each([
  ["spaces stay", "A B  C ", "A B  C "],
  ["a literal %20 is not a space", "A%20B C", "A%20B C"],
  ["other bytes are escaped", "a\tb é", "a%09b %C3%A9"],
  ["nothing", "", ""],
  ["200 bytes are kept", `${"x".repeat(199)} y`, `${"x".repeat(199)} `],
])("%s", (_what, header, shown) => {
  expect(shownAgentOf(new TextEncoder().encode(header))).toBe(shown);
});
