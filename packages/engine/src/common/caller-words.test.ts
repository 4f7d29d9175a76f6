// Tests that messages name what the caller has: options of the library, or those of a program.
import { afterEach, expect, test } from "vitest";
import { callerText, hint, hints, option, optionMark, optionText, setCallerWords } from "./caller-words.ts";

const library = setCallerWords({ option: () => undefined, texts: {} });
setCallerWords(library);
afterEach(() => void setCallerWords(library));

test("the library has its own options, and no texts of commands", () => {
  expect([option("urlField"), option("urlField", "NAME"), option("pathField", "x")]).toEqual([
    "urlField",
    "urlField: NAME",
    undefined,
  ]);
  expect([optionMark("maxLineBytes"), optionMark("hostField")]).toEqual([" (maxLineBytes)", ""]);
  expect([optionText("pathField", "x"), callerText("detectNames")]).toEqual(["pathField: x", undefined]);
});

test("a hint with an option that the caller lacks is left out", () => {
  const name = hint`name it: ${option("urlField", "NAME")}`;
  expect(hints(name, hint`or its parts: ${option("pathField", "NAME")}`, callerText("detectNames"))).toBe(
    "name it: urlField: NAME",
  );
  expect(hints(callerText("detectNames"))).toBeUndefined();
});

test("a program has its own words", () => {
  setCallerWords({ option: (name, value) => `/${name}=${value ?? ""}`, texts: { detectNames: "look at it" } });
  expect(hints(hint`name it: ${option("pathField", "NAME")}`, callerText("detectNames"))).toBe(
    "name it: /pathField=NAME; look at it",
  );
});
