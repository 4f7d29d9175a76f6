// Tests --agent-field with records of many crawlers and browsers: each origin gets one request, each record is decided for its own crawler.
// A header with characters outside ASCII is no crawler, and a later #Fields line without the field is told.
import { type Server, createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";
import { portOf } from "./servers.ts";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./folder.ts";

const body = [
  "User-agent: Googlebot",
  "Disallow: /google",
  "",
  "User-agent: GPTBot",
  "User-agent: CCBot",
  "Disallow: /",
  "",
  "User-agent: *",
  "Disallow: /everyone",
  "",
  "User-agent: SemrushBot-SA",
  "Disallow: /",
  "",
  "User-agent: facebookexternalhit",
  "Disallow: /family",
].join("\n");

const headers = {
  images: "Googlebot-Image/1.0",
  google: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  bing: "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  gpt: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  ads: "AdsBot-Google (+http://www.google.com/adsbot.html)",
  user: "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)",
  audit: "Mozilla/5.0 (compatible; SemrushBot-SA/0.97; +http://www.semrush.com/bot.html)",
  catalog: "facebookcatalog/1.0",
  sogou: "Sogou+web+spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
  browser: "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
};

/** The decisions of the file, by crawler and requested path. */
const rows: readonly [who: keyof typeof headers, path: string, expected: object][] = [
  ["google", "/google", { agent: "Googlebot", allowed: false, because: "rule", line: 2 }],
  ["google", "/everyone", { agent: "Googlebot", allowed: true, because: "no-rule" }],
  ["images", "/google", { agent: "Googlebot-Image", allowed: false, because: "rule", line: 2, group: "Googlebot" }],
  ["bing", "/google", { agent: "bingbot", allowed: true, because: "no-rule", group: "*" }],
  ["bing", "/everyone", { agent: "bingbot", allowed: false, because: "rule", line: 9, group: "*" }],
  ["gpt", "/google", { agent: "GPTBot", allowed: false, because: "rule", line: 6 }],
  ["ads", "/everyone", { agent: "AdsBot-Google", allowed: true, because: "no-group" }],
  ["user", "/everyone", { agent: "ChatGPT-User", allowed: false, because: "rule", line: 9, kind: "user-triggered" }],
  ["audit", "/everyone", { agent: "SemrushBot-SA", allowed: false, because: "rule", line: 12 }],
  [
    "catalog",
    "/family",
    {
      agent: "facebookcatalog",
      allowed: false,
      because: "rule",
      line: 15,
      group: "facebookexternalhit",
      kind: "user-triggered",
    },
  ],
  ["sogou", "/everyone", { agent: "Sogou web spider", allowed: false, because: "rule", line: 9, group: "*" }],
  ["browser", "/everyone", { allowed: null, because: "not-a-crawler" }],
];

interface Place {
  readonly status: number;
  readonly requests: string[];
  origin: string;
}

const places: readonly Place[] = [200, 200, 200, 404, 503].map((status) => ({ status, requests: [], origin: "" }));
const servers: Server[] = [];

beforeAll(async () => {
  for (const place of places) {
    const server = createServer((request, response) => {
      place.requests.push(request.url ?? "");
      // The response is slow enough for records of other crawlers to arrive during the request.
      setTimeout(() => response.writeHead(place.status).end(body), 50);
    });
    servers.push(server);
    place.origin = `http://127.0.0.1:${await portOf(server)}`;
  }
});

afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

function expectedAt(status: number, expected: object): object {
  if ((expected as { readonly because: string }).because === "not-a-crawler") return expected;
  const { agent } = expected as { readonly agent: string };
  if (status === 404) return { agent, allowed: true, because: "unavailable", code: "http-404" };
  return status === 503 ? { agent, allowed: false, because: "unreachable", code: "http-503" } : expected;
}

test.each([["ndjson"], ["csv"]])("%s: one request per origin for all crawlers", async (format) => {
  for (const { requests } of places) requests.length = 0;
  const records = Array.from({ length: 4 }, (_, round) =>
    rows.flatMap(([who, path, expected]) =>
      places.map(({ origin, status }) => ({
        url: `${origin}${path}?${round}`,
        ua: headers[who],
        expected: expectedAt(status, expected),
      })),
    ),
  ).flat();
  const input =
    format === "csv"
      ? `url,ua\n${records.map(({ url, ua }) => `${url},"${ua}"\n`).join("")}`
      : records.map(({ url, ua }) => `${JSON.stringify({ url, ua })}\n`).join("");
  const args = ["--agent-field", "ua", "--allow-private=127.0.0.0/8", "--cache", "none", "--retry-wait", "0"];
  const { code, stdout, stderr } = await runHere([...args, "--input", format, "--output", "ndjson"], input);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const answers = new Map<string, object>();
  for (const row of recordsOf(stdout) as { url: string; ua: string; robots: object }[]) {
    answers.set(`${row.url} ${row.ua}`, row.robots);
  }
  expect(answers.size).toBe(records.length);
  for (const { url, ua, expected } of records)
    expect(answers.get(`${url} ${ua}`), `${url} ${ua}`).toMatchObject(expected);
  expect(places.map(({ requests }) => requests)).toEqual(places.map(() => ["/robots.txt"]));
});

test.each([
  ["google", "ndjson"],
  ["rfc9309", "ndjson"],
  ["google,rfc9309", "ndjson"],
  ["google", "csv"],
  ["google", "combined"],
])("every crawler may fetch /robots.txt: dialect %s, %s", async (dialects, format) => {
  const names = ["google", "bing", "gpt", "ads", "user"] as const;
  // GPTBot may fetch nothing from the first origin; no crawler may fetch anything from the last one.
  for (const { origin } of [places[0]!, places.at(-1)!]) {
    const url = `${origin}/robots.txt`;
    const lines = names.map((name) => {
      if (format === "ndjson") return JSON.stringify({ url, user_agent: headers[name] });
      if (format === "csv") return `${url},"${headers[name]}"`;
      return `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET /robots.txt HTTP/1.1" 200 1 "-" "${headers[name]}"`;
    });
    const args = ["--agent-field", "user_agent", "--allow-private=127.0.0.0/8", "--cache", "none", "--retry-wait", "0"];
    const { code, stdout } = await runHere(
      [...args, "--dialect", dialects, "--base", origin, "-o", "ndjson", "--fail-on", "disallowed"],
      `${format === "csv" ? "url,user_agent\n" : ""}${lines.join("\n")}\n`,
    );
    expect(code).toBe(0);
    const records = recordsOf(stdout);
    expect(records).toHaveLength(lines.length * dialects.split(",").length);
    for (const { robots } of records) expect(robots).toMatchObject({ allowed: true, because: "robots-txt" });
  }
});

test("the summary lists the crawlers with the most records first", async () => {
  const { bing, gpt, ads } = headers;
  const input = [bing, gpt, ads, gpt, ads, gpt].map((ua) => `{"url":"https://shop.example/","ua":"${ua}"}\n`).join("");
  const { stderr } = await runHere(["--agent-field", "ua", "--robots", "examples/robots", "--summary"], input);
  expect(stderr.match(/^agent [\w-]+/gm)).toEqual(["agent GPTBot", "agent AdsBot-Google", "agent bingbot"]);
});

test("records of JSON without the field have no crawler, also if the first one is one of them", async () => {
  const [{ origin }] = places as readonly [Place];
  const records = [
    { url: `${origin}/google` },
    { url: `${origin}/google`, nested: { ua: headers.google }, ua: headers.gpt },
    { url: `${origin}/google`, nested: {} },
  ];
  const given = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const judged = async (field: string): Promise<readonly [unknown[], string]> => {
    const argv = ["--agent-field", field, "--allow-private", "--input", "ndjson", "--ordered"];
    const { code, stdout, stderr } = await runHere(argv, given);
    expect(code).toBe(0);
    return [recordsOf(stdout).map(({ robots }) => (robots as { agent: unknown }).agent), stderr];
  };
  const note = "records have no field for the User-Agent header";
  expect(await judged("ua")).toEqual([[null, "GPTBot", null], expect.stringContaining(`2 ${note}`)]);
  expect(await judged("nested.ua")).toEqual([[null, "Googlebot", null], expect.stringContaining(`2 ${note}`)]);
  // No record has the field: the flag names it, and the note tells it.
  expect(await judged("missing")).toEqual([[null, null, null], expect.stringContaining(`3 ${note}`)]);
});

/** U+0547 and U+0142: their low bytes are "G" and "B". */
const posing = ["\u0547ooglebot/2.1", "GPT\u0142ot/1.2", "\u0547PTBot"];
const real = "Googlebot/2.1 (\u0547)";
const url = "https://example.com/private";

const escaped = (text: string): string => text.replaceAll(/[^ -~]/gu, (c) => `\\u0${c.charCodeAt(0).toString(16)}`);
const clf = (agent: string): string =>
  `192.0.2.1 - - [21/Nov/2026:06:55:01 +0000] "GET /private HTTP/1.1" 200 1 "-" "${agent}"`;
const caddy = (agent: string): string =>
  JSON.stringify({
    ts: 1,
    msg: "handled request",
    status: 200,
    request: { method: "GET", host: "example.com", uri: "/private", tls: {}, headers: { "User-Agent": [agent] } },
  });

const inputs: readonly [what: string, flags: readonly string[], textOf: (agents: readonly string[]) => string][] = [
  ["ndjson", ["--agent-field", "ua"], (agents) => agents.map((ua) => JSON.stringify({ url, ua })).join("\n")],
  [
    "ndjson, escaped",
    ["--agent-field", "ua"],
    (agents) => agents.map((ua) => `{"url":"${url}","ua":"${escaped(ua)}"}`).join("\n"),
  ],
  [
    "ndjson, nested",
    ["--agent-field", "h.ua"],
    (agents) => agents.map((ua) => JSON.stringify({ url, h: { ua } })).join("\n"),
  ],
  ["csv", ["--agent-field", "ua"], (agents) => ["url,ua", ...agents.map((ua) => `${url},${ua}`)].join("\n")],
  ["csv, quoted", ["--agent-field", "ua"], (agents) => ["url,ua", ...agents.map((ua) => `${url},"${ua}"`)].join("\n")],
  ["tsv", ["--agent-field", "ua"], (agents) => ["url\tua", ...agents.map((ua) => `${url}\t${ua}`)].join("\n")],
  [
    "combined",
    ["--agent-field", "user_agent", "--base", "https://example.com"],
    (agents) => agents.map(clf).join("\n"),
  ],
  ["caddy", ["--agent-field", "user_agent", "--input", "caddy"], (agents) => agents.map(caddy).join("\n")],
];

test.each(inputs)("names with characters outside ASCII are not crawlers: %s", async (_what, flags, textOf) => {
  const robots = new URL("fixtures/dialects.txt", import.meta.url).pathname;
  const ended = await runHere([...flags, "--robots", robots], `${textOf([...posing, real])}\n`);
  expect(ended.stderr).toBe("");
  const agents = recordsOf(ended.stdout).map((record) => (record as { robots: { agent: string | null } }).robots.agent);
  expect(agents).toEqual([...posing.map(() => null), "Googlebot"]);
});

const folder = makeFolder();
const robots = join(folder, "robots.txt");
writeFileSync(robots, "User-agent: *\nDisallow: /private\n");

const logs = {
  w3c: [
    "#Fields: date time cs-method cs-uri-stem cs-uri-query cs-host c-ip cs(User-Agent) sc-status",
    "2026-11-05 10:00:00 GET /a - shop.example 192.0.2.1 bingbot/2.0 200",
    "2026-11-05 10:00:00 GET /b - shop.example 192.0.2.1 - 200",
    "#Fields: date time cs-method cs-uri-stem cs-uri-query cs-host c-ip sc-status",
    "2026-11-05 10:00:00 GET /private - shop.example 192.0.2.1 200",
    // Only the parser can read a line with a decoded "?".
    "2026-11-05 10:00:00 GET /private?x - news.example 192.0.2.1 200",
  ],
  cloudfront: [
    "#Version: 1.0",
    "#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status cs(User-Agent) cs-protocol",
    "2026-11-05\t10:00:00\t192.0.2.1\tGET\tshop.example\t/a\t200\tbingbot/2.0\thttps",
    "#Fields: date time c-ip cs-method cs(Host) cs-uri-stem sc-status cs-protocol",
    "2026-11-05\t10:00:00\t192.0.2.1\tGET\tshop.example\t/private\t200\thttps",
    "2026-11-05\t10:00:00\t192.0.2.1\tGET\tnews.example\t/private\t200\thttps",
  ],
};
const decide = ["--agent-field", "user_agent", "--robots", robots];
const two = "2 records have no field for the User-Agent header";

test.each(Object.entries(logs))("%s", async (name, lines) => {
  const log = join(folder, `${name}.log`);
  writeFileSync(log, `${lines.join("\n")}\n`);
  const countsOf = async (...args: readonly string[]): Promise<Readonly<Record<string, number>>> => {
    const { code, stderr } = await runHere([log, ...decide, ...args, "--stats-json"]);
    const { records } = JSON.parse(stderr.trimEnd().split("\n").at(-1)!) as { records: Record<string, number> };
    const said = /(\d+) records? ha(?:ve|s) no field for the User-Agent header/.exec(stderr)?.[1] ?? "0";
    expect([code, said]).toEqual([0, String(records["withoutAgentField"])]);
    return records;
  };
  const whole = await countsOf();
  expect(whole["withoutAgentField"]).toBe(2);
  expect(await countsOf("--output", "csv", "--without", "user_agent")).toMatchObject({ withoutAgentField: 2 });
  const parts = await Promise.all(["1/3", "2/3", "3/3"].map((part) => countsOf("--shard", part)));
  for (const count of ["withoutAgentField", "noCrawler"])
    expect(parts.reduce((sum, part) => sum + part[count]!, 0)).toBe(whole[count]);
  const checkpoint = join(folder, `${name}.json`);
  const kept = ["--checkpoint", checkpoint, "--output-file", join(folder, `${name}.ndjson`)];
  expect(await countsOf(...kept)).toMatchObject({ withoutAgentField: 2 });
  expect(readFileSync(checkpoint, "utf8")).toContain('"withoutAgentField":2');

  const audit = await runHere(["audit", log, "--base", "https://shop.example", "--robots", robots]);
  expect([audit.code, audit.stderr]).toEqual([0, expect.stringContaining(two) as string]);
});

test("a log with a field for the header says nothing about requests without the header", async () => {
  const { code, stderr } = await runHere(decide, `${logs.w3c.slice(0, 3).join("\n")}\n`);
  expect([code, stderr]).toEqual([0, ""]);
});
