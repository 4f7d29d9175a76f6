// How long a result stays fresh.
import { describe, expect, test } from "vitest";
import { defaultFreshness, freshUntilOf, isFresh, maxAgeMsOf, retryAfterMsOf } from "./freshness.ts";

const now = Date.UTC(2026, 0, 15, 12);
const minute = 60_000;
const hour = 60 * minute;
const fresh = (access: "successful" | "unavailable" | "unreachable", headers?: Record<string, string>): number =>
  freshUntilOf(access, headers, now) - now;

describe("answers", () => {
  test.each<readonly [cacheControl: string | undefined, expected: number]>([
    [undefined, 24 * hour],
    ["", 24 * hour],
    ["public", 24 * hour],
    ["max-age=3600", hour],
    ["public, MAX-AGE = 3600", hour],
    ['max-age="3600"', hour],
    ["max-age=0", 5 * minute],
    ["max-age=299", 5 * minute],
    ["max-age=301", 301_000],
    ["max-age=86399", 86_399_000],
    ["max-age=86401", 24 * hour],
    ["max-age=1000000000000", 24 * hour],
    [`max-age=${"9".repeat(5_000)}`, 24 * hour],
    ["max-age=-1", 5 * minute],
    ["max-age=soon", 5 * minute],
    ["max-age=", 5 * minute],
    ["max-age", 24 * hour],
    ["max-age=600, max-age=7200", 10 * minute],
    ["s-maxage=600", 24 * hour],
    ["x-max-age=600", 24 * hour],
    ['private="", max-age=600', 10 * minute],
    ['private="max-age=600"', 24 * hour],
    ['no-cache="a, max-age=600", max-age=7200', 2 * hour],
    ['private="a\\", max-age=600', 24 * hour],
    [`${",".repeat(50_000)}max-age=600`, 10 * minute],
  ])("Cache-Control %j", (cacheControl, expected) => {
    const headers = cacheControl === undefined ? {} : { "cache-control": cacheControl };
    expect(fresh("successful", headers)).toBe(expected);
    expect(fresh("unavailable", headers)).toBe(expected);
  });
});

describe("failures", () => {
  test.each<readonly [retryAfter: string | undefined, expected: number]>([
    [undefined, 5 * minute],
    ["0", 5 * minute],
    ["600", 10 * minute],
    ["1000000000", hour],
    ["-5", 5 * minute],
    ["soon", 5 * minute],
    ["Thu, 15 Jan 2026 12:20:00 GMT", 20 * minute],
    ["Thu, 15 Jan 2026 11:00:00 GMT", 5 * minute],
    ["Thu, 15 Jan 2099 11:00:00 GMT", hour],
  ])("Retry-After %j", (retryAfter, expected) => {
    const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
    expect(fresh("unreachable", headers)).toBe(expected);
  });

  test("max-age does not keep a failure fresh", () => {
    expect(fresh("unreachable", { "cache-control": "max-age=86400" })).toBe(5 * minute);
    expect(fresh("unreachable")).toBe(5 * minute);
  });
});

test("Retry-After in milliseconds", () => {
  expect(retryAfterMsOf("120", now)).toBe(120_000);
  expect(retryAfterMsOf("Thu, 15 Jan 2026 12:00:30 GMT", now)).toBe(30_000);
  expect(retryAfterMsOf("Thursday, 15-Jan-26 12:00:30 GMT", now)).toBe(30_000);
  for (const junk of [undefined, "", "-1", "1.5", "2026-01-15", "1e3", "0x10", "Thu, nonsense"]) {
    expect(retryAfterMsOf(junk, now)).toBeUndefined();
  }
});

test("max-age in milliseconds", () => {
  expect(maxAgeMsOf("max-age=5")).toBe(5_000);
  expect(maxAgeMsOf("no-store")).toBeUndefined();
});

test("an entry is fresh from its fetch until just before `freshUntil`", () => {
  const stored = { fetchedAt: now, freshUntil: now + hour };
  expect(isFresh(stored, now)).toBe(true);
  expect(isFresh(stored, now + hour - 1)).toBe(true);
  expect(isFresh(stored, now + hour)).toBe(false);
  // After the clock was set back, the entry is from the future and is not fresh.
  expect(isFresh(stored, now - 1)).toBe(false);
});

test("no entry is fresh for longer than the rules allow, even if its `freshUntil` is later", () => {
  const stored = { fetchedAt: now, freshUntil: Number.MAX_SAFE_INTEGER };
  expect([isFresh(stored, now + 24 * hour - 1), isFresh(stored, now + 24 * hour)]).toEqual([true, false]);
  const failed = { ...stored, access: "unreachable" } as const;
  expect([isFresh(failed, now + hour - 1), isFresh(failed, now + hour)]).toEqual([true, false]);
  const rules = { ...defaultFreshness, defaultMs: 48 * hour, maxFailureMs: 2 * hour };
  expect([isFresh(stored, now + 48 * hour - 1, rules), isFresh(stored, now + 48 * hour, rules)]).toEqual([true, false]);
  expect([isFresh(failed, now + 2 * hour - 1, rules), isFresh(failed, now + 2 * hour, rules)]).toEqual([true, false]);
});
