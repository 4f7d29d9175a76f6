// The command `test` from its arguments to its output and exit code, and the syntax of tests.
import { execFileSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createWriteStream, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { runHere } from "../../../test/here.ts";
import { portOf } from "../../../test/servers.ts";
import { parseTests } from "./parse-tests.ts";
import { makeFolder } from "../../../test/folder.ts";

const folder = makeFolder();
const at = (name: string): string => join(folder, name);
const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[
  "a/1",
  "a/2",
  "b",
  "c/x",
]
  .map((path) => `<url><loc>https://a.example/${path}</loc></url>`)
  .join("")}</urlset>`;

beforeAll(() => {
  writeFileSync(
    at("robots.txt"),
    "User-agent: *\nDisallow: /a\n\nUser-agent: GPTBot\nUser-agent: MJ12bot\nDisallow: /\n",
  );
  writeFileSync(at("sitemap.xml"), sitemap);
  writeFileSync(at("sitemap.xml.gz"), gzipSync(sitemap));
});

type Given = Parameters<typeof runHere>;
const run = (argv: readonly string[], stdin?: Given[1], unusual?: Given[3]): ReturnType<typeof runHere> =>
  runHere(["test", ...argv], stdin, {}, unusual);
const stopped = { code: 143, stdout: "", stderr: "robots-stream: stopped by SIGTERM\n" };

test.each([
  ["allow bingbot /b", 0],
  ["DISALLOW bingbot https://any.example/a#part   # a comment", 0],
  ["disallow GPTBot /x by 6", 0],
  ["disallow GPTBot /x by 2", 1],
  ["disallow MJ12bot /b", 0],
  ["disallow Googlebot-News /a by 2", 0],
  ["allow * /b\ndisallow * /a", 0],
  ['allow "Screaming Frog SEO Spider" /b', 0],
  ["allow bingbot /a", 1],
  ["\uFEFF# nothing\r\n\r\n", 0],
])("%j exits with %d", async (tests, code) => {
  expect(await run([at("robots.txt"), "-"], tests)).toMatchObject({ code });
});

test.each([
  ["alow x /", /"alow" is neither allow nor disallow/],
  ["allow: x /", /a test has no colon/],
  ["allow", /the URL is missing|the crawler is missing/],
  ["allow x", /the URL is missing/],
  ["allow https://a.example/ x", /the crawler is missing before the URL/],
  ["allow x y/z", /neither an http or https URL nor a path/],
  ["allow x mailto:a@b.example", /neither an http or https URL nor a path/],
  ["allow x / by", /only "by" and a line number/],
  ["allow x / by 0", /only "by" and a line number/],
  ["allow x / on 3", /only "by" and a line number/],
])("%j is not a test", (line, message) => {
  const { tests, mistakes } = parseTests(`# one\n${line}`);
  expect(tests).toEqual([]);
  expect(mistakes).toEqual([{ line: 2, message: expect.stringMatching(message) as string }]);
});

test("mistakes in a file of tests are listed with their lines, and nothing is tested", async () => {
  const { code, stdout, stderr } = await run([at("robots.txt"), "-"], "allow x\nallow bingbot /a\nno y /\n");
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr.match(/<stdin>:\d+/g)).toEqual(["<stdin>:1", "<stdin>:3"]);
});

test("text and annotations name the line of the test and the rule", async () => {
  writeFileSync(at("robots.test.txt"), "allow bingbot /b\n\nallow bingbot /a/x\n");
  const place = at("robots.test.txt");
  const text = await run([at("robots.txt"), place]);
  expect(text.stdout).toBe(
    `${place}:3: failed: /a/x is disallowed for bingbot: line 2 (disallow: /a)\n2 tests, 1 failed\n`,
  );
  const { stdout } = await run([at("robots.txt"), place, "-o", "github"]);
  expect(stdout).toBe(
    `::error file=${place},line=3,title=test failed::/a/x is disallowed for bingbot: line 2 (disallow: /a)\n`,
  );
});

