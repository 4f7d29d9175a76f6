// Tests the group stage, its queue in both orders, and the output fields of answers.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import { Answers } from "../origins/answers.ts";
import { answerOf } from "../decide/tails.ts";
import { Decider } from "../decide/decide.ts";
import { GroupStage } from "./stages.ts";
import type { LocatedBatch } from "../locate/locate.ts";
import { OriginState } from "../origins/origin-state.ts";
import { outputFormats } from "../formats/registry/registry.ts";
import type { Question } from "../questions/questions.ts";
import type { OutputFormat } from "../formats/types.ts";
import { Rows, Turn } from "../records/rows.ts";
import { Spill } from "../records/spill.ts";
import { Tally } from "../origins/tally.ts";
import { WaitingQueue } from "../decide/waiting-queue.ts";

const robots = parseRobotsTxt("User-agent: *\nDisallow: /x\n");

const bot: Question = {
  agent: "bot",
  names: ["bot"],
  boundByEverybody: true,
  bound: "yes",
  crawlDelay: "unknown",
  dialect: "google",
  tokenMatch: "google",
};

const answers = new Answers();

function ready(state: OriginState): OriginState {
  answers.settle(state, [createMatcher(robots, "bot")]);
  return state;
}

function setUp(
  order: "ready-first" | "input",
  maxBytes = 1_000_000_000,
): {
  tally: Tally;
  spill: Spill;
  queue: WaitingQueue;
  rowsOf(output: string): string[];
} {
  const isOrdered = order === "input";
  const tally = new Tally([bot]);
  const writer = (outputFormats[0] as OutputFormat).createWriter({
    resultKey: "robots",
    csvSafe: false,
    hasDialect: false,
    hasKind: false,
  });
  const decider = new Decider({
    questions: [bot],
    onlyDifferences: false,
    targetForm: "raw",
    countsAll: false,
    writer,
    tally,
    matchers: {
      answers,
      growTails: () => undefined,
      isEvictionDue: false,
      evict: () => undefined,
      robotsOf: () => undefined,
      versionOf: () => "",
    },
    origins: { currentOf: (state: OriginState) => state },
  });
  const spill = new Spill(isOrdered ? maxBytes : 0);
  const origins = { stateAt: (key: number) => allStates[key]! };
  return {
    tally,
    spill,
    queue: new WaitingQueue({ decider, tally, origins, isOrdered, maxBytes, spill }),
    rowsOf: (output) =>
      output
        .split("\n")
        .filter((row) => row !== "")
        .map((row) => (JSON.parse(row) as { n: string }).n),
  };
}

/** A batch of records in the form "<origin><number>": a1 is the first record of origin a. The URL of ?1 is invalid. */
function batchOf(states: Readonly<Record<string, OriginState>>, ...names: string[]): LocatedBatch {
  const heads = names.map((name) => `{"n":"${name}"`);
  let end = 0;
  return {
    count: names.length,
    heads: Buffer.from(heads.join("")),
    bytes: Buffer.alloc(0),
    spans: Int32Array.from(heads.flatMap((head, index) => [end, (end += head.length), -1, index])),
    states: names.map((name) => states[name[0] ?? ""]),
    made: names.map((name) => (states[name[0] ?? ""] === undefined ? "invalid-url" : "/")),
    recycle: undefined,
  };
}

function textOf(rows: Rows): string {
  return Buffer.concat(rows.take()).toString();
}

function add(queue: WaitingQueue, batch: LocatedBatch): string {
  queue.add(batch);
  return takeAll(queue);
}

/** The rows of one call of `take`; undefined when it takes none. */
function take(queue: WaitingQueue): string | undefined {
  const rows = new Rows();
  return queue.take(rows) === "taken" ? textOf(rows) : undefined;
}

function isEmpty(queue: WaitingQueue): boolean {
  return queue.take(new Rows()) === "empty";
}

function takeAll(queue: WaitingQueue): string {
  let text = "";
  for (let taken = take(queue); taken !== undefined; taken = take(queue)) text += taken;
  return text;
}

/** All states by number. */
const allStates: OriginState[] = [];

function statesOf(...origins: string[]): Record<string, OriginState> {
  return Object.fromEntries(
    origins.map((origin) => {
      const state = new OriginState({ originOf: () => `https://${origin}.example` }, allStates.length);
      allStates.push(state);
      return [origin, state];
    }),
  );
}

