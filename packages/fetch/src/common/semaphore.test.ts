// Semaphores, plain and by key: the limit, the order of waiting tasks, and the release of slots in every case.
import fc from "fast-check";
import { expect, test } from "vitest";
import { KeyedSemaphore, Semaphore, type Turn } from "./semaphore.ts";

const { signal } = new AbortController();
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("at most one task per slot runs at a time, and all tasks run, in order", async () => {
  const limiter = new Semaphore(3);
  const started: number[] = [];
  let most = 0;
  const tasks = Array.from({ length: 50 }, (_, i) =>
    limiter.run(async () => {
      started.push(i);
      most = Math.max(most, limiter.running);
      await tick();
      return i;
    }),
  );
  expect(limiter.waiting).toBe(47);
  expect(await Promise.all(tasks)).toEqual(started);
  expect(started).toEqual(Array.from({ length: 50 }, (_, i) => i));
  expect([most, limiter.running, limiter.waiting]).toEqual([3, 0, 0]);
});

test("a failing task frees its slot", async () => {
  const limiter = new Semaphore(1);
  const failing = limiter.run(() => Promise.reject(new Error("broken")));
  const next = limiter.run(() => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("done");
});

test("a task that aborts while waiting leaves the queue and never runs", async () => {
  const limiter = new Semaphore(1);
  const controller = new AbortController();
  let release: (() => void) | undefined;
  const holding = limiter.run(() => new Promise<void>((resolve) => (release = resolve)));
  let ran = false;
  const leaving = limiter.run(async () => {
    ran = true;
  }, controller.signal);
  const staying = limiter.run(() => Promise.resolve("stayed"));
  controller.abort(new Error("left"));
  await expect(leaving).rejects.toThrow("left");
  release?.();
  await holding;
  expect(await staying).toBe("stayed");
  expect([ran, limiter.running, limiter.waiting]).toEqual([false, 0, 0]);
});

test("a task whose signal has already aborted takes no slot", async () => {
  const limiter = new Semaphore(1);
  await expect(limiter.run(() => Promise.resolve(), AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
  expect(limiter.running).toBe(0);
});

test("other tasks use a lent slot, and its owner gets the next free slot afterwards", async () => {
  const limiter = new Semaphore(1);
  const order: string[] = [];
  let back: (() => void) | undefined;
  const lending = limiter.run(async (slot) => {
    order.push("lends");
    await slot.lend(new Promise<void>((resolve) => (back = resolve)));
    order.push("is back");
  });
  let end: (() => void) | undefined;
  const second = limiter.run(async () => {
    order.push("second");
    await new Promise<void>((resolve) => (end = resolve));
  });
  const third = limiter.run(async () => void order.push("third"));
  await tick();
  expect([limiter.running, order]).toEqual([1, ["lends", "second"]]);
  back?.();
  await tick();
  expect(limiter.running).toBe(1);
  end?.();
  await Promise.all([lending, second, third]);
  expect(order).toEqual(["lends", "second", "is back", "third"]);
  expect([limiter.running, limiter.waiting]).toEqual([0, 0]);
});

test("dropped slots are gone for good, and one always stays", async () => {
  const limiter = new Semaphore(4);
  let most = 0;
  const task = async (): Promise<void> => {
    await tick();
    most = Math.max(most, limiter.running);
  };
  const first = Array.from({ length: 8 }, () => limiter.run(task));
  expect(limiter.drop(2)).toBe(2);
  await Promise.all(first);
  most = 0;
  await Promise.all(Array.from({ length: 20 }, () => limiter.run(task)));
  expect(most).toBe(2);
  expect(limiter.drop(99)).toBe(1);
  most = 0;
  await Promise.all(Array.from({ length: 20 }, () => limiter.run(task)));
  expect([most, limiter.running, limiter.waiting]).toEqual([1, 0, 0]);
});

test("at most `max` tasks per key, in order, and keys are independent", async () => {
  const turns = new KeyedSemaphore();
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
  expect(turns.keys).toBe(2);
  await Promise.all(all);
  expect(turns.keys).toBe(0);
});

test("a free turn is returned synchronously, and its end is idempotent", async () => {
  const turns = new KeyedSemaphore();
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
  expect(turns.keys).toBe(0);
});

test("a task that aborts leaves the queue", async () => {
  const turns = new KeyedSemaphore();
  const first = turns.take("h", 1, signal) as Turn;
  const controller = new AbortController();
  const leaving = turns.take("h", 1, controller.signal);
  const staying = turns.take("h", 1, signal);
  controller.abort(new Error("left"));
  await expect(leaving).rejects.toThrow("left");
  first.end();
  (await staying).end();
  expect(turns.keys).toBe(0);
  const full = turns.take("h", 1, signal) as Turn;
  await expect(turns.take("h", 1, AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
  full.end();
  expect(turns.keys).toBe(0);
});

test("any order of entering, aborting and leaving: tasks start in order and no slot is lost", async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant("enter" as const) },
    { weight: 2, arbitrary: fc.constant("leave" as const) },
    { weight: 1, arbitrary: fc.nat() },
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 200 }), async (slots, steps) => {
      const semaphore = new Semaphore(slots);
      const started: number[] = [];
      // The expected state: the number of tasks with a slot, the waiting tasks, and those that started after a wait.
      let running = 0;
      let waiting: { readonly id: number; readonly cut: AbortController }[] = [];
      const expected: number[] = [];
      const leave = (): void => {
        if (running === 0) return;
        semaphore.leave();
        const next = waiting.shift();
        if (next === undefined) running--;
        else expected.push(next.id);
      };
      for (const [id, what] of steps.entries()) {
        if (what === "leave") leave();
        else if (what === "enter") {
          const cut = new AbortController();
          const turn = semaphore.enter(cut.signal);
          expect(turn === undefined).toBe(running < slots);
          if (turn === undefined) running++;
          else {
            waiting.push({ id, cut });
            void turn.then(
              () => started.push(id),
              () => undefined,
            );
          }
        } else if (waiting.length > 0) {
          const gone = waiting[what % waiting.length];
          waiting = waiting.filter((each) => each !== gone);
          gone?.cut.abort();
        }
        expect([semaphore.running, semaphore.waiting]).toEqual([running, waiting.length]);
      }
      while (running > 0) leave();
      await tick();
      expect(started).toEqual(expected);
      expect([semaphore.running, semaphore.waiting]).toEqual([0, 0]);
    }),
    { numRuns: 200 },
  );
});

test("an aborted task leaves nothing in memory, however long another task holds the slot", async () => {
  // vitest.config.ts starts Node with --expose-gc.
  const collect = globalThis.gc!;
  const heldBytes = (): number => (collect(), process.memoryUsage().heapUsed);
  const semaphore = new Semaphore(1);
  expect(semaphore.enter()).toBeUndefined();
  // One shared signal: a signal per task would be most of the measured memory.
  let abort: (() => void) | undefined;
  const cut = {
    addEventListener: (_name: string, onAbort: () => void) => (abort = onAbort),
    removeEventListener: () => undefined,
  } as unknown as AbortSignal;
  const giveUp = (times: number): void => {
    for (let i = 0; i < times; i++) {
      semaphore.enter(cut)?.catch(() => undefined);
      abort?.();
    }
  };
  giveUp(1_000);
  await tick();
  const before = heldBytes();
  giveUp(100_000);
  await tick();
  expect(heldBytes() - before).toBeLessThan(4_000_000);
  expect(semaphore.waiting).toBe(0);
});
