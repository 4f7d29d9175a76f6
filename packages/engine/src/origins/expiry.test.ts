// Tests results that expire: the old result decides until one load has brought the new result. The tests set the clock.
import { describe, expect, test } from "vitest";
import { IoError } from "../common/errors.ts";
import { questionsOf } from "../questions/questions.ts";
import { constantOf, robotsOf, type RobotsSource, type SourcedRobots } from "../robots/in-force.ts";
import { Tally } from "./tally.ts";
import { OriginTable, type OriginTableOptions } from "./origins.ts";

const about = (...agents: string[]): ReturnType<typeof questionsOf> =>
  questionsOf(agents, { dialects: ["google"], tokenMatch: undefined, hasFallback: true });
const hour = 3_600_000;
const origin = "https://a.example";
const disallowing = (path: string): SourcedRobots => robotsOf(Buffer.from(`User-agent: *\nDisallow: ${path}\n`));

interface Setting {
  readonly table: OriginTable;
  readonly asked: string[];
  readonly told: unknown[];
  readonly tally: Tally;
  /** Sets the time, and calls `tick`, as a run does before each batch. */
  at(ms: number): void;
  /** Settles the oldest load in progress. */
  answer(robots: SourcedRobots | Error, freshForMs?: number): Promise<void>;
  /** Whether a record with this path is allowed now; undefined while it has to wait. */
  allowed(path: string, first?: number, of?: string): boolean | undefined;
}

