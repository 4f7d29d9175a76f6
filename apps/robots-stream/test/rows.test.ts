// Rows for people and for programs: --output table for each kind of input, and --rows record, which writes one row for each record with the
// answers for all agents.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { createSavedRobots, decideStream, type RecordAnswers, type UrlRecord } from "../src/index.ts";
import { runHere } from "./here.ts";
import { root } from "./run.ts";
import { makeFolder } from "./folder.ts";

describe("--rows record has the answers, counts and exit code of one row for each agent", () => {
  const agents = ["bingbot", "GPTBot", "Googlebot-Image", "ChatGPT-User", "AdsBot-Google", "nobody"];
  const asked = ["--agent", agents.join(","), "--robots", "examples/robots", "--stats-json"];
  const record = ["--rows", "record"];
  const hosts = [
    "shop.example",
    "news.example",
    "docs.example:8443",
    "wiki.example",
    "down.example",
    "unknown.example",
  ];
  const paths = ["/", "/cart/1", "/cart/help", "/archive/1999/", "/robots.txt"];
  const lines = Array.from({ length: 1_000 }, (_, at) => {
    if (at % 500 === 77) return at % 1_000 === 77 ? "no record" : '{"url":"mailto:x"}';
    return `{"n":${at},"url":"https://${hosts[at % hosts.length]}${paths[at % paths.length]}"}`;
  });
  const input = `${lines.join("\n")}\n`;

  interface Row {
    readonly n?: number;
    readonly robots: Readonly<Record<string, unknown>>;
  }

  const rowsOf = (output: string): Row[] =>
    output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Row);

  /** Joins a record's rows for single agents to its one row. */
  function joined(rows: readonly Row[]): Row {
    const answers = rows.map(({ robots: { agent, origin: _origin, ...answer } }) => [String(agent), answer] as const);
    const { origin } = rows[0]!.robots;
    const robots = { ...(origin === undefined ? {} : { origin }), agents: Object.fromEntries(answers) };
    return { ...rows[0]!, robots };
  }

  /** The counts of a run, without its times and memory. */
  function countsIn(stderr: string): unknown {
    const line = stderr.split("\n").findLast((each) => each.startsWith("{"))!;
    const { records, agents: counts, topOrigins, topRules } = JSON.parse(line) as Record<string, unknown[]>;
    return { records, counts, topOrigins, topRules: topRules!.map((rule) => JSON.stringify(rule)).toSorted() };
  }

  test.each([
    ["by default", []],
    ["with little memory for rules", ["--matcher-bytes", "1000"]],
    ["with normalized targets", ["--target", "normalized"]],
  ])("the same answers as with a row for each agent: %s", async (_what, args) => {
    const all = [...asked, "--fail-on", "disallowed", ...args];
    const each = await runHere(all, input);
    const one = await runHere([...all, ...record], input);
    const rows = rowsOf(each.stdout);
    const expected = rows.filter((_, at) => at % agents.length === 0);
    expect(rowsOf(one.stdout)).toEqual(
      expected.map((_, at) => joined(rows.slice(at * agents.length, (at + 1) * agents.length))),
    );
    expect(expected).toHaveLength(lines.filter((line) => line !== "no record").length);
    expect([one.code, countsIn(one.stderr)]).toEqual([each.code, countsIn(each.stderr)]);
    expect(one.code).toBe(1);
    // The agents must keep the order of the command line.
    for (const { robots } of rowsOf(one.stdout)) expect(Object.keys(robots["agents"] as object)).toEqual(agents);
  });

  test("the row has the run's dialect beside the origin", async () => {
    const { stdout } = await runHere([...asked, ...record, "--dialect", "rfc9309"], lines[0]);
    expect(Object.keys(rowsOf(stdout)[0]!.robots)).toEqual(["origin", "dialect", "agents"]);
  });

  test.each<[what: string, args: readonly string[], message: RegExp]>([
    ["another form", ["--rows", "all"], /--rows all: must be one of agent, record/],
    ["CSV", [...record, "--output", "csv"], /--rows record needs --output ndjson/],
    ["TSV", [...record, "--output", "tsv"], /--rows record needs --output ndjson/],
    [
      "several dialects",
      [...record, "--dialect", "google,rfc9309"],
      /--rows record and several dialects cannot be combined/,
    ],
    [
      "differences",
      [...record, "--dialect", "google,rfc9309", "--only-differences"],
      /--rows record and several dialects/,
    ],
  ])("wrong usage: %s", async (_what, args, message) => {
    const { code, stdout, stderr } = await runHere([...asked, ...args], input);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  test("wrong usage: with --agent-field each record has its own crawler", async () => {
    const args = ["--agent-field", "agent", ...record, "--robots", "examples/robots"];
    const { code, stderr } = await runHere(args, input);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--rows record and --agent-field cannot be combined")]);
  });

  const robots = createSavedRobots(`${root}examples/robots`);
  const examples = readFileSync(`${root}examples/urls.ndjson`);

  test("decideStream: bytes as the command writes them, and a decision for each record", async () => {
    const { stdout } = await runHere([...asked, ...record], examples);
    const options = { agents, robots, rows: "record", inputFormat: "ndjson" } as const;
    expect(await text(Readable.from([examples]).pipe(decideStream(options)))).toBe(stdout);
    const decisions: RecordAnswers<UrlRecord>[] = [];
    const records = rowsOf(stdout).map(({ robots: _robots, ...given }) => given as UrlRecord);
    for await (const batch of decideStream({ agents, robots, rows: "record", input: records }))
      decisions.push(...batch);
    const given = decisions.map(({ record: own, url: _url, ...answers }) => ({ ...(own as object), robots: answers }));
    expect(given).toEqual(rowsOf(stdout));
    expect(decisions.every(({ record: own }, at) => own === records[at])).toBe(true);
    expect(decisions.every(({ agents: each }) => Object.isFrozen(each) && Object.isFrozen(each["GPTBot"]))).toBe(true);
  });

  test.each<[options: object, message: RegExp]>([
    [{ agents, rows: "all" }, /rows: must be one of agent, record, not all/],
    [{ agentField: "agent", rows: "record" }, /rows: cannot be record with agentField/],
    [{ agents, rows: "record", dialects: ["google", "rfc9309"] }, /rows: cannot be record with several dialects/],
    [{ agents, rows: "record", output: "csv" }, /rows: cannot be record with csv/],
  ])("decideStream: wrong options: %j", (options, message) => {
    expect(() => decideStream({ ...options, robots } as Parameters<typeof decideStream>[0])).toThrow(message);
  });
});

describe("--output table: the lines on stdout and the counts on stderr", () => {
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
    const folder = makeFolder();

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
});
