// What an audit reads of a request besides its URL: `--method-field` and `--status-field`, and logs with the path after rewrites.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

describe("an audit of NDJSON, CSV or TSV counts methods and statuses like an audit of the log", () => {
  const requests = [
    ["HEAD", "/robots.txt", "200"],
    ["GET", "/robots.txt", "404"],
    ["GET", "/robots.txt", "304"],
    ["GET", "/private/a", "200"],
    ["POST", "/private/b", "403"],
    ["HEAD", "/private/c", "301"],
    ["GET", "/open", "500"],
  ] as const;
  const agent = "Mozilla/5.0 (compatible; GPTBot/1.1)";

  const folder = makeFolder();
  let robots: string;
  beforeAll(() => {
    robots = join(folder, "robots.txt");
    writeFileSync(robots, "User-agent: *\nDisallow: /private\n");
  });

  async function audit(input: string, flags: readonly string[] = []): Promise<{ document: unknown; stderr: string }> {
    const base = "https://shop.example";
    const args = ["audit", "--base", base, "--robots", robots, "-o", "json", ...flags];
    const { code, stdout, stderr } = await runHere(args, input);
    if (code !== 0) return { document: undefined, stderr };
    const { inputs: _inputs, totals, ...document } = JSON.parse(stdout) as { inputs: unknown; totals: object };
    // The log has no host names, so only its audit counts requests whose origin comes from --base.
    return { document: { ...document, totals: { ...totals, assumedOrigin: 0 } }, stderr };
  }

  const log = requests
    .map(
      ([method, path, status]) =>
        `192.0.2.1 - - [05/Nov/2026:10:00:00 +0000] "${method} ${path} HTTP/1.1" ${status} - "-" "${agent}"\n`,
    )
    .join("");
  const time = "2026-11-05T10:00:00Z";
  const ndjson = (objectOf: (method: string, status: string) => object): string =>
    requests
      .map(([method, path, status]) => {
        const record = { url: `https://shop.example${path}`, user_agent: agent, time, ...objectOf(method, status) };
        return `${JSON.stringify(record)}\n`;
      })
      .join("");
  const table = (separator: string, names: readonly string[]): string =>
    [
      ["url", "user_agent", "time", ...names].join(separator),
      ...requests.map(([method, path, status]) =>
        [`https://shop.example${path}`, agent, time, method, status].join(separator),
      ),
    ]
      .map((line) => `${line}\n`)
      .join("");

  test.each<[what: string, input: string, flags?: readonly string[]]>([
    ["usual names, a status as a number", ndjson((method, status) => ({ method, status: Number(status) }))],
    ["usual names, a status as a text", ndjson((method, status) => ({ request_method: method, status_code: status }))],
    [
      "named members",
      ndjson((method, status) => ({ m: method, s: status })),
      ["--method-field", "m", "--status-field", "s"],
    ],
    [
      "nested members",
      ndjson((method, status) => ({ request: { method }, response: { status: Number(status) } })),
      ["--method-field", "request.method", "--status-field", "response.status"],
    ],
    ["an escaped method", ndjson((method, status) => ({ method, status })).replaceAll('"HEAD"', '"H\\u0045AD"')],
    ["CSV", table(",", ["method", "status"])],
    ["CSV, by the number of the column", table(",", ["a", "b"]), ["--method-field", "4", "--status-field", "5"]],
    ["TSV", table("\t", ["cs-method", "sc-status"])],
  ])("the audit equals that of the log: %s", async (_what, input, flags) => {
    const { document: expected } = await audit(log);
    const { document, stderr } = await audit(input, flags);
    expect(stderr).toBe("");
    expect(document).toEqual(expected);
  });

  test("fetches of robots.txt are counted by method and status", async () => {
    const { document } = await audit(ndjson((method, status) => ({ method, status: Number(status) })));
    const { origins } = document as {
      origins: readonly { fetches: readonly unknown[][]; answers: readonly unknown[][] }[];
    };
    const fetches = origins[0]!.fetches.map((row) => row.join(" "));
    expect(fetches).toHaveLength(3);
    for (const each of ["HEAD 200", "GET 404", "GET 304"]) expect(fetches.join("\n")).toContain(each);
  });

  test("records may lack the method and the status", async () => {
    const { document, stderr } = await audit(ndjson(() => ({})));
    expect(stderr).toBe("");
    expect(document).toMatchObject({ totals: { requests: requests.length } });
  });

  test.each(["method", "status"])("a --%s-field that the input lacks is reported", async (name) => {
    const { document, stderr } = await audit(
      ndjson(() => ({})),
      [`--${name}-field`, "nothing"],
    );
    expect(document).toBeUndefined();
    expect(stderr).toMatch(new RegExp(`no field "nothing" \\(--${name}-field\\)`));
  });

  test("in a log, the flags may only name the log's own fields", async () => {
    expect((await audit(log, ["--method-field", "method", "--status-field", "status"])).document).toEqual(
      (await audit(log)).document,
    );
    expect((await audit(log, ["--method-field", "verb"])).stderr).toMatch(/no field "verb" \(--method-field\)/);
  });

  test("in a run that writes rows, --method-field needs --as-of-record", async () => {
    const { code, stderr } = await runHere(["--agent", "GPTBot", "--method-field", "m"], "{}");
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      "robots-stream: --method-field needs --as-of-record: without it, no row depends on the method",
    ]);
  });
});

