// Origins requested in any order: each is loaded once, with limited concurrency.
import { questionsOf } from "../questions/questions.ts";
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import type { OriginState } from "./origin-state.ts";
import { OriginTable } from "./origins.ts";
import type { RobotsSource, SourcedRobots } from "../robots/in-force.ts";
import { Tally } from "./tally.ts";

const questions = questionsOf(["a", "b"], { dialects: ["google"], tokenMatch: undefined, hasFallback: true });
const robots: SourcedRobots = {
  access: "unreachable",
  fetched: true,
  code: "timeout",
  robotsIn: () => undefined,
  matcherOf: (tokens) => createMatcher(parseRobotsTxt(""), tokens),
};

/** A source that answers when the test calls `answer`. */
function createManualSource(): RobotsSource & { readonly asked: string[]; answer(origin: string): Promise<void> } {
  const waiting = new Map<string, (robots: SourcedRobots) => void>();
  const asked: string[] = [];
  return {
    asked,
    isRemote: true,
    load(origin) {
      asked.push(origin);
      return new Promise((resolve) => waiting.set(origin, resolve));
    },
    async answer(origin) {
      waiting.get(origin)?.(robots);
      await new Promise((resolve) => setImmediate(resolve));
    },
    close: () => undefined,
  };
}

describe("OriginTable", () => {
  test("loads each origin once, with limited concurrency, in order", async () => {
    const source = createManualSource();
    const tally = new Tally(questions);
    const ready: string[] = [];
    const { signal } = new AbortController();
    const onReady = ({ origin }: OriginState): unknown => ready.push(origin);
    const table = new OriginTable({ source, questions, tally, concurrency: 2, signal, onReady });
    const states = ["1", "2", "1", "3", "4", "2"].map((origin) => table.stateOf(origin));
    expect(states[0]).toBe(states[2]);
    expect(source.asked).toEqual(["1", "2"]);
    await source.answer("2");
    expect([source.asked, ready]).toEqual([["1", "2", "3"], ["2"]]);
    await source.answer("3");
    await source.answer("1");
    await source.answer("4");
    expect([source.asked, ready]).toEqual([
      ["1", "2", "3", "4"],
      ["2", "3", "1", "4"],
    ]);
    expect(states.every((state: OriginState) => state.questions === 2 && state.code === "timeout")).toBe(true);
    expect(tally).toMatchObject({ origins: 4, fetches: 4, unreachable: 4, unavailable: 0 });
  });

  test.each([
    { concurrency: 2, queued: 1_024 },
    { concurrency: 256, queued: 4_096 },
    { concurrency: 4_096, queued: 32_768 },
  ])("is crowded while more than $queued origins wait for $concurrency loads", async ({ concurrency, queued }) => {
    const source = createManualSource();
    const { signal } = new AbortController();
    const table = new OriginTable({ source, questions, tally: new Tally(questions), concurrency, signal });
    for (let number = 1; number <= concurrency + queued; number++) table.stateOf(`${number}`);
    expect(table.isCrowded).toBe(false);
    table.stateOf("last");
    expect(table.isCrowded).toBe(true);
    await source.answer("1");
    expect(table.isCrowded).toBe(false);
  });

  test("an origin that waited for its load becomes ready, even when the source then answers at once", async () => {
    const source = createManualSource();
    const load = (origin: string): SourcedRobots | Promise<SourcedRobots> =>
      origin === "slow" ? source.load(origin, signal) : robots;
    const { signal } = new AbortController();
    const mixed = { ...source, load };
    const ready: string[] = [];
    const onReady = ({ origin }: OriginState): unknown => ready.push(origin);
    const tally = new Tally(questions);
    const table = new OriginTable({ source: mixed, questions, tally, concurrency: 1, signal, onReady });
    const states = ["quick", "slow", "queued", "last"].map((origin) => table.stateOf(origin));
    expect(states.map(({ isReady }) => isReady)).toEqual([true, false, false, false]);
    await source.answer("slow");
    expect(states.every(({ isReady }) => isReady)).toBe(true);
    expect(ready).toEqual(["slow", "queued", "last"]);
  });

  test("a source that answers at once is not waited for", () => {
    const source: RobotsSource = { isRemote: false, load: () => robots, close: () => undefined };
    const table = new OriginTable({
      source,
      questions,
      tally: new Tally(questions),
      concurrency: 1,
      signal: new AbortController().signal,
    });
    expect(["1", "2"].map((origin) => table.stateOf(origin).isReady)).toEqual([true, true]);
  });

  test.each([
    [
      "throws",
      (): never => {
        throw new Error("no store");
      },
    ],
    ["rejects", (): Promise<never> => Promise.reject(new Error("no store"))],
  ])("a source that %s causes an error, and there is no result", async (_what, load) => {
    const errors: unknown[] = [];
    const source: RobotsSource = { isRemote: true, load, close: () => undefined };
    const table = new OriginTable({
      source,
      questions,
      tally: new Tally(questions),
      concurrency: 1,
      signal: new AbortController().signal,
      onError: (error) => errors.push(error),
    });
    table.stateOf("1");
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([new Error("no store")]);
  });

  test("after the signal was aborted, no origin is loaded and no error is reported", async () => {
    const cut = new AbortController();
    const errors: unknown[] = [];
    const source: RobotsSource = {
      isRemote: true,
      load: (_origin, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("cut")))),
      close: () => undefined,
    };
    const table = new OriginTable({
      source,
      questions,
      tally: new Tally(questions),
      concurrency: 5,
      signal: cut.signal,
      onError: (error) => errors.push(error),
    });
    table.stateOf("1");
    cut.abort();
    expect(table.stateOf("2").isReady).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([]);
  });
});

