// Compares the queue with an array, and finds that it refers to no item that was taken.
import { expect, test } from "vitest";
import { Fifo } from "./fifo.ts";

test("items come in their order, whatever the steps", () => {
  const fifo = new Fifo<number>();
  const model: number[] = [];
  let made = 0;
  let seed = 1;
  for (let step = 0; step < 60_000; step++) {
    seed = (seed * 48_271) % 2_147_483_647;
    // More is added than taken in the first half, and more is taken in the second one.
    const isAdded = seed % 10 < (step < 30_000 ? 7 : 3);
    if (isAdded) {
      fifo.push(made);
      model.push(made++);
    } else expect(fifo.shift()).toBe(model.shift());
    if (step % 1_000 === 0)
      expect([fifo.length, fifo.first, fifo.last]).toEqual([model.length, model[0], model.at(-1)]);
  }
  while (model.length > 0) expect(fifo.shift()).toBe(model.shift());
  expect([fifo.length, fifo.first, fifo.last, fifo.shift()]).toEqual([0, undefined, undefined, undefined]);
});

test("an item that was taken is garbage, although later items are in the queue", async () => {
  const collect = globalThis.gc!;
  const fifo = new Fifo<object>();
  const taken = Array.from({ length: 10 }, () => {
    const item = {};
    fifo.push(item);
    return new WeakRef(item);
  });
  fifo.push({});
  for (let at = 0; at < taken.length; at++) fifo.shift();
  // A WeakRef keeps its object until the end of the turn in which it was made.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(taken.filter((each) => each.deref() !== undefined)).toEqual([]);
  expect(fifo.length).toBe(1);
});
