// Tests robots-stream audit and merge: the class of each request's answer in the counts, the table of crawlers and the sentences.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

const folder = makeFolder();

const seen = join(folder, "seen");
mkdirSync(seen);
for (const day of ["01", "20"]) {
  writeFileSync(join(seen, `shop.example@2026-11-${day}T00:00:00Z.txt`), "User-agent: *\nDisallow: /private\n");
}

async function run(argv: readonly string[], stdin = ""): Promise<readonly [code: number, out: string, error: string]> {
  const { code, stdout, stderr } = await runHere(argv, stdin, { COLUMNS: "200" });
  return [code, stdout, stderr];
}

const judged = ["--base", "https://shop.example", "--robots-history", seen];

async function reportOf(log: string, ...argv: readonly string[]): Promise<string> {
  const [code, out, error] = await run(["audit", "-", ...judged, ...argv], log);
  expect([code, error]).toEqual([0, ""]);
  return out;
}

const line = (status: string, target = "/private/a"): string =>
  `192.0.2.1 - - [10/Nov/2026:08:00:00 +0000] "GET ${target} HTTP/1.1" ${status} 10 "-" "bingbot/2.0"\n`;

type Times = readonly (readonly [unknown, unknown, unknown, unknown, answer: string, requests: number, unknown])[];
type Document = { schemaVersion: number; readonly origins: readonly { readonly times: Times }[] };

async function classesOf(log: string): Promise<Record<string, number>> {
  const { origins } = JSON.parse(await reportOf(log, "-o", "json")) as Document;
  const sums: Record<string, number> = {};
  for (const [, , , , answer, requests] of origins.flatMap(({ times }) => times)) {
    sums[answer] = (sums[answer] ?? 0) + requests;
  }
  return sums;
}

test("each request has one class, and the classes add up", async () => {
  const statuses = [
    "200",
    "304",
    "301",
    "404",
    "410",
    "400",
    "403",
    "429",
    "500",
    "499",
    "-",
    "000",
    "0",
    "101",
    "999",
  ];
  expect(await classesOf(statuses.map((status) => line(status)).join(""))).toEqual({
    served: 2,
    redirected: 1,
    "not-found": 2,
    refused: 2,
    failed: 1,
    "no-answer": 5,
    other: 2,
  });
});

describe("the end of the sentence about a violation", () => {
  test.each([
    ["a missing file is not refused", ["404", "410"], "; the server had no file for any of them\n"],
    ["refused", ["403", "451"], "; the server refused all of them\n"],
    ["both", ["403", "403", "404", "200"], "; the server refused 2 and had no file for 1\n"],
    ["a failure is not refused", ["503"], "; the server failed to answer it\n"],
    ["another error of the client is not refused", ["400"], " on 10 November\n"],
    ["served", ["200"], " on 10 November\n"],
  ])("%s", async (_what, statuses, text) => {
    const out = await reportOf(statuses.map((status) => line(status)).join(""));
    expect(out).toContain(`crossed disallow: /private (line 2) on 10 November`);
    expect(out).toContain(text);
  });
});

test("the table has a column for each class that came", async () => {
  const out = await reportOf(["403", "404", "503", "301", "-"].map((status) => line(status, "/a")).join(""));
  expect(out).toMatch(/refused {2}not found {2}failed {2}redirected {2}no answer\n.*(?: +1){5}\n/);
});

