// Matchers beyond the memory limit are evicted and rebuilt unchanged, without loading any origin twice from the network.
import { describe, expect, test } from "vitest";
import type { Decision } from "@robots-stream/core";
import type { OriginState } from "./origin-state.ts";
import { OriginTable, type OriginTableOptions } from "./origins.ts";
import { questionsOf } from "../questions/questions.ts";
import { constantOf, robotsOf, type RobotsSource, type SourcedRobots } from "../robots/in-force.ts";
import { Tally } from "./tally.ts";

const about = (agent: string): ReturnType<typeof questionsOf> =>
  questionsOf([agent], { dialects: ["google"], tokenMatch: undefined, hasFallback: true });

/** The origin's number determines the result of its load: its own file, a 404, or a timeout. */
function robotsFor(origin: string): SourcedRobots {
  const number = Number(/\d+/.exec(origin)?.[0]);
  if (number % 10 === 8) return constantOf("unavailable", "http-404");
  if (number % 10 === 9) return constantOf("unreachable", "timeout");
  return robotsOf(Buffer.from(`User-agent: one\nDisallow: /${number}\n\nUser-agent: *\nDisallow: /all${number}\n`));
}

function tableOf(options: Partial<OriginTableOptions>): { table: OriginTable; asked: string[]; evicted: string[] } {
  const asked: string[] = [];
  const evicted: string[] = [];
  const source: RobotsSource = {
    isRemote: true,
    load: (origin) => {
      asked.push(origin);
      return Promise.resolve(robotsFor(origin));
    },
    close: () => undefined,
  };
  const table = new OriginTable({
    source,
    questions: about("one"),
    tally: new Tally([]),
    concurrency: 10,
    signal: new AbortController().signal,
    matcherBytes: 50_000,
    onForget: (origin) => evicted.push(origin),
    ...options,
  });
  return { table, asked, evicted };
}

const origins = Array.from({ length: 500 }, (_, number) => `https://${number}.example`);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

const crawlers = { questionsAt: (first: number) => about(["one", "two"][first]!) };

function decisionOf({ table }: OriginTable["matchers"]["answers"], { block }: OriginState, target: string): Decision {
  const bytes = Buffer.from(target);
  return table.decisionAt(block, table.find(block, bytes, 0, bytes.length));
}

/** The origin of a state, the code of its result, and two decisions. */
function answersOf({ matchers: { answers } }: OriginTable, state: OriginState): unknown {
  const number = /\d+/.exec(state.origin)?.[0];
  const decisions = [`/${number}`, `/all${number}`].map((target) => decisionOf(answers, state, target));
  return [state.origin, state.code, decisions];
}

