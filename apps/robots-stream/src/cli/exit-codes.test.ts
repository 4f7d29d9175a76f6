// Tests that the handlers of signals are absent during a computation, and present after it, also if it throws.
import { expect, onTestFinished, test } from "vitest";
import { endedBySignals } from "./exit-codes.ts";

test.each([
  ["a result", () => 1],
  [
    "an error",
    () => {
      throw new Error("no");
    },
  ],
])("%s", (_what, act) => {
  const handler = (): void => undefined;
  process.on("SIGTERM", handler);
  onTestFinished(() => void process.off("SIGTERM", handler));
  const before = process.listeners("SIGTERM");
  let during: unknown;
  try {
    endedBySignals(() => {
      during = process.listeners("SIGTERM");
      return act();
    });
  } catch {
    // The second case.
  }
  expect([during, process.listeners("SIGTERM")]).toEqual([[], before]);
});
