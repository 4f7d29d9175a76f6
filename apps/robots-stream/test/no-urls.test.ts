// Tests exit codes and messages for sources whose records have no URL.
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createSavedRobots, decideStream } from "../src/index.ts";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { root, startApp } from "./run.ts";

const folder = makeFolder();
const asked = ["--agent", "bingbot", "--robots", "examples/robots"];
const good = "https://shop.example/cart/1";

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const words = "hello\nworld\n";
const access = (target: string): string =>
  `192.0.2.1 - - [01/Jan/2026:00:00:00 +0000] "GET ${target} HTTP/1.1" 200 1 "-" "bingbot/2.0"\n`;

describe("exit 2 before any output", () => {
  test.each<[what: string, input: string | Uint8Array, message: RegExp, hint: RegExp, args?: readonly string[]]>([
    [
      "words",
      words,
      /none of its 2 records has a URL; it is read as one URL per line; it looks like other text/,
      /--input NAME/,
    ],
    ["one word", "hello\n", /its only record has no URL/, /--input NAME/],
    ["many lines", "hello\n".repeat(5_000), /none of its first 100 records has a URL/, /--input NAME/],
    ["paths", "/a\n/b\n", /they begin with a slash, as paths do/, /--base https:\/\/example\.com/],
    ["hosts", "a.example/x\nb.example/y\n", /look like hosts without a scheme/, /sed 's\|\^\|https:\/\/\|'/],
    ["a log of an unknown kind", "2026-01-01 00:00:00 /x 200\n".repeat(3), /looks like a log/, /detect FILE/],
    [
      "JSON with invalid URLs",
      '{"url":"a b"}\n{"url":"c d"}\n',
      /read as ndjson; the field .* other text/,
      /--url-field NAME/,
    ],
    [
      "a named field",
      '{"url":"x:1","n":"a b"}\n',
      /has no URL in the field of --url-field/,
      /--url-field/,
      ["--url-field", "n"],
    ],
    ["a table", "url,n\nfoo,1\nbar,2\n", /read as csv; the field/, /--url-field NAME/],
    ["rejects", '{"a\n{"a\n', /read as ndjson; the first reject is not JSON/, /--input NAME/],
    [
      "a log with a wrong format",
      access("/x"),
      /read as vhost_combined; the first reject/,
      /--input NAME/,
      ["--input", "vhost_combined"],
    ],
    ["gzip", gzipSync(words), /none of its 2 records/, /--input NAME/],
    ["zstd", zstdCompressSync(Buffer.from(words)), /none of its 2 records/, /--input NAME/],
  ])("%s", async (what, input, message, hint, args = []) => {
    const path = file(`${what.replaceAll(" ", "-")}.in`, input);
    const output = join(folder, "never");
    const runs = [runHere([...asked, ...args, path, "--output-file", output]), runHere([...asked, ...args], input)];
    for (const { code, stdout, stderr } of await Promise.all(runs)) {
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message) as string]);
      expect(stderr.split("\n")[1]).toMatch(hint);
    }
    expect(existsSync(output)).toBe(false);
    const found = await runHere(["detect", ...args, path]);
    expect([found.code, found.stdout]).toEqual([2, expect.stringMatching(message) as string]);
  });
});

test.each<[what: string, input: string | Uint8Array, rows: number, args?: readonly string[]]>([
  ["nothing", "", 0],
  ["empty lines", "\n\n", 0],
  ["one odd line first", `oops\n${good}\n`, 2],
  ["99 odd lines first", `${"oops\n".repeat(99)}${good}\n`, 100],
  ["one odd line first, in gzip", gzipSync(`oops\n${good}\n`), 2],
  ["a record before many rejects", `{"url":"${good}"}\n${"oops\n".repeat(5_000)}`, 1],
  ["a reject first", `oops\n{"url":"${good}"}\n`, 1, ["--input", "ndjson"]],
  ["URLs without an origin", "mailto:someone@shop.example\nmailto:x\n", 2],
  ["paths with their host", "/a\n/b\n", 2, ["--base", "https://shop.example"]],
])("%s: exit 0", async (_what, input, rows, args = []) => {
  const { code, stdout } = await runHere([...asked, ...args], input);
  expect([code, stdout.split("\n").length - 1]).toEqual([0, rows]);
});

test("a log that has only requests without URLs is a log", async () => {
  const { code, stdout } = await runHere([...asked, "--base", "https://shop.example"], access("*").repeat(200));
  expect([code, stdout]).toEqual([0, ""]);
});

describe("several sources", () => {
  test("a file without URLs after a good one: exit 2, nothing is decided", async () => {
    const { code, stdout, stderr } = await runHere([...asked, "examples/urls.ndjson", file("words.txt", words)]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("words.txt: none of its 2 records has a URL");
  });

  test("a pipe without URLs after a good file: exit 3", async () => {
    const { code, stdout, stderr } = await runHere([...asked, "examples/urls.ndjson", "-"], words);
    expect([code, stdout.split("\n").length - 1]).toEqual([3, 17]);
    expect(stderr).toContain("stdin: none of its 2 records has a URL");
  });
});

test("rejects between empty lines, too many to hold in memory: exit 3", async () => {
  const { code, stdout } = await runHere([...asked, "--input", "ndjson"], "\noops\n".repeat(100_000));
  expect([code, stdout]).toEqual([3, ""]);
});

test("records too large to hold in memory, none with a URL: exit 3", async () => {
  const long = `{"url":"no url","n":"${"x".repeat(900_000)}"}\n`;
  const { code, stdout, stderr } = await runHere(asked, long.repeat(6));
  expect([code, stdout.split("\n").length - 1]).toEqual([3, 6]);
  expect(stderr).toContain("none of the 6 records has a URL");
});

test("a resumed run without any URL ends with exit 3 as well", async () => {
  const long = `{"url":"no url","n":"${"x".repeat(900_000)}"}\n`;
  const input = file("long.ndjson", long.repeat(6));
  const [output, checkpoint] = [join(folder, "resumed.ndjson"), join(folder, "run.json")];
  const args = [...asked, input, "--output-file", output, "--checkpoint", checkpoint];
  expect((await runHere(args)).code).toBe(3);
  const whole = readFileSync(output, "utf8");
  const { code } = await runHere([...args, "--resume"]);
  expect([code, readFileSync(output, "utf8") === whole]).toEqual([3, true]);
});

test("a pipe that stays open: a good line is answered at once", async () => {
  const app = startApp([...asked, "--input", "lines"]);
  app.stdin?.write(`oops\n${good}\n`);
  let stdout = "";
  while (!stdout.includes(good)) stdout += String((await once(app.stdout!, "data"))[0]);
  expect(stdout).toContain('"url":"oops"');
  app.stdin?.end();
  expect((await app.ended).code).toBe(0);
});

test("decideStream: bytes without URLs are wrong usage; a program's records are answered one by one", async () => {
  const robots = createSavedRobots(`${root}examples/robots`);
  const read = async (input: Uint8Array | readonly string[]): Promise<unknown[]> => {
    const because: unknown[] = [];
    for await (const batch of decideStream({ agents: "bingbot", robots, input: input as Uint8Array })) {
      because.push(...batch.map((decision) => decision.because));
    }
    return because;
  };
  await expect(read(Buffer.from(words))).rejects.toMatchObject({ code: "ERR_NO_URLS", name: "UsageError" });
  expect(await read(["hello", "world"])).toEqual(["invalid-url", "invalid-url"]);
});
