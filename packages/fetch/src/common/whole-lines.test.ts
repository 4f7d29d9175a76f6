// Tests the cut of a robots.txt at a size limit, and which limits an entry that was cut fits.
import { expect, test } from "vitest";
import type { StoredRobots } from "./types.ts";
import { wholeLinesOf, withoutCutLine } from "./whole-lines.ts";
import { isWithinLimits } from "../access/within-limits.ts";

test.each<[text: string, maxBytes: number, expected: string]>([
  ["a\nbc", 4, "a\nbc"],
  ["a\nbc\n", 5, "a\nbc\n"],
  ["a\nbcd", 4, "a\n"],
  ["a\nbc\nd", 4, "a\nbc"],
  ["a\nbc\r\nd", 4, "a\nbc"],
  ["a\nbc\r\nd", 5, "a\nbc\r"],
  ["a\rbcd", 4, "a\r"],
  ["abcd", 3, ""],
  ["abcd", 0, ""],
  ["", 0, ""],
])("%j, up to %i bytes", (text, maxBytes, expected) => {
  expect(Buffer.from(wholeLinesOf(Buffer.from(text), maxBytes)).toString()).toBe(expected);
});

test("bytes that were cut at an unknown place end with their last line end", () => {
  expect(Buffer.from(withoutCutLine(Buffer.from("a\r\nbc"))).toString()).toBe("a\r\n");
  expect(Buffer.from(withoutCutLine(Buffer.from("a\n"))).toString()).toBe("a\n");
});

test.each([
  [999, false],
  [1_000, true],
  [1_001, false],
])("an entry that was cut at 1000 bytes, after a line, fits a limit of %i bytes: %s", (maxBytes, isWithin) => {
  const entry: StoredRobots = {
    origin: "https://a.example",
    fetchedAt: 0,
    freshUntil: 1,
    access: "successful",
    code: "ok",
    status: 200,
    body: new Uint8Array(990),
    truncated: true,
    cutAtBytes: 1_000,
    hops: [{ url: "https://a.example/robots.txt", status: 200 }],
  };
  expect(isWithinLimits(entry, { maxBytes, maxRedirects: 5 })).toBe(isWithin);
});
