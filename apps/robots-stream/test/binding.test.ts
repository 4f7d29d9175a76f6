// Tests who is bound by a group for `*`, in decide, the audit, `--as-of-record`, explain and agents.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

const folder = makeFolder();

const everybody = "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: bingbot\nDisallow:\n";
const named = `${everybody}\nUser-agent: Amzn-SearchBot\nDisallow: /private\n`;

/** A folder with a file that was seen before and after the requests. */
function historyOf(name: string, body: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const day of ["01", "12"]) writeFileSync(join(path, `shop.example@2026-11-${day}T00:00:00Z.txt`), body);
  return path;
}

const at = "2026-11-06T10:00:00Z";
const requests = [
  "Amzn-SearchBot/0.1",
  "UptimeRobot/2.0",
  "AhrefsSiteAudit/6.1",
  "SiteAuditBot/1.1",
  "Bytespider",
  "bingbot/2.0",
];
const log = requests
  .map(
    (agent) =>
      `192.0.2.1 - - [06/Nov/2026:10:00:00 +0000] "GET /private/x HTTP/1.1" 200 10 "-" "Mozilla/5.0 (compatible; ${agent})"\n`,
  )
  .join("");

async function auditOf(history: string, ...argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await runHere(
    ["audit", "-", "--base", "https://shop.example", "--robots-history", history, ...argv],
    log,
  );
  expect(stderr).toBe("");
  return stdout;
}

const freeTools = {
  UptimeRobot: "not-bound:violation",
  AhrefsSiteAudit: "not-bound:violation",
  SiteAuditBot: "not-bound:violation",
};

describe.each([
  [
    "under * alone",
    everybody,
    { "Amzn-SearchBot": "not-bound:violation", ...freeTools, Bytespider: "violation", bingbot: "allowed" },
  ],
  [
    "in a group that names it",
    named,
    { "Amzn-SearchBot": "violation", ...freeTools, Bytespider: "violation", bingbot: "allowed" },
  ],
])("%s", (name, body, states) => {
  test("the states of an audit", async () => {
    const { origins } = JSON.parse(await auditOf(historyOf(name, body), "-o", "json")) as {
      origins: readonly { readonly times: readonly (readonly [unknown, string, string, string])[] }[];
    };
    expect(Object.fromEntries(origins[0]!.times.map(([, crawler, , state]) => [crawler, state]))).toEqual(states);
  });

  test("the states of records", async () => {
    const records = requests.map(
      (agent) => JSON.stringify({ url: "https://shop.example/private/x", at, agent }) + "\n",
    );
    const history = historyOf(name, body);
    const { stdout } = await runHere(
      ["--agent-field", "agent", "--robots-history", history, "--as-of-record", "--time-field", "at"],
      records.join(""),
    );
    const rows = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { robots: { agent: string; allowed: boolean; state: string } });
    expect(Object.fromEntries(rows.map(({ robots }) => [robots.agent, robots.state]))).toEqual(states);
    // Decisions follow the group for `*`, whoever is bound by it.
    expect(rows.map(({ robots }) => robots.allowed)).toEqual([false, false, false, false, false, true]);
  });
});

test("--candidate leaves out requests that one of the files does not bind", async () => {
  const candidate = join(folder, "candidate.txt");
  writeFileSync(candidate, "User-agent: *\nDisallow:\n");
  const text = await auditOf(historyOf("flips", everybody), "--candidate", candidate);
  expect(text).toMatch(/newly allowed +1 +Bytespider/u);
  expect(text).not.toMatch(/newly allowed +1 +Amzn/u);
});

test("--fail-on counts what crossed, also by crawlers whose operators are silent", async () => {
  const ran = (moreThan: number): Promise<{ readonly code: number | null }> =>
    runHere(
      [
        "audit",
        "-",
        "--base",
        "https://shop.example",
        "--robots-history",
        historyOf("fail", everybody),
        "--fail-on",
        `violations>${moreThan}`,
      ],
      log,
    );
  expect((await ran(0)).code).toBe(1);
  expect((await ran(1)).code).toBe(0);
});

test("explain and agents say that another rule applies to a file that does not name the crawler", async () => {
  const file = join(folder, "robots.txt");
  const explained = async (body: string): Promise<string> => {
    writeFileSync(file, body);
    const argv = ["explain", "https://shop.example/x", "--agent", "Amzn-SearchBot", "--robots", file];
    const { stdout } = await runHere([...argv, "-o", "ndjson"]);
    expect(JSON.parse(stdout)).toMatchObject({ bound: "by-name" });
    return (await runHere(argv)).stdout;
  };
  const sentence = "operator documents another rule for a file that does not name it";
  expect(await explained(everybody)).toContain(sentence);
  expect(await explained("User-agent: Googlebot\nDisallow: /\n")).toContain(sentence);
  expect(await explained(named)).not.toContain(sentence);
  expect((await runHere(["agents", "Amzn-SearchBot"])).stdout).toMatch(
    /if none does, another rule than the group\s+for \*/u,
  );
});
