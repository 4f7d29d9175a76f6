// The output of `explain` as text and as JSON, and its exit code, with saved files and a loopback server.
import { writeFileSync } from "node:fs";
import { type RequestListener, type Server, createServer } from "node:http";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "../../../test/folder.ts";
import { runHere } from "../../../test/here.ts";
import { portOf } from "../../../test/servers.ts";
import { recordsOf } from "../../../test/run.ts";

const here = import.meta.dirname;
const examples = fileURLToPath(new URL("../../../../../examples/robots", import.meta.url));

type Given = Parameters<typeof runHere>;

const explained = (argv: readonly string[], env: Given[2] = {}, unusual: Given[3] = {}): ReturnType<typeof runHere> =>
  runHere(["explain", ...argv], "", env, unusual);

const jsonOf = async (argv: readonly string[]): Promise<Record<string, unknown>[]> => {
  const { stdout, code, stderr } = await explained([...argv, "--output", "ndjson"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return recordsOf(stdout);
};

const folder = makeFolder();
let file = "";
beforeAll(() => {
  file = join(folder, "robots.txt");
});

const saved = (text: string | Uint8Array): string[] => {
  writeFileSync(file, text);
  return ["--robots", file];
};
const bingbot = ["--agent", "bingbot"];
const page = "https://shop.example/cart/help?sort=1";

describe("for people", () => {
  test("the sentence, its source, the lines, and the reason for the group", async () => {
    const { stdout, stderr, code } = await explained([page, ...bingbot, "--robots", examples]);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expect(stdout.replace(examples, "examples")).toBe(`Allowed by line 4 ("allow: /cart/help") of the group for *.

  URL         https://shop.example/cart/help?sort=1
  agent       bingbot
  origin      https://shop.example
  file        examples/shop.example.txt: successful, 239 bytes
  dialect     google
  compared    /cart/help?sort=1

    2 | User-agent: *
      | ------------- names every crawler
    3 | Disallow: /cart
      | --------------- matches with 5 octets
>   4 | Allow: /cart/help
      | ^^^^^^^^^^^^^^^^^ matches with 10 octets: decides
    5 | Disallow: /*?sort=
      | ------------------ matches with 8 octets: the runner-up

  No user-agent line names bingbot or msnbot, so the group for * applies: line 2.
`);
  });

  test("preferences about use, with their lines", async () => {
    const robots = saved(
      [
        "User-agent: *",
        "Content-Signal: search=yes,ai-train=no,use=reference",
        "Content-Usage: train-ai=y",
        "Content-Usage: /x Search=y",
        "Allow: /",
        "License: https://a.example/license.xml",
      ].join("\n"),
    );
    const { stdout } = await explained(["https://a.example/", ...bingbot, ...robots]);
    expect(stdout.slice(stdout.indexOf("  compared"))).toBe(`  compared    /
  train-ai    disallow (content-usage on line 3; content-signal on line 2)
  search      allow (content-signal on line 2)
  use         reference (content-signal on line 2)
  licence     https://a.example/license.xml

    1 | User-agent: *
      | ------------- names every crawler
    2 | Content-Signal: search=yes,ai-train=no,use=reference
      | ---------------------------------------------------- train-ai: disallow, search: allow, use=reference
    3 | Content-Usage: train-ai=y
      | ------------------------- train-ai: allow
  ...
>   5 | Allow: /
      | ^^^^^^^^ matches with 1 octet: decides

  No user-agent line names bingbot or msnbot, so the group for * applies: line 1.
`);
    const failed = await explained(["https://a.example/x", ...bingbot, ...robots]);
    expect(failed.stdout).toContain(
      "  train-ai    disallow (content-usage on line 4, which is not a dictionary; content-signal on line 2)\n",
    );
    const [row] = await jsonOf(["https://a.example/", ...bingbot, ...robots]);
    expect(row!["usage"]).toMatchObject({
      "train-ai": {
        value: "disallow",
        by: [
          { line: 3, value: "allow" },
          { line: 2, value: "disallow" },
        ],
      },
      licences: ["https://a.example/license.xml"],
    });
  });

  test("lines that look like the end of a group", async () => {
    const robots = saved("User-agent: bingbot\r\nCrawl-delay: 10\r\n\r\nUser-agent: GPTBot\r\nDisallow: /\r\n");
    const { stdout } = await explained(["https://a.example/x", ...bingbot, ...robots]);
    expect(stdout.slice(stdout.indexOf("    1 |"))).toBe(`    1 | User-agent: bingbot
      | ------------------- names bingbot
    2 | Crawl-delay: 10
      | --------------- crawl-delay does not end the list of user-agent lines
    3 |
    4 | User-agent: GPTBot
      | ------------------ so this line belongs to the same group
>   5 | Disallow: /
      | ^^^^^^^^^^^ matches with 1 octet: decides

  bingbot is named in line 1.
  Lines 2 to 3 (crawl-delay) do not end the group: only a rule does. So the rules below line 4 apply as well.
`);
  });

  test.each<[string, string, string[], RegExp]>([
    [
      "a group passed over",
      "User-agent: bingbot\nDisallow:\nUser-agent: *\nDisallow: /",
      bingbot,
      /group for \* \(line 3\) does not apply/,
    ],
    [
      "several groups",
      "User-agent: bingbot\nAllow: /\nUser-agent: Bingbot\nAllow: /x",
      bingbot,
      /lines 1, 3; the rules of these 2 groups count/,
    ],
    [
      "no crawler is named",
      "User-agent: a\nDisallow: /\n",
      bingbot,
      /none names \* \(the file names a\): no rules apply/,
    ],
    ["no rule matches", "User-agent: *\nDisallow: /a\nDisallow: /b\n", bingbot, /None of its 2 rules matches\./],
    ["one rule", "User-agent: *\nDisallow: /a\n", bingbot, /Its one rule does not match\./],
    ["no rule", "User-agent: bingbot\n", bingbot, /The group has no rules\./],
    ["omitted lines", "User-agent: *\n\n\nDisallow: /", bingbot, /every crawler\n {2}\.\.\.\n> +4 \|/],
    [
      "an index file",
      "User-agent: *\nAllow: /d/index.html\nDisallow: /d/",
      bingbot,
      /matches as "\/d\/\$" with 4 octets: decides/,
    ],
    [
      "a name with digits is compared as a whole",
      "User-agent: MJ12bot\nDisallow: /",
      ["--agent", "MJ12bot"],
      /Disallowed by line 2 .* of the group for MJ12bot\./,
    ],
    [
      "--token-match google compares only the letters before the digits",
      "User-agent: MJ12bot\nDisallow: /",
      ["-a", "MJ12bot", "--token-match", "google"],
      /no group names this crawler/,
    ],
    [
      "--token-match whole",
      "User-agent: a/1\nDisallow: /",
      ["-a", "a", "--token-match", "whole"],
      /dialect +google; the whole token is compared/,
    ],
    ["a long list of rules", `User-agent: *\n${"Disallow: /\n".repeat(40)}`, bingbot, / {2}and 28 more rules match\n/],
    [
      "a file longer than --max-bytes",
      "User-agent: *\nDisallow: /",
      [...bingbot, "--max-bytes", "20"],
      /14 bytes, and more that are not read/,
    ],
  ])("%s", async (_what, text, args, expected) => {
    const { stdout, code } = await explained(["https://a.example/d/", ...args, ...saved(text)]);
    expect(stdout).toMatch(expected);
    expect(code).toBe(0);
  });

  test("each URL, dialect and agent, in this order", async () => {
    const answers = await jsonOf([
      ..."https://a.example/1 http://b.example/2 -a x -a y -a x --dialect rfc9309,google".split(" "),
      ...saved("User-agent: y\nDisallow: /"),
    ]);
    expect(answers.map(({ path, dialect, agent }) => [path, dialect, agent].join(" "))).toEqual(
      ["/1", "/2"].flatMap((path) =>
        ["rfc9309", "google"].flatMap((dialect) => ["x", "y"].map((agent) => `${path} ${dialect} ${agent}`)),
      ),
    );
  });

  test.each([
    ["wiki.example", "unavailable, http-404", "Allowed"],
    ["down.example", "unreachable, http-503", "Disallowed"],
    ["none.example", "unreachable, not-saved", "Disallowed"],
  ])("%s: %s", async (host, outcome, answer) => {
    const { stdout } = await explained([`https://${host}/`, ...bingbot, "--robots", examples]);
    expect(stdout).toContain(outcome);
    expect(stdout.startsWith(`${answer}: `)).toBe(true);
  });
});

describe("a terminal", () => {
  const robots =
    "User-agent: *\u001b[31m\nDisallow: /\u001b]0;x\u0007*\u009b2J\u202e\nAllow: /a\tb\nDisallow: /\u007f\n";
  // oxlint-disable-next-line no-control-regex
  const controls = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/;

  test.each<[string, string[]]>([
    ["text", []],
    ["JSON", ["--output", "ndjson"]],
  ])("control characters from outside are escaped: %s", async (_what, args) => {
    for (const url of ["https://a.example/\u009b31m\u202e", "https://a.example/%1b[0m"]) {
      const { stdout, stderr } = await explained([url, "-a", "b\u009bot", ...args, ...saved(robots)]);
      expect(stdout).toMatch(/Allow|allow/);
      expect(stdout).not.toMatch(controls);
      expect(stderr).not.toMatch(controls);
    }
  });

  test("messages about mistakes have no control sequences", async () => {
    for (const argv of [["\u001b[31m"], ["--\u001b[31m"], ["https://a.example/", "--robots", `${here}/no\u001b[31m`]]) {
      const { stderr, code } = await explained([...argv, ...bingbot]);
      expect(code).toBe(2);
      expect(stderr).not.toMatch(controls);
    }
  });

  test.each<[string, boolean, Record<string, string>, boolean]>([
    ["a terminal", true, { TERM: "xterm" }, true],
    ["no terminal", false, {}, false],
    ["NO_COLOR", true, { TERM: "xterm", NO_COLOR: "1" }, false],
    ["an empty NO_COLOR has no effect", true, { TERM: "xterm", NO_COLOR: "" }, true],
    ["a dumb terminal", true, { TERM: "dumb" }, false],
    ["FORCE_COLOR without a terminal", false, { FORCE_COLOR: "1" }, true],
    ["FORCE_COLOR=0", true, { TERM: "xterm", FORCE_COLOR: "0" }, false],
  ])("colours: %s", async (_what, isTTY, env, hasColours) => {
    const argv = [page, ...bingbot, "--robots", examples];
    const { stdout } = await explained(argv, env, { isTTY });
    expect(stdout.includes("\u001b[")).toBe(hasColours);
    // oxlint-disable-next-line no-control-regex
    expect(stdout.replaceAll(/\u001b\[\d+m/g, "")).toBe((await explained(argv)).stdout);
  });
});

describe("for programs", () => {
  test("all members of the output", async () => {
    const [answer] = await jsonOf([page, ...bingbot, "--robots", examples]);
    expect(answer).toMatchObject({
      url: page,
      agent: "bingbot",
      tokenMatch: "google",
      dialect: "google",
      allowed: true,
      because: "rule",
      origin: "https://shop.example",
      robotsTxt: { file: join(examples, "shop.example.txt"), access: "successful", code: "ok", bytes: 239 },
      path: "/cart/help?sort=1",
      ground: "everybody",
      groups: [{ fromLine: 2, toLine: 2, userAgents: [{ line: 2, value: "*", text: "User-agent: *" }], joins: [] }],
      passedOver: [],
      winner: { line: 4, type: "allow", pattern: "/cart/help", octets: 10, text: "Allow: /cart/help" },
      runnerUp: { line: 5, octets: 8 },
    });
    expect((answer!["matches"] as { line: number }[]).map(({ line }) => line)).toEqual([3, 4, 5]);
  });

  test("a missing winner is null", async () => {
    expect(await jsonOf(["https://blog.example/", ...bingbot, "--robots", examples])).toMatchObject([
      { because: "no-group", ground: "none", winner: null, runnerUp: null, matches: [] },
    ]);
  });

  test("the decisions are those of the command without a name", async () => {
    const urls = ["shop.example//x/cart", "shop.example/cart", "news.example/archive/", "docs.example:8443/draft/x"]
      .concat(["wiki.example", "down.example/", "blog.example/?a#b", "shop.example/a b.pdf", "none.example/ü"])
      .map((rest) => `https://${rest}`);
    const argv = [...bingbot, "-a", "GPTBot", "--ordered", "--input", "lines", "--robots", examples];
    const job = await runHere(argv, urls.join("\n"));
    const decided = recordsOf<{ robots: Record<string, unknown> }>(job.stdout)
      .map((line) => line.robots)
      .map(({ allowed, because, line, agent }) => ({ allowed, because, line, agent }));
    const answers = await jsonOf([...urls, ...bingbot, "-a", "GPTBot", "--robots", examples]);
    expect(
      answers.map(({ allowed, because, winner, agent }) => ({
        allowed,
        because,
        line: (winner as { line: number } | null)?.line,
        agent,
      })),
    ).toEqual(decided);
    expect(decided).toHaveLength(urls.length * 2);
  });
});

describe("mistakes", () => {
  const url = "https://a.example/";
  test.each<[string, string[], RegExp]>([
    ["no URL", bingbot, /name a URL/],
    ["no agent", [url], /--agent is missing/],
    ["an empty agent", [url, "-a", ""], /must not be empty/],
    ["*", [url, "-a", "*"], /means every crawler without a group/],
    ["a User-Agent header", [url, "-a", "Mozilla/5.0 (compatible; bingbot/2.0)"], /probably: --agent bingbot/],
    ["a User-Agent header without a version", [url, "-a", "Mozilla compatible"], /User-Agent header/],
    ["an unknown flag", [url, "--dialct", "x"], /no flag --dialct\n.*did you mean --dialect\?/],
    ["an unknown dialect", [url, ...bingbot, "--dialect", "goggle"], /one of google, rfc9309\n.*did you mean google\?/],
    ["an unknown token match", [url, ...bingbot, "--token-match", "hole"], /did you mean whole\?/],
    ["a flag twice", [url, ...bingbot, "--robots", "a", "--robots", "b"], /given twice/],
    ["a missing value", [url, "-a"], /needs a value: -a TOKEN/],
    ["an unexpected value", [url, "--no-fallback=1", ...bingbot], /takes no value/],
    ["a wrong timeout", [url, ...bingbot, "--timeout", "soon"], /--timeout soon: must be a number/],
    ["a URL without a scheme", ["a.example/x", ...bingbot], /did you mean https:\/\/a\.example\/x\?/],
    ["a path", ["/x", ...bingbot], /\/x: this is not a URL\n.*for example/],
    [
      "a long path",
      [`https://x.example/${"a".repeat(70_000)}`, ...bingbot],
      /path and query are longer than 65,536 characters/,
    ],
    ["another scheme", ["mailto:x@y.example", ...bingbot], /http, https and ftp URLs only/],
    ["no such file", [url, ...bingbot, "--robots", join(here, "none")], /no such file/],
  ])("%s", async (_what, argv, expected) => {
    const { code, stdout, stderr } = await explained(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
  });

  test("a list of names with one mistyped name", async () => {
    const rules = saved("User-agent: Googlebot\nDisallow: /\n");
    const { stderr, stdout } = await explained([url, "-a", "Googlebot, goglebot", ...rules]);
    expect(stderr).toBe("robots-stream: goglebot: no crawler of this name is known; did you mean Googlebot?\n");
    expect(stdout).toMatch(/^Disallowed by line 2[^]*\nAllowed/);
  });

  test("a name that is not a product token is reported", async () => {
    const { stderr, stdout } = await explained([
      url,
      "-a",
      "Sogou web spider",
      ...saved("User-agent: sogou WEB spider/4\nDisallow: /"),
    ]);
    expect(stderr).toBe(
      "robots-stream: Sogou web spider is not a product token (RFC 9309 §2.2.1); user-agent lines are compared with the whole name\n",
    );
    expect(stdout).toMatch(/^Disallowed by line 2/);
  });
});

describe("output that cannot be written", () => {
  const failing = (code: string): Writable =>
    new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(`${code}: no`), { code })) });
  test.each([
    ["EPIPE", 0],
    ["ENOSPC", 3],
  ])("the error %s ends with exit code %i", async (code, expected) => {
    const argv = [page, ...bingbot, "--robots", examples];
    const ended = await explained(argv, {}, { stdout: failing(code) });
    expect([ended.code, ended.stderr === ""]).toEqual([expected, expected === 0]);
  });
});

