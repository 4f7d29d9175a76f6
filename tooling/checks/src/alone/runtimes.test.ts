// Tests the sentence about the first difference between the results of two engines.
import { expect, test } from "vitest";
import { differenceOf } from "./runtimes.ts";

test.each([
  ["a difference in the middle", "abxd", "abcd", 'returns "abxd" where Node returns "abcd"'],
  ["no output", "", "abcd", 'returns "" where Node returns "abcd"'],
  ["a control character", "a\u001b", "ab", 'returns "a\\u001b" where Node returns "ab"'],
  ["a late difference", `${"x".repeat(500)}a`, `${"x".repeat(500)}b`, `returns "${"x".repeat(60)}a" where`],
])("%s", (_what, said, expected, sentence) => {
  expect(differenceOf(said, expected)).toContain(sentence);
});
