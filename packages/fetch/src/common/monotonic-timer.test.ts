// Timers that do not count the time in which the process stalled.
import { expect, test } from "vitest";
import { startMonotonicTimer } from "./monotonic-timer.ts";

/** Blocks this process for the given time. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const after = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Milliseconds by which a timer may be early because of rounding. */
const rounding = 2;

test("a timer ends after its time, and not before", async () => {
  const begun = performance.now();
  const lasted = await new Promise<number>((resolve) => {
    startMonotonicTimer(30, () => resolve(performance.now() - begun));
  });
  expect(lasted).toBeGreaterThanOrEqual(30 - rounding);
});

test("a timer does not count the time in which the process was blocked", async () => {
  const ended: string[] = [];
  let stoodStillUntil = 0;
  const givenBack = new Promise<number>((resolve) => {
    startMonotonicTimer(400, () => {
      ended.push("patient");
      resolve(performance.now() - stoodStillUntil);
    });
  });
  setTimeout(() => ended.push("plain"), 400);
  standStill(900);
  stoodStillUntil = performance.now();
  // Both timers are due: the plain timer ends at once, the monotonic timer lets pending events be handled first.
  expect(await givenBack).toBeGreaterThanOrEqual(200);
  expect(ended).toEqual(["plain", "patient"]);
});

test("a timer ends although the process is blocked again and again", async () => {
  let isOver = false;
  startMonotonicTimer(300, () => (isOver = true));
  for (let i = 0; i < 50 && !isOver; i++) {
    standStill(300);
    await after(40);
  }
  expect(isOver).toBe(true);
});

test("a cancelled timer does not call back and leaves no handle", async () => {
  const kinds = (): number => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = kinds();
  let isOver = false;
  const timer = startMonotonicTimer(20, () => (isOver = true));
  timer.cancel();
  timer.cancel();
  await after(40);
  expect([isOver, kinds()]).toEqual([false, before]);
});