test.skipIf(process.platform === "win32")("tests are read from a named pipe", async () => {
  execFileSync("mkfifo", [at("pipe")]);
  const ended = run([at("robots.txt"), at("pipe")]);
  createWriteStream(at("pipe")).end("allow bingbot /b\nallow bingbot /a\n");
  expect(await ended).toEqual({
    code: 1,
    stdout: `${at("pipe")}:2: failed: /a is disallowed for bingbot: line 2 (disallow: /a)\n2 tests, 1 failed\n`,
    stderr: "",
  });
  const ofSitemap = run([at("robots.txt"), at("pipe")]);
  createWriteStream(at("pipe")).end(sitemap);
  expect(await ofSitemap).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(/pipe: a sitemap must be given as a file\n$/) as string,
  });
});

test.skipIf(process.platform === "win32")("the crawlers of --agents are read from a named pipe", async () => {
  execFileSync("mkfifo", [at("agents")]);
  const ended = run([at("robots.txt"), at("sitemap.xml"), "--agents", at("agents")]);
  createWriteStream(at("agents")).end("GPTBot\nMJ12bot\n");
  expect(await ended).toEqual(await run([at("robots.txt"), at("sitemap.xml"), "--agent", "GPTBot,MJ12bot"]));
});

test("a signal ends a run that waits for tests on stdin", async () => {
  const stop = new AbortController();
  const reading = new EventEmitter();
  const stdin = new Readable({ read: () => void reading.emit("read") });
  const asked = once(reading, "read");
  const ended = run([at("robots.txt"), "-"], stdin, { signal: stop.signal });
  await asked;
  stop.abort("SIGTERM");
  expect(await ended).toEqual(stopped);
});

test("a signal ends a run with many tests", async () => {
  const stop = new AbortController();
  const robots = at("slow.txt");
  writeFileSync(robots, `User-agent: *\n${"Disallow: /*a*b*c*d*e\n".repeat(2_000)}`);
  const stdin = new Readable({
    read() {
      const targets = Array.from({ length: 50_000 }, (_, index) => `${"abcd".repeat(30)}${index}`);
      this.push(targets.map((target) => `allow bingbot /${target}\n`).join(""));
      this.push(null);
    },
  });
  // The tests run when the input has ended, before any timer.
  stdin.once("end", () => setTimeout(() => stop.abort("SIGTERM")));
  expect(await run([robots, "-"], stdin, { signal: stop.signal })).toEqual(stopped);
});

test("a robots.txt that cannot be read is named with the reason", async () => {
  const server = createServer((socket) => socket.destroy());
  const origin = `http://127.0.0.1:${await portOf(server)}`;
  const tests = at("of-root.txt");
  writeFileSync(tests, "allow bingbot /\n");
  const { code, stdout, stderr } = await run([
    origin,
    tests,
    "--allow-private",
    "--proxy",
    "none",
    "--retry-wait",
    "0",
  ]);
  server.close();
  expect([code, stdout]).toEqual([3, ""]);
  expect(stderr).toMatch(/^robots-stream: http:\/\/127\.0\.0\.1:\d+\/robots\.txt: unreachable \([a-z-]+\)\n$/);
});

test.each(["sitemap.xml", "sitemap.xml.gz"])("%s: every URL must be allowed", async (name) => {
  const { code, stdout } = await run([at("robots.txt"), at(name), "--agent", "Googlebot,GPTBot"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    "failed: 2 of 4 URLs are blocked for Googlebot\n  https://a.example/a/1  line 2 (disallow: /a)\n",
  );
  expect(stdout).toContain("failed: 4 of 4 URLs are blocked for GPTBot");
  expect(stdout).toContain("8 tests, 6 failed");
  const json = await run([at("robots.txt"), at(name), "-o", "json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    tests: 4,
    failed: 2,
    sitemaps: [{ urls: 4, blocked: { Googlebot: 2 } }],
  });
  const { stdout: annotation } = await run([at("robots.txt"), at(name), "-o", "github"]);
  expect(annotation).toMatch(
    /^::error file=.*,line=2,title=sitemap blocked::2 of 4 URLs of .* are blocked for Googlebot; first /,
  );
});

test.each([
  [["robots.txt"], /name a robots\.txt and a file of tests/],
  [["robots.txt", "none.txt"], /none\.txt: /],
  [["none.txt", "robots.test.txt"], /none\.txt: /],
])("%j is refused", async (argv, message) => {
  writeFileSync(at("robots.test.txt"), "allow bingbot /b\n");
  const given = argv.map((word) => at(word));
  expect(await run(given)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) as string });
});
