// Tests --output table for each kind of input: the lines on stdout and the counts on stderr.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runHere } from "./here.ts";

const bingbot = ["--agent", "bingbot", "--robots", "examples/robots", "-o", "table"];
const shop = "https://shop.example";
const cart = "✘ disallowed  https://shop.example/cart         3  disallow: /cart";
const shoes = "✔ allowed     https://shop.example/a,b          no rule";

const inputs: readonly (readonly [what: string, stdin: string, ...args: string[]])[] = [
  ["objects", `{"url":"${shop}/cart","robots":1}\n{"robots":"x","url":"${shop}\\/a,b"}\n`],
  ["objects with a base", `{"url":"/cart"}\n{"url":"/a,b"}\n`, "--base", shop],
  ["a table", `n,url\n1,${shop}/cart\n2,"${shop}/a,b"\n`],
  ["lines", `${shop}/cart\n${shop}/a,b\n`],
  [
    "a log",
    ["/cart", "/a,b"]
      .map((path) => `192.0.2.7 - - [21/Nov/2026:06:55:01 +0000] "GET ${path} HTTP/1.1" 200 1 "-" "x"\n`)
      .join(""),
    "--base",
    shop,
  ],
  ["ordered", `{"url":"${shop}/cart"}\n{"url":"${shop}/a,b"}\n`, "--ordered"],
];

test.each(inputs)("the lines and the counts: %s", async (_what, stdin, ...args) => {
  const { code, stdout, stderr } = await runHere([...bingbot, ...args], stdin, { COLUMNS: "72" });
  expect(stdout).toBe(`${cart}\n${shoes}\n`);
  expect(stderr).toMatch(/^1 allowed, 1 disallowed, 0 undecided · 1 origin · \d\.\d\d s\n$/);
  expect(code).toBe(0);
});

describe("other flags", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "robots-stream-table-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("lines in a file have no length limit and no colours; the counts include records without a row", async () => {
    const path = join(folder, "decided.txt");
    const long = `${shop}/${"x".repeat(300)}`;
    const stdin = `{"url":"${long}"}\n{"url":"${shop}/cart"}\n{}\n{"url":"mailto:x"}\n`;
    const { code, stdout, stderr } = await runHere(
      [...bingbot, "--output-file", path, "--only", "allowed,undecided", "--agent", "GPTBot"],
      stdin,
    );
    expect(readFileSync(path, "utf8")).toBe(
      `✔ allowed     bingbot  ${long}  no rule\n` +
        ["bingbot", "GPTBot "]
          .map((name) => `– undecided   ${name}  ${"mailto:x".padEnd(60)}  unsupported scheme\n`)
          .join(""),
    );
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(
      /\n1 allowed, 3 disallowed, 2 undecided · 3 rows left out · 1 reject · 1 origin · [\d.]+ s\n$/,
    );
  });

  test("each record's own crawler, and two dialects", async () => {
    const args = ["--agent-field", "ua", "--dialect", "google,rfc9309", "--robots", "examples/robots", "-o", "table"];
    const stdin = `{"url":"${shop}/cart","ua":"bingbot/2.0"}\n{"url":"${shop}/","ua":"Firefox"}\n`;
    const { stdout, stderr } = await runHere(args, stdin, { COLUMNS: "90" });
    expect(stdout.split("\n")).toEqual([
      "✘ disallowed  bingbot  google   https://shop.example/cart         3  disallow: /cart",
      "✘ disallowed  bingbot  rfc9309  https://shop.example/cart         3  disallow: /cart",
      "– no crawler  –                 https://shop.example/             not a crawler",
      "",
    ]);
    expect(stderr).toContain("0 allowed, 2 disallowed, 0 undecided, 1 of no crawler · 1 origin · ");
  });

  test.each([
    [["--result-key", "x"], "--output table and --result-key cannot be combined"],
    [["--csv-safe"], "--output table and --csv-safe cannot be combined"],
    [["--checkpoint", "c", "--output-file", "x.txt"], "--output table and --checkpoint cannot be combined"],
  ])("%j is refused", async (args, message) => {
    const { code, stdout, stderr } = await runHere([...bingbot, ...args], `${shop}\n`);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringContaining(message) as string]);
  });
});
