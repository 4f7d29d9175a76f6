// The descriptions of errors whose messages quote input do not contain that input.
import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { FetchError, StoreError } from "@robots-stream/fetch";
import { normalizeTarget } from "@robots-stream/url";
import { parse } from "csv-parse/sync";
import { bugTextOf, reasonOf } from "./errors.ts";

const thrownBy = (throws: () => unknown): unknown => {
  try {
    throws();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
};
const secret = "hunter2pw";

const foreign: readonly (readonly [what: string, error: unknown])[] = [
  ["an error of JSON.parse", thrownBy(() => JSON.parse(`{"url":"https://u:${secret}@h"`))],
  ["an error of JSON.parse at the first character", thrownBy(() => JSON.parse(secret))],
  ["an error of csv-parse", thrownBy(() => parse(`a"${secret}"b,"c`))],
  ["an error of decodeURIComponent", thrownBy(() => decodeURIComponent(`%${secret}`))],
  ["an error of new URL", thrownBy(() => new URL(`:${secret}`))],
  ["an error of new RegExp", thrownBy(() => new RegExp(`(${secret}`))],
  [
    "an error with a message of several lines",
    new TypeError(`x\n    at ${secret} (file:///${secret}:1:1)\n    at ${secret}`),
  ],
  ["a string", secret],
  ["an object that is no Error", { message: secret, stack: secret }],
  ["an error whose message was changed", Object.assign(new RangeError("x"), { message: secret })],
];

describe.each(foreign)("%s", (_what, error) => {
  test("is reported as a bug by its class, without its message", () => {
    expect(bugTextOf(error)).not.toContain(secret);
    if (error instanceof Error) expect(bugTextOf(error)).toContain(error.name);
  });

  test("is reported as a reason without its message", () => expect(reasonOf(error)).not.toContain(secret));
});

test("a bug is reported with its position", () => {
  expect(bugTextOf(new TypeError(secret))).toMatch(/^TypeError\n +at .*errors\.test\.ts:\d+:\d+/);
});

test("the system's errors and the program's own errors keep their descriptions", () => {
  expect(reasonOf(thrownBy(() => readFileSync(`${import.meta.filename}.missing/${secret}`)))).toBe(
    "no such file or directory (ENOENT)",
  );
  expect(reasonOf(new Error("was cut"))).toBe("was cut");
  expect(reasonOf(new FetchError("ERR_CLIENT_CLOSED", "the client is closed"))).toBe("the client is closed");
  expect(reasonOf(new StoreError("ERR_STORE_FULL", "no room"))).toBe("no room");
  expect(reasonOf(thrownBy(() => normalizeTarget("a")))).toBe("A target begins with a slash");
});
