// Tests by which robots.txt, and by which reading of it, audits and `--as-of-record` judge requests.
// Also who is bound by a group for `*`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { responseOf } from "@robots-stream/raw-servers";
import { afterAll, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { RawServers } from "./servers.ts";
import { recordsOf } from "./run.ts";

describe("the rules that judge a request", () => {
  const folder = makeFolder();
  let made = 0;
  const servers = new RawServers();
  afterAll(async () => {
    await servers.close();
  });

  const closed = "User-agent: *\nDisallow: /p\n";
  const open = "User-agent: *\nDisallow:\n";

  /** A folder with files of shop.example; the names are the times and endings. */
  function seenOf(files: Readonly<Record<string, string>>): string {
    const path = join(folder, `seen-${made++}`);
    mkdirSync(path);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(path, `shop.example@${name}`), text);
    return path;
  }

  const put = (text: string): string => {
    const path = join(folder, `file-${made++}`);
    writeFileSync(path, text);
    return path;
  };

  /** A line of a log; `at` is a day and an hour of November 2026. */
  const lineOf = (agent: string, target: string, at: string, status = 200): string =>
    `192.0.2.1 - - [${at.replace(" ", "/Nov/2026:")}:00:00 +0000] "GET ${target} HTTP/1.1" ${status} 5 "-" "${agent}/1.0"\n`;

  /** The decisions of an audit, such as "GPTBot violation proven disputed 1". */
  async function audited(log: string, source: string, ...more: readonly string[]): Promise<readonly string[]> {
    const args = ["--base", "https://shop.example", "--robots-history", source, "-o", "csv", "--table", "decisions"];
    const { stdout, stderr, code } = await runHere(["audit", put(log), ...args, ...more]);
    expect([code, stderr]).toEqual([0, ""]);
    const [head = "", ...rows] = stdout.trimEnd().split("\r\n");
    const names = head.split(",");
    return rows.map((row) => {
      const cells = row.split(",");
      const cell = (name: string): string => cells[names.indexOf(name)] ?? "";
      const isDisputed = cell("disputed") === "true";
      const parts = [cell("crawler"), cell("state"), cell("proven") === "true" ? "proven" : "assumed"];
      return [...parts, ...(isDisputed ? ["disputed"] : []), cell("requests")].join(" ");
    });
  }

  /** The text of a page, without tags. */
  async function pageOf(log: string, source: string, ...more: readonly string[]): Promise<string> {
    const args = ["--base", "https://shop.example", "--robots-history", source, "-o", "html", ...more];
    const { stdout, stderr } = await runHere(["audit", put(log), ...args]);
    expect(stderr).toBe("");
    return stdout.replaceAll(/<[^>]*>/gu, "|").replaceAll(/[|\s]+/gu, "|");
  }

  describe("what a report says of a first observation", () => {
    const log = [
      lineOf("bingbot", "/robots.txt", "04 00"),
      lineOf("bingbot", "/p", "05 02"),
      lineOf("bingbot", "/robots.txt", "06 02"),
      lineOf("GPTBot", "/a", "06 02"),
      lineOf("GPTBot", "/robots.txt", "06 08"),
      lineOf("ClaudeBot", "/a", "06 02"),
    ].join("");

    test.each(["UTC", "America/New_York", "Asia/Tokyo"])(
      "a date alone is named as it is written, in %s",
      async (zone) => {
        const source = seenOf({ "2026-11-01.txt": open, "2026-11-05.txt": closed, "2026-11-20.txt": closed });
        const args = ["--base", "https://shop.example", "--robots-history", source, "--timezone", zone];
        const { stdout } = await runHere(["audit", put(log), ...args]);
        expect(stdout).toContain("Judged by the robots.txt of 5 November.");
        const page = await pageOf(log, source, "--timezone", zone);
        expect(page).toContain("first|seen|at|a|time|from|2026-11-05T00:00:00Z|to|2026-11-05T23:59:59Z");
        expect(page).not.toContain("|after|1|d");
      },
    );

    test("a fetch that may have returned the file is not called a later one", async () => {
      // The file changed after 1 November and was first seen on 5 November at 01:00.
      const source = seenOf({
        "2026-11-01T00Z.txt": open,
        "2026-11-05T0100Z.txt": closed,
        "2026-11-20T00Z.txt": closed,
      });
      const page = await pageOf(log, source);
      const table = page.slice(page.indexOf("interval|2|Crawler"), page.indexOf("The|file,|line|by|line"));
      const row = (name: string): string => table.split(`|${name}|(no|check)`)[1]!.split("(no|check)")[0]!;
      // bingbot fetched the file on 4 November: perhaps this version.
      expect(row("bingbot")).not.toContain("later");
      expect(row("GPTBot")).toContain("|later|");
      expect(row("ClaudeBot")).toContain("|no|certain|fetch|in|this|log|");
    });
  });

  /** For each line of a log: whether the row of `--as-of-record` is disputed. */
  async function disputedRows(log: string, source: string, ...more: readonly string[]): Promise<readonly boolean[]> {
    const flags = [
      "--agent-field",
      "user_agent",
      "--base",
      "https://shop.example",
      "--as-of-record",
      "-q",
      "--ordered",
    ];
    const { stdout, stderr } = await runHere([...flags, "--robots-history", source, ...more, put(log)]);
    expect(stderr).toBe("");
    const rows = stdout.trimEnd().split("\n");
    return rows.map((row) => (JSON.parse(row) as { robots: { disputed?: true } }).robots.disputed === true);
  }

  describe("a time in a file's name counts as far as it is written", () => {
    test.each<[string, Readonly<Record<string, string>>, string, string]>([
      [
        "closed on a day",
        { "2026-10-31.txt": open, "2026-11-01.txt": closed, "2026-11-10.txt": closed },
        "02 06",
        "grace proven",
      ],
      [
        "closed two days ago",
        { "2026-10-31.txt": open, "2026-11-01.txt": closed, "2026-11-10.txt": closed },
        "03 06",
        "violation proven",
      ],
      ["first seen on a day", { "2026-11-01.txt": closed, "2026-11-10.txt": closed }, "02 06", "violation assumed"],
      [
        "last seen on the day of the request",
        { "2026-11-01.txt": closed, "2026-11-10.txt": closed },
        "10 06",
        "violation assumed",
      ],
      ["first seen at a time", { "2026-11-01T00Z.txt": closed, "2026-11-10.txt": closed }, "02 06", "violation proven"],
      [
        "an hour",
        { "2026-10-31.txt": open, "2026-11-01T05Z.txt": open, "2026-11-01T06Z.txt": closed, "2026-11-10.txt": closed },
        "02 06",
        "grace proven",
      ],
      [
        "a fraction of a second",
        { "2026-11-01T00:00:00.500Z.txt": closed, "2026-11-10T000000,5Z.txt": closed },
        "02 06",
        "violation proven",
      ],
      ["a minute", { "2026-11-01T0000Z.txt": closed, "2026-11-10.txt": closed }, "02 06", "violation proven"],
      [
        "no file on a day",
        { "2026-10-31.txt": closed, "2026-11-01.404": "", "2026-11-02.txt": closed, "2026-11-10.txt": closed },
        "03 06",
        "grace proven",
      ],
      [
        "an outage on a day",
        { "2026-10-31.txt": closed, "2026-11-01.503": "", "2026-11-10.txt": closed },
        "02 06",
        "violation proven",
      ],
      [
        "a day and a time of it",
        { "2026-10-31.txt": closed, "2026-11-01.txt": open, "2026-11-01T12Z.txt": closed, "2026-11-10.txt": closed },
        "02 06",
        "grace proven",
      ],
    ])("%s", async (_what, files, at, expected) => {
      const source = seenOf(files);
      expect(await audited(lineOf("bingbot", "/p", at), source)).toEqual([`bingbot ${expected} 1`]);
      const record = JSON.stringify({ url: "https://shop.example/p", time: `2026-11-${at.replace(" ", "T")}:00:00Z` });
      const rows = await runHere(["--agent", "bingbot", "--robots-history", source, "--as-of-record", "-q"], record);
      const { state, basis } = JSON.parse(rows.stdout).robots;
      expect(`${state} ${basis}`).toBe(expected);
    });

    test.each<[string, string]>([
      ["2026-11-01", "violation assumed"],
      ["2026-11", "violation assumed"],
      ["2026-11-01T00:00:00Z", "violation proven"],
      ["2026-11-01T00:00:00.5Z", "violation proven"],
    ])("WARC-Date: %s", async (date, expected) => {
      const recordOf = (time: string): string => {
        const block = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n${closed}`;
        const head = [
          "WARC/1.1",
          "WARC-Type: response",
          "WARC-Target-URI: https://shop.example/robots.txt",
          `WARC-Date: ${time}`,
        ];
        return [
          ...head,
          "Content-Type: application/http",
          `Content-Length: ${block.length}`,
          "",
          `${block}\r\n\r\n`,
        ].join("\r\n");
      };
      const source = put(recordOf(date) + recordOf("2026-11-20T00:00:00Z"));
      expect(await audited(lineOf("bingbot", "/p", "02 06"), source)).toEqual([`bingbot ${expected} 1`]);
    });
  });

  describe("files of more than 500 KiB", () => {
    const filler = `# ${"-".repeat(60)}\n`;
    const long = `User-agent: *\nDisallow: /ok\nDisallow: /x\n${filler.repeat(10_000)}Allow: /ok\n`;
    const log = ["Googlebot", "GPTBot", "YandexBot"].map(
      (agent) => lineOf(agent, "/ok", "05 06") + lineOf(agent, "/x", "05 06"),
    );

    test("each operator's limit decides; what no operator documents is disputed", async () => {
      const source = seenOf({ "2026-11-01T00Z.txt": long, "2026-11-20T00Z.txt": long });
      const [google, yandex] = ["Googlebot violation proven 1", "YandexBot allowed proven 2"];
      const disputed = "GPTBot violation proven disputed 1";
      expect(await audited(log.join(""), source)).toEqual(
        expect.arrayContaining([google, google, disputed, disputed, yandex]),
      );
      // With the whole file, only what its rest decides differently is disputed.
      const whole = await audited(log.join(""), source, "--max-bytes", "1000000");
      const gpt = ["GPTBot allowed proven disputed 1", "GPTBot violation proven 1"];
      expect(whole).toEqual(expect.arrayContaining([google, google, ...gpt, yandex]));
    });

    test("--as-of-record has the policy of the crawler that a record names", async () => {
      const source = seenOf({ "2026-11-01T00Z.txt": long, "2026-11-20T00Z.txt": long });
      const args = [
        "--base",
        "https://shop.example",
        "--agent-field",
        "user_agent",
        "--robots-history",
        source,
        "--as-of-record",
        "-q",
      ];
      const rows = (await runHere([...args, put(log.join(""))])).stdout.trimEnd().split("\n");
      expect(rows.map((row) => JSON.parse(row).robots).map(({ agent, state }) => `${agent} ${state}`)).toEqual([
        "Googlebot violation",
        "Googlebot violation",
        "GPTBot violation",
        "GPTBot violation",
        "YandexBot allowed",
        "YandexBot allowed",
      ]);
      expect(await disputedRows(log.join(""), source)).toEqual([false, false, true, true, false, false]);
      // The row of Googlebot has the answer of the whole file, which Googlebot does not read.
      const whole = await disputedRows(log.join(""), source, "--max-bytes", "1000000");
      expect(whole).toEqual([true, false, true, false, false, false]);
    });

    test.each<[string, number, string, string]>([
      ["a rule that the limit cuts is no rule", -2, "", "allowed"],
      ["a rule that ends at the limit, before its line end", 0, "\n", "violation"],
      ["a rule that ends the file at the limit", 0, "", "violation"],
    ])("%s", async (_what, offset, tail, expected) => {
      const start = "User-agent: *\n";
      const rule = "\nDisallow: /later";
      const text = `${start}#${"-".repeat(512_000 - start.length - 1 - rule.length - offset)}${rule}${tail}`;
      const source = seenOf({ "2026-11-01T00Z.txt": text, "2026-11-20T00Z.txt": text });
      const lines = lineOf("Googlebot", "/la", "05 06") + lineOf("Googlebot", "/later", "05 06");
      const found = await audited(lines, source);
      expect(found.filter((row) => row.includes("violation"))).toEqual(
        expected === "violation" ? ["Googlebot violation proven 1"] : [],
      );
    });
  });

  describe("lines other than rules between user-agent lines", () => {
    const log = lineOf("Googlebot", "/x", "05 06") + lineOf("bingbot", "/x", "05 06") + lineOf("CCBot", "/x", "05 06");
    const own = (name: string, rest: string): string => `${name} violation proven ${rest}1`;
    const all = (rest: string): string[] => [own("CCBot", ""), own("Googlebot", ""), own("bingbot", rest)];

    test.each<[string, string, readonly string[]]>([
      ["a crawl-delay", "User-agent: bingbot\nCrawl-delay: 10\nUser-agent: *\nDisallow: /\n", all("disputed ")],
      ["a blank line", "User-agent: bingbot\n\nUser-agent: *\nDisallow: /\n", all("disputed ")],
      [
        "a blank line, in lines that end with CR",
        "User-agent: bingbot\r\rUser-agent: *\rDisallow: /\r",
        all("disputed "),
      ],
      ["a comment", "User-agent: bingbot\n # all others\nUser-agent: *\nDisallow: /\n", all("")],
      ["nothing", "User-agent: bingbot\r\nUser-agent: *\r\nDisallow: /\r\n", all("")],
      ["a blank line behind a rule", "User-agent: *\nDisallow: /\n\nUser-agent: other\nDisallow:\n", all("")],
      [
        "a blank line between user-agent lines that only Google's parser knows",
        "User-agent: *\nDisallow: /b\n\nUseragent: *\n\nUseragent: a\nDisallow: /x\n",
        all("disputed "),
      ],
      [
        "a blank line and a rule that only Google's parser knows",
        "User-agent: bingbot\n\nDisallow /x\nUser-agent: a\nDisallow: /x\n\nUser-agent: *\nDisallow: /x\n",
        all("disputed "),
      ],
      [
        "a blank line and a crawl-delay, of which only one decides",
        "User-agent: bingbot\nDisallow: /\n\nUser-agent: bingbot\n\nUser-agent: a\nDisallow: /x\n\nUser-agent: bingbot\nCrawl-delay: 5\nUser-agent: b\nAllow: /\n\nUser-agent: *\nDisallow: /x\n",
        all("disputed "),
      ],
      ["another crawler's", "User-agent: a\n\nUser-agent: b\nDisallow: /\n\nUser-agent: *\nDisallow: /\n", all("")],
    ])("%s", async (_what, text, expected) => {
      const source = seenOf({ "2026-11-01T00Z.txt": text, "2026-11-20T00Z.txt": text });
      expect((await audited(log, source)).toSorted()).toEqual(expected);
      const disputed = expected.map((each) => each.includes("disputed"));
      expect(await disputedRows(log, source)).toEqual([disputed[1], disputed[2], disputed[0]]);
    });
  });

  describe("the copy from before an outage", () => {
    const at = (day: number): number => Date.UTC(2026, 10, day);
    const body = `User-agent: *\nDisallow: /x\n`;
    const entry = {
      origin: "https://shop.example",
      fetchedAt: at(2),
      freshUntil: at(2) + 1,
      access: "unreachable",
      code: "timeout",
      unreachableSince: at(1) + 3_600_000,
      hops: [],
    };
    const copy = { fetchedAt: at(1), access: "successful", code: "ok", status: 200, body };

    test.each([
      ["a whole file", copy, ["GPTBot violation proven 1", "YandexBot violation proven 1"]],
      [
        "a file that was cut",
        { ...copy, truncated: true, cutAtBytes: 512_000 },
        ["GPTBot violation proven disputed 1", "YandexBot allowed proven 1"],
      ],
    ])("%s", async (_what, lastCopy, expected) => {
      const source = join(folder, `copy-${made++}.ndjson`);
      const later = { ...entry, fetchedAt: at(20), freshUntil: at(20) + 1, unreachableSince: at(1) + 3_600_000 };
      writeFileSync(source, `${JSON.stringify({ ...entry, lastCopy })}\n${JSON.stringify({ ...later, lastCopy })}\n`);
      const log = lineOf("GPTBot", "/x", "10 06") + lineOf("YandexBot", "/x", "10 06");
      expect((await audited(log, source)).toSorted()).toEqual(expected);
    });
  });

  test("a candidate that is too long for YandexBot is no file for it", async () => {
    const source = seenOf({ "2026-11-01T00Z.txt": open, "2026-11-20T00Z.txt": open });
    const candidate = put(`User-agent: *\nDisallow: /x\n${`# ${"-".repeat(60)}\n`.repeat(9_000)}`);
    const log = lineOf("GPTBot", "/x", "05 06") + lineOf("YandexBot", "/x", "05 06");
    const flags = ["--base", "https://shop.example", "--robots-history", source, "--candidate", candidate];
    const { stdout } = await runHere(["audit", put(log), ...flags]);
    expect(stdout).toContain("1 request of this log newly disallowed, 0 newly");
    expect(stdout).toMatch(/newly disallowed +1 +GPTBot/);
  });

  test.each<[agents: string, bingbot: string]>([
    ["Googlebot, bingbot", "violation proven disputed"],
    ["Googlebot bingbot", "violation proven disputed"],
    ['"bingbot"', "violation proven disputed"],
    ["Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "violation proven disputed"],
    ["Foo, Bar", "violation proven"],
    ["bingbot", "allowed proven"],
  ])("the names in a user-agent line: %s", async (agents, bingbot) => {
    const file = `User-agent: *\nDisallow: /p\n\nUser-agent: ${agents}\nAllow: /\n`;
    const source = seenOf({ "2026-11-01T00Z.txt": file, "2026-11-20T00Z.txt": file });
    expect(await audited(lineOf("bingbot", "/p", "05 06"), source)).toEqual([`bingbot ${bingbot} 1`]);
  });

  test("nothing is proven while a crawler may use an older file for longer than 24 hours, as its operator says", async () => {
    const source = seenOf({ "2026-11-01T00Z.txt": open, "2026-11-02T00Z.txt": closed, "2026-11-20T00Z.txt": closed });
    const lines = (agent: string): string => lineOf(agent, "/p", "04 06") + lineOf(agent, "/p", "05 06");
    expect(await audited(lines("GPTBot") + lines("DuckAssistBot") + lines("SeznamBot"), source)).toEqual(
      expect.arrayContaining([
        "DuckAssistBot violation assumed 1",
        "DuckAssistBot violation proven 1",
        "GPTBot violation proven 2",
        "SeznamBot violation assumed 2",
      ]),
    );
    const record = JSON.stringify({ url: "https://shop.example/p", time: "2026-11-04T06:00:00Z" });
    const agents = ["--agent", "GPTBot", "--agent", "DuckAssistBot"];
    const { stdout } = await runHere([...agents, "--robots-history", source, "--as-of-record", "-q"], record);
    expect(recordsOf(stdout).map(({ robots }) => (robots as { basis: string }).basis)).toEqual(["proven", "assumed"]);
  });

  describe("a redirect of robots.txt", () => {
    const body = "User-agent: *\nDisallow: /static/\n";
    const entryOf = (day: number, ...hops: readonly string[]): string =>
      JSON.stringify({
        origin: "https://shop.example",
        fetchedAt: Date.UTC(2026, 10, day),
        freshUntil: Date.UTC(2026, 10, day) + 1,
        access: "successful",
        code: "ok",
        status: 200,
        body,
        hops: ["https://shop.example/robots.txt", ...hops].map((url, at) => ({
          url,
          status: at < hops.length ? 301 : 200,
        })),
      });

    test("its targets are robots.txt while it may be in force", async () => {
      const hops = ["https://shop.example/static/1", "https://cdn.example/shop/robots.txt?v=1"];
      const source = put(`${entryOf(1, ...hops)}\n${entryOf(8, ...hops)}\n${entryOf(15)}\n${entryOf(25)}\n`);
      const lines = [
        lineOf("bingbot", "/static/1", "05 06"),
        lineOf("bingbot", "https://cdn.example/shop/robots.txt?v=1", "05 06"),
        lineOf("bingbot", "/static/2", "05 07"),
        lineOf("bingbot", "/static/1", "20 06"),
      ];
      const args = ["--base", "https://shop.example", "--robots-history", source, "-o", "csv", "--table", "times"];
      const { stdout } = await runHere(["audit", put(lines.join("")), ...args]);
      const rows = stdout
        .trimEnd()
        .split("\r\n")
        .slice(1)
        .map((row) => row.split(","));
      expect(rows.map(([origin, time, , , state]) => `${origin} ${time?.slice(8, 13)} ${state}`)).toEqual([
        "https://cdn.example 05T06 robots-txt",
        "https://shop.example 05T06 robots-txt",
        "https://shop.example 05T07 violation",
        "https://shop.example 20T06 violation",
      ]);
      // Saved files do not show whether there was a redirect.
      const saved = seenOf({ "2026-11-03T00Z.txt": body, "2026-11-10T00Z.txt": body });
      const cached = put(`${entryOf(1)}\n${entryOf(8, ...hops)}\n${entryOf(15)}\n`);
      const early = lineOf("bingbot", "/static/1", "02 06") + lineOf("bingbot", "/static/1", "10 18");
      const both = await audited(early, saved, "--robots-history", cached);
      expect(both).toEqual([]);
      const record = JSON.stringify({ url: "https://shop.example/static/1", time: "2026-11-05T06:00:00Z" });
      const asOf = await runHere(["--agent", "bingbot", "--robots-history", source, "--as-of-record", "-q"], record);
      expect(JSON.parse(asOf.stdout).robots.state).toBe("robots-txt");
    });
  });

  test.each<[string, readonly string[]]>([
    ["/caf%c3%a9", ["Googlebot allowed proven disputed 1", "bingbot violation proven disputed 1"]],
    ["/caf%C3%A9", ["Googlebot violation proven 1", "bingbot violation proven 1"]],
    ["/caf\\xC3\\xA9", ["Googlebot allowed proven disputed 1", "bingbot violation proven disputed 1"]],
    ["/a\\x5Cb", ["Googlebot allowed proven disputed 1", "bingbot allowed proven disputed 1"]],
    ["/a/b", ["Googlebot violation proven 1", "bingbot violation proven 1"]],
    ["/%61/b", ["Googlebot allowed proven disputed 1", "bingbot violation proven disputed 1"]],
    ["/a%2Fb", ["Googlebot allowed proven disputed 1", "bingbot violation proven disputed 1"]],
    ["/x/../a/b", ["Googlebot allowed proven disputed 1", "bingbot allowed proven disputed 1"]],
    ["/x/%2e%2E/a/b", ["Googlebot allowed proven disputed 1", "bingbot allowed proven disputed 1"]],
    ["/./a/b", ["Googlebot allowed proven disputed 1", "bingbot allowed proven disputed 1"]],
    ["/a/../x", ["Googlebot violation proven disputed 1", "bingbot violation proven disputed 1"]],
    ["/a/../robots.txt", ["Googlebot violation proven disputed 1", "bingbot violation proven disputed 1"]],
    ["/a/./b", ["Googlebot violation proven 1", "bingbot violation proven 1"]],
    ["/x/../y", ["Googlebot allowed proven 1", "bingbot allowed proven 1"]],
    ["/x?/../a/b", ["Googlebot allowed proven 1", "bingbot allowed proven 1"]],
    ["//a/b", ["Googlebot allowed proven 1", "bingbot allowed proven 1"]],
    ["/a/b#c", ["Googlebot violation proven 1", "bingbot violation proven 1"]],
    ["https://shop.example/a/b", ["Googlebot violation proven 1", "bingbot violation proven 1"]],
    ["/a/%", ["Googlebot violation proven 1", "bingbot violation proven 1"]],
  ])("the target %s is compared as it was sent, and as parsers of URLs write it", async (target, expected) => {
    const text = "User-agent: *\nDisallow: /caf%C3%A9\nDisallow: /a/\n";
    const source = seenOf({ "2026-11-01T00Z.txt": text, "2026-11-20T00Z.txt": text });
    const log = lineOf("Googlebot", target, "05 06") + lineOf("bingbot", target, "05 06");
    expect((await audited(log, source)).toSorted()).toEqual(expected);
    expect(await disputedRows(log, source)).toEqual(expected.map((each) => each.includes("disputed")));
  });

  test("a disallowed target that only looks like robots.txt is disputed", async () => {
    const whole = "User-agent: *\nDisallow: /\n";
    const source = seenOf({ "2026-11-01T00Z.txt": whole, "2026-11-20T00Z.txt": whole });
    const like = ["//robots.txt", "///Robots.TXT", "/robots.txt?", "/robots.txt?x=1", "//robots.txt?x"];
    const other = ["/robots.txt/", "/robots.txts", "/x/robots.txt", "/robots.tx", "/robots", "/?/robots.txt", "//"];
    for (const [targets, isDisputed] of [
      [like, true],
      [other, false],
    ] as const) {
      const log = targets.map((target) => lineOf("GPTBot", target, "05 06")).join("");
      expect(await disputedRows(log, source)).toEqual(targets.map(() => isDisputed));
      const audit = await audited(log, source);
      expect(audit).toEqual([`GPTBot violation proven ${isDisputed ? "disputed " : ""}${targets.length}`]);
    }
  });

  test("a request is disputed if only the other dialect decides the normalized target differently", async () => {
    const text = "User-agent: bingbot/2.0\nAllow: /e/f\nDisallow: /e\n\nUser-agent: *\nDisallow: /e\n";
    const source = seenOf({ "2026-11-01T00Z.txt": text, "2026-11-20T00Z.txt": text });
    const log = lineOf("bingbot", "/e\\x5Cf", "05 06") + lineOf("bingbot", "/e/g", "05 06");
    expect(await audited(log, source)).toEqual(["bingbot violation proven 1", "bingbot violation proven disputed 1"]);
  });

  test("an outage without a copy, and a date alone: the crawler may have seen only the outage on that day", async () => {
    const source = seenOf({ "2026-11-01T00Z.503": "", "2026-11-02.txt": closed, "2026-11-09T00Z.txt": closed });
    expect(await audited(lineOf("GPTBot", "/p", "03 06"), source)).toEqual(["GPTBot violation assumed 1"]);
    expect(await audited(lineOf("GPTBot", "/p", "04 06"), source)).toEqual(["GPTBot violation proven 1"]);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    [
      "with a later version",
      { "2026-11-01.txt": closed, "2026-11-05.503": "", "2026-11-08.txt": closed, "2026-11-12.txt": open },
    ],
    ["without one", { "2026-11-01.txt": closed, "2026-11-05.503": "", "2026-11-08.txt": closed }],
  ])("versions[].from is the first observation of the period, also after an outage, %s", async (_what, files) => {
    const record = JSON.stringify({ url: "https://shop.example/p", time: "2026-11-12T06:00:00Z" });
    const args = ["--agent", "bingbot", "--robots-history", seenOf(files), "--as-of-record", "-q"];
    const { versions } = JSON.parse((await runHere(args, record)).stdout).robots;
    expect(versions[0].from).toBe("2026-11-01T00:00:00Z");
  });

  describe("an audit whose robots.txt is unreachable says so in the report", () => {
    const log = lineOf("GPTBot", "/p", "10 12");
    const reportFor = async (base: string, ...more: readonly string[]): Promise<string> =>
      (await runHere(["audit", put(log), "--base", base, ...more])).stdout.replaceAll(/\s+/g, " ");

    test.for(["text", "html"])("%s: a private address, with the flag", async (format) => {
      const report = await reportFor("http://127.0.0.1:8080", "-o", format);
      expect(report).toContain("No request was judged: robots.txt was unreachable, and no copy of it is known.");
      expect(report).toContain(
        "cannot be judged: the robots.txt of http://127.0.0.1:8080 was unreachable (blocked-address), and no copy of it is known; private addresses are requested only with --allow-private",
      );
      expect(report).not.toContain("Nothing to report");
    });

    test("503 without a copy", async () => {
      const base = await servers.serve((socket) => socket.end(responseOf(503)));
      const report = await reportFor(base, "--allow-private");
      expect(report).toContain(`cannot be judged: the robots.txt of ${base} was unreachable (http-503), and no copy`);
      expect(report).not.toContain("--allow-private");
    });
  });
});

describe("who is bound by a group for *", () => {
  const folder = makeFolder();

  const everybody = "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nDisallow:\n";
  const named = `${everybody}\nUser-agent: Amzn-SearchBot\nDisallow: /private\n`;

  /** A folder with a file that was seen before and after the requests. */
  function historyOf(name: string, body: string): string {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    for (const day of ["01", "12"]) writeFileSync(join(path, `shop.example@2026-11-${day}T00:00:00Z.txt`), body);
    return path;
  }

  const at = "2026-11-06T10:00:00Z";
  const requests = [
    "Amzn-SearchBot/0.1",
    "UptimeRobot/2.0",
    "AhrefsSiteAudit/6.1",
    "SiteAuditBot/1.1",
    "Bytespider",
    "bingbot/2.0",
  ];
  const log = requests
    .map(
      (agent) =>
        `192.0.2.1 - - [06/Nov/2026:10:00:00 +0000] "GET /private/x HTTP/1.1" 200 10 "-" "Mozilla/5.0 (compatible; ${agent})"\n`,
    )
    .join("");

  async function auditOf(history: string, ...argv: readonly string[]): Promise<string> {
    const { stdout, stderr } = await runHere(
      ["audit", "-", "--base", "https://shop.example", "--robots-history", history, ...argv],
      log,
    );
    expect(stderr).toBe("");
    return stdout;
  }

  const freeTools = {
    UptimeRobot: "not-bound:violation",
    AhrefsSiteAudit: "not-bound:violation",
    SiteAuditBot: "not-bound:violation",
  };

  describe.each([
    [
      "under * alone",
      everybody,
      { "Amzn-SearchBot": "not-bound:violation", ...freeTools, Bytespider: "violation", bingbot: "allowed" },
    ],
    [
      "in a group that names it",
      named,
      { "Amzn-SearchBot": "violation", ...freeTools, Bytespider: "violation", bingbot: "allowed" },
    ],
  ])("%s", (name, body, states) => {
    test("the states of an audit", async () => {
      const { origins } = JSON.parse(await auditOf(historyOf(name, body), "-o", "json")) as {
        origins: readonly { readonly times: readonly (readonly [unknown, string, string, string])[] }[];
      };
      expect(Object.fromEntries(origins[0]!.times.map(([, crawler, , state]) => [crawler, state]))).toEqual(states);
    });

    test("the states of records", async () => {
      const records = requests.map(
        (agent) => JSON.stringify({ url: "https://shop.example/private/x", at, agent }) + "\n",
      );
      const history = historyOf(name, body);
      const { stdout } = await runHere(
        ["--agent-field", "agent", "--robots-history", history, "--as-of-record", "--time-field", "at"],
        records.join(""),
      );
      const rows = recordsOf<{ robots: { agent: string; allowed: boolean; state: string } }>(stdout);
      expect(Object.fromEntries(rows.map(({ robots }) => [robots.agent, robots.state]))).toEqual(states);
      // Decisions follow the group for `*`, whoever is bound by it.
      expect(rows.map(({ robots }) => robots.allowed)).toEqual([false, false, false, false, false, true]);
    });
  });

  test("--candidate leaves out requests that one of the files does not bind", async () => {
    const candidate = join(folder, "candidate.txt");
    writeFileSync(candidate, "User-agent: *\nDisallow:\n");
    const text = await auditOf(historyOf("flips", everybody), "--candidate", candidate);
    expect(text).toMatch(/newly allowed +1 +Bytespider/u);
    expect(text).not.toMatch(/newly allowed +1 +Amzn/u);
  });

  test("--fail-on counts what crossed, also by crawlers whose operators are silent", async () => {
    const ran = (moreThan: number): Promise<{ readonly code: number | null }> =>
      runHere(
        [
          "audit",
          "-",
          "--base",
          "https://shop.example",
          "--robots-history",
          historyOf("fail", everybody),
          "--fail-on",
          `violations>${moreThan}`,
        ],
        log,
      );
    expect((await ran(0)).code).toBe(1);
    expect((await ran(1)).code).toBe(0);
  });

  test("explain and agents say that another rule applies to a file that does not name the crawler", async () => {
    const file = join(folder, "robots.txt");
    const explained = async (body: string): Promise<string> => {
      writeFileSync(file, body);
      const argv = ["explain", "https://shop.example/x", "--agent", "Amzn-SearchBot", "--robots", file];
      const { stdout } = await runHere([...argv, "-o", "ndjson"]);
      expect(JSON.parse(stdout)).toMatchObject({ bound: "by-name" });
      return (await runHere(argv)).stdout;
    };
    const sentence = "operator documents another rule for a file that does not name it";
    expect(await explained(everybody)).toContain(sentence);
    expect(await explained("User-agent: Googlebot\nDisallow: /\n")).toContain(sentence);
    expect(await explained(named)).not.toContain(sentence);
    expect((await runHere(["agents", "Amzn-SearchBot"])).stdout).toMatch(
      /if none does, another rule than the group\s+for \*/u,
    );
  });
});
