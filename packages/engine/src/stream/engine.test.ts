// Few records with many questions each: the memory held while rows are built, and each row compared with a simple implementation.
import { Writable } from "node:stream";
import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";
import { type Matcher, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { normalizeTarget, parseTarget, problemOf } from "@robots-stream/url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerOf, whoOf } from "../decide/tails.ts";
import { Engine, type EngineSettings, runEngine } from "./engine.ts";
import { outputFormats } from "../formats/registry/registry.ts";
import type { RecordWriter } from "../formats/types.ts";
import { type Question, questionsOf } from "../questions/questions.ts";
import { robotsOf, type RobotsSource, type SourcedRobots } from "../robots/in-force.ts";
import { pieceBytes } from "../records/row-memory.ts";
import type { DecidedByParts } from "../origins/matcher-cache.ts";
import { batchOf } from "../../test/reading.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

const mib = 1_048_576;

interface Case {
  readonly agents: readonly string[];
  /** Robots.txt texts by origin. */
  readonly robots: Readonly<Record<string, string>>;
  readonly urls: readonly (readonly string[])[];
  readonly settings?: Partial<EngineSettings>;
  /** A text that makes the heads longer. */
  readonly padding?: string;
  readonly isRemote?: boolean;
  /** Whether the source can return a result again after an eviction. */
  readonly givesBody?: boolean;
  readonly format?: "ndjson" | "csv";
  readonly take?: (piece: Buffer, engine: Engine) => Promise<void> | void;
}

interface Started {
  readonly engine: Engine;
  /** The number of decisions of each question, of the origins that have left the tables. */
  readonly hits: number[];
  readonly questions: readonly Question[];
  readonly run: Promise<void>;
  textOf(): string;
}

function writerOf({ format = "ndjson", settings }: Pick<Case, "format" | "settings">): RecordWriter {
  const hasDialect = settings?.onlyDifferences === true;
  const options = { resultKey: "robots", csvSafe: false, hasDialect, hasKind: false };
  return outputFormats.find(({ name }) => name === format)!.createWriter(options);
}

function questionsFor({ agents, settings }: Pick<Case, "agents" | "settings">): readonly Question[] {
  const dialects = settings?.onlyDifferences === true ? (["google", "rfc9309"] as const) : (["google"] as const);
  return questionsOf(agents, { dialects, tokenMatch: undefined, hasFallback: false });
}

function headOf(record: number, padding: string): string {
  return `{"n":${record},"p":"${padding}"`;
}

function sourceOf({ robots, isRemote = false, givesBody = true }: Case): RobotsSource {
  const load = (origin: string): SourcedRobots => {
    const { body, ...rest } = robotsOf(Buffer.from(robots[origin] ?? ""));
    return givesBody ? { ...rest, body } : rest;
  };
  return { isRemote, load: (origin) => (isRemote ? turn(load(origin)) : load(origin)), close: () => undefined };
}

function addHits(sums: number[], parts: DecidedByParts): void {
  for (const { first, decided } of parts) {
    for (const { index, hits } of decided) sums[first + index] = (sums[first + index] ?? 0) + hits;
  }
}

function start(given: Case): Started {
  const { urls, padding = "", take } = given;
  const questions = questionsFor(given);
  const hits: number[] = [];
  const pieces: Buffer[] = [];
  let record = 0;
  const engine: Engine = new Engine({
    settings: {
      questions,
      agentField: undefined,
      questionOptions: { dialects: ["google"], tokenMatch: undefined, hasFallback: false },
      onlyDifferences: false,
      targetForm: "raw",
      isOrdered: false,
      parkBytes: 64 * mib,
      matcherBytes: 256 * mib,
      shard: undefined,
      concurrency: 4,
      countsAll: true,
      ...given.settings,
    },
    input: {
      async *batches() {
        for (const batch of urls) {
          await turn();
          yield batchOf(batch.map((url) => ({ head: headOf(record++, padding), url })));
        }
      },
      stop: () => undefined,
    },
    source: sourceOf(given),
    writer: writerOf(given),
    onRejects: () => undefined,
    onForget: (_origin, decided) => addHits(hits, decided),
  });
  const output = new Writable({
    objectMode: true,
    highWaterMark: 1,
    write(piece: Buffer, _encoding, callback) {
      pieces.push(Buffer.from(piece));
      const taken = take?.(piece, engine);
      if (taken === undefined) callback();
      else taken.then(() => callback(), callback);
    },
  });
  return {
    engine,
    hits,
    questions,
    run: runEngine(engine, output),
    textOf: () => Buffer.concat(pieces).toString("latin1"),
  };
}

const matchers = new Map<string, Matcher>();

/** The matcher for a question. Each matcher is created once, because all runs use the same few files and crawlers. */
function matcherOf(text: string, question: Question): Matcher {
  const key = `${question.dialect} ${question.agent} ${text}`;
  let matcher = matchers.get(key);
  if (matcher === undefined) {
    matcher = createMatcher(parseRobotsTxt(text, { dialect: question.dialect }), question.agent, {
      tokenMatch: question.tokenMatch,
    });
    matchers.set(key, matcher);
  }
  return matcher;
}

/** The rows of a record, built one by one. */
function plainRowsOf(given: Case, record: number, url: string): string {
  const writer = writerOf(given);
  const head = headOf(record, given.padding ?? "");
  const target = parseTarget(url);
  const onlyDifferences = given.settings?.onlyDifferences === true;
  const isJoined = given.settings?.rows === "record";
  const answers = questionsFor(given).map((question) => {
    if (target === undefined) {
      return { ...whoOf(question), allowed: null, because: problemOf(url) ?? "invalid-url" };
    }
    const asked = given.settings?.targetForm === "normalized" ? normalizeTarget(target.target) : target.target;
    const decision = matcherOf(given.robots[target.origin] ?? "", question).decideTarget(asked);
    return answerOf(question, { origin: target.origin, code: "" }, decision);
  });
  if (isJoined) return head + writer.partOf!(answers, true, true);
  const differing = answers.filter(({ allowed }, index) => {
    if (!onlyDifferences) return true;
    const first = index - (index % 2);
    return allowed !== null && answers[first]!.allowed !== answers[first + 1]!.allowed;
  });
  const only = given.settings?.only;
  const shown = differing.filter(({ allowed }) =>
    only === undefined ? true : only.includes(allowed === null ? "undecided" : allowed ? "allowed" : "disallowed"),
  );
  return shown.map((answer) => `${head}${writer.tailOf(answer)}`).join("");
}

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `bot${"-".repeat(at % 7)}x${at}`);
const urlsOf = (count: number): string[] => Array.from({ length: count }, (_, at) => `https://a.example/p${at % 10}`);
const tenRules = Array.from({ length: 10 }, (_, at) => `Disallow: /p${at}`).join("\n");
const agentCount = isThorough ? 2_000 : 1_000;
const manyAgents: Case = {
  agents: names(agentCount),
  robots: { "https://a.example": `User-agent: *\n${tenRules}\nUser-agent: bot-x1\nDisallow: /p1\n` },
  urls: [urlsOf(30)],
};

