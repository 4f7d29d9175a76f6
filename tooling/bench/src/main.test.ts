// The bench as a process: tables, errors, and suites that take less than a second. suites.test.ts runs all suites except bridge and kafka.
import { expect, test } from "vitest";
import { bench, rowsOf } from "./run-bench.ts";

test("url: both lists, with equal origins", () => {
  const [url] = rowsOf("url");
  expect(url!.rows).toMatchObject([
    { urls: "URLs of 5,000 hosts", differentOrigins: 0 },
    { urls: "URLs of one host", differentOrigins: 0 },
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
  const { status, stdout } = bench(
    "url",
    "core",
    "--quick",
    "--only",
    "one host",
    "--only",
    "parse, 500 KB, one group",
  );
  expect(status).toBe(0);
  expect(stdout.match(/^Node /gmu)).toHaveLength(1);
  expect(stdout.match(/^## \w+|^\| (?:URLs of|parse)[^|]+\b/gmu)).toEqual([
    "## url",
    "| URLs of one host",
    "## core",
    "| parse, 500 KB, one group",
  ]);
  expect(rowsOf("url", "core", "--only", "none").map(({ suite, rows }) => [suite, rows])).toEqual([
    ["url", []],
    ["core", []],
  ]);
});

test.each([
  [["none"], 'there is no suite "none"'],
  [["--rounds", "0"], '--rounds takes a whole number from 1 on, not "0"'],
  [["--fast"], "Unknown option '--fast'"],
])("%j is a mistake", (args, message) => {
  const { status, stdout, stderr } = bench(...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test("a quick run prints no verdict, although rows have bounds", () => {
  const rows = rowsOf("cache", "url").flatMap((suite) => suite.rows);
  expect(rows.filter(({ verdict = "" }) => verdict !== "")).toEqual([]);
  expect(rows.some(({ wanted }) => typeof wanted === "number")).toBe(true);
});
