// Repeated exchanges: after a Retry-After, and after this machine had no sockets left.
import { describe, expect, test } from "vitest";
import type { FailureCode } from "../common/failures.ts";
import { Semaphore } from "../common/semaphore.ts";
import { type RetrierOptions, type Shortage, createRetrier, defaultRetry } from "./retry.ts";
import type { Exchange } from "../common/types.ts";

const frame = { hops: [], startedAt: 0, endedAt: 0 };
const failed = (code: FailureCode): Exchange => ({
  ...frame,
  failure: { code, message: `connect EMFILE, ${code}`, url: "http://h.example/robots.txt" },
});
const answered = (status: number, headers: Record<string, string> = {}): Exchange => ({
  ...frame,
  response: { status, headers, body: new Uint8Array(0), truncated: false },
});
const now = Date.UTC(2026, 0, 1);

/** Runs an exchange whose attempts have these results, in order; further attempts have the last result. */
async function run(
  ends: readonly Exchange[],
  options: Partial<RetrierOptions> = {},
  controller = new AbortController(),
): Promise<{ made: number; got: Exchange }> {
  const limiter = options.limiter ?? new Semaphore(10);
  const retrier = createRetrier({
    limiter,
    retry: defaultRetry,
    isUnreachable: ({ response }) => response === undefined || response.status >= 429,
    now: () => now,
    ...options,
  });
  let made = 0;
  const make = (): Promise<Exchange> => Promise.resolve(ends[Math.min(made++, ends.length - 1)] as Exchange);
  const got = await limiter.run((slot) => retrier(make, slot, controller.signal));
  return { made, got };
}

describe("Retry-After", () => {
  const ok = answered(200);
  test.each<[what: string, ends: Exchange[], made: number, status: number]>([
    ["a 429 with a wait of 0", [answered(429, { "retry-after": "0" }), ok], 2, 200],
    [
      "a 503 with a date that has passed",
      [answered(503, { "retry-after": new Date(now - 9e3).toUTCString() }), ok],
      2,
      200,
    ],
    ["twice, and no third time", [answered(429, { "retry-after": "0" })], 3, 429],
    ["a 503 without Retry-After", [answered(503), ok], 1, 503],
    ["a 503 with an invalid Retry-After", [answered(503, { "retry-after": "soon" }), ok], 1, 503],
    ["more than a minute", [answered(429, { "retry-after": "61" }), ok], 1, 429],
    ["an endless time", [answered(429, { "retry-after": "1000000000" }), ok], 1, 429],
    ["a 500", [answered(500, { "retry-after": "0" }), ok], 1, 500],
    ["a failure", [failed("timeout"), ok], 1, 0],
  ])("%s", async (_what, ends, made, status) => {
    const { made: times, got } = await run(ends);
    expect([times, got.response?.status ?? 0]).toEqual([made, status]);
  });

  test("no retry when the policy does not judge a 429 as unreachable", async () => {
    const { made } = await run([answered(429, { "retry-after": "0" })], { isUnreachable: () => false });
    expect(made).toBe(1);
  });

  test("a waiting exchange holds no slot", async () => {
    const limiter = new Semaphore(1);
    const controller = new AbortController();
    const waiting = run([answered(503, { "retry-after": "30" })], { limiter }, controller);
    expect(await limiter.run(() => Promise.resolve("passed"))).toBe("passed");
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(limiter.running).toBe(0);
  });
});

describe("no sockets left", () => {
  test.each<FailureCode>(["local-resources"])("%s is retried until it succeeds, with fewer slots", async (code) => {
    const limiter = new Semaphore(40);
    const told: Shortage[] = [];
    const { made, got } = await run([failed(code), failed(code), answered(200)], {
      limiter,
      onShortage: (shortage) => told.push(shortage),
    });
    expect([made, got.response?.status]).toEqual([3, 200]);
    await expect.poll(() => told.length).toBe(1);
    expect(told[0]?.message).toContain("EMFILE");
    expect(limiter.drop(0)).toBeLessThan(34);
  });

  test("the failure of a resolver without a socket counts as a shortage", async () => {
    const limiter = new Semaphore(10);
    const retrier = createRetrier({ limiter, retry: defaultRetry, isUnreachable: () => true, now: () => now });
    const controller = new AbortController();
    const make = (ends: Exchange[]) => (): Promise<Exchange> => Promise.resolve(ends.shift() as Exchange);
    const ask = (ends: Exchange[]): Promise<Exchange> =>
      limiter.run((slot) => retrier(make(ends), slot, controller.signal));
    // Without a shortage, the name servers caused the failure, and it is final.
    expect((await ask([failed("dns-failed"), answered(200)])).failure?.code).toBe("dns-failed");
    let settle: ((exchange: Exchange) => void) | undefined;
    const ends = [new Promise<Exchange>((resolve) => (settle = resolve)), Promise.resolve(answered(200))];
    const during = limiter.run((slot) => retrier(() => ends.shift() as Promise<Exchange>, slot, controller.signal));
    const shortage = ask([failed("local-resources"), answered(200)]);
    await new Promise((resolve) => setImmediate(resolve));
    settle?.(failed("dns-failed"));
    expect((await during).response?.status).toBe(200);
    expect((await shortage).response?.status).toBe(200);
  });

  test("an endless shortage ends in the failure, and one slot stays", async () => {
    const limiter = new Semaphore(3);
    const { made, got } = await run([failed("local-resources")], { limiter, shortageMs: 150 });
    expect(got.failure?.code).toBe("local-resources");
    expect(made).toBeGreaterThan(2);
    expect(limiter.drop(0)).toBe(1);
  });

  test("an abort ends the wait", async () => {
    const controller = new AbortController();
    const waiting = run([failed("local-resources")], {}, controller);
    setImmediate(() => controller.abort(new Error("stop")));
    await expect(waiting).rejects.toThrow("stop");
  });
});