describe("memory", () => {
  test.each([
    ["as they come", {}],
    ["in order", { isOrdered: true }],
  ])("waiting rows take the memory of a few pieces, even with a thousand questions: %s", async (_what, settings) => {
    let goOn: () => void = () => undefined;
    const isWanted = new Promise<void>((resolve) => (goOn = resolve));
    const { engine, run, textOf } = start({ ...manyAgents, settings, take: () => isWanted });
    // Wait until nothing changes any more.
    for (let before = -1, made = 0; made === 0 || made > before; await delay(50)) {
      before = made;
      made = rowsMadeBy(engine);
    }
    const made = rowsMadeBy(engine);
    const rowBytes = plainRowsOf(manyAgents, 0, manyAgents.urls[0]![0]!).length / agentCount;
    expect(made * rowBytes).toBeLessThan(10 * pieceBytes);
    goOn();
    await run;
    expect(textOf()).toBe(
      urlsOf(30)
        .map((url, record) => plainRowsOf(manyAgents, record, url))
        .join(""),
    );
  });

  test.each([
    ["one origin, as they come", {}, {}],
    ["one origin, in order", {}, { isOrdered: true }],
    ["one origin that cannot be loaded again", { givesBody: false, isRemote: true }, {}],
    ["many origins", { urls: [urlsOf(30).map((url, at) => url.replace("a.", `${at % 20}.`))] }, {}],
  ])("row tails are evicted within a batch and within a record: %s", async (_what, given, settings) => {
    const matcherBytes = 100_000;
    let most = 0;
    const take = (_piece: Buffer, engine: Engine): void => void (most = Math.max(most, engine.matcherBytes));
    const { engine, run, textOf } = start({ ...manyAgents, ...given, settings: { ...settings, matcherBytes }, take });
    await run;
    // Between two checks, memory grows by less than a piece of rows plus the memory of one origin.
    expect(most).toBeLessThan(matcherBytes + 2 * pieceBytes);
    const kept = [...engine.decided()].flatMap(({ decided }) => decided.flatMap((each) => each.decided));
    expect(kept.length).toBeLessThan(10_000);
    expect(textOf().split("\n")).toHaveLength(30 * agentCount + 1);
    expect([engine.tally.isExact, engine.tally.decided]).toEqual([true, 30]);
  });

  test("a record that had to wait for its origin is output piece by piece", async () => {
    let most = 0;
    let taken = 0;
    const take = async (piece: Buffer, engine: Engine): Promise<void> => {
      most = Math.max(most, rowsMadeBy(engine) - taken);
      taken += piece.toString("latin1").split("\n").length - 1;
      await turn();
    };
    const given: Case = { ...manyAgents, isRemote: true, settings: { parkBytes: 2_000 }, take };
    const { engine, run } = start(given);
    await run;
    expect([engine.tally.decided, taken]).toEqual([30, 30 * agentCount]);
    const rowBytes = plainRowsOf(manyAgents, 0, manyAgents.urls[0]![0]!).length / agentCount;
    expect(most * rowBytes).toBeLessThan(10 * pieceBytes);
  });
});

