// The command `diff` from its arguments to its output and exit code.
import { execFileSync } from "node:child_process";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { diffRobots } from "@robots-stream/diff";
import type { LogFlips } from "./log-flips.ts";
import { textOf } from "./print.ts";
import { makeFolder } from "../../../test/folder.ts";
import { runHere } from "../../../test/here.ts";
import { portOf } from "../../../test/servers.ts";

const folder = makeFolder();
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  writeFileSync(at("old.txt"), "User-agent: *\nDisallow: /tmp\nDisallow: /a\n");
  writeFileSync(at("new.txt"), "User-agent: *\nDisallow: /a\nDisallow: /a/b\nDisallow: /search\n");
  writeFileSync(at("same.txt"), "# moved\nUser-agent: *\nDisallow: /a*\nDisallow: /a\nDisallow: /tmp\n");
  const line = (path: string, agent: string): string =>
    `192.0.2.1 - - [03/Mar/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"\n`;
  const log = [
    line("/search?q=1", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"),
    line("/search?q=2", "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)"),
    line("/tmp/x", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
    line("/a", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
    line("/robots.txt", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
    line("/search", "Mozilla/5.0 (Windows NT 10.0)"),
    "no log line\n",
  ].join("");
  writeFileSync(at("access.log"), log);
  writeFileSync(at("access.log.gz"), gzipSync(log));
  writeFileSync(at("urls.txt"), "https://a.example/search\nhttps://a.example/a\nmailto:x@a.example\n");
});

const run = (argv: readonly string[], stdin?: string): ReturnType<typeof runHere> => runHere(["diff", ...argv], stdin);

test("text: newly disallowed, newly allowed, rules without effect, and the certainty of the result", async () => {
  const { code, stdout, stderr } = await run([at("old.txt"), at("new.txt"), "--agent", "Googlebot,bingbot"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.split("\n").slice(1)).toEqual([
    "",
    "Googlebot, bingbot",
    "  newly disallowed  + disallow: /search  (new line 4)",
    "      /search  no rule matches → line 4 (disallow: /search)",
    "  newly allowed     - disallow: /tmp  (old line 2)",
    "      /tmp  line 2 (disallow: /tmp) → no rule matches",
    "  no effect         + disallow: /a/b  (new line 3)",
    "",
    "Answers change for 2 of 2 crawlers (dialect google); every rule has a URL as proof, or is proved to have no effect.",
    "",
  ]);
});

test("a log without User-Agent headers is refused with the flag that needs them", async () => {
  const common = '192.0.2.1 - - [03/Mar/2026:10:00:00 +0000] "GET https://a.example/a HTTP/1.1" 200 5\n';
  const { code, stderr } = await run([at("old.txt"), at("new.txt"), "-", "--agent-field", "user_agent"], common);
  expect(code).toBe(2);
  expect(stderr).toContain("this log has no User-Agent headers; diff --agent-field needs them\n");
});

test("files with the same meaning: no answer changes, proved in both dialects", async () => {
  const { code, stdout } = await run([
    at("old.txt"),
    at("same.txt"),
    "--dialect",
    "google,rfc9309",
    "--fail-on",
    "flips",
  ]);
  expect(code).toBe(0);
  expect(stdout.match(/No answer changes for any of \d+ crawlers/g)).toHaveLength(2);
  expect(stdout).toContain("1 rule moved, without effect");
});

test.each([
  ["flips", "new.txt", 1],
  ["newly-disallowed", "new.txt", 1],
  ["newly-allowed", "new.txt", 1],
  ["flips", "same.txt", 0],
  ["newly-disallowed", "less.txt", 0],
  ["newly-allowed", "less.txt", 1],
])("--fail-on %s with %s gives %d", async (condition, name, expected) => {
  writeFileSync(at("less.txt"), "User-agent: *\nDisallow: /a\n");
  expect(await run([at("old.txt"), at(name), "--fail-on", condition])).toMatchObject({ code: expected, stderr: "" });
});

test("json: one document, with the witness of each rule; --output-file", async () => {
  const path = at("diff.json");
  expect(await run([at("old.txt"), at("new.txt"), "--output-file", path])).toMatchObject({ code: 0, stdout: "" });
  const { schemaVersion, diffs } = JSON.parse(readFileSync(path, "utf8")) as {
    schemaVersion: number;
    diffs: { isProved: boolean; answers: { crawlers: string[]; changes: { effect: string; witness?: object }[] }[] }[];
  };
  expect([schemaVersion, diffs[0]!.isProved]).toEqual([1, true]);
  expect(diffs[0]!.answers[0]!.crawlers).toEqual(expect.arrayContaining(["*", "Googlebot", "GPTBot"]));
  expect(diffs[0]!.answers[0]!.changes[0]).toMatchObject({
    effect: "newly-disallowed",
    witness: { target: "/search", old: { because: "no-rule" }, new: { allowed: false, rule: { line: 4 } } },
  });
});

test("github: annotations of the new file's lines", async () => {
  const { stdout } = await run([
    at("old.txt"),
    at("new.txt"),
    "-o",
    "github",
    "--agent",
    "bingbot",
    "--fail-on",
    "newly-disallowed",
  ]);
  const place = at("new.txt");
  expect(stdout.split("\n")).toEqual([
    `::error file=${place},line=4,title=newly-disallowed::disallow: /search is new: /search is newly disallowed for bingbot (no rule matches → line 4 (disallow: /search))`,
    `::warning file=${place},title=newly-allowed::disallow: /tmp was line 2 of the old file: /tmp is newly allowed for bingbot (line 2 (disallow: /tmp) → no rule matches)`,
    "",
  ]);
});

test.each(["access.log", "access.log.gz"])("%s: requests that flip, for the crawlers that sent them", async (log) => {
  const given = [at("old.txt"), at("new.txt"), at(log), "--base", "https://a.example"];
  const { code, stdout } = await run([...given, "--fail-on", "flips"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    "in the log, 3 answers of 4 would change (6 records, 1 without a crawler or URL, 1 for /robots.txt, 1 unreadable)",
  );
  expect(stdout).toContain("        2  newly disallowed for bingbot: no rule matches → line 4 (disallow: /search)");
  expect(stdout).toContain("https://a.example/search?q=1");
  const named = await run([...given, "--agent", "bingbot", "-o", "json"]);
  const { logs } = JSON.parse(named.stdout) as { logs: { answers: number; flips: object }[] };
  expect(logs[0]).toMatchObject({ answers: 5, flips: { "newly-disallowed": 3, "newly-allowed": 1 } });
});

test("a list of URLs is compared for every crawler; with a log, only its requests count for --fail-on", async () => {
  const { code, stdout } = await run([
    at("old.txt"),
    at("new.txt"),
    at("urls.txt"),
    "--fail-on",
    "newly-allowed",
    "-o",
    "json",
  ]);
  expect(code).toBe(0);
  const { logs } = JSON.parse(stdout) as {
    logs: { records: number; answers: number; flips: Record<string, number> }[];
  };
  const [{ records, answers, flips }] = logs as [(typeof logs)[0]];
  expect(records).toBeGreaterThanOrEqual(2);
  expect(flips["newly-disallowed"]! * 2).toBeLessThanOrEqual(answers);
  expect(flips).toMatchObject({ "newly-allowed": 0, "newly-disallowed": expect.any(Number) as number });
  expect(flips["newly-disallowed"]).toBeGreaterThan(100);
});

test("in each dialect, a list of URLs is compared for the crawlers that this dialect finds in the files", async () => {
  // Only Google's parser reads the key without its hyphen.
  const group = (pattern: string): string => `useragent: MadeUpBot\nDisallow: ${pattern}\n`;
  writeFileSync(at("old-key.txt"), group("/none"));
  writeFileSync(at("new-key.txt"), group("/search"));
  const given = [at("old-key.txt"), at("new-key.txt"), at("urls.txt")];
  for (const dialects of ["google,rfc9309", "rfc9309,google"]) {
    const { code, stdout } = await run([...given, "--dialect", dialects, "--fail-on", "flips", "-o", "json"]);
    const { logs } = JSON.parse(stdout) as { logs: { dialect: string; rows: { crawler: string }[] }[] };
    const found = logs.map(({ dialect, rows }) => [dialect, rows.map(({ crawler }) => crawler)] as const);
    expect([code, Object.fromEntries(found)]).toEqual([1, { google: ["MadeUpBot"], rfc9309: [] }]);
  }
});

test("answers that are in no row are counted apart from the rows that are not shown", () => {
  const diff = diffRobots("", "", { dialect: "google", crawlers: [] });
  const source = { name: "robots.txt", kind: "file" } as const;
  const how = { dialect: "google", disputed: false } as const;
  const rowOf = (index: number): LogFlips["rows"][number] => ({
    crawler: `bot${index}`,
    effect: "newly-allowed",
    old: { allowed: false, because: "unreachable", ...how },
    new: { allowed: true, because: "unavailable", ...how },
    requests: index,
    examples: [],
  });
  const moreOf = (rows: number, notListed: number): readonly string[] => {
    const log: LogFlips = {
      dialect: "google",
      records: 0,
      rejects: 0,
      notCompared: 0,
      robotsTxt: 0,
      answers: 0,
      flips: { "newly-allowed": 0, "newly-disallowed": 0 },
      rows: Array.from({ length: rows }, (_, index) => rowOf(index)),
      notListed,
    };
    const text = textOf({ old: source, new: source, diffs: [diff], logs: [log] }, (_style, part) => part);
    return text.split("\n").filter((line) => line.startsWith("  and "));
  };
  const inNoRow = "  and 7 more answers in no row: a comparison has at most 10,000 rows";
  expect(moreOf(30, 0)).toEqual([]);
  expect(moreOf(31, 0)).toEqual(["  and 1 more row; --output json lists up to 10,000"]);
  expect(moreOf(30, 7)).toEqual([inNoRow]);
  expect(moreOf(32, 7)).toEqual(["  and 2 more rows; --output json lists up to 10,000", inNoRow]);
});

test("stdin and URLs; an origin without a robots.txt allows everything", async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === "/robots.txt" ? 404 : 500;
    response.end();
  });
  try {
    const url = `http://127.0.0.1:${await portOf(server)}/x`;
    const { code, stdout, stderr } = await run(
      [url, "-", "--allow-private", "--agent", "bingbot"],
      "User-agent: *\nDisallow: /\n",
    );
    expect([code, stderr]).toEqual([0, expect.stringContaining("there is no robots.txt") as string]);
    expect(stdout).toContain("newly disallowed  + disallow: /  (new line 2)");
  } finally {
    server.close();
  }
});

test.each([
  [["old.txt"], /name two robots\.txt files/],
  [["none.txt", "new.txt"], /none\.txt: /],
  [["-", "-"], /"-" is given twice/],
  [["old.txt", "new.txt", "--fail-on", "flip"], /--fail-on flip: must be one of .*\n.*did you mean flips\?/],
  [["old.txt", "new.txt", "--output-file", "old.txt"], /is the same file as/],
])("%j is refused", async (argv, message) => {
  const given = argv.map((word) => (word.endsWith(".txt") ? at(word) : word));
  expect(await run(given)).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(message) as string });
});

test("a terminal gets no control characters from a file", async () => {
  writeFileSync(at("evil.txt"), "User-agent: *\nDisallow: /a\u001B[31mb\nDisallow: /x\u202Ey\nSitemap: \u001B]0;x\n");
  for (const format of ["text", "json", "github"]) {
    const { stdout } = await run([at("old.txt"), at("evil.txt"), "-o", format, "--agent", "bingbot"]);
    for (const character of ["\u001B", "\u202E"]) expect(stdout).not.toContain(character);
  }
});

test.skipIf(process.platform === "win32")("the crawlers of --agents are read from a named pipe", async () => {
  execFileSync("mkfifo", [at("agents")]);
  const ended = run([at("old.txt"), at("new.txt"), "--agents", at("agents"), "-o", "json"]);
  createWriteStream(at("agents")).end("bingbot\nMJ12bot\n");
  expect(await ended).toEqual(await run([at("old.txt"), at("new.txt"), "--agent", "bingbot,MJ12bot", "-o", "json"]));
});
