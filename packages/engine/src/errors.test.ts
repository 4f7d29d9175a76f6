// The descriptions of errors whose messages quote input do not contain that input.
import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { FetchError, StoreError } from "@robots-stream/fetch";
import { normalizeTarget } from "@robots-stream/url";
import { parse } from "csv-parse/sync";
import { IoError, UsageError, bugTextOf, reasonOf } from "./errors.ts";
import { errorOf, errorReportOf } from "./workers/errors.ts";

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
  ["JSON.parse", thrownBy(() => JSON.parse(`{"url":"https://u:${secret}@h"`))],
  ["JSON.parse, at once", thrownBy(() => JSON.parse(secret))],
  ["csv-parse", thrownBy(() => parse(`a"${secret}"b,"c`))],
  ["decodeURIComponent", thrownBy(() => decodeURIComponent(`%${secret}`))],
  ["new URL", thrownBy(() => new URL(`:${secret}`))],
  ["a RegExp", thrownBy(() => new RegExp(`(${secret}`))],
  ["a message of several lines", new TypeError(`x\n    at ${secret} (file:///${secret}:1:1)\n    at ${secret}`)],
  ["a text", secret],
  ["an object", { message: secret, stack: secret }],
  ["a message that was changed", Object.assign(new RangeError("x"), { message: secret })],
];

describe.each(foreign)("an error of %s", (_what, error) => {
  test("is reported as a bug by its class and position", () => {
    expect(bugTextOf(error)).not.toContain(secret);
    if (error instanceof Error) expect(bugTextOf(error)).toContain(error.name);
  });

  test("is reported as a reason without its message", () => expect(reasonOf(error)).not.toContain(secret));

  test("goes from one thread to another without its message", () => {
    const came = errorOf(structuredClone(errorReportOf(error)));
    expect(`${came.message} ${bugTextOf(came)} ${new IoError("worker", "worker 1", came).message}`).not.toContain(
      secret,
    );
    expect(bugTextOf(came)).toBe(bugTextOf(error));
  });
});

test("a bug is reported with its position", () => {
  expect(bugTextOf(new TypeError(secret))).toMatch(/^TypeError\n +at .*errors\.test\.ts:\d+:\d+/);
});

test("reasons from the system and from the program's own errors are texts", () => {
  expect(reasonOf(thrownBy(() => readFileSync(`/nonexistent/${secret}`)))).toBe("no such file or directory (ENOENT)");
  expect(reasonOf(new Error("was cut"))).toBe("was cut");
  expect(reasonOf(new FetchError("ERR_CLIENT_CLOSED", "the client is closed"))).toBe("the client is closed");
  expect(reasonOf(new StoreError("ERR_STORE_FULL", "no room"))).toBe("no room");
  expect(reasonOf(thrownBy(() => normalizeTarget("a")))).toBe("A target begins with a slash");
  expect(errorOf(errorReportOf(new UsageError("no-input", "a", "b")))).toMatchObject({
    code: "ERR_NO_INPUT",
    message: "a",
    hint: "b",
  });
});
