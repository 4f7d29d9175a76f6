// Requests with the path after the server's rewrites: nothing is proven about them, because the crawler may have requested another path.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runHere } from "./here.ts";

const folder = mkdtempSync(join(tmpdir(), "server-paths-"));
afterAll(() => rmSync(folder, { recursive: true }));

const seen = join(folder, "seen");
mkdirSync(seen);
for (const day of ["2026-11-01", "2026-11-09"]) {
  writeFileSync(join(seen, `shop.example@${day}T00:00:00Z.txt`), "User-agent: *\nDisallow: /w/\n");
}
const audit = ["audit", "--base", "https://shop.example", "--robots-history", seen];

const record = (of: Readonly<Record<string, string>>): string =>
  `${JSON.stringify({ time_iso8601: "2026-11-02T10:00:00Z", remote_addr: "192.0.2.1", ...of, http_user_agent: "bingbot/2.0" })}\n`;
const line = '192.0.2.1 [02/Nov/2026:10:00:00 +0000] GET /w/index.php?title=A "bingbot/2.0"\n';
const patternOf = (target: string): readonly string[] => [
  "--log-format",
  `$remote_addr [$time_local] $request_method ${target} "$http_user_agent"`,
];

test.each<[what: string, text: string, flags: readonly string[], isOfServer: boolean]>([
  ["$uri", line, patternOf("$uri$is_args$args"), true],
  ["$request_uri", line, patternOf("$request_uri"), false],
  ["JSON with uri", record({ uri: "/w/index.php", args: "title=A" }), [], true],
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
  expect(stdout.includes("has the path after the server's rewrites ($uri), so nothing is proven")).toBe(isOfServer);
  if (flags.length > 0) return;
  const both = await runHere([...audit, log, other, "-o", "json"]);
  const { totals } = JSON.parse(both.stdout) as { readonly totals: Readonly<Record<string, number>> };
  expect([totals["requests"], totals["ofServerPath"]]).toEqual([2, isOfServer ? 1 : 0]);
});

test("decide says once that crawlers may have requested other paths", async () => {
  const robots = join(seen, "shop.example@2026-11-01T00:00:00Z.txt");
  const flags = ["--agent", "bingbot", "--base", "https://shop.example", "--robots", robots];
  const { code, stdout, stderr } = await runHere([...flags, "-"], record({ uri: "/w/index.php" }).repeat(2));
  expect([code, stdout.split("\n").length]).toEqual([0, 3]);
  expect(stderr.split("crawlers may have requested other paths")).toHaveLength(2);
});
