// Tests how output messages are divided and cut for the limits of topics, and what is counted and written when the brokers refuse one.
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { createSavedRobots, type OriginLoader } from "@robots-stream/engine";
import { describe, expect, test } from "vitest";
import type { OutputRecord } from "../kafka/types.ts";
import { Counts } from "./counts.ts";
import { linesAt } from "./delivery.ts";
import { Pipeline } from "./pipeline.ts";
import { Progress } from "./progress.ts";

const saved = createSavedRobots(fileURLToPath(new URL("../../../../examples/robots", import.meta.url)));
/** Never gives a robots.txt. */
const silent: OriginLoader = {
  load: (_origin, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
};
const url = "https://shop.example/shoes";
const line = (more: Readonly<Record<string, string>> = {}): string => JSON.stringify({ url, ...more });
const tooLarge = new Error("too large");
const textOf = ({ value }: OutputRecord): string => String(value ?? "");

interface Passing {
  readonly value: string;
  readonly urlFrom?: "key";
  readonly robots?: OriginLoader;
  /** Whether there is a topic for dead letters. */
  readonly hasDead?: boolean;
  /** The limits of the topics "out" and "dead", in bytes. */
  readonly limit?: number;
  readonly deadLimit?: number;
  readonly isRefused?: (record: OutputRecord) => boolean;
}

/** Passes one message through a pipeline whose brokers refuse some output messages; returns the counts and what was written. */
async function pass(passing: Passing) {
  const { value, urlFrom, robots = saved, hasDead = true, isRefused = () => false } = passing;
  const { limit = 1e6, deadLimit = 1e6 } = passing;
  const written: OutputRecord[] = [];
  const deads: Record<string, number> = {};
  const counts = new Counts();
  let finish: () => void = () => undefined;
  let fail: (error: unknown) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => ([finish, fail] = [resolve, reject]));
  const pipeline: Pipeline = new Pipeline({
    topic: "in",
    routes: {
      to: "out",
      allowed: undefined,
      disallowed: undefined,
      dead: hasDead ? "dead" : undefined,
      later: "later",
    },
    decide: { agents: "bingbot", robots },
    urlFrom: urlFrom ?? "value",
    ordered: false,
    maxWaitMs: robots === silent ? 50 : 60_000,
    sourceHeaders: false,
    parkBytes: 1e7,
    start: "earliest",
    commitMs: 1e6,
    mostSpan: 1e6,
    counts,
    async send(records: readonly OutputRecord[]) {
      if (records.some(isRefused)) throw tooLarge;
      written.push(...records);
    },
    isTooLarge: (error) => error === tooLarge,
    limitOf: (topic) => (topic === "out" ? limit : deadLimit),
    onRoom: () => pipeline.messages === 0 && finish(),
    onDead: (code, count) => (deads[code] = (deads[code] ?? 0) + count),
    onFailure: (error) => fail(error),
  });
  pipeline.add(new Progress(0, 0n, 0n), {
    offset: 0n,
    timestamp: 0n,
    key: Buffer.from(url),
    value: Buffer.from(value),
    headers: [],
  });
  await done;
  await pipeline.close();
  expect(counts.isExact(0)).toBe(true);
  return { counts, deads, written, topics: written.map(({ topic }) => topic) };
}

const to =
  (topic: string) =>
  (record: OutputRecord): boolean =>
    record.topic === topic;
const three = `${line()}\n${line()}\n${line()}`;
const none = { in: 0, out: 0, dead: 0, later: 0, leftOut: 0 };

