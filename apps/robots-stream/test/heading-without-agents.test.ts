// Logs in which a later #Fields line has no field for the User-Agent header: every run says how many of its records that is about.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

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