function setUp(options: Partial<OriginTableOptions> = {}): Setting {
  let nowMs = 1_000_000;
  const asked: string[] = [];
  const told: unknown[] = [];
  const waiting: { resolve(robots: SourcedRobots): void; reject(error: Error): void }[] = [];
  const source: RobotsSource = {
    isRemote: true,
    load(asks) {
      asked.push(asks);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    close: () => undefined,
  };
  const tally = new Tally([]);
  const table = new OriginTable({
    source,
    questions: about("bot"),
    tally,
    concurrency: 4,
    signal: new AbortController().signal,
    now: () => nowMs,
    onError: (error) => told.push(error),
    ...options,
  });
  return {
    table,
    asked,
    told,
    tally,
    at(ms) {
      nowMs = 1_000_000 + ms;
      table.tick();
    },
    async answer(robots, freshForMs) {
      const { resolve, reject } = waiting.shift()!;
      if (robots instanceof Error) reject(robots);
      else resolve({ ...robots, freshUntil: freshForMs === undefined ? undefined : nowMs + freshForMs });
      await new Promise(setImmediate);
    },
    allowed(path, first = 0, of = origin) {
      const state = table.currentOf(table.stateOf(of, first));
      if (!state.isReady) return undefined;
      const target = Buffer.from(path);
      const { table: rules } = table.matchers.answers;
      return rules.isAllowed(rules.find(state.block, target, 0, target.length));
    },
  };
}

const crawlers = { questionsAt: (first: number) => about(["one", "two"][first]!) };

describe.each([
  ["one crawler", {}],
  ["records that name their crawler", { crawlers, questions: [] }],
  ["little memory", { matcherBytes: 1 }],
])("%s", (_what, options: Partial<OriginTableOptions>) => {
  test("the old result decides until the new one is there", async () => {
    const { table, asked, at, answer, allowed, tally } = setUp(options);
    expect(allowed("/old")).toBeUndefined();
    await answer({ ...disallowing("/old"), fetched: true }, hour);
    expect([allowed("/old"), allowed("/new")]).toEqual([false, true]);
    at(hour - 1_000);
    expect([allowed("/old"), asked.length]).toEqual([false, 1]);
    at(hour);
    // Every record is decided at once; there is one load.
    for (let record = 0; record < 10; record++) expect([allowed("/old"), allowed("/new")]).toEqual([false, true]);
    expect(asked).toEqual([origin, origin]);
    const version = table.matchers.versionOf(table.stateOf(origin));
    await answer({ ...disallowing("/new"), fetched: true }, hour);
    expect([allowed("/old"), allowed("/new")]).toEqual([true, false]);
    expect(table.matchers.versionOf(table.stateOf(origin))).not.toBe(version);
    expect(tally).toMatchObject({ origins: 1, fetches: 2 });
    at(2 * hour);
    allowed("/old");
    await answer(constantOf("unreachable", "timeout"), hour);
    expect([allowed("/old"), allowed("/new")]).toEqual([false, false]);
    at(3 * hour);
    allowed("/old");
    await answer(disallowing("/new"));
    at(9_000 * hour);
    expect([allowed("/old"), allowed("/new"), asked.length]).toEqual([true, false, 4]);
  });
});

test("the memory of replaced results is not counted", async () => {
  const { table, at, answer, allowed } = setUp();
  const bytes: number[] = [];
  for (let round = 0; round < 3; round++) {
    at(round * hour);
    allowed("/");
    await answer(disallowing(`/${round}`), hour);
    expect(allowed(`/${round}`)).toBe(false);
    bytes.push(table.matchers.bytes);
  }
  expect(bytes[0]).toBeGreaterThan(0);
  expect(bytes).toEqual(bytes.map(() => bytes[0]));
});

test("a new result that equals the old one rebuilds nothing", async () => {
  const { table, at, answer, allowed, asked } = setUp();
  allowed("/x");
  await answer(disallowing("/x"), hour);
  const state = table.stateOf(origin);
  at(hour);
  expect(allowed("/x")).toBe(false);
  await answer(disallowing("/x"), hour);
  expect(table.stateOf(origin)).toBe(state);
  expect(state.isReady).toBe(true);
  at(hour + 1_000);
  allowed("/x");
  expect(asked).toHaveLength(2);
});

test("a later result is reported only if it was fetched", async () => {
  const loaded: string[] = [];
  const { at, answer, allowed, tally } = setUp({ onLoaded: (_origin, { code }) => void loaded.push(code) });
  allowed("/x");
  await answer({ ...disallowing("/x"), code: "first" }, hour);
  at(hour);
  allowed("/x");
  await answer({ ...disallowing("/y"), code: "stored" }, hour);
  expect([allowed("/x"), allowed("/y")]).toEqual([true, false]);
  at(2 * hour);
  allowed("/x");
  await answer({ ...disallowing("/z"), code: "fetched", fetched: true }, hour);
  expect(loaded).toEqual(["first", "fetched"]);
  expect(tally).toMatchObject({ origins: 1, fetches: 1 });
});

test("a result without a body decides until the next result arrives", async () => {
  const { at, answer, allowed } = setUp();
  allowed("/x");
  await answer({ ...disallowing("/x"), body: undefined }, hour);
  expect(allowed("/x")).toBe(false);
  at(hour);
  expect(allowed("/x")).toBe(false);
  await answer({ ...disallowing("/y"), body: undefined }, hour);
  expect([allowed("/x"), allowed("/y")]).toEqual([true, false]);
});

test("an expired origin is loaded at most once a minute, and only when a record needs it", async () => {
  const { at, answer, allowed, asked } = setUp();
  allowed("/x");
  await answer(disallowing("/x"), -hour);
  at(59_000);
  allowed("/x");
  expect(asked).toHaveLength(1);
  at(24 * hour);
  expect(asked).toHaveLength(1);
  allowed("/x");
  expect(asked).toHaveLength(2);
  await answer(disallowing("/x"), 0);
  allowed("/x");
  expect(asked).toHaveLength(2);
});

test("a shortage on this machine leaves the old result in force; any other error is reported", async () => {
  const { at, answer, allowed, asked, told } = setUp();
  allowed("/x");
  await answer(disallowing("/x"), hour);
  at(hour);
  allowed("/x");
  await answer(new IoError("input", origin, new Error("no network")));
  expect([allowed("/x"), asked.length, told]).toEqual([false, 2, []]);
  at(hour + 60_000);
  allowed("/x");
  expect(asked).toHaveLength(3);
  const bug = new Error("a bug");
  await answer(bug);
  expect(told).toEqual([bug]);
});

test("new origins are loaded before expired ones, whose loads use at most half of the concurrency", async () => {
  const { table, at, answer, allowed, asked } = setUp();
  const origins = Array.from({ length: 10 }, (_, number) => `https://${number}.example`);
  for (const each of origins) allowed("/", 0, each);
  for (const _each of origins) await answer(disallowing("/x"), hour);
  at(hour);
  for (const each of origins) expect(allowed("/x", 0, each)).toBe(false);
  expect(asked.length).toBe(12);
  expect(allowed("/x", 0, "https://new.example")).toBeUndefined();
  expect(asked.at(-1)).toBe("https://new.example");
  expect(table.isCrowded).toBe(false);
});

test("the next table takes over the results, and loads the expired ones again", async () => {
  const { table, at, answer, allowed, tally } = setUp();
  allowed("/x");
  await answer(disallowing("/x"), hour);
  const next = setUp({ earlier: table, tally });
  expect([next.allowed("/x"), next.allowed("/y"), next.asked, tally.origins]).toEqual([false, true, [], 1]);
  at(hour);
  allowed("/x");
  // The load of the earlier table is under way.
  const third = setUp({ earlier: table, tally });
  expect([third.allowed("/x"), third.asked]).toEqual([false, []]);
  third.at(60_000);
  expect([third.allowed("/x"), third.asked]).toEqual([false, [origin]]);
  await third.answer(disallowing("/y"), hour);
  expect([third.allowed("/x"), third.allowed("/y")]).toEqual([true, false]);
});
