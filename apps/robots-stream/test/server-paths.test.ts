// Requests with the path after the server's rewrites: nothing is proven about them, because the crawler may have requested another path.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

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
  expect(stdout.includes("has the path after the server's rewrites, so nothing is proven")).toBe(isOfServer);
  if (flags.length > 0) return;
  const both = await runHere([...audit, log, other, "-o", "json"]);
  const { totals } = JSON.parse(both.stdout) as { readonly totals: Readonly<Record<string, number>> };
  expect([totals["requests"], totals["ofServerPath"]]).toEqual([2, isOfServer ? 1 : 0]);
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
  const states = rows.stdout
    .trimEnd()
    .split("\n")
    .map((row) => (JSON.parse(row) as { robots: { state: string; disputed?: boolean } }).robots)
    .map(({ state, disputed = false }) => `${state}${disputed ? ", disputed" : ""}`);
  expect(states).toEqual(["violation, disputed", "allowed, disputed", "violation", "allowed", "violation"]);
  const { stdout } = await runHere(["audit", ...flags, log]);
  expect(stdout).toContain("2  requests calling themselves bingbot crossed");
  expect(stdout).toMatch(/bingbot +5 +no check +2 +2 +1/);
});