describe("an input without statuses", () => {
  const record = (more: object): string =>
    `${JSON.stringify({ url: "https://shop.example/private", user_agent: "bingbot/2.0", time: "2026-11-10T08:00:00Z", ...more })}\n`;

  test.each([
    ["NDJSON without a status", record({}), { "not-known": 1 }],
    ["NDJSON with an empty status", record({ status: null }), { "not-known": 1 }],
    [
      "NDJSON in which the server gave no answer",
      record({ status: "-" }) + record({ status: 0 }) + record({ status: "000" }) + record({ status: -1 }),
      { "no-answer": 4 },
    ],
    [
      "CSV with statuses as floating-point numbers",
      `url,user_agent,time,status\n${["404.0", "", "200.00", "-1"].map((status) => `https://shop.example/private,bingbot/2.0,2026-11-10T08:00:00Z,${status}\n`).join("")}`,
      { "not-found": 1, "not-known": 1, served: 1, "no-answer": 1 },
    ],
    [
      "W3C without sc-status",
      "#Fields: date time cs-method cs-uri-stem cs-host cs(User-Agent)\n2026-11-10 08:00:00 GET /private shop.example bingbot/2.0\n",
      { "not-known": 1 },
    ],
    [
      "W3C with an empty sc-status",
      "#Fields: date time cs-method cs-uri-stem cs-host cs(User-Agent) sc-status\n2026-11-10 08:00:00 GET /private shop.example bingbot/2.0 -\n",
      { "no-answer": 1 },
    ],
  ])("%s", async (_what, log, classes) => {
    expect(await classesOf(log)).toEqual(classes);
  });

  test("a log of a pattern without a status", async () => {
    const pattern = '%h [%t] "%r" "%{User-Agent}i"';
    const log = '192.0.2.1 [[10/Nov/2026:08:00:00 +0000]] "GET /private HTTP/1.1" "bingbot/2.0"\n';
    const out = await reportOf(log, "--log-format", pattern, "-o", "csv", "--table", "times");
    expect(out).toContain("violation,not-known,1");
  });

  test("the report says nothing about answers", async () => {
    const out = await reportOf(record({}));
    expect(out).toContain("crossed disallow: /private (line 2) on 10 November\n");
    expect(out).not.toMatch(/the server|refused|no answer|not known/);
    expect(await reportOf(record({}), "-o", "html")).toContain("Not known: the log records no statuses.");
  });
});

test("merge and --compare refuse an audit of an older version, and say what to do", async () => {
  const document = JSON.parse(await reportOf(line("200"), "-o", "json")) as Document;
  document.schemaVersion = 1;
  const old = join(folder, "old.json");
  writeFileSync(old, JSON.stringify(document));
  const why = "schemaVersion is 1, not 3: an older version made this audit; make the audit again with this version";
  for (const format of ["text", "json", "csv", "html"]) {
    const [code, out, error] = await run(["merge", old, "-o", format]);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toContain(why);
  }
  const [code, out, error] = await run(["audit", "-", ...judged, "--compare", old], line("200"));
  expect([code, out]).toEqual([2, ""]);
  expect(error).toContain(why);
});

test("a fragment of /robots.txt, the target * with any method, and the status 0", async () => {
  const get = (target: string, agent: string, status = "200"): string =>
    `192.0.2.1 - - [10/Nov/2026:08:00:00 +0000] "GET ${target} HTTP/1.1" ${status} 10 "-" "${agent}"\n`;
  const log = [
    get("/robots.txt#x", "Mozilla/5.0 Firefox/130.0"),
    get("/robots.txt", "Mozilla/5.0 Firefox/130.0"),
    get("/robots.txtx", "Mozilla/5.0 Firefox/130.0"),
    get("/robots.txt#x", "bingbot/2.0"),
    get("*", "bingbot/2.0"),
    get("/a", "bingbot/2.0", "0"),
  ].join("");
  const { totals, origins } = JSON.parse(await reportOf(log, "-o", "json")) as Document & {
    readonly totals: Readonly<Record<string, number>>;
  };
  expect(totals).toMatchObject({ requests: 6, notACrawler: 3, notACrawlerRobotsTxt: 2 });
  const states = origins.flatMap(({ times }) => times.map(([, , , state, answer]) => `${String(state)} ${answer}`));
  expect(states.toSorted()).toEqual(["allowed no-answer", "robots-txt served", "undecidable:asterisk served"]);
});