describe("a queue of ready records first", () => {
  test("ready records pass waiting ones", () => {
    const { queue, rowsOf, tally } = setUp("ready-first");
    const states = statesOf("a", "b", "c");
    ready(states["b"] as OriginState);
    expect(rowsOf(add(queue, batchOf(states, "a1", "b1", "?1", "a2", "c1", "b2")))).toEqual(["b1", "?1", "b2"]);
    expect(isEmpty(queue)).toBe(false);
    expect(queue.waitingBytes).toBeGreaterThan(0);
    expect(take(queue)).toBeUndefined();
    queue.release(ready(states["c"] as OriginState));
    expect(rowsOf(takeAll(queue))).toEqual(["c1"]);
    expect(rowsOf(add(queue, batchOf(states, "a3", "c2")))).toEqual(["c2"]);
    queue.release(ready(states["a"] as OriginState));
    expect(rowsOf(takeAll(queue))).toEqual(["a1", "a2", "a3"]);
    expect([isEmpty(queue), queue.waitingBytes, tally.decided, tally.notDecided]).toEqual([true, 0, 8, 0]);
  });

  test("many waiting records are output in pieces, even when more become ready in between", () => {
    const { queue, rowsOf } = setUp("ready-first");
    const states = statesOf("a", "b");
    const names = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
    for (let at = 0; at < names.length; at += 100) add(queue, batchOf(states, ...names.slice(at, at + 100)));
    add(queue, batchOf(states, "b1"));
    queue.release(ready(states["a"] as OriginState));
    const first = take(queue) ?? "";
    queue.release(ready(states["b"] as OriginState));
    const rows = rowsOf(first + takeAll(queue));
    expect(rowsOf(first).length).toBeLessThan(names.length);
    expect(rows).toEqual([...names, "b1"]);
    expect([isEmpty(queue), queue.waitingBytes]).toEqual([true, 0]);
  });

  test("dropWaiting keeps ready records", () => {
    const { queue, rowsOf, tally } = setUp("ready-first");
    const states = statesOf("a", "b");
    add(queue, batchOf(states, "a1", "b1", "b2"));
    queue.release(ready(states["a"] as OriginState));
    queue.dropWaiting();
    expect(rowsOf(takeAll(queue))).toEqual(["a1"]);
    expect(rowsOf(add(queue, batchOf(states, "a2", "b3")))).toEqual(["a2"]);
    expect([isEmpty(queue), queue.waitingBytes, tally.decided, tally.notDecided]).toEqual([true, 0, 2, 3]);
  });
});

describe("a queue of ready records first with little memory", () => {
  test("records beyond the memory limit wait in a file, and every record is output once", () => {
    const { queue, rowsOf, spill, tally } = setUp("ready-first", 2_000);
    const names = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
    const states = statesOf(...names);
    const all: string[] = [];
    const out: string[] = [];
    for (let round = 0; round < 400; round++) {
      const batch = names.map((name) => `${name}${round}`);
      all.push(...batch);
      add(queue, batchOf(states, ...batch));
    }
    expect(spill.count).toBeGreaterThan(9_000);
    expect(queue.waitingBytes).toBeLessThan(30_000);
    for (const name of names) {
      queue.release(ready(states[name]!));
      out.push(...rowsOf(takeAll(queue)));
      expect(queue.waitingBytes).toBeLessThan(30_000);
    }
    expect(out.toSorted()).toEqual(all.toSorted());
    expect([isEmpty(queue), queue.waitingBytes, spill.count, spill.bytes]).toEqual([true, 0, 0, 0]);
    expect([tally.decided, tally.notDecided]).toEqual([all.length, 0]);
    spill.close();
  });

  test("a slow origin delays only its own records", () => {
    const { queue, rowsOf } = setUp("ready-first", 2_000);
    const states = statesOf("a", "b");
    for (let round = 0; round < 100; round++) add(queue, batchOf(states, `a${round}`));
    for (let round = 0; round < 100; round++) add(queue, batchOf(states, `b${round}`));
    queue.release(ready(states["b"]!));
    expect(rowsOf(takeAll(queue))).toHaveLength(100);
    queue.release(ready(states["a"]!));
    expect(rowsOf(takeAll(queue))).toHaveLength(100);
  });

  test("dropWaiting drops records that wait in the file, and keeps ready ones", () => {
    const { queue, rowsOf, spill, tally } = setUp("ready-first", 1);
    const states = statesOf("a", "b");
    for (let round = 0; round < 10; round++) add(queue, batchOf(states, `a${round}`, `b${round}`));
    expect(spill.count).toBeGreaterThan(10);
    states["b"] = ready(states["b"]!);
    queue.release(states["b"]);
    queue.dropWaiting();
    expect(rowsOf(takeAll(queue))).toHaveLength(10);
    expect([isEmpty(queue), tally.decided, tally.notDecided]).toEqual([true, 10, 10]);
    spill.close();
  });
});

