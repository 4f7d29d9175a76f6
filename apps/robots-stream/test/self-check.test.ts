// Tests that a run that loses a record, as a bug in the program could cause, reports the loss and exits with code 3.
import { expect, test, vi } from "vitest";
import { runHere } from "./here.ts";
import { root } from "./run.ts";

// The program is changed so that it does not count the fifth decided record.
vi.mock("@robots-stream/engine/internal", async (importOriginal) => {
  const original = await importOriginal<typeof import("@robots-stream/engine/internal")>();
  class LosingEngine extends original.Engine {
    constructor(...args: ConstructorParameters<typeof original.Engine>) {
      super(...args);
      let decided = 0;
      let hasLost = false;
      Object.defineProperty(this.tally, "decided", {
        get: () => decided,
        set: (value: number) => {
          const loses = !hasLost && value >= 5;
          hasLost ||= loses;
          decided = loses ? value - 1 : value;
        },
      });
    }
  }
  return { ...original, Engine: LosingEngine };
});

test("a bug is reported if the records in are not the records out plus the rejects", async () => {
  const { code, stderr } = await runHere(
    ["--agent", "bingbot", "--robots", `${root}examples/robots`, "--input", "ndjson"],
    '{"url":"https://shop.example/cart/1"}\n'.repeat(20),
  );
  expect([code, stderr]).toEqual([
    3,
    "robots-stream: a bug: 20 records came in, but 19 went out, 0 were rejects, 0 not decided, 0 of other shards, 0 outside the time\n",
  ]);
});
