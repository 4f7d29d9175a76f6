// The grouping stage with both of its waiting rooms.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import { Answers } from "./answers.ts";
import { answerOf } from "./answer.ts";
import { Decider } from "./decide.ts";
import { GroupStage, type WaitingRoom } from "./group.ts";
import type { LocatedBatch } from "../locate/locate.ts";
import { OrderedRoom } from "./order.ts";
import { OriginState } from "../origins/origin-state.ts";
import { outputFormats } from "../formats/registry.ts";
import type { Question } from "../questions.ts";
import type { OutputFormat } from "../formats/types.ts";
import { ParkingRoom } from "./park.ts";
import { Rows } from "../records/rows.ts";
import { Spill } from "../records/spill.ts";
import { Tally } from "../tally.ts";
import { Turn } from "../records/turn.ts";

const robots = parseRobotsTxt("User-agent: *\nDisallow: /x\n");

const bot: Question = {
  agent: "bot",
  names: ["bot"],
  boundByEverybody: true,
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
  Room: typeof ParkingRoom | typeof OrderedRoom,
  maxBytes = 1_000_000_000,
): {
  tally: Tally;
  spill: Spill;
  room: WaitingRoom & { readonly waitingBytes: number };
  rowsOf(output: string): string[];
} {
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
    origins: {
      answers,
      growTails: () => undefined,
      isTrimDue: false,
      trim: () => undefined,
      currentOf: (state: OriginState) => state,
    },
  });
  const spill = new Spill(Room === OrderedRoom ? maxBytes : 0);
  const origins = { currentOf: (state: OriginState) => state, stateAt: (key: number) => allStates[key]! };
  return {
    tally,
    spill,
    room: new Room({ decider, tally, origins, maxBytes, spill }),
    rowsOf: (output) =>
      output
        .split("\n")
        .filter((row) => row !== "")
        .map((row) => (JSON.parse(row) as { n: string }).n),
  };
}

/** A batch of records, written as "<origin><number>": a1 is the first record of origin a. */
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

function add(room: WaitingRoom, batch: LocatedBatch): string {
  room.add(batch);
  return takeAll(room);
}

/** Some rows, undefined when there are none. */
function take(room: WaitingRoom): string | undefined {
  const rows = new Rows();
  return room.take(rows) ? textOf(rows) : undefined;
}

function takeAll(room: WaitingRoom): string {
  let text = "";
  for (let taken = take(room); taken !== undefined; taken = take(room)) text += taken;
  return text;
}

/** All states, by their numbers. */
const allStates: OriginState[] = [];

function statesOf(...origins: string[]): Record<string, OriginState> {
  return Object.fromEntries(
    origins.map((origin) => {
      const state = new OriginState(`https://${origin}.example`, allStates.length);
      allStates.push(state);
      return [origin, state];
    }),
  );
}

describe("ParkingRoom", () => {
  test("what is ready passes what is not", () => {
    const { room, rowsOf, tally } = setUp(ParkingRoom);
    const states = statesOf("a", "b", "c");
    ready(states["b"] as OriginState);
    expect(rowsOf(add(room, batchOf(states, "a1", "b1", "?1", "a2", "c1", "b2")))).toEqual(["b1", "?1", "b2"]);
    expect(room.isEmpty).toBe(false);
    expect(room.waitingBytes).toBeGreaterThan(0);
    expect(take(room)).toBeUndefined();
    room.release(ready(states["c"] as OriginState));
    expect(rowsOf(takeAll(room))).toEqual(["c1"]);
    expect(rowsOf(add(room, batchOf(states, "a3", "c2")))).toEqual(["c2"]);
    room.release(ready(states["a"] as OriginState));
    expect(rowsOf(takeAll(room))).toEqual(["a1", "a2", "a3"]);
    expect([room.isEmpty, room.waitingBytes, tally.decided, tally.dropped]).toEqual([true, 0, 8, 0]);
  });

  test("a long wait comes out in pieces, even when more becomes ready in between", () => {
    const { room, rowsOf } = setUp(ParkingRoom);
    const states = statesOf("a", "b");
    const names = Array.from({ length: 20_000 }, (_, index) => `a${index}`);
    for (let at = 0; at < names.length; at += 100) add(room, batchOf(states, ...names.slice(at, at + 100)));
    add(room, batchOf(states, "b1"));
    room.release(ready(states["a"] as OriginState));
    const first = take(room) ?? "";
    room.release(ready(states["b"] as OriginState));
    const rows = rowsOf(first + takeAll(room));
    expect(rowsOf(first).length).toBeLessThan(names.length);
    expect(rows).toEqual([...names, "b1"]);
    expect([room.isEmpty, room.waitingBytes]).toEqual([true, 0]);
  });

  test("dropWaiting keeps what is ready", () => {
    const { room, rowsOf, tally } = setUp(ParkingRoom);
    const states = statesOf("a", "b");
    add(room, batchOf(states, "a1", "b1", "b2"));
    room.release(ready(states["a"] as OriginState));
    room.dropWaiting();
    expect(rowsOf(takeAll(room))).toEqual(["a1"]);
    expect(rowsOf(add(room, batchOf(states, "a2", "b3")))).toEqual(["a2"]);
    expect([room.isEmpty, room.waitingBytes, tally.decided, tally.dropped]).toEqual([true, 0, 2, 3]);
  });
});

