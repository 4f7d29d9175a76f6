// Tests the output of real runs besides rows: summary, statistics, --verbose and --quiet.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { responseOf } from "@robots-stream/raw-servers";
import { afterAll, describe, expect, test } from "vitest";
import type { SummaryDocument } from "../src/commands/decide/progress/document.ts";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { startApp } from "./run.ts";
import { RawServers } from "./servers.ts";

const saved = ["--agent", "bingbot", "--robots", "examples/robots"];
const servers = new RawServers();
const folder = makeFolder();
afterAll(async () => {
  await servers.close();
});

const documentIn = (text: string): SummaryDocument => JSON.parse(text) as SummaryDocument;

describe("the summary as data", () => {
  test("--summary=FILE.json, --stats-json=FILE and --stats-json write the same document", async () => {
    const [summary, stats] = [join(folder, "one.json"), join(folder, "stats")];
    writeFileSync(summary, "what was there before, and was longer than what comes: ".padEnd(10_000, "x"));
    const args = [...saved, "-a", "GPTBot", "examples/urls.ndjson"];
    const { stderr, code } = await runHere([...args, `--summary=${summary}`, `--stats-json=${stats}`]);
    expect([stderr, code]).toEqual(["", 0]);
    const texts = [readFileSync(summary, "utf8"), readFileSync(stats, "utf8")];
    const [document, other] = texts.map(documentIn) as [SummaryDocument, SummaryDocument];
    expect(other).toEqual(document);
    expect(texts[1]!.split("\n")).toHaveLength(2);
    const { records, agents, origins, topOrigins, topRules, inputBytes, ended, exitCode, schemaVersion } = document;
    expect({ ended, exitCode, schemaVersion, inputBytes }).toEqual({
      ended: "finished",
      exitCode: 0,
      schemaVersion: 1,
      inputBytes: readFileSync("examples/urls.ndjson").length,
    });
    expect(records).toMatchObject({ read: 17, decided: 17, rejects: 0, notDecided: 0, elsewhere: 0, earlier: 0 });
    expect(agents).toEqual([
      {
        agent: "bingbot",
        dialect: "google",
        allowed: 8,
        disallowed: 7,
        undecided: 2,
        because: {
          rule: 8,
          "no-rule": 3,
          unreachable: 2,
          "invalid-url": 1,
          "no-group": 1,
          unavailable: 1,
          "unsupported-scheme": 1,
        },
      },
      {
        agent: "GPTBot",
        dialect: "google",
        allowed: 2,
        disallowed: 13,
        undecided: 2,
        because: { rule: 12, unreachable: 2, "invalid-url": 1, unavailable: 1, "unsupported-scheme": 1 },
      },
    ]);
    expect(origins).toMatchObject({
      known: 8,
      fetched: 0,
      unfetched: { ok: 5, "http-404": 1, "http-503": 1, "not-saved": 1 },
    });
    expect(topOrigins.slice(0, 2)).toEqual([
      { origin: "https://shop.example", records: 6 },
      { origin: "https://docs.example:8443", records: 2 },
    ]);
    expect(topRules[0]).toEqual({
      origin: "https://shop.example",
      file: "examples/robots/shop.example.txt",
      line: 9,
      rule: "disallow: /",
      hits: 6,
    });
    const bare = await runHere([...args, "--summary", "--stats-json"]);
    const lines = bare.stderr.trimEnd().split("\n");
    expect(lines[0]).toBe("records       17");
    const { topRules: sameRules, agents: sameAgents } = documentIn(lines.at(-1)!);
    expect({ sameRules, sameAgents }).toEqual({ sameRules: topRules, sameAgents: agents });
  });

  test("with --agent-field and --only-differences no record is counted twice or omitted", async () => {
    const log = '192.0.2.7 - - [21/Nov/2026:06:55:01 +0000] "GET /cart HTTP/1.1" 200 1 "-" "bingbot/2.0"\n';
    const other = log.replace("bingbot/2.0", "GPTBot/1.0");
    const byRecord = await runHere(
      ["--agent-field", "user_agent", "--base", "https://shop.example", "--stats-json"].concat(saved.slice(2)),
      log + other + log + log.replace("bingbot/2.0", "x"),
    );
    const document = documentIn(byRecord.stderr);
    expect(document.agents.map(({ agent, because }) => [agent, because])).toEqual([
      ["bingbot", { rule: 2 }],
      ["GPTBot", { rule: 1 }],
    ]);
    expect(document.topOrigins).toEqual([{ origin: "https://shop.example", records: 3 }]);
    expect(document.records.noCrawler).toBe(1);
    const dialects = ["--dialect", "google,rfc9309", "--only-differences", "--stats-json"];
    const urls = "https://shop.example/cart\nhttps://shop.example/cart\nhttps://shop.example/\n";
    const differences = documentIn((await runHere([...saved, ...dialects], urls)).stderr);
    expect(differences.agents.map(({ because }) => because)).toEqual([
      { rule: 2, "no-rule": 1 },
      { rule: 2, "no-rule": 1 },
    ]);
    expect(differences.topRules).toMatchObject([{ line: 3, hits: 4 }]);
    expect(differences.topOrigins).toMatchObject([{ records: 3 }]);
  });

  test("a met condition, an interruption and a closed output are reported", async () => {
    const met = await runHere([...saved, "--fail-on", "disallowed", "--stats-json"], "https://shop.example/cart\n");
    expect([met.code, documentIn(met.stderr)]).toMatchObject([1, { ended: "finished", exitCode: 1 }]);
    const path = join(folder, "interrupted.json");
    const child = startApp([...saved, `--summary=${path}`]);
    child.stdin!.write("https://shop.example/cart\n".repeat(50_000));
    child.stdout!.once("data", () => child.kill("SIGINT"));
    expect((await child.ended).code).toBe(130);
    const interrupted = documentIn(readFileSync(path, "utf8"));
    expect(interrupted).toMatchObject({ ended: "stopped", exitCode: 130 });
    expect(interrupted.records.read).toBe(interrupted.records.decided + interrupted.records.notDecided);
    const rejects = join(folder, "of-an-earlier-run.ndjson");
    writeFileSync(rejects, "a reject of an earlier run\n");
    const left = startApp([...saved, "--summary", `--stats-json=${path}`, "--rejects", rejects]);
    left.stdin!.end("https://shop.example/cart\n".repeat(200_000));
    left.stdout!.once("data", () => left.stdout!.destroy());
    expect(await left.ended).toMatchObject({ code: 0, stderr: "" });
    expect(documentIn(readFileSync(path, "utf8"))).toMatchObject({ ended: "output-closed" });
    expect(readFileSync(rejects, "utf8")).toBe("");
  });

  test("a report file that cannot be written or has another use is wrong usage, and no input is read", async () => {
    const own = mkdtempSync(join(folder, "refused-"));
    const [rejects, checkpoint, rows] = ["rejects", "checkpoint", "rows"].map((name) => join(own, name)) as [
      string,
      string,
      string,
    ];
    for (const [args, message] of [
      [[`--summary=${join(folder, "no", "where")}`], "no such file or directory (ENOENT)"],
      [["--stats-json=examples/urls.ndjson"], "is the same file as examples/urls.ndjson, which is an input"],
      [[`--summary=${rejects}`, "--rejects", rejects], `--summary ${rejects}: is the same file as`],
      [
        [`--summary=${checkpoint}`, "--checkpoint", checkpoint, "--output-file", rows],
        `--summary ${checkpoint}: is the same file as`,
      ],
      [[`--summary=${rejects}`, `--stats-json=${rejects}`], `--stats-json ${rejects}: is the same file as`],
    ] as const) {
      const { code, stdout, stderr } = await runHere([...saved, ...args, "examples/urls.ndjson"]);
      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(message);
    }
    const files = ["--rejects", rejects, "--output-file", rows];
    const [input, summary] = ["examples/urls.ndjson", `--summary=${join(own, "summary")}`];
    expect((await runHere([...saved, ...files, "--output-file", join(own, "no", "rows"), input])).code).toBe(2);
    expect((await runHere([...saved, ...files, "--rejects", rows, input])).code).toBe(2);
    expect((await runHere([...saved, ...files, summary], '{"no":"url"}\n')).code).toBe(2);
    expect(readdirSync(own)).toEqual([]);
    // An input without records is correct usage.
    expect((await runHere([...saved, ...files, summary], "")).code).toBe(0);
    expect(readdirSync(own).toSorted()).toEqual(["rejects", "rows", "summary"]);
    // Wrong usage must not destroy a file.
    writeFileSync(rejects, "kept");
    const wrong = await runHere([...saved, `--summary=${rejects}`], '{"no":"url"}\n');
    expect([wrong.code, readFileSync(rejects, "utf8")]).toEqual([2, "kept"]);
  });
});
test("exchanges are counted by outcome, with bytes and times; --verbose reports each exchange and each cache entry used", async () => {
  const ok = await servers.serve((socket) => socket.end(responseOf(200, {}, "User-agent: *\nDisallow: /x\n")));
  const moved = await servers.serve((socket) =>
    socket.end(responseOf(301, { location: `${ok}/robots.txt?\u0007a&key=secret` }, "")),
  );
  const gone = await servers.serve((socket) => socket.end(responseOf(404, {}, "no")));
  const args = ["-a", "x", "--allow-private", "--cache", join(folder, "cache"), "--verbose", "--stats-json"];
  const urls = [ok, moved, gone].map((origin) => `${origin}/x\n`).join("");
  const first = (await runHere(args, urls)).stderr.trimEnd().split("\n");
  const { fetches, topRules, origins } = documentIn(first.pop()!);
  expect(fetches).toMatchObject({ count: 3, bytes: 54 });
  expect(fetches.byCode).toMatchObject([
    { code: "ok", count: 2, bytes: 54 },
    { code: "http-404", count: 1, bytes: 0 },
  ]);
  const { min, median, p95, max } = fetches.ms!;
  expect([min, median, p95, max]).toEqual([min, median, p95, max].toSorted((a, b) => a - b));
  expect(topRules.map(({ file, line }) => `${file}:${line}`).toSorted()).toEqual(
    [`${ok}/robots.txt:2`, `${moved}/robots.txt:2`].toSorted(),
  );
  expect(origins.unfetched).toEqual({});
  const shown = first.toSorted().map((line) => line.replaceAll(/\d+(?: ms|\.\d s)/g, "N ms"));
  expect(shown).toEqual(
    [
      `robots-stream: ${ok}: successful, ok, status 200, N ms, 27 B`,
      `robots-stream: ${moved}: successful, ok, status 200, N ms, 27 B, 2 hops to ${ok}`,
      `robots-stream: ${gone}: unavailable, http-404, N ms`,
    ].toSorted(),
  );
  const second = (await runHere(args, urls)).stderr.trimEnd().split("\n");
  expect(documentIn(second.pop()!)).toMatchObject({
    fetches: { count: 0, ms: null },
    origins: { unfetched: { ok: 2, "http-404": 1 } },
  });
  expect(second.find((line) => line.includes(gone))).toMatch(/: unavailable, http-404, from the cache of \d{4}-.*Z$/);
});

