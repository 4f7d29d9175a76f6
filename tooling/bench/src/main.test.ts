// The bench as a process: tables, errors, verdicts, and suites that take less than a second. suites.test.ts runs all suites.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judged } from "./report.ts";
import { bench, rowsOf } from "./run-bench.ts";
import { writtenIn } from "./whole-process.ts";

test("a quick run: rows with equal origins and bounds, but no verdict", () => {
  const [url] = rowsOf("url");
  const expected = { differentOrigins: 0, wanted: "ratio ≥ 3", verdict: "" };
  expect(url!.rows).toMatchObject([
    { urls: "URLs of 5,000 hosts", ...expected },
    { urls: "URLs of one host", ...expected },
  ]);
});

test("a table for people, and progress on stderr", () => {
  const { status, stdout, stderr } = bench("url", "--quick", "--only", "one host");
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /^Node .*quick: no measurement\n\n## url: [^\n]+\n\n\| URLs +\| .*\n\|[-:| ]+\|\n\| URLs of one host \| /su,
  );
  expect(stderr).toBe("url: URLs of one host\n");
});

test("several suites: one table after another; the machine is named once", { timeout: 600_000 }, () => {
  const only = ["--only", "one host", "--only", "parse, 500 KB, one group"];
  const { status, stdout } = bench("url", "core", "--quick", ...only);
  expect(status).toBe(0);
  expect(stdout.match(/^Node /gmu)).toHaveLength(1);
  expect(stdout.match(/^## \w+|^\| (?:URLs of|parse)[^|]+\b/gmu)).toEqual([
    "## url",
    "| URLs of one host",
    "## core",
    "| parse, 500 KB, one group",
  ]);
});

test.each([
  [["none"], 'there is no suite "none"'],
  [["--rounds", "0"], '--rounds takes a whole number from 1 on, not "0"'],
  [["--fast"], "Unknown option '--fast'"],
  [["whole"], "whole needs --old CHECKOUT"],
])("%j is a mistake", (args, message) => {
  const { status, stdout, stderr } = bench(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test.each([
  [1.59, "ok", "BELOW: cpu"],
  [1.6, "ok", "ok"],
  [1.61, "ABOVE: cpu", "ok"],
  [NaN, "ABOVE: cpu", "BELOW: cpu"],
])("the verdict of %d with the bound 1.6", (cpu, atMost, atLeast) => {
  const verdicts = (["≤", "≥"] as const).map((sign) => judged({ cpu }, [["cpu", sign, 1.6]])["verdict"]);
  expect(verdicts).toEqual([atMost, atLeast]);
  expect(judged({ cpu }, [])).toMatchObject({ wanted: "", verdict: "" });
});

test("what two programs wrote is equal in any order of the lines, and differs by one line", () => {
  const folder = mkdtempSync(join(tmpdir(), "robots-stream-bench-"));
  try {
    const [first, ...others] = ["a\nb\nc\n", "c\na\nb\n", "a\nb\nd\n", "a\nb\n", "a\nb\nc\nc\n"].map((text) => {
      writeFileSync(join(folder, "rows"), text);
      return writtenIn(join(folder, "rows")).digest;
    });
    expect(others.map((digest) => digest === first)).toEqual([true, false, false, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
