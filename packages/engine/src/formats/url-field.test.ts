// The name asked for in: the sentence about a record that has none such.
import { expect, test } from "vitest";
import { missingUrlField } from "./url-field.ts";

test("what was asked for is shown so that no terminal obeys it", () => {
  expect(missingUrlField("stdin", "\u009b31m\u202e", ["a"], { urlPlace: undefined, byPlace: true }).message).toContain(
    'no field "\\x9b31m\\u202e"',
  );
});
