// Tests --log-format, with patterns in the form of a server's configuration, and --log-timezone: without it, nothing is proven about a
// request whose time has no zone.
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";
import { createSavedRobots, decideStream } from "../src/index.ts";

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

const seen = join(folder, "seen");
mkdirSync(seen);
for (const day of ["2025-12-25", "2026-01-05", "2026-10-20", "2026-10-30"]) {
  writeFileSync(join(seen, `shop.example@${day}T00:00:00Z.txt`), "User-agent: *\nDisallow: /private\n");
}
const history = ["--robots-history", seen];

/** A request in each form of a time. */
const agent = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
const haproxy = (time: string): string =>
  `10.0.1.2:33317 [${time}] in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 {shop.example|${agent}} {} "GET /private HTTP/1.1"\n`;
const combined = (time: string): string => `192.0.2.1 - - [${time}] "GET /private HTTP/1.1" 200 5 "-" "${agent}"\n`;
const record = (time: string): string =>
  `${JSON.stringify({ url: "https://shop.example/private", time, user_agent: agent })}\n`;
const table = (time: string): string => `url,timestamp,user_agent\nhttps://shop.example/private,${time},${agent}\n`;
const w3c = (fields: string, values: string, heading = ""): string =>
  `${heading}#Fields: ${fields} cs-method cs-uri-stem cs-uri-query cs-host cs(User-Agent) sc-status\n${values} GET /private - shop.example ${agent.replaceAll(" ", "+")} 200\n`;
const cloudfront = (fields: string, values: string): string =>
  `#Version: 1.0\n#Fields: ${fields} cs-method x-host-header cs-uri-stem cs-uri-query cs(User-Agent) sc-status\n${values}\tGET\tshop.example\t/private\t-\tbingbot/2.0\t200\n`;
const object = (time: string | number): string =>
  `${JSON.stringify({ time, remote_addr: "192.0.2.1", request_method: "GET", host: "shop.example", request_uri: "/private", status: 200, http_user_agent: agent })}\n`;

interface Judged {
  readonly proven: number;
  readonly assumed: number;
  readonly totals: Readonly<Record<string, number>>;
  readonly period: { readonly first: number } | null;
  readonly stderr: string;
}

async function judged(text: string, ...args: readonly string[]): Promise<Judged> {
  const { code, stdout, stderr } = await runHere(["audit", "-", ...history, ...args, "-o", "json"], text);
  expect([code, stderr]).toEqual([0, stderr]);
  const { origins, totals, period } = JSON.parse(stdout) as Pick<Judged, "totals" | "period"> & {
    readonly origins: readonly { readonly decisions: readonly (readonly unknown[])[] }[];
  };
  const rows = origins.flatMap(({ decisions }) => decisions);
  const countOf = (isProven: boolean): number =>
    rows.reduce((sum, cells) => sum + (cells[6] === isProven ? (cells[9] as number) : 0), 0);
  return { proven: countOf(true), assumed: countOf(false), totals, period, stderr };
}

const base = ["--base", "https://shop.example"];
const zoneless: [what: string, text: string, args?: readonly string[]][] = [
  ["HAProxy", haproxy("02/Jan/2026:00:14:47.655")],
  ["combined without a zone", combined("02/Jan/2026:00:14:47"), base],
  ["NDJSON", record("2026-01-02 00:14:47")],
  ["14 digits", record("20260102001447")],
  ["a table", table("2026-01-02T00:14:47")],
  ["W3C, local", w3c("date-local time-local", "2026-01-02 00:14:47")],
  ["a JSON log", object("2026-01-02T00:14:47"), base],
  [
    "strftime",
    '[2026-01-02T00:14:47] "GET /private HTTP/1.1" "bingbot/2.0"\n',
    [...base, "--log-format", '[%{%Y-%m-%dT%H:%M:%S}t] "%r" "%{User-Agent}i"'],
  ],
];