describe("a queue in the order of the input", () => {
  test("no record passes another", () => {
    const { queue, rowsOf, tally } = setUp("input");
    const states = statesOf("a", "b");
    ready(states["b"] as OriginState);
    expect(rowsOf(add(queue, batchOf(states, "b1", "?1")))).toEqual(["b1", "?1"]);
    expect(rowsOf(add(queue, batchOf(states, "b2", "a1", "?2")))).toEqual(["b2"]);
    expect(add(queue, batchOf(states, "b3"))).toBe("");
    expect(take(queue)).toBeUndefined();
    queue.release(ready(states["a"] as OriginState));
    expect(rowsOf(takeAll(queue))).toEqual(["a1", "?2", "b3"]);
    expect([isEmpty(queue), queue.waitingBytes, tally.decided]).toEqual([true, 0, 6]);
  });

  test("records beyond the memory limit wait in a file, in order, and reading continues", () => {
    const { queue, rowsOf, spill, tally } = setUp("input", 300_000);
    const names = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
    const states = statesOf(...names);
    for (const name of names.slice(1)) ready(states[name]!);
    const all = Array.from({ length: 2_000 }, (_, round) => [...names, "?"].map((name) => `${name}${round}`));
    expect(all.map((batch) => add(queue, batchOf(states, ...batch))).join("")).toBe("");
    expect([spill.heldBytes < 600_000, spill.fileBytes > 1_000_000]).toEqual([true, true]);
    queue.release(ready(states["a"]!));
    expect(rowsOf(takeAll(queue))).toEqual(all.flat());
    expect([isEmpty(queue), spill.fileBytes, tally.decided]).toEqual([true, 0, all.flat().length]);
    spill.close();
  });

  test("dropWaiting keeps ready records, in order", () => {
    const { queue, rowsOf, tally } = setUp("input");
    const states = statesOf("a", "b");
    ready(states["b"] as OriginState);
    expect(rowsOf(add(queue, batchOf(states, "b1", "a1")))).toEqual(["b1"]);
    expect(add(queue, batchOf(states, "b2"))).toBe("");
    queue.dropWaiting();
    expect(rowsOf(takeAll(queue))).toEqual(["b2"]);
    expect(rowsOf(add(queue, batchOf(states, "a2", "b3")))).toEqual(["b3"]);
    expect([isEmpty(queue), queue.waitingBytes, tally.decided, tally.notDecided]).toEqual([true, 0, 3, 2]);
  });
});

