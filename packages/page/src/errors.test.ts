// Tests that an argument of a wrong type throws at once, with a code.
import { expect, test } from "vitest";
import { readHtml } from "./html.ts";
import { decidePage, engineOf, explainPage, readMetaTags, readXRobotsTag } from "./index.ts";

test.each<readonly [name: string, called: (...given: never[]) => unknown, given: readonly unknown[]]>([
  ["decidePage", decidePage, [undefined, "googlebot"]],
  ["decidePage", decidePage, ["googlebot", []]],
  ["decidePage", decidePage, ["noindex", "googlebot"]],
  ["engineOf", engineOf, [undefined]],
  ["explainPage", explainPage, [[]]],
  ["readMetaTags", readMetaTags, [undefined]],
  ["readMetaTags", readMetaTags, ["noindex"]],
  ["readMetaTags", readMetaTags, [[{ name: "robots" }]]],
  ["readXRobotsTag", readXRobotsTag, [null]],
  ["readHtml", readHtml, [undefined]],
])("%s of a wrong argument", (_name, called, given) => {
  expect(() => (called as (...each: readonly unknown[]) => unknown)(...given)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});
