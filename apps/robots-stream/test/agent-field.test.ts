// Tests --agent-field with records of many crawlers and browsers against loopback servers: each origin gets one request, and each
// record is decided for its own crawler.
import { type Server, createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";
import { portOf } from "./servers.ts";

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
