// Tests the requests that an outbox makes from its messages, how it handles a refused request, and the failures that it reports.
import { describe, expect, test } from "vitest";
import type { OutputRecord } from "../kafka/types.ts";
import { Outbox, type Outgoing, sizeOf } from "./outbox.ts";

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const tooLarge = new Error("too large");

const outgoingOf = (value: string, timestamp: bigint): Outgoing => ({
  record: { topic: "out", key: null, value: Buffer.from(value), headers: [], timestamp, partition: 0 },
});

/** Two messages of one letter fit into a request. */
const mostBytes = 2 * sizeOf(outgoingOf("a", 0n).record);

/** Writes messages with these values and times; returns what became of them. */
async function write(values: Readonly<Record<string, bigint>>, tooLargeValues: readonly string[] = []) {
  const requests: string[][] = [];
  const sent: string[] = [];
  const failures: unknown[] = [];
  const textOf = ({ value }: OutputRecord): string => String(value);
  let [underWay, most] = [0, 0];
  const outbox = new Outbox({
    mostBytes,
    mostRecords: 100,
    mostSpanMs: 1_000n,
    async send(records) {
      most = Math.max(most, ++underWay);
      await turn();
      underWay--;
      const texts = records.map(textOf);
      if (texts.some((text) => tooLargeValues.includes(text))) throw tooLarge;
      if (texts.includes("f")) throw new Error("refused");
      requests.push(texts);
    },
    isTooLarge: (error) => error === tooLarge,
    onSent: ({ record }) => sent.push(textOf(record)),
    onTooLarge: ({ record }) => (textOf(record) === "h" ? outgoingOf("instead", 0n) : undefined),
    onFailure: (error) => failures.push(error),
  });
  for (const [value, time] of Object.entries(values)) outbox.push(outgoingOf(value, time));
  await turn();
  expect(sent).toEqual([]);
  for (let round = 0; round < 20; round++) await turn();
  expect(most).toBe(1);
  return { requests, sent: sent.join(), failures: failures.length, bytes: outbox.bytes };
}

const at = (values: string): Record<string, bigint> => Object.fromEntries(values.split("").map((value) => [value, 0n]));

describe("an outbox", () => {
  test.for<readonly [what: string, values: Readonly<Record<string, bigint>>, tooLarge: string[], requests: string[][]]>(
    [
      [
        "sends one request at a time, filled up to the limit, in order",
        at("abcde"),
        [],
        [["a", "b"], ["c", "d"], ["e"]],
      ],
      [
        "ends a request before the times of its messages are too far apart",
        { a: 5_000n, b: 4_000n, c: 5_001n, d: 4_001n, e: 3_000n },
        [],
        [["a", "b"], ["c", "d"], ["e"]],
      ],
      [
        "divides a request that is too large; replaces or drops a single message that is too large",
        at("ahlb"),
        ["h", "l"],
        [["a"], ["instead"], ["b"]],
      ],
    ],
  )("%s", async ([, values, tooLargeValues, requests]) => {
    const found = await write(values, tooLargeValues);
    expect(found).toEqual({ requests, sent: requests.join(), failures: 0, bytes: 0 });
  });

  test("reports a refusal, and writes nothing after it", async () => {
    expect(await write(at("fbc"))).toMatchObject({ requests: [], failures: 1 });
  });
});
