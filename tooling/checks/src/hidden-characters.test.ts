// Tests that all sources which escape invisible characters use one list of them, that of packages/core/src/read/visible.ts. Packages that import
// no other package repeat it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkout, projectFilesOf } from "./workspace.ts";

/** Parts of expressions about invisible characters. */
const part = /Default_Ignorable|Bidi_Control|\\p\{Cf\}|\\u200b|\\u202e/i;

test("there is one list of invisible characters", () => {
  const found = projectFilesOf(checkout)
    .filter((file) => /^(?:packages|apps)\/[^/]+\/src\//.test(file) && /(?<!\.test)\.ts$/.test(file))
    .flatMap((file) =>
      readFileSync(join(checkout, file), "utf8")
        .split("\n")
        .filter((line) => part.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line))
        .map((line) => ({ file, line })),
    );
  const { line } = found.find(({ file }) => file === "packages/core/src/read/visible.ts")!;
  expect(line).toContain("Default_Ignorable");
  expect(found.map(({ file }) => file)).toContain("packages/audit/src/text/safe-text.ts");
  expect(found.filter((each) => each.line !== line)).toEqual([]);
});
