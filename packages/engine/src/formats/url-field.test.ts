// Tests the error message for a record without the requested field.
import { expect, test } from "vitest";
import { missingUrlField } from "./url-field.ts";

test("the requested name is shown without terminal escape sequences", () => {
  expect(missingUrlField("stdin", "\u009b31m\u202e", ["a"], { urlPlace: undefined, byPlace: true }).message).toContain(
    'no field "\\x9b31m\\u202e"',
  );
});
