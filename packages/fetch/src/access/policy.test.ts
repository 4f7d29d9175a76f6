// Every status and every failure under every policy, and outages at their edges.
import { describe, expect, test } from "vitest";
import { type FailureCode, failureCodes } from "../common/failures.ts";
import { inForceAt, outageOf } from "./in-force.ts";
import { type AccessPolicyName, accessPolicies, judge } from "./policy.ts";
import type { AccessResult, Exchange, StoredRobots } from "../common/types.ts";

const frame = { hops: [], startedAt: 0, endedAt: 0 };
const answered = (status: number, truncated = false): Exchange => ({
  ...frame,
  response: { status, headers: {}, body: new Uint8Array(0), truncated },
});
const failed = (code: FailureCode): Exchange => ({ ...frame, failure: { code, message: "", url: "http://h/" } });
const unavailableCodes: ReadonlySet<string> = new Set([
  "ftp-not-found",
  "redirect-limit",
  "redirect-loop",
  "redirect-invalid",
  "redirect-scheme",
]);

type Expected = (status: number) => AccessResult;
const googleAccess: Expected = (status) => {
  if (status === 206 || status === 429 || status >= 500) return "unreachable";
  return status < 300 ? "successful" : "unavailable";
};
const policies: readonly (readonly [AccessPolicyName, Expected])[] = [
  ["google", googleAccess],
  ["google-2024", googleAccess],
  ["rfc9309", (status) => (status === 429 ? "unavailable" : googleAccess(status))],
  ["yandex", (status) => (status === 200 ? "successful" : "unavailable")],
];

describe.each(policies)("%s", (name, accessOfStatus) => {
  const policy = accessPolicies[name];

  test("every status from 200 to 599", () => {
    for (let status = 200; status <= 599; status++) {
      const { access, code } = judge(answered(status), policy);
      expect([status, access]).toEqual([status, accessOfStatus(status)]);
      const partial = status === 206 && access === "unreachable";
      expect(code).toBe(access === "successful" ? "ok" : partial ? "partial" : `http-${status}`);
    }
  });

  test.each(failureCodes)("%s", (code) => {
    const expected = unavailableCodes.has(code) ? "unavailable" : "unreachable";
    expect(judge(failed(code), policy)).toEqual({ access: expected, code });
  });

  test("every row names its source, and every row can apply", () => {
    const exchanges = [
      ...Array.from({ length: 600 }, (_, status) => [answered(status), answered(status, true)]).flat(),
      ...failureCodes.map(failed),
    ];
    for (const row of policy.rows) {
      expect(row.source).not.toBe("");
      const others = { ...policy, rows: policy.rows.filter((other) => other !== row) };
      // The last row applies when no other row does.
      if (Object.keys(row.when).length === 0) continue;
      const used = exchanges.some((exchange) => {
        const rows = policy.rows
          .slice(0, policy.rows.indexOf(row) + 1)
          .map((r) => (r === row ? { ...r, code: "here" } : r));
        return judge(exchange, { ...others, rows }).code === "here";
      });
      expect([row.source, used]).toEqual([row.source, true]);
    }
  });
});

test("a file over the limit: its beginning for google, no restrictions for yandex", () => {
  expect(judge(answered(200, true), accessPolicies.google)).toEqual({ access: "successful", code: "ok" });
  expect(judge(answered(200, true), accessPolicies.yandex)).toEqual({ access: "unavailable", code: "too-large" });
});

test("without rows everything is unreachable", () => {
  const empty = { name: "empty", rows: [], outage: [] };
  expect(judge(answered(200), empty)).toEqual({ access: "unreachable", code: "http-200" });
});

describe("outages", () => {
  const hour = 3_600_000;
  const day = 24 * hour;
  const since = 1_700_000_000_000;
  const body = new TextEncoder().encode("User-agent: *\nDisallow: /x\n");
  const good = { fetchedAt: since - hour, access: "successful", code: "ok", status: 200, body } as const;
  const gone = { fetchedAt: since - hour, access: "unavailable", code: "http-404", status: 404 } as const;
  type Copy = StoredRobots["lastCopy"];

  const entry = (lastCopy: Copy, status: number | undefined): StoredRobots => ({
    origin: "http://h",
    fetchedAt: since,
    freshUntil: since,
    access: "unreachable",
    code: status === undefined ? "timeout" : `http-${status}`,
    ...(status === undefined ? {} : { status }),
    unreachableSince: since,
    ...(lastCopy === undefined ? {} : { lastCopy }),
    hops: [],
  });

  test.each<
    readonly [AccessPolicyName, after: number, copy: Copy, status: number | undefined, AccessResult, stale: boolean]
  >([
    ["google", 0, good, 503, "unreachable", false],
    ["google", 12 * hour - 1_000, good, 503, "unreachable", false],
    ["google", 12 * hour - 1, undefined, undefined, "unreachable", false],
    ["google", 12 * hour, good, 503, "successful", true],
    ["google", 12 * hour, good, undefined, "successful", true],
    ["google", 12 * hour, gone, 503, "unavailable", true],
    ["google", 12 * hour, undefined, 503, "unavailable", false],
    ["google", 12 * hour, undefined, undefined, "unavailable", false],
    ["google", 30 * day - 1_000, good, 503, "successful", true],
    ["google", 30 * day, good, 503, "unavailable", false],
    ["google", 30 * day, good, undefined, "unreachable", false],
    ["google", 30 * day + 1_000, undefined, undefined, "unreachable", false],
    ["google-2024", 30 * day - 1_000, good, 503, "unreachable", false],
    ["google-2024", 30 * day, good, 503, "successful", true],
    ["google-2024", 30 * day, undefined, 503, "unavailable", false],
    ["rfc9309", 12 * hour, good, 503, "unreachable", false],
    ["rfc9309", 30 * day - 1_000, undefined, undefined, "unreachable", false],
    ["rfc9309", 30 * day, good, undefined, "successful", true],
    ["rfc9309", 30 * day, undefined, undefined, "unavailable", false],
    ["yandex", 400 * day, good, undefined, "unreachable", false],
    ["google", -day, good, 503, "unreachable", false],
  ])("%s after %i ms", (name, after, copy, status, access, stale) => {
    const inForce = inForceAt(entry(copy, status), accessPolicies[name], since + after);
    expect(inForce).toMatchObject({ access, stale });
    expect(inForce.body).toBe(access === "successful" ? body : undefined);
  });

  test("an outage keeps the last copy and its own start", () => {
    const before: StoredRobots = { ...good, origin: "http://h", freshUntil: since, hops: [] };
    const first = outageOf("unreachable", before, since);
    expect(first).toEqual({ unreachableSince: since, lastCopy: good });
    const second = outageOf("unreachable", { ...entry(undefined, 503), ...first }, since + day);
    expect(second).toEqual(first);
  });

  test("an answer ends an outage", () => {
    expect(outageOf("successful", entry(good, 503), since + day)).toEqual({});
    expect(outageOf("unavailable", entry(good, 503), since + day)).toEqual({});
  });

  test("an outage never begins in the future", () => {
    expect(outageOf("unreachable", entry(undefined, 503), since - day)).toEqual({ unreachableSince: since - day });
  });
});