describe("GroupStage", () => {
  const next = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test("takes no batch while too many origins wait for their load, and continues when some are loaded", async () => {
    const { queue, rowsOf } = setUp("ready-first");
    const states = statesOf("a", "b");
    ready(states["b"] as OriginState);
    const origins = { isCrowded: true };
    const stage = new GroupStage({ queue, isCrowded: () => origins.isCrowded });
    const seen: string[] = [];
    stage.on("data", (rows: Buffer) => seen.push(...rowsOf(rows.toString())));
    stage.write(batchOf(states, "a1"));
    stage.write(batchOf(states, "b1"));
    await next();
    expect([seen, stage.writableLength]).toEqual([[], 2]);
    origins.isCrowded = false;
    stage.release(ready(states["a"] as OriginState), queue);
    await expect.poll(() => seen.toSorted()).toEqual(["a1", "b1"]);
    stage.end();
  });

  test("does not end before all waiting records were output", async () => {
    const { queue, rowsOf } = setUp("ready-first");
    const states = statesOf("a");
    const stage = new GroupStage({ queue, isCrowded: () => false });
    const seen: string[] = [];
    let hasEnded = false;
    stage.on("data", (rows: Buffer) => seen.push(...rowsOf(rows.toString()))).on("end", () => (hasEnded = true));
    stage.end(batchOf(states, "a1"));
    await next();
    expect([seen, hasEnded]).toEqual([[], false]);
    stage.release(ready(states["a"] as OriginState), queue);
    await next();
    expect([seen, hasEnded]).toEqual([["a1"], true]);
  });

  test("stops taking batches while rows are not read", async () => {
    const { queue, tally } = setUp("ready-first");
    const states = statesOf("b");
    ready(states["b"] as OriginState);
    const stage = new GroupStage({ queue, isCrowded: () => false });
    const batch = batchOf(states, ...Array.from({ length: 10_000 }, (_, index) => `b${index}`));
    let taken = 0;
    for (let count = 0; count < 20; count++) stage.write(batch, () => taken++);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken).toBeLessThan(20);
    stage.on("data", () => undefined);
    await expect.poll(() => tally.decided, { timeout: 20_000 }).toBe(200_000);
    stage.end();
  });

  test.each([
    ["quick decisions, ready records first", "ready-first", "/", "/x", 1],
    ["quick decisions, in order", "input", "/", "/x", 1],
    ["slow decisions, ready records first", "ready-first", `/${"a".repeat(2_000)}`, "/x*y", 10],
    ["slow decisions, in order", "input", `/${"a".repeat(2_000)}`, "/x*y", 10],
  ] as const)("other work runs between decisions: %s", async (_what, order, target, pattern, costMs) => {
    const { queue, tally } = setUp(order);
    const states = statesOf("b");
    const state = states["b"] as OriginState;
    answers.settle(state, [createMatcher(parseRobotsTxt(`User-agent: *\nDisallow: ${pattern}`), "bot")]);
    // Each reading of this clock is `costMs` later than the previous one.
    let now = 0;
    const stage = new GroupStage({ queue, isCrowded: () => false, turn: new Turn(() => (now += costMs)) });
    stage.resume();
    const records = Array.from({ length: 20_000 / costMs }, (_, index) => `b${index}`);
    const batch = { ...batchOf(states, ...records), made: records.map(() => target) };
    let turns = 0;
    const hasEnded = new Promise((resolve) => stage.on("end", resolve));
    const count = (): void => {
      turns++;
      tick = setImmediate(count);
    };
    let tick = setImmediate(count);
    stage.end(batch);
    await hasEnded;
    clearImmediate(tick);
    expect(tally.decided).toBe(records.length);
    expect(turns).toBeGreaterThan(costMs === 1 ? 3 : 300);
  });

  test.each([false, true])("ends at once when stopped; crowded: %s", async (isCrowded) => {
    const { queue, tally } = setUp("ready-first");
    const stage = new GroupStage({ queue, isCrowded: () => isCrowded });
    let hasEnded = false;
    stage.on("data", () => undefined).on("end", () => (hasEnded = true));
    stage.end(batchOf(statesOf("a"), "a1"));
    await next();
    stage.stop();
    await next();
    expect([hasEnded, tally.notDecided]).toEqual([true, 1]);
  });
});

describe("answers", () => {
  const state = { origin: "https://a.example", code: "http-404" };
  const ofRobots = (text: string, target: string): unknown =>
    answerOf(bot, { ...state, code: "" }, createMatcher(parseRobotsTxt(text), "bot").decideTarget(target));

  test.each([
    [
      "a rule",
      "User-agent: *\nDisallow: /x",
      { allowed: false, because: "rule", group: "*", rule: "disallow: /x", line: 2 },
    ],
    [
      "an empty rule",
      "User-agent: *\nDisallow:",
      { allowed: true, because: "rule", group: "*", rule: "disallow:", line: 2 },
    ],
    ["no rule", "User-agent: *\nAllow: /y", { allowed: true, because: "no-rule", group: "*" }],
    ["no group", "", { allowed: true, because: "no-group" }],
  ])("%s", (_what, text, answer) => {
    expect(ofRobots(text, "/x")).toEqual({ agent: "bot", dialect: "google", origin: "https://a.example", ...answer });
  });

  test("the answer for an unavailable robots.txt has the code of the access result", () => {
    expect(answerOf(bot, state, { allowed: true, because: "unavailable" })).toEqual({
      agent: "bot",
      dialect: "google",
      allowed: true,
      because: "unavailable",
      code: "http-404",
      origin: "https://a.example",
    });
  });
});
