// Tests that an argument of a wrong type throws at once, with a code.
import { expect, test } from "vitest";
import { createVerifier, findHosts, isHostOf, parseAddress, parsePrefix, readRanges } from "./index.ts";

test.each<readonly [name: string, called: (...given: never[]) => unknown, given: readonly unknown[]]>([
  ["parseAddress", parseAddress, [undefined]],
  ["parsePrefix", parsePrefix, [4]],
  ["readRanges", readRanges, [Buffer.from("192.0.2.0/24")]],
  ["isHostOf", isHostOf, [undefined, { suffix: "a.example" }]],
  ["isHostOf", isHostOf, ["a.example", "a.example"]],
  ["createVerifier", createVerifier, [null]],
  ["createVerifier", createVerifier, [{ lists: "google" }]],
])("%s of a wrong argument", (_name, called, given) => {
  expect(() => (called as (...each: readonly unknown[]) => unknown)(...given)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});

test.each([
  [undefined, [], { namesOf: () => [] }],
  ["192.0.2.1", undefined, { namesOf: () => [] }],
  ["192.0.2.1", [], undefined],
])("findHosts(%j, %j, %j) rejects", async (...given) => {
  const called = findHosts as unknown as (...each: readonly unknown[]) => Promise<unknown>;
  await expect(called(...given)).rejects.toMatchObject({ code: "ERR_INVALID_ARGUMENT" });
});
