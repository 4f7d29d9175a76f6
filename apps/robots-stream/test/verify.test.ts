// Tests runs with --verify: rows and audits say whether a request really came from the crawler that it names.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";
import { recordsOf } from "./run.ts";

const googlebot = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const gptbot = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const line = (clients: string, target: string, header: string): string =>
  `${clients} - - [22/Nov/2026:09:00:00 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "${header}"\n`;
const log = [
  line("66.249.66.1", "/b", googlebot),
  line("204.0.0.9", "/b", googlebot),
  line("204.0.0.9", "/b", gptbot),
  line("66.249.66.1, 204.0.0.9", "/b", gptbot),
  line("20.171.206.7, 10.0.0.1", "/b", gptbot),
  line("204.0.0.9", "/b", "Bytespider"),
  line("204.0.0.9", "/b", "Mozilla/5.0 (Windows NT 10.0; rv:128.0) Gecko/20100101 Firefox/128.0"),
].join("");

const folder = makeFolder();
let common: readonly string[];
beforeAll(() => {
  writeFileSync(
    join(folder, "google-common@2026-11-20T15-46-05Z.json"),
    '{"prefixes":[{"ipv4Prefix":"66.249.64.0/19"}]}',
  );
  writeFileSync(join(folder, "openai-gptbot@2026-11-21.txt"), "20.171.206.0/24\n");
  writeFileSync(join(folder, "robots"), "User-agent: *\nDisallow: /b\n");
  mkdirSync(join(folder, "seen"));
  for (const day of ["01", "30"]) {
    writeFileSync(join(folder, "seen", `a.example@2026-11-${day}T0000Z.txt`), "User-agent: *\nDisallow: /b\n");
  }
  common = ["--base", "https://a.example", "--robots", join(folder, "robots"), "--verify", "--ranges", folder];
});

interface Told {
  readonly agent: string | null;
  readonly verified?: string;
  readonly verifiedBecause?: string;
  readonly verifiedBy?: unknown;
}

async function rowsOf(...flags: readonly string[]): Promise<readonly Told[]> {
  const { stdout, code, stderr } = await runHere(["--agent-field", "user_agent", ...common, ...flags], log);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return recordsOf(stdout).map(({ robots }) => robots as Told);
}

test("rows have the verdict, its reason, and the list with its date and entry", async () => {
  const rows = await rowsOf("--trusted-proxy", "10.0.0.0/8");
  expect(rows.map(({ verified, verifiedBecause }) => [verified, verifiedBecause].join(" "))).toEqual([
    "verified range",
    "claimed dns-not-asked",
    "false no-match",
    "false no-match",
    "verified range",
    "no-check none-published",
    " ",
  ]);
  expect(rows[0]?.verifiedBy).toEqual({ list: "google-common", date: "2026-11-20T15:46:05Z", entry: "66.249.64.0/19" });
  expect(rows[2]).not.toHaveProperty("verifiedBy");
});

test("without a trusted proxy, the rightmost address is the client's", async () => {
  const rows = await rowsOf();
  expect(rows[4]).toMatchObject({ verified: "claimed", verifiedBecause: "local-address" });
});

test("an audit counts verified, claimed and false requests separately", async () => {
  const { stdout: text, code } = await runHere(["audit", ...common, "--trusted-proxy", "10.0.0.0/8", "-"], log);
  expect(code).toBe(0);
  const rows = text.split("\n").filter((row) => /^ {2}\w+ +\d+ +(?:verified|false|claimed|no check)\b/.test(row));
  expect(rows.map((row) => row.trim().split(/ {2,}/).slice(0, 3)).toSorted()).toEqual([
    ["Bytespider", "1", "no check"],
    ["GPTBot", "1", "verified"],
    ["GPTBot", "2", "false"],
    ["Googlebot", "1", "claimed"],
    ["Googlebot", "1", "verified"],
  ]);
  expect(text).toMatch(/2 {2}requests call themselves GPTBot, but come from addresses that are not the crawler's/);
});

test.each<[condition: string, code: number]>([
  ["verified-violations>1", 1],
  ["verified-violations>2", 0],
  ["violations>3", 1],
  ["violations>4", 0],
])(
  "--fail-on %j: an audit of 2 verified, 2 other and 2 false violations ends with exit code %i",
  async (condition, code) => {
    const judged = ["--base", "https://a.example", "--robots-history", join(folder, "seen")];
    const verified = ["--verify", "--ranges", folder, "--trusted-proxy", "10.0.0.0/8"];
    const ran = await runHere(["audit", ...judged, ...verified, "--fail-on", condition, "-"], log);
    expect([ran.code, ran.stderr]).toEqual([code, ""]);
  },
);

test.each<[what: string, argv: readonly string[], message: RegExp]>([
  ["--agent instead of --agent-field", ["--agent", "GPTBot", "--verify"], /--verify needs --agent-field/],
  ["no --verify", ["--agent-field", "user_agent", "--trusted-proxy", "10.0.0.1"], /--trusted-proxy needs --verify/],
  [
    "a host name instead of an address",
    ["--agent-field", "user_agent", "--verify", "--trusted-proxy", "proxy.example"],
    /--trusted-proxy proxy\.example/,
  ],
  ["an unknown check", ["--agent-field", "user_agent", "--verify=whois"], /--verify whois/],
])("mistakes: %s", async (_what, argv, message) => {
  const { code, stderr } = await runHere([...argv, "--base", "https://a.example"], log);
  expect(code).toBe(2);
  expect(stderr).toMatch(message);
});
