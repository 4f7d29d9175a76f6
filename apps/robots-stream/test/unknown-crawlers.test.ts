// Tests User-Agent headers of unknown crawlers: their rows, their list at the end of the run, and how --crawlers adds crawlers.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSavedRobots, decideStream } from "../src/index.ts";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

const folder = makeFolder();

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const robotsFolder = join(folder, "robots");
mkdirSync(robotsFolder);
file("robots/a.example.txt", "User-agent: AcmeBot\nDisallow: /acme\n\nUser-agent: *\nDisallow: /all\n");
file("robots/none.example.txt", "User-agent: bingbot\nDisallow: /\n");
file("robots/gone.example.404", "");
file("robots/down.example.503", "");
const saved = ["--robots", robotsFolder];
const asked = [...saved, "--agent-field", "ua"];

const acme = "Mozilla/5.0 (compatible; AcmeBot/2.1; +https://acme.example/bot)";
const other = "Other/1.0 (+https://other.example)";
const browser = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const rowOf = (url: string, ua: string): string => `${JSON.stringify({ url, ua })}\n`;

const cases: readonly [url: string, ua: string, answer: object][] = [
  [
    "https://a.example/acme/x",
    acme,
    {
      agent: "AcmeBot",
      allowed: false,
      because: "unknown-crawler",
      group: "AcmeBot",
      rule: "disallow: /acme",
      line: 2,
    },
  ],
  ["https://a.example/all", acme, { agent: "AcmeBot", allowed: true, because: "unknown-crawler", group: "AcmeBot" }],
  [
    "https://a.example/all",
    other,
    { agent: "Other", allowed: false, because: "unknown-crawler", group: "*", rule: "disallow: /all", line: 5 },
  ],
  ["https://none.example/x", other, { agent: "Other", allowed: true, because: "unknown-crawler" }],
  ["https://gone.example/x", other, { agent: "Other", allowed: true, because: "unknown-crawler", code: "http-404" }],
  ["https://down.example/x", other, { agent: "Other", allowed: false, because: "unknown-crawler", code: "http-503" }],
  ["https://a.example/robots.txt", other, { agent: "Other", allowed: true, because: "robots-txt" }],
  ["mailto:someone", other, { agent: "Other", allowed: null, because: "unsupported-scheme" }],
  [
    "https://a.example/all",
    "bingbot/2.0",
    { agent: "bingbot", allowed: false, because: "rule", group: "*", rule: "disallow: /all", line: 5 },
  ],
  ["https://a.example/all", browser, { agent: null, allowed: null, because: "not-a-crawler" }],
  ["https://a.example/all", "python-requests/2.31.0", { agent: null, allowed: null, because: "not-a-crawler" }],
];
const input = cases.map(([url, ua]) => rowOf(url, ua)).join("");

test.each([[[]], [["--dialect", "rfc9309"]]])("the rows of unknown crawlers %j", async (more) => {
  const { code, stdout, stderr } = await runHere([...asked, "--ordered", ...more], input);
  expect([code, stderr]).toEqual([0, ""]);
  const answers = recordsOf(stdout).map(({ robots }) => {
    const { origin: _origin, dialect: _dialect, ...answer } = robots as Record<string, unknown>;
    return answer;
  });
  expect(answers).toEqual(cases.map(([, , answer]) => answer));
});

test("an unknown crawler in a row of CSV, and with --fail-on", async () => {
  const { code, stdout } = await runHere(
    [...asked, "--output", "csv", "--fail-on", "disallowed"],
    rowOf("https://a.example/acme", acme),
  );
  expect([code, stdout.split("\n")[1]]).toEqual([
    1,
    `https://a.example/acme,${acme},AcmeBot,false,unknown-crawler,AcmeBot,disallow: /acme,2,https://a.example,`,
  ]);
});

test("unknown crawlers are listed at the end by number of records, and in --stats-json", async () => {
  const stats = join(folder, "stats.json");
  const { stderr } = await runHere(
    [...asked, "--summary", `--stats-json=${stats}`],
    input + rowOf("https://a.example/", acme).repeat(9),
  );
  expect(stderr).toMatch(
    /unknown crawlers with the most records\n +11 {2}AcmeBot: 10 allowed, 1 disallowed\n +6 {2}Other: 3 allowed, 2 disallowed\n/,
  );
  expect(stderr).not.toContain("agent AcmeBot");
  const { unknownCrawlers, agents } = JSON.parse(readFileSync(stats, "utf8")) as Record<string, object[]>;
  expect(unknownCrawlers).toEqual([
    { agent: "AcmeBot", records: 11, allowed: 10, disallowed: 1 },
    { agent: "Other", records: 6, allowed: 3, disallowed: 2 },
  ]);
  expect(agents).toContainEqual(
    expect.objectContaining({ agent: "AcmeBot", known: false, because: { "no-rule": 10, rule: 1 } }),
  );
  expect(agents).toContainEqual(expect.not.objectContaining({ known: false }));
});