describe("ParkingRoom with little memory", () => {
  test("what there is no room for waits in a file, and every record comes out once", () => {
    const { room, rowsOf, spill, tally } = setUp(ParkingRoom, 2_000);
    const names = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
    const states = statesOf(...names);
    const all: string[] = [];
    const out: string[] = [];
    for (let round = 0; round < 400; round++) {
      const batch = names.map((name) => `${name}${round}`);
      all.push(...batch);
      add(room, batchOf(states, ...batch));
    }
    expect(spill.count).toBeGreaterThan(9_000);
    expect(room.waitingBytes).toBeLessThan(30_000);
    for (const name of names) {
      room.release(ready(states[name]!));
      out.push(...rowsOf(takeAll(room)));
      expect(room.waitingBytes).toBeLessThan(30_000);
    }
    expect(out.toSorted()).toEqual(all.toSorted());
    expect([room.isEmpty, room.waitingBytes, spill.count, spill.bytes]).toEqual([true, 0, 0, 0]);
    expect([tally.decided, tally.dropped]).toEqual([all.length, 0]);
    spill.close();
  });

  test("a slow origin holds up only itself", () => {
    const { room, rowsOf } = setUp(ParkingRoom, 2_000);
    const states = statesOf("a", "b");
    for (let round = 0; round < 100; round++) add(room, batchOf(states, `a${round}`));
    for (let round = 0; round < 100; round++) add(room, batchOf(states, `b${round}`));
    room.release(ready(states["b"]!));
    expect(rowsOf(takeAll(room))).toHaveLength(100);
    room.release(ready(states["a"]!));
    expect(rowsOf(takeAll(room))).toHaveLength(100);
  });

  test("dropWaiting drops what waits in the file, and keeps what is ready", () => {
    const { room, rowsOf, spill, tally } = setUp(ParkingRoom, 1);
    const states = statesOf("a", "b");
    for (let round = 0; round < 10; round++) add(room, batchOf(states, `a${round}`, `b${round}`));
    expect(spill.count).toBeGreaterThan(10);
    states["b"] = ready(states["b"]!);
    room.release(states["b"]);
    room.dropWaiting();
    expect(rowsOf(takeAll(room))).toHaveLength(10);
    expect([room.isEmpty, tally.decided, tally.dropped]).toEqual([true, 10, 10]);
    spill.close();
  });
});

describe("OrderedRoom", () => {
  test("nothing passes", () => {
    const { room, rowsOf, tally } = setUp(OrderedRoom);
    const states = statesOf("a", "b");
    ready(states["b"] as OriginState);
    expect(rowsOf(add(room, batchOf(states, "b1", "?1")))).toEqual(["b1", "?1"]);
    expect(rowsOf(add(room, batchOf(states, "b2", "a1", "?2")))).toEqual(["b2"]);
    expect(add(room, batchOf(states, "b3"))).toBe("");
    expect(take(room)).toBeUndefined();
    room.release(ready(states["a"] as OriginState));
    expect(rowsOf(takeAll(room))).toEqual(["a1", "?2", "b3"]);
    expect([room.isEmpty, room.waitingBytes, tally.decided]).toEqual([true, 0, 6]);
  });

  test("what there is no room for waits in a file, in order, and reading goes on", () => {
    const { room, rowsOf, spill, tally } = setUp(OrderedRoom, 300_000);
    const names = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
    const states = statesOf(...names);
    for (const name of names.slice(1)) ready(states[name]!);
    const all = Array.from({ length: 2_000 }, (_, round) => [...names, "?"].map((name) => `${name}${round}`));
    expect(all.map((batch) => add(room, batchOf(states, ...batch))).join("")).toBe("");
    expect([spill.heldBytes < 600_000, spill.fileBytes > 1_000_000]).toEqual([true, true]);
    room.release(ready(states["a"]!));
    expect(rowsOf(takeAll(room))).toEqual(all.flat());
    expect([room.isEmpty, spill.fileBytes, tally.decided]).toEqual([true, 0, all.flat().length]);
    spill.close();
  });

  test("dropWaiting keeps what is ready, in order", () => {
    const { room, rowsOf, tally } = setUp(OrderedRoom);
    const states = statesOf("a", "b");
    ready(states["b"] as OriginState);
    expect(rowsOf(add(room, batchOf(states, "b1", "a1")))).toEqual(["b1"]);
    expect(add(room, batchOf(states, "b2"))).toBe("");
    room.dropWaiting();
    expect(rowsOf(takeAll(room))).toEqual(["b2"]);
    expect(rowsOf(add(room, batchOf(states, "a2", "b3")))).toEqual(["b3"]);
    expect([room.isEmpty, room.waitingBytes, tally.decided, tally.dropped]).toEqual([true, 0, 3, 2]);
  });
});

