// A run with many times the origins of one table: old tables are closed, no record is lost, and an origin that recurs all the time is
// loaded once.
import { Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Engine, runEngine } from "../stream/engine.ts";
import { outputFormats } from "../formats/registry/registry.ts";
import { OriginTable } from "../origins/origins.ts";
import { questionsOf } from "../questions/questions.ts";
import { robotsOf, type SourcedRobots } from "../robots/in-force.ts";
import { batchOf } from "../../test/reading.ts";

const batches = 60;
const perBatch = 20;
const mostOrigins = 50;
const hot = "https://hot.example";
const slow = "https://slow.example";
/** An origin of records in the first and the last batch only. */
const rare = "https://rare.example";

afterEach(() => vi.restoreAllMocks());

/** The members of a row that the tests read. */
interface Row {
  readonly n: number;
  readonly robots: { readonly allowed: boolean; readonly origin: string };
}

async function run(given: {
  readonly isOrdered: boolean;
  readonly isRemote: boolean;
  readonly agentField?: string;
  readonly parkBytes?: number;
}): Promise<{ rows: Row[]; loads: Map<string, number>; engine: Engine; urls: string[]; hits: number; told: number }> {
  const { isOrdered, isRemote, agentField, parkBytes = 1 << 20 } = given;
  const loads = new Map<string, number>();
  const options = { dialects: ["google"], tokenMatch: undefined, hasFallback: true } as const;
  const urls = Array.from({ length: batches * perBatch }, (_, n) => {
    if (n === 1 || n === batches * perBatch - 1) return `${rare}/a`;
    if (n === 2) return `${slow}/a`;
    return n % 10 === 0 ? `${hot}/${n % 20 === 0 ? "a" : "b"}` : `https://${n}.example/a`;
  });
  let answerSlow: ((robots: SourcedRobots) => void) | undefined;
  let hits = 0;
  let told = 0;
  const robots = robotsOf(Buffer.from("User-agent: *\nDisallow: /a\n"));
  const engine: Engine = new Engine({
    settings: {
      questions: agentField === undefined ? questionsOf(["bot"], options) : [],
      agentField,
      questionOptions: options,
      onlyDifferences: false,
      targetForm: "raw",
      isOrdered,
      parkBytes,
      matcherBytes: 1 << 20,
      shard: undefined,
      concurrency: 8,
      countsAll: false,
      mostOrigins,
    },
    input: {
      async *batches() {
        for (let batch = 0; batch < batches; batch++) {
          await turn();
          const numbers = Array.from({ length: perBatch }, (_, at) => batch * perBatch + at);
          const agent = agentField === undefined ? undefined : "GPTBot/1.0";
          yield batchOf(numbers.map((n) => ({ head: `{"n":${n}`, url: urls[n]!, agent })));
        }
        answerSlow?.(robots);
      },
      stop: () => undefined,
    },
    source: {
      isRemote,
      load(origin) {
        loads.set(origin, (loads.get(origin) ?? 0) + 1);
        if (!isRemote) return robots;
        return origin === slow
          ? new Promise<SourcedRobots>((resolve) => (answerSlow = resolve))
          : turn({ ...robots, freshUntil: Infinity });
      },
      close: () => undefined,
    },
    writer: outputFormats
      .find(({ name }) => name === "ndjson")!
      .createWriter({ resultKey: "robots", csvSafe: false, hasDialect: false, hasKind: false }),
    onRejects: () => undefined,
    onOrigin: () => told++,
    onForget: (_origin, decided) => {
      for (const part of decided) for (const each of part.decided) hits += each.hits;
    },
  });
  let text = "";
  const output = new Writable({
    objectMode: true,
    write(piece: Buffer, _encoding, callback) {
      text += piece.toString("latin1");
      callback();
    },
  });
  await runEngine(engine, output);
  for (const { decided } of engine.decided())
    for (const part of decided) for (const each of part.decided) hits += each.hits;
  const rows = text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
  return { rows, loads, engine, urls, hits, told };
}

describe.each([
  ["rows as soon as they are decided", { isOrdered: false, isRemote: true }],
  ["rows in order", { isOrdered: true, isRemote: true }],
  ["records that name their crawler", { isOrdered: false, isRemote: true, agentField: "agent" }],
  ["records that wait in a file", { isOrdered: false, isRemote: true, parkBytes: 1 }],
  ["saved files", { isOrdered: false, isRemote: false }],
])("%s", (_what, given) => {
  test("no record is lost, and tables that are no longer needed are closed", async () => {
    const close = vi.spyOn(OriginTable.prototype, "close");
    const retire = vi.spyOn(OriginTable.prototype, "retire");
    const { rows, loads, engine, urls, hits, told } = await run(given);
    expect(rows.map(({ n }) => n).toSorted((one, other) => one - other)).toEqual(urls.map((_url, n) => n));
    if (given.isOrdered) expect(rows.map(({ n }) => n)).toEqual(urls.map((_url, n) => n));
    for (const { n, robots } of rows) {
      expect([n, robots.allowed, `${robots.origin}/`]).toEqual([n, urls[n]!.endsWith("/b"), urls[n]!.slice(0, -1)]);
    }
    const { tally } = engine;
    expect([tally.isExact, tally.decided, hits]).toEqual([true, urls.length, urls.length]);
    const distinct = new Set(urls.map((url) => new URL(url).origin)).size;
    // An origin that comes back after its table was dropped is not counted again.
    expect([tally.origins, told]).toEqual([distinct, distinct]);
    const tables = Math.floor(distinct / mostOrigins);
    // At the end of the run all tables are closed. In an ordered run, one record waits until then, and so no table is retired earlier.
    expect(new Set(close.mock.contexts).size).toBeGreaterThan(tables - 3);
    if (!given.isOrdered) expect(new Set(retire.mock.contexts).size).toBeGreaterThan(tables - 4);
    if (!given.isRemote) return;
    expect([loads.get(hot), loads.get(slow), loads.get(rare)]).toEqual([1, 1, 2]);
    expect([...loads.values()].filter((count) => count > 1)).toHaveLength(1);
  });
});