test("after 1,000 names a further crawler has no decision, and is counted", async () => {
  const names = Array.from({ length: 1_005 }, (_, at) => `name-${at}-bot`);
  const records = names.map((ua) => rowOf("https://a.example/all", `${ua}/1.0`)).join("");
  const { stdout, stderr } = await runHere([...asked, "--summary"], records + records);
  const answers = recordsOf(stdout).map(({ robots }) => robots as { agent: string | null; because: string });
  expect(answers.filter(({ agent }) => agent !== null)).toHaveLength(2_000);
  expect(answers.filter(({ agent }) => agent === null)).toEqual(
    Array.from({ length: 10 }, () => ({ agent: null, allowed: null, because: "unknown-crawler" })),
  );
  expect(stderr).toMatch(/ {2}too many names +10\n/);
});

test("a finished run that is resumed reports the names and counts again", async () => {
  const path = file("resumed.ndjson", input.repeat(2_000));
  const output = join(folder, "rows.ndjson");
  const args = [...asked, path, "--output-file", output, "--checkpoint", join(folder, "run.json")];
  expect(await runHere(args)).toMatchObject({ code: 0, stderr: "" });
  const stats = async (): Promise<unknown> => {
    const text = (await runHere([...args, "--resume", "--stats-json"])).stderr
      .split("\n")
      .find((line) => line.startsWith("{"))!;
    return (JSON.parse(text) as { unknownCrawlers: unknown }).unknownCrawlers;
  };
  expect(await stats()).toEqual([
    { agent: "Other", records: 12_000, allowed: 6_000, disallowed: 4_000 },
    { agent: "AcmeBot", records: 4_000, allowed: 2_000, disallowed: 2_000 },
  ]);
});

describe("--crawlers FILE", () => {
  const own = file(
    "own.ndjson",
    '# ours\n\n{"productToken":"OurFetcher","names":["AcmeBot"],"headerNames":["our-fetch","*(our company)*"],"operator":"us"}\r\n{"productToken":"Quiet","boundByEverybody":false}\n',
  );

  test.each<[ua: string, url: string, answer: object]>([
    [
      "our-fetch/1.0",
      "https://a.example/acme",
      { agent: "OurFetcher", allowed: false, because: "rule", group: "AcmeBot" },
    ],
    ["x (Our Company) y", "https://a.example/x", { agent: "OurFetcher", allowed: true, because: "no-rule" }],
    ["Quiet/1", "https://a.example/all", { agent: "Quiet", allowed: true, because: "no-group" }],
    [acme, "https://a.example/x", { agent: "AcmeBot", allowed: true, because: "unknown-crawler" }],
  ])("a record of %s", async (ua, url, answer) => {
    const { stdout } = await runHere([...asked, "--crawlers", own], rowOf(url, ua));
    expect(recordsOf(stdout)[0]?.["robots"]).toMatchObject(answer);
  });

  test("applies to --agent, near names, explain and agents", async () => {
    const decided = await runHere(
      [...saved, "--crawlers", own, "--agent", "OurFetcher,OurFetchr"],
      "https://a.example/acme\n",
    );
    expect(recordsOf(decided.stdout)[0]?.["robots"]).toMatchObject({ allowed: false, group: "AcmeBot" });
    expect(decided.stderr).toContain("OurFetchr: no crawler of this name is known; did you mean OurFetcher?");
    const explained = await runHere([
      "explain",
      "https://a.example/acme",
      ...saved,
      "--crawlers",
      own,
      "--agent",
      "OurFetcher",
    ]);
    expect(explained.stdout).toContain("AcmeBot");
    const card = await runHere(["agents", "--crawlers", own, "our-fetch/2.0"]);
    expect(card.stdout).toMatch(/^OurFetcher\n[^]*operator +us\n[^]*known from +the file of --crawlers\n/);
    const all = await runHere(["agents", "--crawlers", own, "-o", "ndjson"]);
    expect(recordsOf(all.stdout)[0]).toMatchObject({ agent: "OurFetcher", evidence: "own" });
    expect((await runHere(["agents", acme])).stderr).toContain("an unknown crawler, AcmeBot");
  });

  test.each<[what: string, content: string, message: RegExp]>([
    ["no JSON", '{"productToken":"a"}\n{\n', /line 2: is not JSON/],
    ["no object", '\n["a"]\n', /line 2: is not an object/],
    ["no token", '{"names":["a"]}\n', /line 1: has no productToken/],
    [
      "an unknown member",
      '{"productToken":"a","headerName":["b"]}\n',
      /line 1: has an unknown member; the members are .*\n.*did you mean headerNames\?/,
    ],
    ["a header as a token", '{"productToken":"a/1.0 (x)"}\n', /line 1: productToken .*User-Agent header/],
    ["a value that should be a list", '{"productToken":"a","names":"b"}\n', /line 1: names must be a list/],
    [
      "an empty name",
      '{"productToken":"a","headerNames":[""]}\n',
      /line 1: headerNames must be a list of strings of 1/,
    ],
    ["an empty operator", '{"productToken":"a","operator":""}\n', /line 1: operator must be a string of 1 to 200/],
    [
      "a pattern for everything",
      '{"productToken":"a","headerNames":["*"]}\n',
      /line 1: headerNames consists only of \*/,
    ],
    [
      "a long name",
      `{"productToken":"a","headerNames":["${"x".repeat(201)}"]}\n`,
      /line 1: headerNames must be a list of strings of 1 to 200/,
    ],
    [
      "a control character",
      '{"productToken":"a","operator":"\\u001b[31m"}\n',
      /line 1: operator has a control character/,
    ],
    [
      "the same token twice",
      '{"productToken":"a"}\n{"productToken":"A"}\n',
      /line 2: has the productToken of an earlier/,
    ],
    ["no boolean", '{"productToken":"a","boundByEverybody":1}\n', /line 1: boundByEverybody must be true or false/],
    ["a file with too many crawlers", '{"productToken":"a"}\n'.repeat(1_001), /has more than 1000 crawlers/],
    ["a file that is too large", " ".repeat(1_048_577), /is larger than 1 MiB/],
  ])("%s is wrong usage", async (_what, content, message) => {
    const { code, stdout, stderr } = await runHere([...asked, "--crawlers", file("wrong.ndjson", content)], input);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message) as string]);
  });

  test("a missing file, and a file that is also an output, are wrong usage", async () => {
    const missing = await runHere([...asked, "--crawlers", join(folder, "no.ndjson")], input);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("no such file") as string]);
    const same = await runHere([...asked, "--crawlers", own, "--output-file", own], input);
    expect([same.code, same.stderr]).toEqual([2, expect.stringContaining("is the same file as") as string]);
  });

  test("a resumed run must have the same crawlers", async () => {
    const path = file("again.ndjson", input);
    const crawlers = file("changing.ndjson", '{"productToken":"One"}\n');
    const args = [...asked, path, "--crawlers", crawlers, "--output-file", join(folder, "rows-again.ndjson")];
    const checkpoint = ["--checkpoint", join(folder, "again.json")];
    expect((await runHere([...args, ...checkpoint])).code).toBe(0);
    file("changing.ndjson", '{"productToken":"Two"}\n');
    const { code, stderr } = await runHere([...args, ...checkpoint, "--resume"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("was written by a run with agents") as string]);
  });
});