test.each<[what: string, text: string, args?: readonly string[]]>(zoneless)(
  "%s: assumed without the flag, proven with it",
  async (_what, text, args = []) => {
    const without = await judged(text, ...args);
    expect([without.proven, without.assumed, without.totals["withoutZone"]]).toEqual([0, 1, 1]);
    expect(new Date(without.period!.first * 1_000).toISOString()).toBe("2026-01-02T00:14:47.000Z");
    const tokyo = await judged(text, ...args, "--log-timezone", "Asia/Tokyo");
    expect([tokyo.proven, tokyo.assumed, tokyo.totals["withoutZone"], tokyo.stderr]).toEqual([1, 0, 0, ""]);
    expect(new Date(tokyo.period!.first * 1_000).toISOString()).toBe("2026-01-01T15:14:47.000Z");
    expect((await judged(text, ...args, "--log-timezone", "UTC")).proven).toBe(1);
  },
);

test.each<[what: string, text: string, args?: readonly string[]]>([
  ["combined", combined("02/Jan/2026:00:14:47 +0000"), base],
  ["a fraction", combined("02/Jan/2026:00:14:47.242 +0000"), base],
  ["ISO 8601 in brackets", combined("2026-01-02 00:14:47 +0000"), base],
  ["NDJSON", record("2026-01-02T00:14:47Z")],
  ["seconds since 1970", record("1767312887")],
  ["W3C", w3c("date time", "2026-01-02 00:14:47")],
  ["W3C without dates", w3c("time", "00:14:47", "#Date: 2026-01-02 00:00:03\n")],
  ["CloudFront", cloudfront("date\ttime", "2026-01-02\t00:14:47")],
  ["CloudFront, milliseconds", cloudfront("timestamp(ms)", "1767312887000")],
  ["CloudFront, seconds", cloudfront("timestamp", "1767312887")],
  ["a JSON log", object("02/Jan/2026:00:14:47 +0000"), base],
  ["a JSON log, seconds", object(1767312887.5), base],
])("%s: the log's times have a zone, and the flag has no effect", async (_what, text, args = []) => {
  const found = await judged(text, ...args, "--log-timezone", "Asia/Tokyo");
  expect([found.proven, found.assumed, found.totals["withoutZone"]]).toEqual([1, 0, 0]);
  expect(new Date(found.period!.first * 1_000).toISOString()).toBe("2026-01-02T00:14:47.000Z");
  expect(found.stderr).toBe(
    "robots-stream: --log-timezone Asia/Tokyo has no effect: no time that was read is without a zone\n",
  );
});

test.each(["Mars/Phobos", "", "9", "+25:00"])("the flag refuses %j", async (zone) => {
  for (const command of [
    ["audit", "-", ...history],
    ["--agent", "bingbot"],
  ]) {
    const { code, stderr } = await runHere([...command, "--log-timezone", zone], haproxy("02/Jan/2026:00:14:47"));
    expect([code, stderr]).toEqual([2, expect.stringContaining("no time zone has this name") as string]);
  }
});

test("an hour that the clock shows twice or never stays assumed", async () => {
  const text = ["25/Oct/2026:01:59:59", "25/Oct/2026:02:30:00", "25/Oct/2026:03:00:00"].map(haproxy).join("");
  const found = await judged(text, "--log-timezone", "Europe/Berlin");
  expect([found.proven, found.assumed, found.totals["withoutZone"]]).toEqual([2, 1, 1]);
});

test("the report names the requests without a zone and the flag", async () => {
  const { stdout } = await runHere(["audit", "-", ...history], haproxy("02/Jan/2026:00:14:47"));
  expect(stdout).toContain("1 request has a time whose zone is not known");
  expect(stdout).toContain("--log-timezone");
  expect(stdout).toMatch(/no crawler\s+is accused/);
});

const three = ["02/Jan/2026:08:59:59", "02/Jan/2026:09:00:00", "x"];

test("an audit's period: times without a zone, by the clock of the log, and requests without a time", async () => {
  const text = three.map((time) => combined(time)).join("");
  const utc = await judged(text, ...base, "--from", "2026-01-02T09:00Z");
  expect([utc.totals["requests"], utc.totals["outsideWithoutTime"]]).toEqual([1, 1]);
  expect(utc.stderr).toBe(
    "robots-stream: 2 records have a time without a zone, read as UTC for --from; --log-timezone names the zone of the log's clock\n",
  );
  const tokyo = await judged(text, ...base, "--from", "2026-01-02", "--log-timezone", "Asia/Tokyo");
  expect([tokyo.totals["requests"], tokyo.totals["outsideWithoutTime"], tokyo.stderr]).toEqual([1, 1, ""]);
  const all = await runHere(["audit", "-", ...history, ...base], text);
  expect(all.stdout).toMatch(/1 request has no\s+time that can be read\./);
  const part = await runHere(["audit", "-", ...history, ...base, "--from", "2026-01-02"], text);
  expect(part.stdout.replaceAll("\n", " ")).toContain("and the requested period leaves it out.");
});

