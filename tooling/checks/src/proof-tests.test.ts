// Checks that the listed proof tests exist, that tests with a long form are found, and that code asks only whether ROBOTS_STREAM_THOROUGH
// is set.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { longTestsOf, proofTests, thorough } from "./proof-tests.ts";
import { checkout, projectFilesOf } from "./workspace.ts";

test("every listed test is an existing file and one of the long tests", () => {
  const long = longTestsOf(checkout);
  for (const file of proofTests) {
    expect(existsSync(join(checkout, file)), file).toBe(true);
    expect(long).toContain(file);
  }
});

test.each([
  ["its source", "packages/engine/src/stream/engine.test.ts"],
  ["its source", "packages/fetch/src/stores/sqlite.test.ts"],
  ["a file that it imports", "packages/engine/src/formats/formats.test.ts"],
  ["its source", "tooling/faultlab/test/rows/tls.test.ts"],
])("a test with a long form is found by %s: %s", (_what, file) => {
  expect(longTestsOf(checkout)).toContain(file);
});

test("all code asks only whether the variable is set, so that proof enables every long form", () => {
  const [name] = Object.keys(thorough) as [string];
  expect(name).toBe("ROBOTS_STREAM_THOROUGH");
  const texts = projectFilesOf(checkout)
    .filter((file) => /\.(?:[cm]?[jt]s|py|sh|json|ya?ml)$|^\.ci\//u.test(file))
    .filter((file) => !file.startsWith("tooling/checks/src/proof-tests."))
    .map((file): [file: string, text: string] => [file, readFileSync(join(checkout, file), "utf8")])
    .filter(([, text]) => text.includes(name));
  expect(texts.length).toBeGreaterThan(40);
  const reading = new RegExp(String.raw`process\.env\["${name}"\] [!=]== undefined`, "gu");
  // Comments may name the variable.
  const comment = /^ *(?:\/\/|\/?\*).*$/gmu;
  const others = texts.filter(([, text]) => text.replaceAll(comment, "").replaceAll(reading, "").includes(name));
  expect(others.map(([file]) => file)).toEqual([]);
});
