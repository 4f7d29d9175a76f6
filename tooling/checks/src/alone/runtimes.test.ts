// Tests the sentence about the first difference between the results of two engines.
import { expect, test } from "vitest";
import { differenceOf } from "./runtimes.ts";

test.each([
  ["the middle", "abxd", "abcd", 'says "abxd" where Node says "abcd"'],
  ["too little", "", "abcd", 'says "" where Node says "abcd"'],
  ["a control character", "a\u001b", "ab", 'says "a\\u001b" where Node says "ab"'],
  ["far behind", `${"x".repeat(500)}a`, `${"x".repeat(500)}b`, `says "${"x".repeat(60)}a" where`],
])("%s", (_what, said, expected, sentence) => {
  expect(differenceOf(said, expected)).toContain(sentence);
});
