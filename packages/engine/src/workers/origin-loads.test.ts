// Tests that the main thread loads each origin only once while the result is fresh, whichever workers request it, and counts it once.
import { afterEach, expect, test, vi } from "vitest";
import { constantOf, robotsOf } from "../robots/parsed.ts";
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

test.each([
  ["the network", true],
  ["the cache", false],
])("an origin whose result from %s was deleted is loaded again and counted once", async (_from, fetched) => {
  const tally = new Tally([]);
  const { signal } = new AbortController();
  const results: readonly SourcedRobots[] = [
    { ...constantOf("unavailable", "http-404"), fetched },
    { ...constantOf("unreachable", "timeout"), fetched },
    { ...disallowing("/"), fetched, isDowngraded: true },
  ];
  const robotsNamed = new Map(results.map((robots, at) => [`https://${at}.example`, robots]));
  let told = 0;
  const load = async (name: string): Promise<SourcedRobots> => robotsNamed.get(name)!;
  const source = { isRemote: true, load, close: () => undefined };
  const loads = new OriginLoads({ source, tally, signal, mostKnown: 1, onOrigin: () => told++ });
  const rounds = 3;
  for (let round = 0; round < rounds; round++) for (const name of robotsNamed.keys()) await loads.load(name);
  const { origins, fetches, unavailable, unreachable, downgraded } = tally;
  const all = rounds * results.length;
  expect({ origins, fetches, unavailable, unreachable, downgraded, told }).toEqual({
    origins: 3,
    fetches: fetched ? all : 0,
    unavailable: 1,
    unreachable: 1,
    downgraded: 1,
    told: fetched ? all : 3,
  });
  loads.close();
});

test("an origin that several workers report is counted once", () => {
  const tally = new Tally([]);
  const { signal } = new AbortController();
  const source = { isRemote: false, load: () => disallowing("/"), close: () => undefined };
  const loads = new OriginLoads({ source, tally, signal });
  for (let worker = 0; worker < 2; worker++) loads.report({ origin, access: "unavailable", code: "missing" });
  loads.report({ origin: "https://b.example", access: "unreachable", code: "unreadable" });
  expect([tally.origins, tally.unavailable, tally.unreachable]).toEqual([2, 1, 1]);
  loads.close();
});
