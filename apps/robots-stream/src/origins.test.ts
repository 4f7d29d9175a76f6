// Origins asked for in any order: each is loaded once, and so many at a time.
import { questionsOf } from "./questions.ts";
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import { type OriginState, OriginTable } from "./origins.ts";
import type { RobotsSource, SourcedRobots } from "./robots/types.ts";
import { Tally } from "./tally.ts";

const questions = questionsOf(["a", "b"], ["google"], undefined);
const robots: SourcedRobots = {
  access: "unreachable",
  fetched: true,
  code: "timeout",
  matcherOf: (tokens) => createMatcher(parseRobotsTxt(""), tokens),
};

/** A source that answers when told to. */
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
  test("asks for each origin once, so many at a time, in the order they came", async () => {
    const source = createManualSource();
    const tally = new Tally(questions);
    const table = new OriginTable({ source, questions, tally, concurrency: 2, signal: new AbortController().signal });
    const ready: string[] = [];
    table.onReady = ({ origin }) => ready.push(origin);
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
    expect(states.every((state: OriginState) => state.matchers?.length === 2 && state.code === "timeout")).toBe(true);
    expect(tally).toMatchObject({ origins: 4, fetches: 4, unreachable: 4, unavailable: 0 });
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
    expect(table.stateOf("1").matchers).toHaveLength(2);
    expect(table.stateOf("2").matchers).toHaveLength(2);
  });

  test.each([
    [
      "throws",
      (): never => {
        throw new Error("no store");
      },
    ],
    ["rejects", (): Promise<never> => Promise.reject(new Error("no store"))],
  ])("a source that %s is an error, not an answer", async (_what, load) => {
    const errors: unknown[] = [];
    const source: RobotsSource = { isRemote: true, load, close: () => undefined };
    const table = new OriginTable({
      source,
      questions,
      tally: new Tally(questions),
      concurrency: 1,
      signal: new AbortController().signal,
    });
    table.onError = (error) => errors.push(error);
    table.stateOf("1");
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([new Error("no store")]);
  });

  test("nothing is asked, and nothing is an error, after the end", async () => {
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
    });
    table.onError = (error) => errors.push(error);
    table.stateOf("1");
    cut.abort();
    expect(table.stateOf("2").matchers).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toEqual([]);
  });
});
