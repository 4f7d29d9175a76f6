// Tests which offsets may be committed when messages complete in any order.
import { describe, expect, test } from "vitest";
import { Progress } from "./progress.ts";

/** Messages with these offsets, read one after another. */
function reading(offsets: readonly number[]) {
  const progress = new Progress(0, BigInt(offsets[0] ?? 0), undefined);
  const steps = offsets.map(BigInt);
  for (const offset of steps) progress.begin(offset);
  return { progress, steps };
}

describe("the low watermark", () => {
  test.for([
    ["no message is complete", [5, 6, 7], [], 5],
    ["the first message is complete", [5, 6, 7], [0], 6],
    ["only later messages are complete", [5, 6, 7], [2, 1], 5],
    ["the first message is the last to complete", [5, 6, 7], [2, 1, 0], 8],
    ["the first message is complete; the offsets have gaps", [5, 9, 40], [0], 9],
    ["all messages are complete; the offsets have gaps", [5, 9, 40], [0, 2, 1], 41],
  ] as const)("%s", ([, offsets, completed, watermark]) => {
    const { progress, steps } = reading(offsets);
    for (const at of completed) progress.complete(steps[at]!);
    expect(progress.watermark).toBe(BigInt(watermark));
    expect(progress.committable).toBe(BigInt(watermark));
    expect(progress.span).toBe(offsets.at(-1)! + 1 - watermark);
  });

  test("in 20 orders of completion: does not pass an incomplete message, and does not go backwards", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const done = new Set<bigint>();
      const { progress, steps } = reading(Array.from({ length: 300 }, (_, at) => at * (1 + (seed % 3))));
      const order = steps
        .map((step, at) => ({ step, rank: (at * 7_919 * seed) % 293 }))
        .toSorted((a, b) => a.rank - b.rank);
      let before = progress.watermark;
      for (const { step } of order) {
        progress.complete(step);
        done.add(step);
        const first = steps.find((offset) => !done.has(offset)) ?? progress.next;
        expect(progress.watermark).toBe(first);
        expect(progress.watermark >= before).toBe(true);
        before = progress.watermark;
      }
      expect(progress.isIdle).toBe(true);
    }
  });

  test("no offset is committed twice; the start of a partition without a commit is committed", () => {
    const { progress, steps } = reading([3, 4]);
    expect(progress.committable).toBe(3n);
    progress.committed = 3n;
    expect(progress.committable).toBeUndefined();
    progress.complete(steps[1]!);
    expect(progress.committable).toBeUndefined();
    progress.complete(steps[0]!);
    expect(progress.committable).toBe(5n);
    progress.committed = 5n;
    expect(progress.committable).toBeUndefined();
  });
});