test("decideStream: the same names, and crawlers as an option", async () => {
  const robots = createSavedRobots(robotsFolder);
  const records = [
    { url: "https://a.example/acme", ua: acme },
    { url: "https://a.example/acme", ua: "our-fetch/1.0" },
  ];
  const crawlers = [{ productToken: "OurFetcher", names: ["AcmeBot"], headerNames: ["our-fetch"] }];
  const decisions = decideStream({ agentField: "ua", robots, crawlers, input: records, ordered: true });
  const found = [];
  for await (const batch of decisions) found.push(...batch);
  expect(found).toMatchObject([
    { agent: "AcmeBot", allowed: false, because: "unknown-crawler", rule: "disallow: /acme" },
    { agent: "OurFetcher", allowed: false, because: "rule", rule: "disallow: /acme" },
  ]);
  expect(decisions.summary.agents).toMatchObject([{ agent: "AcmeBot", known: false }, { agent: "OurFetcher" }]);
  for (const wrong of [{}, [1], [{ productToken: "" }], [{ productToken: "a", nam: 1 }], "x"]) {
    expect(() => decideStream({ agentField: "ua", robots, crawlers: wrong as never, input: records })).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^ERR_(?:WRONG_VALUE|NO_PRODUCT_TOKEN)$/) as string }),
    );
  }
});

test.each<[command: string, args: readonly string[], stdin?: string]>([
  ["census", ["--robots", robotsFolder, "--agent", "goglebot"]],
  ["diff", ["--agent", "goglebot", "robots/a.example.txt", "robots/none.example.txt"]],
  ["test", ["robots/a.example.txt", "-"], "allow goglebot /\nallow * /\n"],
])("%s reports a name that is similar to a known crawler's", async (command, args, stdin) => {
  const paths = args.map((word) => (word.startsWith("robots/") ? join(folder, word) : word));
  const { code, stderr } = await runHere([command, ...paths], stdin);
  expect([code, stderr]).toEqual([
    0,
    "robots-stream: goglebot: no crawler of this name is known; did you mean Googlebot?\n",
  ]);
});
