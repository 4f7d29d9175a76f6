// Turns: so many at a place, in order, passed on whatever happens, nothing kept of places that are empty.
import { expect, test } from "vitest";
import { type Turn, createTurns } from "./turns.ts";

const { signal } = new AbortController();
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("at most so many at a place, in order; places do not disturb one another", async () => {
  const turns = createTurns();
  const here: string[] = [];
  const all = Array.from({ length: 20 }, async (_, i) => {
    const place = i % 2 === 0 ? "even" : "odd";
    const turn = await turns.take(place, 3, signal);
    here.push(place);
    expect(here.filter((name) => name === place).length).toBeLessThanOrEqual(3);
    await tick();
    here.splice(here.indexOf(place), 1);
    turn.end();
    return i;
  });
  expect(turns.places).toBe(2);
  await Promise.all(all);
  expect(turns.places).toBe(0);
});

test("a free turn is there at once, and ends once", async () => {
  const turns = createTurns();
  const first = turns.take("h", 1, signal) as Turn;
  expect(first).not.toBeInstanceOf(Promise);
  const order: number[] = [];
  const second = Promise.resolve(turns.take("h", 1, signal)).then((turn) => (order.push(2), turn));
  const third = Promise.resolve(turns.take("h", 1, signal)).then((turn) => (order.push(3), turn));
  first.end();
  first.end();
  (await second).end();
  await tick();
  expect(order).toEqual([2, 3]);
  (await third).end();
  expect(turns.places).toBe(0);
});

test("whoever aborts leaves the line", async () => {
  const turns = createTurns();
  const first = turns.take("h", 1, signal) as Turn;
  const cut = new AbortController();
  const leaving = turns.take("h", 1, cut.signal);
  const staying = turns.take("h", 1, signal);
  cut.abort(new Error("left"));
  await expect(leaving).rejects.toThrow("left");
  first.end();
  (await staying).end();
  expect(turns.places).toBe(0);
  await expect(turns.take("full", 0, AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
});