describe("over the network", () => {
  let server: Server;
  let base = "";
  let requests: string[] = [];
  let listener: RequestListener = (_request, response) => void response.end();
  beforeAll(async () => {
    server = createServer((request, response) => {
      requests.push(request.url ?? "");
      listener(request, response);
    });
    base = `http://127.0.0.1:${await portOf(server)}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  test("an origin is requested once, and its redirects are shown", async () => {
    requests = [];
    listener = ({ url }, response) => {
      if (url === "/robots.txt") response.writeHead(301, { location: "/moved.txt" }).end();
      else response.end("User-agent: *\nDisallow: /x\n");
    };
    const argv = [`${base}/x`, `${base}/y`, ...bingbot, "--allow-private"];
    const { stdout, code } = await explained(argv);
    expect(code).toBe(0);
    expect(requests).toEqual(["/robots.txt", "/moved.txt"]);
    expect(stdout).toContain(
      `  robots.txt  ${base}/robots.txt: 301\n    then      ${base}/moved.txt: 200, successful, 27 bytes\n`,
    );
    expect(stdout.match(/^(?:Allowed|Disallowed)/gm)).toEqual(["Disallowed", "Allowed"]);
    expect(await jsonOf(argv)).toMatchObject([
      {
        allowed: false,
        robotsTxt: {
          url: `${base}/robots.txt`,
          status: 200,
          hops: [
            { url: `${base}/robots.txt`, status: 301 },
            { url: `${base}/moved.txt`, status: 200 },
          ],
        },
      },
      { allowed: true },
    ]);
  });

  test("the status 503 decides", async () => {
    listener = (_request, response) => void response.writeHead(503).end();
    const { stdout } = await explained([`${base}/x`, ...bingbot, "--allow-private"]);
    expect(stdout).toContain(`${base}/robots.txt: 503, unreachable\n`);
    expect(stdout).toMatch(/^Disallowed: /);
  });

  test.each(["compress", "foo"])("the unknown content coding %s decides, and is named", async (coding) => {
    listener = (_request, response) => void response.writeHead(200, { "content-encoding": coding }).end("x");
    const { stdout } = await explained([`${base}/x`, ...bingbot, "--allow-private"]);
    expect(stdout).toContain(`/robots.txt: unreachable, encoding (unknown content coding "${coding}")\n`);
  });

  test("private addresses are not requested", async () => {
    requests = [];
    const { stdout, stderr } = await explained([`${base}/x`, ...bingbot]);
    expect(stdout).toContain("/robots.txt: unreachable, blocked-address\n");
    expect(stderr).toContain("only with --allow-private");
    expect(requests).toEqual([]);
  });

  test.each(["--headers", "--html"])("a missing file of %s is reported before anything is fetched", async (flag) => {
    requests = [];
    const { code, stdout, stderr } = await explained([
      `${base}/x`,
      ...bingbot,
      "--allow-private",
      flag,
      `${here}/none`,
    ]);
    expect({ code, stdout, requests }).toEqual({ code: 2, stdout: "", requests: [] });
    expect(stderr).toContain(`${flag} ${here}/none`);
  });

  test("a signal stops the command while it waits", async () => {
    const stopping = new AbortController();
    listener = () => stopping.abort("SIGTERM");
    const ended = await explained([`${base}/x`, ...bingbot, "--allow-private"], {}, { signal: stopping.signal });
    expect(ended).toEqual({ code: 143, stdout: "", stderr: "robots-stream: stopped by SIGTERM\n" });
  });
});