describe("stopping", () => {
  test("other work of the process runs between pieces", async () => {
    let turns = 0;
    let pieces = 0;
    let isOver = false;
    const { run } = start({ ...manyAgents, take: () => void pieces++ });
    const count = async (): Promise<void> => {
      for (; !isOver; turns++) await turn();
    };
    const counting = count();
    await run;
    isOver = true;
    await counting;
    expect(pieces).toBeGreaterThan(10);
    expect(turns).toBeGreaterThan(pieces / 3);
  });

  test.each([
    ["as they come", {}, {}],
    ["in order", {}, { isOrdered: true }],
    ["all of one origin", { isRemote: true }, {}],
    ["all of one origin, in order", { isRemote: true }, { isOrdered: true }],
    ["from the temporary file", { isRemote: true }, { parkBytes: 1 }],
  ])(
    "in the middle of a batch: the current record is completed, all later records are counted as not decided: %s",
    async (_what, given, settings) => {
      let pieces = 0;
      const take = async (_piece: Buffer, engine: Engine): Promise<void> => {
        if (++pieces === 2) engine.stop();
        await delay(20);
      };
      const urls = [urlsOf(200), urlsOf(3)];
      const { engine, run, textOf } = start({ ...manyAgents, ...given, urls, settings, take });
      await run;
      const { tally } = engine;
      expect([tally.isExact, tally.notDecided > 0, tally.decided > 0]).toEqual([true, true, true]);
      const rows = textOf().split("\n").length - 1;
      expect([rows, rowsMadeBy(engine)]).toEqual([tally.decided * agentCount, rows]);
    },
  );
});

function rowsMadeBy({ tally }: Engine): number {
  return tally.questions.reduce((sum, { allowed, disallowed, undecided }) => sum + allowed + disallowed + undecided, 0);
}

/** A rule that matches every path that begins with `letter`. It has `length` stars, which make the row tails long. */
const wide = (letter: string, length: number): string => `Disallow: /${letter}${"*".repeat(length)}`;