describe("states of an origin, one for each crawler", () => {
  const tokens = ["one", "two", "three"];
  const questionsAt = (first: number): ReturnType<typeof questionsOf> =>
    questionsOf([tokens[first]!], { dialects: ["google"], tokenMatch: undefined, hasFallback: true });
  const byRecord = (source: RobotsSource, onReady?: (state: OriginState) => void): OriginTable =>
    new OriginTable({
      source,
      questions: [],
      tally: new Tally([]),
      concurrency: 2,
      signal: new AbortController().signal,
      crawlers: { questionsAt },
      ...(onReady === undefined ? {} : { onReady }),
    });

  test("one load per origin, and each waiting state becomes ready", async () => {
    const source = createManualSource();
    const ready: OriginState[] = [];
    const table = byRecord(source, (state) => ready.push(state));
    const one = table.stateOf("https://x.example", 0);
    const two = table.stateOf("https://x.example", 1);
    expect(table.stateOf("https://x.example", 0)).toBe(one);
    expect([one.first, two.first, one.origin]).toEqual([0, 1, "https://x.example"]);
    expect([one, two].map((state) => table.currentOf(state).isReady)).toEqual([false, false]);
    await source.answer("https://x.example");
    expect(ready).toEqual([one, two]);
    const three = table.stateOf("https://x.example", 2);
    expect(
      [one, two, three].map((state) => table.currentOf(state)).map(({ isReady, code }) => [isReady, code]),
    ).toEqual([
      [true, "timeout"],
      [true, "timeout"],
      [true, "timeout"],
    ]);
    expect(source.asked).toEqual(["https://x.example"]);
  });

  test("a source that answers at once: each crawler is decided by its own group", () => {
    const file = parseRobotsTxt("User-agent: *\nDisallow: /a\n\nUser-agent: one\nDisallow: /b");
    const table = byRecord({
      isRemote: false,
      load: () => ({
        access: "successful",
        fetched: false,
        code: "ok",
        robotsIn: () => file,
        matcherOf: (names, reading) => createMatcher(file, names, { tokenMatch: reading?.tokenMatch }),
      }),
      close: () => undefined,
    });
    const [one, two, three] = tokens.map((_token, first) => table.currentOf(table.stateOf("https://x.example", first)));
    const { table: matchers } = table.matchers.answers;
    const target = Buffer.from("/b");
    expect([one, two, three].map((state) => matchers.isAllowed(matchers.find(state!.block, target, 0, 2)))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
