// Rotated logs of two sites and a base for each in, decisions by the site of each log out.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "./here.ts";

const folder = mkdtempSync(join(tmpdir(), "robots-stream-bases-"));
const logs = join(folder, "logs");
const line = (path: string): string =>
  `192.0.2.7 - - [21/Nov/2026:06:55:01 +0000] "GET ${path} HTTP/1.1" 200 1 "-" "x"\n`;

beforeAll(() => {
  mkdirSync(logs);
  writeFileSync(join(logs, "shop.log"), line("/cart/1"));
  writeFileSync(join(logs, "shop.log.1"), line("/cart/2"));
  writeFileSync(join(logs, "news.log"), line("/archive/3"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asked = ["--agent", "bingbot", "--robots", "examples/robots", "--output", "ndjson"];
const bases = ["--base", `${join(logs, "shop*")}=https://shop.example`, "--base", "https://news.example"];

test.each([[[]], [["--workers", "2"]]])("each file has its own base: %j", async (args) => {
  const { code, stdout, stderr } = await runHere([...asked, ...bases, ...args, logs], "");
  expect(stderr).toBe("");
  const urls = stdout
    .trim()
    .split("\n")
    .map((row) => (JSON.parse(row) as { url: string }).url);
  expect(urls.toSorted()).toEqual([
    "https://news.example/archive/3",
    "https://shop.example/cart/1",
    "https://shop.example/cart/2",
  ]);
  expect(code).toBe(0);
});

test("a log of no base is wrong usage, a base of no log is told", async () => {
  const one = await runHere([...asked, ...bases.slice(0, 2), logs], "");
  expect(one.stderr).toMatch(/news\.log:1: this log does not name the host/);
  expect(one.code).toBe(2);
  const other = await runHere([...asked, ...bases, join(logs, "news.log")], "");
  expect(other.stderr).toMatch(/--base .*shop\*=https:\/\/shop\.example: applies to no file of this run/);
  expect(other.code).toBe(0);
});

test("detect reads each file with its base", async () => {
  const { stdout } = await runHere(["detect", "--output", "ndjson", ...bases, logs], "");
  const urls = stdout
    .trim()
    .split("\n")
    .map((row) => (JSON.parse(row) as { first: { url: string } }).first.url);
  expect(urls).toContain("https://shop.example/cart/2");
  expect(urls).toContain("https://news.example/archive/3");
});
