// Tests that a consumer of decided records gets batches made from pieces of rows, and that the run waits until each batch is taken.
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { type DecidedConsumer, type DecidedRecord, createDecidedOutlet } from "./decided.ts";

const decidedOf = (piece: Buffer): DecidedRecord[] =>
  piece
    .toString()
    .split(" ")
    .filter((url) => url !== "")
    .map((url) => ({ record: { url }, url, agent: "a", allowed: true, because: "no-rule" }));

const run = (pieces: readonly string[], consumer: DecidedConsumer): Promise<void> =>
  pipeline(
    pieces.map((piece) => Buffer.from(piece)),
    createDecidedOutlet(decidedOf, consumer),
  );

test("batches come in order and are not empty, each comes after the previous one was taken, and the end comes last", async () => {
  const seen: string[] = [];
  await run(["a b", " ", "c"], {
    async take(batch) {
      seen.push(`take ${batch.map(({ url }) => url).join("+")}`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push("taken");
    },
    end: () => void seen.push("end"),
  });
  expect(seen).toEqual(["take a+b", "taken", "take c", "taken", "end"]);
});

test.each<[string, DecidedConsumer]>([
  [
    "throws",
    {
      take() {
        throw new Error("full");
      },
    },
  ],
  ["rejects", { take: () => Promise.reject(new Error("full")) }],
  ["cannot end", { take: () => undefined, end: () => Promise.reject(new Error("full")) }],
])("a consumer that %s ends the run", async (_what, consumer) => {
  await expect(run(["a"], consumer)).rejects.toThrow("full");
});
