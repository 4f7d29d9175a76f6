// Tests that rows, explain, the summary, --verbose and the head of an audit say when a file is no robots.txt, as lint does.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { makeFolder } from "./folder.ts";
import { runHere } from "./here.ts";

const folder = makeFolder();
const url = "https://shop.example/a";
const robotsTxt = "User-agent: *\nDisallow: /private\n";
const line = `192.0.2.1 - - [02/Nov/2026:10:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "bingbot/2.0"\n`;

/** A folder with the file of shop.example. */
function put(name: string, content: string | Uint8Array, file = "shop.example.txt"): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, file), content);
  return path;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ");

test.each<[name: string, content: string | Uint8Array, format: string | undefined]>([
  ["page", "<!doctype html>\n<p>Our user agent rules: Disallow: /\n", "HTML"],
  ["json", '{"error": 404}\n', "JSON"],
  ["utf-16", Buffer.from(`\ufeff${robotsTxt}`, "utf16le"), "UTF-16"],
  ["gzip", gzipSync(robotsTxt), "gzip"],
  ["robots", robotsTxt, undefined],
  ["page-with-rules", `<pre>\n${robotsTxt}</pre>\n`, undefined],
  ["comment", `<!-- comment -->\n${robotsTxt}`, undefined],
  ["no-colons", "<!-- comment -->\nUser-agent *\nDisallow /private\n", undefined],
  ["sitemap", "Sitemap: https://shop.example/sitemap.xml\n", undefined],
])("%s", async (name, content, format) => {
  const robots = put(name, content);
  const linted = await runHere(["lint", join(robots, "shop.example.txt")]);
  const asked = ["--agent", "bingbot", "--robots", robots];
  if (name === "gzip") {
    // A saved file of this kind is taken for a damaged archive.
    const { stdout } = await runHere(["explain", url, ...asked]);
    expect(stdout).toContain("not-readable");
    return;
  }
  expect(/This is|UTF-16, which/.test(linted.stdout)).toBe(format !== undefined || name === "page-with-rules");

  const text = await runHere(["explain", url, ...asked]);
  const sentence = "not a robots.txt: it has no rules, so it allows every URL.";
  expect(text.stdout.includes(`The file is ${format}, ${sentence}`)).toBe(format !== undefined);
  const json = await runHere(["explain", url, ...asked, "-o", "ndjson"]);
  const { allowed, robotsTxt: found } = JSON.parse(json.stdout) as {
    readonly allowed: boolean;
    readonly robotsTxt: { readonly formatInstead?: string };
  };
  expect([allowed, found.formatInstead]).toEqual([true, format]);

  const stats = join(folder, `${name}.json`);
  const rows = await runHere([...asked, "-v", `--stats-json=${stats}`, "--summary"], `${url}\n`);
  const mark = `successful, ok, ${format}, not a robots.txt, `;
  expect([rows.stderr.includes(mark), rows.stderr.includes(`  ${format} instead`)]).toEqual(
    Array.from({ length: 2 }, () => format !== undefined),
  );
  const counted = await runHere([...asked, "-o", "ndjson", "--stats-json"], `${url}\n`);
  const document = JSON.parse(counted.stderr.trimEnd().split("\n").at(-1)!) as {
    readonly origins: { readonly formatsInstead: unknown };
  };
  expect(document.origins.formatsInstead).toEqual(format === undefined ? {} : { [format]: 1 });

  const record = JSON.stringify({
    url,
    ua: "Mozilla/5.0 (compatible; bingbot/2.0)",
    unknown: "AcmeBot/1.0 (+https://acme.example)",
  });
  const flags = ["--robots", robots, "-q", "-o", "ndjson"];
  for (const given of [
    ["--agent", "bingbot"],
    ["--agent-field", "ua"],
    ["--agent-field", "unknown"],
    ["--agent", "bingbot", "--rows", "record"],
  ]) {
    const { stdout: row } = await runHere([...given, ...flags], `${record}\n`);
    expect(/"code":"([^"]*)"/.exec(row)?.[1]).toBe(format?.toLowerCase());
  }

  const { stdout } = await runHere(["audit", "-", "--base", "https://shop.example", "--robots", robots], line);
  expect(/not a robots\.txt/.test(oneLine(stdout))).toBe(format !== undefined);
  if (format === "HTML") expect(oneLine(stdout)).toContain("The file is HTML, not a robots.txt; it allows every URL.");
});

test("the head of an audit names the day on which the file was no robots.txt", async () => {
  const page = "<html><body>Just a moment</body></html>\n";
  put("seen", page, "shop.example@2026-11-01T0000Z.txt");
  put("seen", page, "shop.example@2026-11-03T0000Z.txt");
  const seen = put("seen", robotsTxt, "shop.example@2026-11-05T0000Z.txt");
  const later = line.replace("02/Nov", "06/Nov");
  const judged = ["--base", "https://shop.example", "--robots-history", seen];
  const both = oneLine((await runHere(["audit", "-", ...judged], line + later)).stdout);
  expect(both).toContain("The file of 1 November is HTML, not a robots.txt; it allows every URL.");
  const after = oneLine((await runHere(["audit", "-", ...judged], later)).stdout);
  expect(after).not.toContain("not a robots.txt");
});