describe("GroupStage", () => {
  const next = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test("takes no more batches while too many origins wait for their turn, and goes on when some had it", async () => {
    const { room, rowsOf } = setUp(ParkingRoom);
    const states = statesOf("a", "b");
    ready(states["b"] as OriginState);
    const origins = { isCrowded: true };
    const stage = new GroupStage(room, origins);
    const seen: string[] = [];
    stage.on("data", (rows: Buffer) => seen.push(...rowsOf(rows.toString())));
    stage.write(batchOf(states, "a1"));
    stage.write(batchOf(states, "b1"));
    await next();
    expect([seen, stage.writableLength]).toEqual([[], 2]);
    origins.isCrowded = false;
    stage.release(ready(states["a"] as OriginState));
    await expect.poll(() => seen.toSorted()).toEqual(["a1", "b1"]);
    stage.end();
  });

  test("does not end before all that waits went out", async () => {
    const { room, rowsOf } = setUp(ParkingRoom);
    const states = statesOf("a");
    const stage = new GroupStage(room, { isCrowded: false });
    const seen: string[] = [];
    let hasEnded = false;
    stage.on("data", (rows: Buffer) => seen.push(...rowsOf(rows.toString()))).on("end", () => (hasEnded = true));
    stage.end(batchOf(states, "a1"));
    await next();
    expect([seen, hasEnded]).toEqual([[], false]);
    stage.release(ready(states["a"] as OriginState));
    await next();
    expect([seen, hasEnded]).toEqual([["a1"], true]);
  });

  test("takes no more batches while nobody takes the rows", async () => {
    const { room, tally } = setUp(ParkingRoom);
    const states = statesOf("b");
    ready(states["b"] as OriginState);
    const stage = new GroupStage(room, { isCrowded: false });
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
    ["quick decisions, what is ready first", ParkingRoom, "/", "/x", 1],
    ["quick decisions, in order", OrderedRoom, "/", "/x", 1],
    ["slow decisions, what is ready first", ParkingRoom, `/${"a".repeat(2_000)}`, "/x*y", 10],
    ["slow decisions, in order", OrderedRoom, `/${"a".repeat(2_000)}`, "/x*y", 10],
  ] as const)("the event loop has its turns between %s", async (_what, Room, target, pattern, costMs) => {
    const { room, tally } = setUp(Room);
    const states = statesOf("b");
    const state = states["b"] as OriginState;
    answers.settle(state, [createMatcher(parseRobotsTxt(`User-agent: *\nDisallow: ${pattern}`), "bot")]);
    // Every look at the clock finds that a decision took its time.
    let now = 0;
    const stage = new GroupStage(room, { isCrowded: false }, new Turn(() => (now += costMs)));
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
    const { room, tally } = setUp(ParkingRoom);
    const stage = new GroupStage(room, { isCrowded });
    let hasEnded = false;
    stage.on("data", () => undefined).on("end", () => (hasEnded = true));
    stage.end(batchOf(statesOf("a"), "a1"));
    await next();
    stage.stop();
    await next();
    expect([hasEnded, tally.dropped]).toEqual([true, 1]);
  });
});

describe("answers", () => {
  const state = { origin: "https://a.example", code: "http-404" };
  const ofRobots = (text: string, target: string): unknown =>
    answerOf(bot, state, createMatcher(parseRobotsTxt(text), "bot").decideTarget(target));

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

  test("an access result comes with its code", () => {
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
