// Checks docs/FAULTS.md: it holds the generated table, and every test that it names exists.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { documentOf } from "./document.ts";
import { elsewhere } from "./elsewhere.ts";
import { rows } from "./rows.ts";

const root = new URL("../../../", import.meta.url);

test("docs/FAULTS.md is up to date (node tooling/faultlab/src/main.ts --markdown prints its table)", () => {
  expect(readFileSync(new URL("docs/FAULTS.md", root), "utf8")).toContain(documentOf());
});

test("every row has its own number", () => {
  const ids = [...rows, ...elsewhere].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test.each(elsewhere.flatMap(({ id, tests }) => tests.map((path) => [id, path] as const)))(
  "row %i names %s, which exists",
  (_id, path) => {
    expect(existsSync(new URL(path, root))).toBe(true);
  },
);
