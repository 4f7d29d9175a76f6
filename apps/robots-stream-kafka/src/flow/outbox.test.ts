// Tests the requests that an outbox makes from its messages, how it handles a refused request, and the failures that it reports.
import { describe, expect, test } from "vitest";
import type { OutputRecord } from "../kafka/types.ts";
import { linesAt, Letters } from "./letters.ts";
import { Outbox, type Outgoing } from "./outbox.ts";

const record = (value: string, timestamp = 0n): OutputRecord => ({
  topic: "out",
  key: Buffer.from("k"),
  value: Buffer.from(value),
  headers: [],
  timestamp,
  partition: 0,
});
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const tooLarge = new Error("too large");

function setUp(isTooLarge: (value: string) => boolean = () => false) {
  const requests: string[][] = [];
  const sent: string[] = [];
  const failures: unknown[] = [];
  const open: (() => void)[] = [];
  let underWay = 0;
  let most = 0;
  const outbox = new Outbox({
    mostBytes: 10,
    mostRecords: 100,
    mostSpanMs: 1_000n,
    onFailure: (error) => failures.push(error),
    writing: {
      async send(records) {
        most = Math.max(most, ++underWay);
        await new Promise<void>((resolve) => open.push(resolve));
        underWay--;
        const values = records.map(({ value }) => String(value));
        if (values.some(isTooLarge)) throw tooLarge;
        if (values.includes("fail")) throw new Error("refused");
        requests.push(values);
      },
      isTooLarge: (error) => error === tooLarge,
    },
  });
  const outgoing = (value: string, timestamp?: bigint): Outgoing => ({
    record: record(value, timestamp),
    bytes: 4,
    onSent: () => sent.push(value),
    onTooLarge: () => (value === "huge" ? outgoing("instead") : undefined),
  });
  const release = async (): Promise<void> => {
    for (let round = 0; round < 20; round++) {
      await turn();
      open.splice(0).forEach((go) => go());
    }
    await turn();
  };
  return {
    outbox,
    requests,
    sent,
    failures,
    release,
    push: (value: string, timestamp?: bigint) => outbox.push(outgoing(value, timestamp)),
    most: () => most,
  };
}

describe("an outbox", () => {
  test("sends one request at a time, filled up to the limit, in order; acknowledged messages count as sent", async () => {
    const { push, requests, sent, release, most, outbox } = setUp();
    for (const value of ["a", "b", "c", "d", "e"]) push(value);
    await turn();
    expect(sent).toEqual([]);
    await release();
    expect(requests).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect([sent.join(""), most(), outbox.isIdle, outbox.bytes]).toEqual(["abcde", 1, true, 0]);
  });

  test("a request ends before the times of its messages are too far apart", async () => {
    const { push, requests, release } = setUp();
    for (const [value, time] of Object.entries({ a: 5_000n, b: 4_000n, c: 5_001n, d: 4_001n, e: 3_000n }))
      push(value, time);
    await release();
    expect(requests).toEqual([["a", "b"], ["c", "d"], ["e"]]);
  });

  test("a request that is too large is divided; a single message that is too large is replaced or dropped", async () => {
    const { push, requests, sent, release, outbox } = setUp((value) => value === "huge" || value === "lost");
    for (const value of ["a", "huge", "lost", "b"]) push(value);
    await release();
    expect(requests.flat()).toEqual(["a", "instead", "b"]);
    expect([sent, outbox.bytes]).toEqual([["a", "instead", "b"], 0]);
  });

  test("a refusal is reported, and nothing is written after it", async () => {
    const { push, requests, failures, release } = setUp();
    for (const value of ["fail", "b", "c"]) push(value);
    await release();
    expect([requests, failures.length]).toEqual([[], 1]);
  });
});

describe("letters", () => {
  const source = {
    topic: "in",
    partition: 3,
    record: { offset: 9n, timestamp: 5n, key: Buffer.from("k"), value: Buffer.from("v"), headers: [] },
  };
  const letters = (limit: number) => new Letters({ limitOf: () => limit, sourceHeaders: false });

  test.for([
    ["fits", 1_000, ["aaa\nbbb\n", "ccc\n"], ["aaa\nbbb\nccc"], 0],
    ["is split between rows", 172, ["aaa\nbbb\n", "ccc\n"], ["aaa\nbbb", "ccc"], 0],
    ["leaves out a row that is too large", 172, [`aaa\n${"x".repeat(50)}\nccc\n`], ["aaa", "ccc"], 1],
  ] as const)("a message of rows %s", ([, limit, rows, values, tooMany]) => {
    const { records, tooLarge: left } = letters(limit).rowsOf(
      source,
      "out",
      rows.map((text) => Buffer.from(text)),
    );
    expect(records.map(({ value }) => String(value))).toEqual(values);
    expect(left.length).toBe(tooMany);
  });

  test("the value of a dead letter is within the topic's limit; the digest of a cut value is in a header", () => {
    const value = Buffer.alloc(100_000, "y");
    for (const limit of [1_500, 10_000, 1_048_588]) {
      const { value: kept, headers } = letters(limit).deadOf(source, "dead", value, [
        { line: 4, code: "not-json", reason: "r" },
      ]);
      expect(kept!.length).toBeLessThanOrEqual(limit);
      const names = headers.map(([name]) => name.toString());
      expect(names.includes("robots-stream.sha256")).toBe(limit < 100_000);
    }
  });

  test.for([
    ["a\nb\nc", [2], "b"],
    ["a\nb\nc", [1, 3], "a\nc"],
    ["a\n\nc\n", [3], "c"],
  ] as const)("lines of %j", ([text, numbers, lines]) => {
    expect(linesAt(Buffer.from(text), numbers).toString()).toBe(lines);
  });
});
