// Tests that the main thread loads each origin only once while the result is fresh, whichever workers request it.
import { afterEach, expect, test, vi } from "vitest";
import { robotsOf } from "../robots/parsed.ts";
import type { SourcedRobots } from "../robots/types.ts";
import { Tally } from "../tally.ts";
import { OriginLoads } from "./origin-loads.ts";

const hour = 3_600_000;
const origin = "https://a.example";
const disallowing = (path: string): SourcedRobots => robotsOf(Buffer.from(`User-agent: *\nDisallow: ${path}\n`));

afterEach(() => vi.restoreAllMocks());

test("an expired result is loaded again, once for all workers", async () => {
  let nowMs = 0;
  vi.spyOn(Date, "now").mockImplementation(() => nowMs);
  const waiting: ((robots: SourcedRobots) => void)[] = [];
  let asked = 0;
  const tally = new Tally([]);
  const { signal } = new AbortController();
  const load = (): Promise<SourcedRobots> => {
    asked++;
    return new Promise((resolve) => waiting.push(resolve));
  };
  const loads = new OriginLoads({ source: { isRemote: true, load, close: () => undefined }, tally, signal });
  const textOf = async (): Promise<string> => Buffer.from((await loads.load(origin)).body!).toString();
  const first = [textOf(), textOf()];
  waiting.shift()!({ ...disallowing("/old"), fetched: true, freshUntil: hour });
  expect(await Promise.all(first)).toEqual([expect.stringContaining("/old"), expect.stringContaining("/old")]);
  nowMs = hour - 1;
  expect(await loads.load(origin)).toMatchObject({ freshUntil: hour });
  expect(asked).toBe(1);
  nowMs = hour;
  const second = [textOf(), textOf()];
  waiting.shift()!({ ...disallowing("/new"), fetched: true, freshUntil: 2 * hour });
  expect(await Promise.all(second)).toEqual([expect.stringContaining("/new"), expect.stringContaining("/new")]);
  expect(await textOf()).toContain("/new");
  expect([asked, tally.origins, tally.fetches]).toEqual([2, 1, 2]);
  loads.close();
});
