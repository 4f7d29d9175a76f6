// Checks the list of proof tests: every file exists, and `npm run proof` runs every test that `npm test` leaves out.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { longTestsOf, proofTests } from "./proof-tests.ts";
import { checkout } from "./workspace.ts";

test("every listed test is an existing file and one of the long tests", () => {
  const long = longTestsOf(checkout);
  for (const file of proofTests) {
    expect(existsSync(join(checkout, file)), file).toBe(true);
    expect(long).toContain(file);
  }
});

test("a test with a long form is found by its source text", () => {
  expect(longTestsOf(checkout)).toEqual(
    expect.arrayContaining(["packages/engine/src/engine.test.ts", "packages/fetch/src/stores/sqlite.test.ts"]),
  );
});
