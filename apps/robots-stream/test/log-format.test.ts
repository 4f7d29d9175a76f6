// Tests --log-format: patterns in the form of a server's configuration, from the command line and from files.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

const folder = makeFolder();

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const asked = ["--agent", "bingbot", "--robots", "examples/robots"];
const pattern = '$remote_addr [$time_iso8601] $host "$request" $status "$http_user_agent"';
const line = '192.0.2.1 [2025-12-10T11:00:00+01:00] shop.example "GET /cart/1 HTTP/1.1" 200 "x/1"';
const row = {
  url: "https://shop.example/cart/1",
  time: "2025-12-10T10:00:00Z",
  client: "192.0.2.1",
  method: "GET",
  status: 200,
  user_agent: "x/1",
  robots: { agent: "bingbot", allowed: false },
};
const nginx = file(
  "nginx.conf",
  `http {\n  log_format other '$status';\n  log_format main '$remote_addr [$time_iso8601] $host '\n    '"$request" $status "$http_user_agent"';\n}\n`,
);
const apache = file("apache2.conf", 'LogFormat "%a [%{%FT%T%z}t] %V \\"%r\\" %>s \\"%{User-agent}i\\"" mine\n');

test.each<[what: string, flags: readonly string[]]>([
  ["a pattern", ["--log-format", pattern]],
  ["nginx's statement", ["--log-format", `log_format x '${pattern}';`]],
  ["Apache's pattern, with its backslashes", ["--log-format", '%h [%{%FT%T%z}t] %V \\"%r\\" %>s \\"%{User-agent}i\\"']],
  ["a configuration with several patterns", ["--log-format", `@${nginx}:main`]],
  ["a configuration with one pattern", ["--log-format", `@${apache}`]],
])("the row of a line: %s", async (_what, flags) => {
  const { code, stdout, stderr } = await runHere([...asked, ...flags], `${line}\n`);
  expect([code, stderr]).toEqual([0, ""]);
  expect(recordsOf(stdout)).toMatchObject([row]);
});

test.each<[what: string, flags: readonly string[], message: RegExp]>([
  ["no directive", ["--log-format", "hello"], /--log-format: has no directive/],
  ["the name of a format", ["--log-format", "combined"], /did you mean --input combined\?/],
  [
    "an unknown directive",
    ["--log-format", '%h "%r" %Q'],
    /at character 9: .*is not a directive of Apache's LogFormat/,
  ],
  [
    "two fields that touch",
    ["--log-format", "$status$request"],
    /at character 8: .*there is no text between \$status and \$request/s,
  ],
  ["a header without quotes", ["--log-format", "$http_user_agent $request"], /at character 1: .*may have spaces/s],
  ["no URL", ["--log-format", "$remote_addr $status"], /has no URL.*\n.*add \$request/],
  ["another format as well", ["--log-format", pattern, "-i", "squid"], /--input and --log-format cannot be combined/],
  ["several patterns in a file", ["--log-format", `@${nginx}`], /has 2 patterns: other, main\n.*choose one/],
  ["an unknown name", ["--log-format", `@${nginx}:mian`], /has no pattern of this name\n.*:main\?/],
  ["a file without patterns", ["--log-format", `@${file("x.conf", "a b;\n")}`], /has no log_format and no LogFormat/],
])("%s is wrong usage", async (_what, flags, message) => {
  const { code, stdout, stderr } = await runHere([...asked, ...flags], `${line}\n`);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(message);
});

test("a missing configuration, and a configuration that would be overwritten, are refused", async () => {
  const gone = await runHere([...asked, "--log-format", `@${join(folder, "none")}`], "");
  expect([gone.code, gone.stdout]).toEqual([3, ""]);
  const before = readFileSync(nginx, "utf8");
  const both = await runHere([...asked, "--log-format", `@${nginx}:main`, "--output-file", nginx], `${line}\n`);
  expect([both.code, readFileSync(nginx, "utf8")]).toEqual([2, before]);
});

const unknownLog = `[10/Oct/2023:13:55:36 +0000] 192.0.2.1 shop.example "GET /cart?token=secret HTTP/1.1" 200 23 "-" "Mozilla/5.0 (compatible; bingbot/2.0)" rt=0.003\n`;
const fitting =
  '[$time_local] $remote_addr $host "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" rt=$x1';

test.each<[what: string, ...args: string[]]>([
  ["decide", "--agent", "bingbot", "--robots", "examples/robots"],
  ["decide with the log's agents", "--agent-field", "user_agent", "--robots", "examples/robots"],
  ["audit", "audit", "-", "--robots", "examples/robots"],
  ["detect", "detect"],
])("an unknown log leads to --log-format: %s", async (what, ...args) => {
  const { code, stdout, stderr } = await runHere(args, unknownLog.repeat(3));
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain("stdin: is a log that no input format reads");
  expect(stderr).toContain(`--log-format '${fitting}'`);
  // Only detect shows input.
  expect(stderr.includes("/cart?token=secret")).toBe(what === "detect");
});

test("the pattern for an unknown log reads it", async () => {
  const args = ["--agent-field", "user_agent", "--robots", "examples/robots", "--log-format", fitting];
  const { code, stdout } = await runHere(args, unknownLog);
  expect(code).toBe(0);
  expect(stdout).toContain('"url":"https://shop.example/cart?token=secret"');
  expect(stdout).toContain('"rule":"disallow: /cart"');
});
