// Parts of a divided run: each origin's part follows from a hash that must never change.
import { expect, test } from "vitest";
import { hashOf, isInShard } from "./shard.ts";

test.each([
  // Test vectors by FNV-1a's authors.
  ["", 0x811c9dc5],
  ["a", 0xe40c292c],
  ["foobar", 0xbf9cf968],
  // The example in docs/PROCESSORS.md.
  ["https://example.com", 1874592979],
])("the hash of %j", (text, hash) => {
  expect(hashOf(text)).toBe(hash);
});

test("each origin is in one part, and the parts have about the same size", () => {
  const counts = [0, 0, 0, 0, 0];
  for (let at = 0; at < 10_000; at++) {
    const origin = `https://host${at}.example`;
    const parts = counts.map((_count, index) => isInShard(origin, { part: index + 1, count: counts.length }));
    expect(parts.filter(Boolean)).toHaveLength(1);
    counts[parts.indexOf(true)]!++;
  }
  for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(300);
  expect(isInShard(undefined, { part: 1, count: 5 })).toBe(true);
  expect(isInShard(undefined, { part: 2, count: 5 })).toBe(false);
});
