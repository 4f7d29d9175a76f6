// Tests that an argument of a wrong type throws at once, with a code.
import { expect, test } from "vitest";
import { pageValuesOf, sentencesOf } from "./index.ts";

test.each<readonly [name: string, called: (...given: never[]) => unknown, given: readonly unknown[]]>([
  ["pageValuesOf", pageValuesOf, [undefined]],
  ["pageValuesOf", pageValuesOf, ["content-usage: train-ai=n"]],
  ["sentencesOf", sentencesOf, [undefined]],
  ["sentencesOf", sentencesOf, [{}]],
])("%s of a wrong argument", (_name, called, given) => {
  expect(() => (called as (...each: readonly unknown[]) => unknown)(...given)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});
