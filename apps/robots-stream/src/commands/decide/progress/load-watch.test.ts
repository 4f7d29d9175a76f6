// The loads that the watch reports as slow, for loads that begin and end at given times.
import type { RobotsSource, SourcedRobots } from "@robots-stream/engine/internal";
import { expect, test } from "vitest";
import { LoadWatch } from "./load-watch.ts";

const signal = new AbortController().signal;

test("the longest load is reported, and each slow load once", async () => {
  let now = 0;
  const ends = new Map<string, () => void>();
  const remote: RobotsSource = {
    isRemote: true,
    load: (origin) => new Promise((resolve) => ends.set(origin, () => resolve({} as SourcedRobots))),
    close: () => undefined,
  };
  const watch = new LoadWatch(() => now);
  const source = watch.watch(remote);
  const first = source.load("https://a.example", signal);
  now = 3_000;
  const second = source.load("https://b.example", signal);
  now = 4_999;
  expect([watch.longest(), watch.takeLong()]).toEqual([undefined, { loads: [], all: 2 }]);
  now = 6_000;
  expect(watch.longest()).toEqual({ origin: "https://a.example", ms: 6_000 });
  expect(watch.takeLong()).toEqual({ loads: [{ origin: "https://a.example", ms: 6_000 }], all: 2 });
  now = 9_000;
  expect(watch.takeLong()).toEqual({ loads: [{ origin: "https://b.example", ms: 6_000 }], all: 2 });
  ends.get("https://a.example")!();
  await first;
  expect(watch.longest()).toEqual({ origin: "https://b.example", ms: 6_000 });
  ends.get("https://b.example")!();
  await second;
  expect([watch.longest(), watch.takeLong()]).toEqual([undefined, { loads: [], all: 0 }]);
});

test("a failed load is no longer running, and saved files are not watched", async () => {
  const watch = new LoadWatch(() => 1e9);
  const failing: RobotsSource = { isRemote: true, load: () => Promise.reject(new Error("x")), close: () => undefined };
  await expect(watch.watch(failing).load("https://a.example", signal)).rejects.toThrow("x");
  expect(watch.takeLong().all).toBe(0);
  const saved: RobotsSource = { ...failing, isRemote: false };
  expect(watch.watch(saved)).toBe(saved);
});
