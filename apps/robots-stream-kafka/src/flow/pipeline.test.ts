// Tests when a pipeline frees the memory of its messages.
import { fileURLToPath } from "node:url";
import { createSavedRobots } from "@robots-stream/engine";
import { describe, expect, test } from "vitest";
import type { OutputRecord } from "../kafka/types.ts";
import { Counts } from "./counts.ts";
import type { Routes } from "./delivery.ts";
import { Pipeline } from "./pipeline.ts";
import { Progress } from "./progress.ts";

const robots = createSavedRobots(fileURLToPath(new URL("../../../../examples/robots", import.meta.url)));
const url = '{"url":"https://shop.example/shoes"}';
const many = Array<string>(200).fill(url).join("\n");
const noTopics: Routes = {
  to: undefined,
  allowed: undefined,
  disallowed: undefined,
  dead: undefined,
  later: undefined,
};

/** A value with a memory block of its own, like the client library's large values. */
function owned(text: string): Buffer {
  const value = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  value.write(text);
  return value;
}

/**
 * Passes one message through a pipeline; returns the texts that the pipeline wrote, and the length of the input value during each write and
 * at the end.
 */
async function pass(value: Buffer, more: { readonly routes?: Partial<Routes>; readonly urlFrom?: "key" } = {}) {
  const written: string[] = [];
  const lengths: number[] = [];
  const counts = new Counts();
  let onRoom: () => void = () => undefined;
  const pipeline = new Pipeline({
    topic: "in",
    routes: { ...noTopics, to: "out", dead: "dead", ...more.routes },
    decide: { agents: "bingbot", robots },
    urlFrom: more.urlFrom ?? "value",
    ordered: false,
    maxWaitMs: 60_000,
    sourceHeaders: false,
    mostBytes: 1e6,
    counts,
    writing: {
      async send(records: readonly OutputRecord[]) {
        // Delays like a request that is retried after a while.
        await new Promise((resolve) => setTimeout(resolve, 20));
        for (const { value: each } of records)
          written.push(Buffer.isBuffer(each) ? each.toString() : Buffer.concat(each ?? []).toString());
        lengths.push(value.length);
      },
      isTooLarge: () => false,
    },
    limitOf: () => 1e6,
    onRoom: () => onRoom(),
    onDead: () => undefined,
    onFailure: () => undefined,
  });
  const done = new Promise<void>((resolve) => (onRoom = () => pipeline.messages === 0 && resolve()));
  const key = Buffer.from("https://shop.example/shoes");
  pipeline.add(new Progress(0, 0n, 0n), { offset: 0n, timestamp: 0n, key, value, headers: [] });
  await done;
  await pipeline.close();
  expect(counts.isExact(0)).toBe(true);
  return { written: written.join("\n").split("\n"), lengths, end: value.length };
}

describe("the memory of a value", () => {
  test.for([
    ["rows", many, {}, 200],
    ["a dead letter, which is the value itself", "x".repeat(5_000), {}, 1],
    ["rows, and a dead letter that is a line of the value", `${many}\noops`, {}, 201],
    ["the unchanged value, with a header", "x\n".repeat(5_000), { urlFrom: "key" }, 5_001],
    ["only the rows of allowed URLs", many, { routes: { to: undefined, allowed: "yes" } }, 200],
  ] as const)("is freed after its output was written: %s", async ([, text, more, lines]) => {
    const { written, lengths, end } = await pass(owned(text), more);
    expect(written.length).toBe(lines);
    for (const line of written) expect(line).not.toContain("\0");
    expect(lengths.length).toBeGreaterThan(0);
    expect(new Set(lengths)).toEqual(new Set([Buffer.byteLength(text)]));
    expect(end).toBe(0);
  });

  test("is freed if nothing is written", async () => {
    const { written, end } = await pass(owned(many), { routes: { to: undefined, disallowed: "no" } });
    expect([written, end]).toEqual([[""], 0]);
  });

  test.for([["value"], ["key"]] as const)(
    "is not freed if messages with an empty value share it; URL from the %s",
    async ([urlFrom]) => {
      const shared = owned("");
      for (const more of [{}, { routes: { dead: undefined } }])
        await pass(shared, { ...more, ...(urlFrom === "key" ? { urlFrom } : {}) });
      // Throws if the memory was transferred.
      expect(new Uint8Array(shared.buffer).length).toBe(0);
    },
  );

  test("is not freed if it also holds other bytes", async () => {
    const memory = owned(`${many}, and more`);
    const { end } = await pass(memory.subarray(0, many.length));
    expect(end).toBe(many.length);
    expect(memory.toString()).toBe(`${many}, and more`);
  });
});
