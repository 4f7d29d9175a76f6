// The list of proof tests in: each is there, and what it leaves out of `npm test` is run by `npm run proof`.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { longTestsOf, proofTests } from "./proof-tests.ts";
import { checkout } from "./workspace.ts";

test("every listed test is a file, and is among the long ones", () => {
  const long = longTestsOf(checkout);
  for (const file of proofTests) {
    expect(existsSync(join(checkout, file)), file).toBe(true);
    expect(long).toContain(file);
  }
});

test("a test with a long form is found by its text", () => {
  expect(longTestsOf(checkout)).toEqual(
    expect.arrayContaining(["packages/engine/src/engine.test.ts", "packages/fetch/src/stores/sqlite.test.ts"]),
  );
});
