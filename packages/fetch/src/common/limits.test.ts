// Limits: defaults, a caller's own, mistakes.
import { expect, test } from "vitest";
import { type Limits, defaultLimits, limitsOf } from "./limits.ts";

test("the defaults are the documented ones", () => {
  expect(limitsOf()).toEqual({
    connectTimeoutMs: 5_000,
    headersTimeoutMs: 10_000,
    deadlineMs: 20_000,
    maxRedirects: 5,
    maxHeaderBytes: 65_536,
    maxBytes: 512_000,
    maxContentEncodings: 5,
  });
});

test("a given limit replaces its default, and the other defaults stay", () => {
  expect(limitsOf({ deadlineMs: 1_000 })).toEqual({ ...defaultLimits, deadlineMs: 1_000 });
  expect(limitsOf({ deadlineMs: undefined } as unknown as Limits)).toEqual(defaultLimits);
});

test.each<object>([
  { deadlineMs: 0 },
  { deadlineMs: 2_147_483_648 },
  { connectTimeoutMs: -1 },
  { headersTimeoutMs: 1.5 },
  { maxRedirects: -1 },
  { maxBytes: Number.NaN },
  { maxBytes: Number.POSITIVE_INFINITY },
  { maxBytes: "512000" },
  { timeoutMs: 5 },
  { __proto__x: 1 },
  { constructor: 1 },
])("%j is refused", (limits) => {
  expect(() => limitsOf(limits as unknown as Limits)).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
});
