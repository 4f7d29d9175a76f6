// Tests that the app with memory for the rules of only one origin gives the same rows and counts as with memory for all rules.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

const folder = makeFolder();

mkdirSync(join(folder, "robots"));
for (let site = 0; site < 50; site++) {
  const text = `User-agent: bingbot\nDisallow: /${site}\n\nUser-agent: *\nDisallow: /all/${site}\n`;
  writeFileSync(join(folder, "robots", site % 7 === 0 ? `${site}.example.404` : `${site}.example.txt`), text);
}
const agents = ["Mozilla/5.0 (compatible; bingbot/2.0)", "Mozilla/5.0 (compatible; Googlebot/2.1)", "curl/8"];
const records = Array.from({ length: 3_000 }, (_, at) => {
  const site = (at * 17) % 50;
  const url =
    at % 100 === 99
      ? "mailto:a@b"
      : `https://${at % 3 === 0 ? "user@" : ""}${site}.example/${at % 4 === 0 ? "all/" : ""}${site}`;
  return JSON.stringify({ url, n: at, agent: agents[at % 3] });
});

test.each([
  ["one crawler", ["--agent", "bingbot"]],
  ["several, in order", ["--agent", "bingbot", "--agent", "Googlebot-Image", "--ordered"]],
  ["differences of dialects", ["--agent", "bingbot", "--dialect", "google,rfc9309", "--only-differences"]],
  ["each record's crawler", ["--agent-field", "agent"]],
  ["one shard", ["--agent", "bingbot", "--shard", "2/3"]],
])("the same rows and counts: %s", async (_what, args) => {
  const run = (more: string[]): ReturnType<typeof runHere> =>
    runHere(["--robots", join(folder, "robots"), "--summary", ...args, ...more], records.join("\n"));
  const [roomy, crowded] = await Promise.all([run([]), run(["--matcher-bytes", "1"])]);
  // The complete summary, except its times.
  const told = ({ stderr }: typeof roomy): string => stderr.replace(/^took .*$/m, "");
  expect([crowded.code, told(crowded)]).toEqual([roomy.code, told(roomy)]);
  expect(crowded.stdout).toBe(roomy.stdout);
  expect(roomy.stderr).toContain("records");
});