describe("a table with room for few origins", () => {
  test("decisions and counts stay the same, and no origin is loaded twice", async () => {
    const { table, asked, evicted } = tableOf({});
    const first = origins.map((origin) => table.stateOf(origin));
    await settled();
    expect([evicted.length > 300, table.matchers.bytes <= 50_000]).toEqual([true, true]);
    const again = origins.map((origin) => table.currentOf(table.stateOf(origin)));
    const { table: roomy } = tableOf({ matcherBytes: 1e9 });
    for (const origin of origins) roomy.stateOf(origin);
    await settled();
    for (const origin of origins) {
      expect(answersOf(table, table.currentOf(table.stateOf(origin)))).toEqual(answersOf(roomy, roomy.stateOf(origin)));
    }
    expect([asked, evicted.length > 1_000]).toEqual([origins, true]);
    // A reference to an evicted state leads to its replacement.
    const old = first.find(({ isUnbuilt }) => isUnbuilt)!;
    expect([old.isReady, table.currentOf(old)]).toEqual([false, table.currentOf(table.stateOf(old.origin))]);
    expect(table.stateAt(again[7]!.key).origin).toBe(origins[7]);
    table.close();
  });

  test("a table has less room for rules while an earlier table of the network keeps its results", async () => {
    const heldBytesOf = async (earlier?: OriginTable): Promise<number> => {
      const { table } = tableOf({ matcherBytes: 1_000_000, earlier });
      for (const origin of origins) table.stateOf(`${origin}:81`);
      await settled();
      return table.matchers.bytes;
    };
    const { table: earlier } = tableOf({});
    for (const origin of origins) earlier.stateOf(origin);
    await settled();
    const [without, within] = [await heldBytesOf(), await heldBytesOf(earlier)];
    expect([without > 200_000, within <= 62_500]).toEqual([true, true]);
  });

  test("an origin in constant use is not evicted", () => {
    const source = { isRemote: false, load: robotsFor, close: () => undefined };
    const { table, evicted } = tableOf({ source });
    for (const origin of origins) {
      table.stateOf("https://1.example");
      table.stateOf(origin);
    }
    expect([evicted.length > 300, evicted.includes("https://1.example")]).toEqual([true, false]);
  });

  test("no origin is loaded twice when each record names its crawler", async () => {
    const { table, asked } = tableOf({ questions: [], crawlers });
    const statesOf = (): OriginState[] =>
      origins.flatMap((origin) => [table.stateOf(origin, 0), table.stateOf(origin, 1)]);
    statesOf();
    await settled();
    for (const { key, first, origin } of statesOf()) {
      const state = table.stateAt(key);
      expect([state.origin, state.first, state.isReady]).toEqual([origin, first, true]);
    }
    const ofTwo = table.currentOf(table.stateOf("https://3.example", 1));
    expect(decisionOf(table.matchers.answers, ofTwo, "/all3").allowed).toBe(false);
    expect(asked).toEqual(origins);
  });

  test.each([
    ["one crawler for all records", {}],
    ["each record names its crawler", { questions: [], crawlers }],
  ])("locating records of evicted origins builds nothing, %s", (_what, options) => {
    const asked: string[] = [];
    const load = (origin: string): SourcedRobots => {
      asked.push(origin);
      return robotsFor(origin);
    };
    const { table } = tableOf({ source: { isRemote: false, load, close: () => undefined }, ...options });
    for (const origin of origins) table.stateOf(origin);
    const states = origins.map((origin) => table.stateOf(origin));
    const bytes = Buffer.from(origins[3]!);
    states.push(
      table.findOrigin(bytes, 0, bytes.length, origins[3]!),
      table.find(bytes, 0, bytes.length)!,
      table.seenAt(3),
    );
    expect(asked).toEqual(origins);
    for (const state of states.slice(0, 5)) expect(table.currentOf(state).isReady).toBe(true);
    expect(asked).toEqual([...origins, ...origins.slice(0, 5)]);
  });

  test("the matchers of a crawler that is new to a loaded origin are built when its record is decided", () => {
    let built = 0;
    const load = (origin: string): SourcedRobots => {
      const robots = robotsFor(origin);
      return {
        ...robots,
        matcherOf: (...args) => {
          built++;
          return robots.matcherOf(...args);
        },
      };
    };
    const { table } = tableOf({
      source: { isRemote: false, load, close: () => undefined },
      matcherBytes: 1e9,
      questions: [],
      crawlers,
    });
    const states = [0, 1, 0, 1].map((first) => table.stateOf("https://1.example", first));
    expect([built, states.map(({ isReady }) => isReady)]).toEqual([0, [false, false, false, false]]);
    expect(states.map((state) => table.currentOf(state).isReady)).toEqual([true, true, true, true]);
    expect(built).toBe(2);
  });

  test("the matchers of a long file are built when a record is decided", () => {
    const text = `User-agent: *\n${"Disallow: /a*b\n".repeat(10_000)}`;
    const load = (): SourcedRobots => robotsOf(Buffer.from(text));
    const { table } = tableOf({ source: { isRemote: false, load, close: () => undefined }, matcherBytes: 1e9 });
    const located = table.stateOf("https://1.example");
    const decided = table.currentOf(located);
    expect([located.isReady, decided.isReady, table.currentOf(located)]).toEqual([false, true, decided]);
  });

  test("saved files are read again; a state that cannot be rebuilt stays", () => {
    const asked: string[] = [];
    const load = (origin: string): SourcedRobots => {
      asked.push(origin);
      return robotsFor(origin);
    };
    const local = tableOf({ source: { isRemote: false, load, close: () => undefined } }).table;
    for (const origin of [...origins, ...origins]) local.currentOf(local.stateOf(origin));
    expect(asked.length).toBeGreaterThan(700);
    const { table, evicted } = tableOf({
      source: { isRemote: true, load: (origin) => ({ ...load(origin), body: undefined }), close: () => undefined },
    });
    for (const origin of origins) table.stateOf(origin);
    expect(evicted.filter((origin) => !/[89]\.example/.test(origin))).toEqual([]);
  });
});