const fieldsOfCloudFront =
  "#Fields: date time cs-method x-host-header cs-protocol cs-uri-stem sc-status cs(User-Agent)\n";

test.each<[format: string, lineOf: (method: string, target: string) => string, heading: string]>([
  [
    "combined",
    (method, target) =>
      `192.0.2.1 - - [10/Nov/2026:08:00:00 +0000] "${method} ${target} HTTP/1.1" 200 10 "-" "bingbot/2.0"`,
    "",
  ],
  [
    "cloudfront",
    (method, target) => `2026-11-10\t08:00:00\t${method}\tshop.example\thttps\t${target}\t200\tbingbot/2.0`,
    fieldsOfCloudFront,
  ],
  [
    "nginx_json",
    (method, target) =>
      `{"time_iso8601":"2026-11-10T08:00:00+00:00","remote_addr":"192.0.2.1","request":"${method} ${target} HTTP/1.1","status":"200","http_user_agent":"bingbot/2.0"}`,
    "",
  ],
  [
    "envoy_json",
    (method, target) =>
      `{"start_time":"2026-11-10T08:00:00Z","method":"${method}","path":"${target}","authority":"shop.example","response_code":200,"response_flags":"-","user_agent":"bingbot/2.0"}`,
    "",
  ],
  [
    "cloudflare",
    (method, target) =>
      `{"EdgeStartTimestamp":"2026-11-10T08:00:00Z","ClientRequestHost":"shop.example","ClientRequestMethod":"${method}","ClientRequestURI":"${target}","ClientRequestUserAgent":"bingbot/2.0","EdgeResponseStatus":200}`,
    "",
  ],
  [
    "caddy",
    (method, target) =>
      `{"ts":1794297600,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","method":"${method}","host":"shop.example","uri":"${target}","headers":{"User-Agent":["bingbot/2.0"]},"tls":{"version":772}},"status":200}`,
    "",
  ],
])("%s: a request without a URL is a request, not a reject", async (format, lineOf, heading) => {
  const lines = [
    lineOf("GET", "/a"),
    lineOf("OPTIONS", "*"),
    lineOf("GET", "*"),
    lineOf("CONNECT", "x.example:443"),
    lineOf("GET", "a.html"),
  ];
  const document = JSON.parse(
    await reportOf(`${heading}${lines.join("\n")}\n`, "-i", format, "-o", "json"),
  ) as Document & {
    readonly inputs: readonly { readonly rejects: Readonly<Record<string, number>> }[];
    readonly totals: Readonly<Record<string, number>>;
  };
  const { inputs, origins, totals } = document;
  expect(inputs[0]!.rejects).toEqual({});
  expect(totals["requests"]).toBe(5);
  const states = origins.flatMap(({ times }) =>
    times.map(([, , , state, , requests]) => `${String(state)} ${requests}`),
  );
  expect(states.toSorted()).toEqual([
    "allowed 1",
    "undecidable:asterisk 2",
    "undecidable:connect 1",
    "undecidable:no-url 1",
  ]);
});

test("an origin that --base gives is counted only for requests in the period", async () => {
  const early = line("200").repeat(3).replaceAll("10/Nov", "09/Nov");
  const named = line("200", "http://other.example/a");
  const report = await reportOf(early + named + line("200"), "--from", "2026-11-10", "-o", "json");
  expect((JSON.parse(report) as { totals: unknown }).totals).toMatchObject({ requests: 2, assumedOrigin: 1 });
});

test("crawl waste counts what robots.txt disallows to crawlers that it binds", async () => {
  const agents = ["bingbot/2.0", "ChatGPT-User/1.0"];
  const log = agents.map((agent) => line("200").replace("bingbot/2.0", agent)).join("");
  const page = await reportOf(log, "-o", "html");
  expect(page).toMatch(/Of 2 requests for pages .*robots\.txt disallows 1 to crawlers that it binds\./);
});