describe("nothing is proven by a path after rewrites: the crawler may have requested another one", () => {
  const folder = makeFolder();

  const seen = join(folder, "seen");
  mkdirSync(seen);
  for (const day of ["2026-11-01", "2026-11-09"]) {
    writeFileSync(join(seen, `shop.example@${day}T00:00:00Z.txt`), "User-agent: *\nDisallow: /w/\n");
  }
  const audit = ["audit", "--base", "https://shop.example", "--robots-history", seen];
  const rowsOf = (log: string): readonly string[] => [
    ...audit.slice(1),
    "--as-of-record",
    "--agent-field",
    "user_agent",
    log,
  ];

  const record = (of: Readonly<Record<string, string>>): string =>
    `${JSON.stringify({ time_iso8601: "2026-11-02T10:00:00Z", remote_addr: "192.0.2.1", ...of, http_user_agent: "bingbot/2.0" })}\n`;
  const line = '192.0.2.1 [02/Nov/2026:10:00:00 +0000] GET /w/index.php?title=A "bingbot/2.0"\n';
  const patternOf = (target: string): readonly string[] => [
    "--log-format",
    `$remote_addr [$time_local] $request_method ${target} "$http_user_agent"`,
  ];
  const ofEnvoy = '[2026-11-02T10:00:00.000Z] "GET /w/index.php?title=A HTTP/2" 200 "bingbot/2.0"\n';
  const envoyOf = (header: string): readonly string[] => [
    "--log-format",
    `[%START_TIME%] "%REQ(:METHOD)% %REQ(${header})% %PROTOCOL%" %RESPONSE_CODE% "%REQ(USER-AGENT)%"`,
  ];

  test.each<[what: string, text: string, flags: readonly string[], isOfServer: boolean]>([
    ["$uri", line, patternOf("$uri$is_args$args"), true],
    ["Envoy's path", ofEnvoy, envoyOf(":PATH"), true],
    ["Envoy's original path", ofEnvoy, envoyOf("X-ENVOY-ORIGINAL-PATH?:PATH"), false],
    ["$request_uri", line, patternOf("$request_uri"), false],
    ["JSON with uri", record({ uri: "/w/index.php", args: "title=A" }), [], true],
    ["JSON with uri behind a byte order mark", `\ufeff${record({ uri: "/w/index.php", args: "title=A" })}`, [], true],
    ["JSON with uri behind another line", `started\n${record({ uri: "/w/a" })}`, ["--input", "nginx_json"], true],
    ["JSON with uri and request", record({ uri: "/w/index.php", request: "GET /w/a HTTP/1.1" }), [], false],
    ["JSON with uri and its query", record({ uri: "/w/index.php?title=A" }), [], false],
  ])("%s", async (_what, text, flags, isOfServer) => {
    const log = join(folder, "log");
    writeFileSync(log, text);
    // The second log has the paths of the clients.
    const other = join(folder, "other");
    writeFileSync(other, record({ request_uri: "/w/b" }));
    const { code, stdout } = await runHere([...audit, log, ...flags]);
    expect(code).toBe(0);
    expect(stdout).toContain(isOfServer ? "no crawler" : "1  request calling itself bingbot crossed disallow: /w/");
    const rows = await runHere([...rowsOf(log), ...flags]);
    expect(rows.stdout).toContain(`"state":"violation"`);
    expect(rows.stdout).toContain(`"basis":"${isOfServer ? "assumed" : "proven"}"`);
    expect(stdout.includes("has the path after the server's rewrites, or only")).toBe(isOfServer);
    if (flags.length > 0) return;
    const both = await runHere([...audit, log, other, "-o", "json"]);
    const { totals } = JSON.parse(both.stdout) as { readonly totals: Readonly<Record<string, number>> };
    expect([totals["requests"], totals["ofServerPath"]]).toEqual([2, isOfServer ? 1 : 0]);
  });

  const fieldsOf = (...more: readonly string[]): string =>
    `#Fields: date time c-ip cs-method cs-uri-stem ${more.map((name) => `${name} `).join("")}sc-status cs(User-Agent)\n2026-11-02 10:00:00 192.0.2.1 GET /w/a ${more.map(() => "- ").join("")}200 bingbot/2.0\n`;
  const long = `/w/${"a".repeat(250)}`;
  const combined = (request: string): string =>
    `192.0.2.1 - - [02/Nov/2026:10:00:00 +0000] "${request}" 200 5 "-" "bingbot/2.0"\n`;
  const apacheOf = (target: string): readonly string[] => ["--log-format", `%h %t "%m ${target}" "%{User-Agent}i"`];
  const ofApache = '192.0.2.1 [02/Nov/2026:10:00:00 +0000] "GET /w/a" "bingbot/2.0"\n';
  const squidOf = (url: string): string =>
    `192.0.2.1 [02/Nov/2026:10:00:00 +0000] GET https://shop.example${url} "bingbot/2.0"\n`;
  const ofSquid = ["--log-format", '%>a [%tl] %rm %ru "%{User-Agent}>h"'];

  // An allow rule for a longer target may have allowed the request.
  test.each<[what: string, text: string, flags: readonly string[], isPartial: boolean]>([
    ["a path without its query in Apache's log", ofApache, apacheOf("%U"), true],
    ["a path and a query in Apache's log", ofApache, apacheOf("%U%q"), false],
    ["a W3C log without queries", fieldsOf(), [], true],
    ["a W3C log with queries", fieldsOf("cs-uri-query"), [], false],
    ["a URL of Squid without its query", squidOf("/w/a?"), ofSquid, true],
    ["a URL of Squid", squidOf("/w/a"), ofSquid, false],
    ["a path that Envoy's pattern cuts", ofEnvoy, envoyOf("X-ENVOY-ORIGINAL-PATH?:PATH):20"), true],
    ["a long request line without a version", combined(`GET ${long}`), [], true],
    ["a short request line without a version", combined("GET /w/a"), [], false],
    ["a long request line", combined(`GET ${long} HTTP/1.1`), [], false],
  ])("nothing is proven by a part of a target: %s", async (_what, text, flags, isPartial) => {
    const log = join(folder, "part");
    writeFileSync(log, text);
    const format = flags.map((each) => each.replace("):20)%", "):20%"));
    const { stdout } = await runHere([...audit, log, ...format]);
    expect(stdout).toContain(isPartial ? "no crawler" : "1  request calling itself bingbot crossed disallow: /w/");
    expect(stdout.includes("has the path after the server's rewrites, or only")).toBe(isPartial);
    const rows = await runHere([...rowsOf(log), ...format]);
    expect(rows.stdout).toContain(`"basis":"${isPartial ? "assumed" : "proven"}"`);
  });

  test("a log with records of both kinds: only those with the client's target are proven", async () => {
    const log = join(folder, "merged");
    const ofClient = record({ request_uri: "/w/a" }).repeat(25);
    // The first two can be read as bytes; the others have an escape, or a query of their own.
    const of = (path: string): string => record({ uri: path, request_method: "GET" });
    const ofServer = of("/w/b") + of("/w/c") + of("/w/\u00e9") + record({ uri: "/w/d", args: "x=1" });
    writeFileSync(log, ofClient + ofServer + of("/w/e?x=1"));
    const { stdout } = await runHere([...audit, log]);
    expect(stdout).toContain("26  requests calling themselves bingbot crossed disallow: /w/");
    expect(stdout).toContain("4 requests have the path after the server's rewrites");
    const rows = await runHere(rowsOf(log));
    const bases = rows.stdout
      .trimEnd()
      .split("\n")
      .map((row) => /"basis":"(\w+)"/.exec(row)?.[1]);
    expect(bases.slice(23)).toEqual(["proven", "proven", "assumed", "assumed", "assumed", "assumed", "proven"]);
    const csv = await runHere([...rowsOf(log), "--output", "csv"]);
    expect(csv.stdout.split(",assumed").length - 1).toBe(4);
  });

  test("decide says once that crawlers may have requested other paths", async () => {
    const robots = join(seen, "shop.example@2026-11-01T00:00:00Z.txt");
    const flags = ["--agent", "bingbot", "--base", "https://shop.example", "--robots", robots];
    const { code, stdout, stderr } = await runHere([...flags, "-"], record({ uri: "/w/index.php" }).repeat(2));
    expect([code, stdout.split("\n").length]).toEqual([0, 3]);
    expect(stderr.split("crawlers may have requested other paths")).toHaveLength(2);
  });

  test("IIS writes a space of a path as +: a request is disputed if the two paths are decided differently", async () => {
    const dated = join(folder, "dated");
    mkdirSync(dated);
    const rules = ["/plus+plus", "/space%20space", "/both+both", "/both%20both", "/query"];
    for (const day of ["2026-11-01", "2026-11-09"]) {
      const text = `User-agent: *\n${rules.map((rule) => `Disallow: ${rule}\n`).join("")}`;
      writeFileSync(join(dated, `shop.example@${day}T00:00:00Z.txt`), text);
    }
    const heading = "#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status\n";
    const lineOf = (path: string, query = "-"): string =>
      `2026-11-02 10:00:00 GET ${path} ${query} 192.0.2.1 bingbot/2.0 200\n`;
    const log = join(folder, "iis.log");
    const paths = ["/plus+plus", "/space+space", "/both+both", "/free+free"].map((path) => lineOf(path)).join("");
    writeFileSync(log, heading + paths + lineOf("/query", "a+b"));
    const flags = ["--base", "https://shop.example", "--robots-history", dated];
    const rows = await runHere([...flags, "--as-of-record", "--agent-field", "user_agent", log]);
    const states = recordsOf<{ robots: { state: string; disputed?: boolean } }>(rows.stdout)
      .map((row) => row.robots)
      .map(({ state, disputed = false }) => `${state}${disputed ? ", disputed" : ""}`);
    expect(states).toEqual(["violation, disputed", "allowed, disputed", "violation", "allowed", "violation"]);
    const { stdout } = await runHere(["audit", ...flags, log]);
    expect(stdout).toContain("2  requests calling themselves bingbot crossed");
    expect(stdout).toMatch(/bingbot +5 +no check +2 +2 +1/);
  });
});