describe("an output message that the broker refuses for its size", () => {
  test.for<readonly [what: string, passing: Passing, messages: object, lines: object, deads: object, topics: string[]]>(
    [
      [
        "becomes a dead letter",
        { value: three, isRefused: to("out") },
        { in: 1, dead: 1 },
        { in: 3, dead: 3 },
        { "too-large": 3 },
        ["dead"],
      ],
      [
        "is dropped and counted if there is no topic for dead letters",
        { value: three, hasDead: false, isRefused: to("out") },
        { in: 1, dead: 1 },
        { in: 3, dead: 3 },
        { "too-large": 3 },
        [],
      ],
      [
        "with an answer in a header becomes a dead letter",
        { value: "a\nb", urlFrom: "key", isRefused: to("out") },
        { in: 1, dead: 1 },
        { in: 1, dead: 1 },
        { "too-large": 1 },
        ["dead"],
      ],
      [
        "with lines that waited too long becomes a dead letter",
        { value: three, robots: silent, isRefused: to("later") },
        { in: 1, dead: 1 },
        { in: 3, dead: 3 },
        { "too-large": 3 },
        ["dead"],
      ],
      [
        "with other lines than a dead letter is counted apart from it",
        { value: `${three}\noops`, isRefused: to("out") },
        { in: 1, dead: 1 },
        { in: 4, dead: 4 },
        { "not-json": 1, "too-large": 3 },
        ["dead", "dead"],
      ],
      [
        "does not affect the fate of the message's other output",
        {
          value: `${line({ p: "x".repeat(100) })}\n${line({ p: "y".repeat(100) })}\n${line({ p: "z".repeat(100) })}`,
          limit: 700,
          isRefused: (record) => record.topic === "out" && textOf(record).includes("zzz"),
        },
        { in: 1, out: 1 },
        { in: 3, out: 2, dead: 1 },
        { "too-large": 1 },
        ["out", "dead"],
      ],
    ],
  )("%s", async ([, passing, messages, lines, deads, topics]) => {
    const found = await pass(passing);
    expect(found.counts.messages).toEqual({ ...none, ...messages });
    expect(found.counts.lines).toEqual({ ...none, ...lines });
    expect([found.deads, found.topics.toSorted()]).toEqual([deads, topics.toSorted()]);
  });

  test("that is accepted is counted as out or later", async () => {
    const accepted = { value: three };
    const [out, later] = [await pass(accepted), await pass({ ...accepted, robots: silent })];
    expect([out.counts.lines, out.counts.messages]).toEqual([
      { ...none, in: 3, out: 3 },
      { ...none, in: 1, out: 1 },
    ]);
    expect([later.counts.lines, later.counts.messages]).toEqual([
      { ...none, in: 3, later: 3 },
      { ...none, in: 1, later: 1 },
    ]);
  });

  test.for([
    [10_000, false],
    [100_000, true],
  ] as const)(
    "with %i bytes: whether its dead letter is cut, and then has the digest of the whole value: %s",
    async ([size, isCut]) => {
      const value = line({ p: "x".repeat(size) });
      const { written } = await pass({ value, isRefused: to("out") });
      const { written: whole } = await pass({ value });
      const row = textOf(whole[0]!);
      const headers = Object.fromEntries(written[0]!.headers.map(([name, text]) => [String(name), String(text)]));
      expect(textOf(written[0]!)).toBe(isCut ? row.slice(0, 65_536) : row);
      expect([headers["robots-stream.code"], headers["robots-stream.bytes"], headers["robots-stream.sha256"]]).toEqual([
        "too-large",
        isCut ? String(row.length) : undefined,
        isCut ? createHash("sha256").update(row).digest("hex") : undefined,
      ]);
    },
  );
});

describe("the limit of a topic", () => {
  const lineOf = (letter: string): string => line({ p: letter.repeat(letter === "x" ? 1_000 : 100) });

  test.for([
    ["fits", 1e6, "aab", ["aab"], 0],
    ["is divided between rows", 800, "aab", ["aa", "b"], 0],
    ["leaves out only the row that is too large", 800, "axb", ["a", "b"], 1],
    ["leaves out rows that are too large", 300, "aab", [], 3],
  ] as const)("a message of three rows %s", async ([, limit, letters, values, left]) => {
    const { written, deads } = await pass({ value: Array.from(letters, lineOf).join("\n"), limit });
    const out = written.filter(to("out")).map((record) => textOf(record).replace(/[^]*?"p":"(.).*/g, "$1"));
    expect([out, deads["too-large"] ?? 0]).toEqual([values, left]);
  });

  test.for([1_500, 10_000, 1_048_588])("a dead letter of 100,000 bytes is cut at %i", async (deadLimit) => {
    const { written } = await pass({ value: "y".repeat(100_000), deadLimit });
    const { value, headers } = written[0]!;
    expect(value!.length).toBeLessThanOrEqual(deadLimit);
    expect(headers.some(([name]) => String(name) === "robots-stream.sha256")).toBe(deadLimit < 100_000);
  });

  test.for([
    ["a\nb\nc", [2], "b"],
    ["a\nb\nc", [1, 3], "a\nc"],
    ["a\n\nc\n", [3], "c"],
  ] as const)("lines of %j", ([text, numbers, lines]) => {
    expect(linesAt(Buffer.from(text), numbers).toString()).toBe(lines);
  });
});