const decide = ["--agent", "bingbot", "--robots", join(seen, "shop.example@2025-12-25T00:00:00Z.txt")];

test.each([[[]], [["--ordered"]]])("--since reads such times by the clock of the log: %j", async (more) => {
  const text = three.slice(0, 2).map(haproxy).join("");
  const given = [...decide, ...more, "--since", "2026-01-02T00:00Z"];
  const utc = await runHere(given, text);
  expect(recordsOf(utc.stdout).map(({ time }) => time)).toEqual(["2026-01-02T08:59:59", "2026-01-02T09:00:00"]);
  expect(utc.stderr).toContain("2 records have a time without a zone, read as UTC for --since");
  const tokyo = await runHere([...given, "--log-timezone", "Asia/Tokyo"], text);
  expect(recordsOf(tokyo.stdout).map(({ time }) => time)).toEqual(["2026-01-02T00:00:00Z"]);
  expect(tokyo.stderr).not.toContain("zone");
});

test("--as-of-record proves nothing about a time without a zone", async () => {
  const given = [...history, "--as-of-record", "--agent-field", "user_agent"];
  const basisOf = async (...args: readonly string[]): Promise<unknown> => {
    const { stdout } = await runHere([...given, ...args], haproxy("02/Jan/2026:00:14:47"));
    return recordsOf(stdout).map(({ robots }) => (robots as { basis: unknown }).basis);
  };
  expect(await basisOf()).toEqual(["assumed"]);
  expect(await basisOf("--log-timezone", "+09:00")).toEqual(["proven"]);
});

test("a resumed run keeps its zone, and the dates of a log without dates", async () => {
  const output = join(folder, "rows.ndjson");
  const log = join(folder, "iis.log");
  const lines = Array.from({ length: 3_000 }, (_, at) => {
    const seconds = 86_390 + at;
    return `${new Date(seconds * 1_000).toISOString().slice(11, 19)} GET /${at} shop.example`;
  });
  const heading = "#Date: 2026-01-02 23:59:50\n#Fields: time cs-method cs-uri-stem cs-host\n";
  writeFileSync(log, heading + lines.slice(0, 2_000).join("\n") + "\n");
  const kept = [log, ...decide, "--ordered", "--checkpoint", join(folder, "run.json"), "--output-file", output];
  expect((await runHere([...kept, "--log-timezone", "UTC"])).code).toBe(0);
  const other = await runHere([...kept, "--resume", "--log-timezone", "Asia/Tokyo"]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("--log-timezone UTC") as string]);
  const times = recordsOf(readFileSync(output, "utf8")).map(({ time }) => time);
  expect([times[9], times[10]]).toEqual(["2026-01-02T23:59:59Z", "2026-01-03T00:00:00Z"]);
});

test("decideStream: the records of a log have the instant, or the time without a zone", async () => {
  const options = {
    agents: "bingbot",
    robots: createSavedRobots(join(seen, "shop.example@2025-12-25T00:00:00Z.txt")),
    inputFormat: "haproxy",
  } as const;
  const timeOf = async (more: { readonly logTimezone?: string }): Promise<unknown> => {
    const input = [Buffer.from(haproxy("02/Jan/2026:00:14:47.655"))];
    for await (const [decision] of decideStream({ ...options, ...more, input })) return decision!.record["time"];
    return undefined;
  };
  expect(await timeOf({})).toBe("2026-01-02T00:14:47.655");
  expect(await timeOf({ logTimezone: "Asia/Tokyo" })).toBe("2026-01-01T15:14:47.655Z");
  await expect(timeOf({ logTimezone: "Mars/Phobos" })).rejects.toMatchObject({ code: "ERR_WRONG_VALUE" });
});