test("control characters in the names of files and agents are escaped on stderr", async () => {
  const odd = join(folder, "odd \u001B[31m\u009B\u202E");
  mkdirSync(odd);
  writeFileSync(join(odd, "a.example.txt"), "User-agent: *\nDisallow: /x\n");
  const { stderr } = await runHere(
    ["-a", "b\u001B[2J\u202E", "--robots", odd, "--summary", "--verbose"],
    "https://a.example/x\n",
  );
  expect(stderr).toContain("rules that decided the most records");
  expect(stderr).toContain("\\x1b[31m\\x9b\\u202e");
  expect(stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202E]/u);
});

test("--quiet writes only errors and requested reports; --verbose and --quiet cannot be combined", async () => {
  const input = '{"url":"https://shop.example/"}\nno\n';
  const args = [...saved, "-a", "MJ12bot"];
  expect((await runHere(args, input)).stderr).toMatch(/MJ12bot is not a product token[^]*stdin:2: /);
  const quiet = await runHere([...args, "--quiet"], input);
  expect([quiet.code, quiet.stderr]).toEqual([0, ""]);
  expect((await runHere([...args, "--quiet", "--summary"], input)).stderr).toMatch(/^records +2\n/);
  const failed = await runHere([...saved, "--quiet", "nowhere.csv"]);
  expect([failed.code, failed.stderr]).toEqual([2, "robots-stream: nowhere.csv: no such file or directory (ENOENT)\n"]);
  expect((await runHere([...saved, "--quiet", "--verbose"])).code).toBe(2);
});

test("without a terminal, colours are used only if FORCE_COLOR requires them", async () => {
  const input = "https://shop.example/\n";
  const plain = await runHere([...saved, "--verbose"], input, { FORCE_COLOR: undefined, NO_COLOR: undefined });
  expect(plain.stderr).toBe("robots-stream: https://shop.example: successful, ok, examples/robots/shop.example.txt\n");
  const forced = await runHere([...saved, "--verbose"], input, { FORCE_COLOR: "1", NO_COLOR: undefined });
  expect(forced.stderr).toContain("\u001B[32msuccessful\u001B[39m");
  const never = await runHere([...saved, "--verbose"], input, { FORCE_COLOR: "0" });
  expect(never.stderr).toBe(plain.stderr);
});