const cases: fc.Arbitrary<Case> = fc.record({
  agents: fc.integer({ min: 1, max: 90 }).map(names),
  robots: fc.record({
    "https://a.example": fc.constantFrom("", "User-agent: *\nDisallow: /a\nAllow: /a/b"),
    "https://b.example": fc.constantFrom(
      `User-agent: *\n${wide("a", 20_000)}\n${wide("b", 20_000)}`,
      `User-agent: *\n${wide("a", 9_000)}\nUser-agent: bot-x1\n${wide("b", 30_000)}\nUser-agent: bot--x2/2\nDisallow: /%7Ea`,
    ),
    "https://c.example": fc.constantFrom("User-agent: *\nDisallow: /a$b\nDisallow: /~a", "Disallow: /"),
  }),
  urls: fc.array(
    fc.array(
      fc
        .tuple(fc.constantFrom("a", "b", "b", "c"), fc.constantFrom("/a", "/b", "/a/b/../c", "/%7Ea", "/"))
        .chain(([origin, target]) =>
          fc.constantFrom(`https://${origin}.example${target}`, `https://${origin}.example${target}`, "mailto:x"),
        ),
      { maxLength: 12 },
    ),
    { maxLength: 5 },
  ),
  padding: fc.constantFrom("", "x".repeat(30_000)),
  isRemote: fc.boolean(),
  givesBody: fc.boolean(),
  settings: fc
    .record({
      isOrdered: fc.boolean(),
      form: fc.oneof(
        fc.constantFrom({ onlyDifferences: true }, { rows: "agent" as const }, { rows: "record" as const }),
        fc.record({
          onlyDifferences: fc.boolean(),
          only: fc.subarray(["allowed", "disallowed", "undecided"] as const, { minLength: 1 }),
        }),
      ),
      targetForm: fc.constantFrom("raw", "normalized"),
      matcherBytes: fc.constantFrom(1, 100_000, 1_000_000, 256 * mib),
      parkBytes: fc.constantFrom(1, 1_000, 64 * mib),
      countsAll: fc.boolean(),
      // With these limits, origins are evicted and loaded again.
      mostOrigins: fc.constantFrom(1, 2, undefined, undefined),
    })
    .map(({ form, ...settings }) => ({ onlyDifferences: false, ...settings, ...form })),
});

const rowCountOf = (text: string): number => text.split("\n").length - 1;

/** Groups rows by record: the rows of one record must be adjacent. */
function recordsIn(text: string): string[] {
  const records: string[] = [];
  let last = "";
  for (const row of text.split("\n").slice(0, -1)) {
    const number = /^\{"n":(\d+)/.exec(row)![1]!;
    if (number === last) records[records.length - 1] += `${row}\n`;
    else records.push(`${row}\n`);
    last = number;
  }
  return records;
}

const bySize = (one: string, other: string): number => (one < other ? -1 : 1);

test("property: rows, their order and all counts equal those of the simple implementation, for any evictions and any replacements of the table of origins", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async (given) => {
      const { engine, hits, questions, run, textOf } = start(given);
      await run;
      const expected = given.urls.flat().map((url, record) => plainRowsOf(given, record, url));
      const text = textOf();
      if (given.settings!.isOrdered === true || given.isRemote !== true) expect(text === expected.join("")).toBe(true);
      else expect(recordsIn(text).toSorted(bySize)).toEqual(expected.filter((rows) => rows !== "").toSorted(bySize));
      const { tally } = engine;
      expect([tally.isExact, tally.decided, tally.notDecided]).toEqual([true, expected.length, 0]);
      const without = { ...given, settings: { ...given.settings, only: undefined } };
      const all = given.urls.flat().map((url, record) => plainRowsOf(without, record, url));
      expect(tally.rowsLeftOut).toBe(rowCountOf(all.join("")) - rowCountOf(text));
      for (const { decided } of engine.decided()) addHits(hits, decided);
      for (const [index, { allowed, disallowed, undecided }] of tally.questions.entries()) {
        expect([allowed + disallowed + undecided, hits[index] ?? 0]).toEqual([expected.length, allowed + disallowed]);
      }
      expect(tally.questions).toHaveLength(questions.length);
    }),
    { numRuns: isThorough ? 500 : 12 },
  );
}, 900_000);
