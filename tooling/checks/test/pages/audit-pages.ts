// Writes the pages of `robots-stream audit` for invented logs as files into a folder.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../../src/workspace.ts";

/**
 * Writes the page that the README shows, and returns its path. The log of a shop covers 30 days, with an outage on the 7th and a robots.txt
 * change on the 13th.
 */
export function writeShop(folder: string): string {
  const seen = join(folder, "seen");
  mkdirSync(seen, { recursive: true });
  for (const [name, text] of [
    ["2026-10-30", firstFile],
    ["2026-11-06T220000Z", firstFile],
    ["2026-11-07T130000Z", firstFile],
    ["2026-11-12T091400Z", firstFile],
    ["2026-11-13T091400Z", secondFile],
    ["2026-12-02", secondFile],
  ] as const) {
    writeFileSync(join(seen, `shop.example@${name}.txt`), text);
  }
  writeFileSync(join(seen, "shop.example@2026-11-06T230000Z.503"), "");
  writeFileSync(join(seen, "shop.example@2026-11-07T125900Z.503"), "");
  const log = join(folder, "shop.log");
  writeFileSync(log, shopLines(createRandom(7)).join(""));
  return auditPage(folder, "shop.html", [log, "--base", "https://shop.example", "--robots-history", seen]);
}

/**
 * Writes the page for a log of one year with `lines` lines and many hosts, crawlers and directories, and returns its path. The audit has
 * undated robots.txt files of 40 hosts.
 */
export function writeYear(folder: string, lines: number): string {
  const random = createRandom(11);
  const saved = join(folder, "saved");
  mkdirSync(saved, { recursive: true });
  for (let host = 0; host < 40; host++)
    writeFileSync(join(saved, `host${host}.example.txt`), `${secondFile}# ${host}\n`);
  const log = join(folder, "year.log");
  const start = Date.UTC(2026, 0, 1) / 1_000;
  const parts: string[] = [];
  for (let at = 0; at < lines; at++) {
    const [, header] = crawlers[Math.floor(random() ** 2 * crawlers.length)]!;
    const target = `/${words[Math.floor(random() * words.length)]}/${Math.floor(random() * 400)}/p${at % 977}?q${at % 90}=1`;
    const host = `host${Math.floor(random() ** 2 * 60)}.example:443`;
    parts.push(`${host} ${lineOf(start + (at / lines) * 364 * 86_400, target, header, random() < 0.9 ? 200 : 404)}`);
  }
  writeFileSync(log, parts.join(""));
  return auditPage(folder, "year.html", [log, "--robots", saved]);
}

/** Writes the page for a log whose values try to act as markup, script, escape sequences and text direction marks, and returns its path. */
export function writeHostile(folder: string): string {
  const saved = join(folder, "hostile.txt");
  writeFileSync(
    saved,
    "User-agent: *\nDisallow: /</script><script>alert(1)</script>\nDisallow: /<img src=x onerror=alert(1)>\n",
  );
  const targets = [
    "/</script><script>document.title='hacked'</script>/x",
    "/<img/src=x/onerror=\"document.title='hacked'\">/x?<b>=1",
    "/\u001b]0;title\u0007/x",
    "/\u202egnp.exe/x",
    `/${"long".repeat(500_000)}`,
  ];
  const log = join(folder, "hostile.log");
  const at = Date.UTC(2026, 10, 5) / 1_000;
  const lines = targets.flatMap((target, index) => [
    lineOf(at + index * 86_400, target, "Mozilla/5.0 (compatible; bingbot/2.0)", 200),
    lineOf(at + index * 86_400, target, "<img src=x onerror=document.title='hacked'>Bot/1.0 (+http://x.example)", 200),
  ]);
  writeFileSync(log, lines.join(""));
  const more = ["--title", "</title><script>document.title='hacked'</script>", "--max-line-bytes", "8MB"];
  return auditPage(folder, "hostile.html", [log, "--base", "https://shop.example", "--robots", saved, ...more]);
}

function auditPage(folder: string, name: string, flags: readonly string[]): string {
  const path = join(folder, name);
  const cli = join(checkout, "apps/robots-stream/bin/cli.js");
  const ran = spawnSync(process.execPath, [cli, "audit", ...flags, "--output-file", path], {
    env: { ...process.env, ROBOTS_STREAM_CACHE: "none" },
    encoding: "utf8",
  });
  if (ran.status !== 0) throw new Error(`audit ended with exit code ${ran.status}: ${ran.stderr}`);
  return path;
}

const firstFile = `User-agent: *
Disallow: /cart
Disallow: /search
Allow: /search/help

User-agent: Bytespider
Disallow: /

User-agent: Google-Extended
Disallow: /

User-agent: bingbot
Disallow: /old-shop/
Crawl-delay: 2
`;
const secondFile = firstFile.replace("User-agent: Bytespider\n", "User-agent: GPTBot\nUser-agent: Bytespider\n");

/** Crawlers: requests a day, header, share of requests for disallowed paths, hours between robots.txt fetches (0: no fetches). */
const crawlers: readonly (readonly [perDay: number, header: string, crossing: number, fetchHours: number])[] = [
  [160, "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", 0, 20],
  [106, "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", 0, 26],
  [73, "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)", 0, 60],
  [60, "Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)", 0, 18],
  [32, "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)", 0, 30],
  [24, "Mozilla/5.0 (compatible; OAI-SearchBot/1.0; +https://openai.com/searchbot)", 0.004, 90],
  [20, "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)", 0.4, 0],
  [20, "Mozilla/5.0 (Linux; Android 5.0) (compatible; Bytespider; spider-feedback@bytedance.com)", 1, 0],
  [10, "Mozilla/5.0 (compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)", 0.07, 200],
  [9, "Mozilla/5.0 (compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)", 0, 48],
];
/** Seconds between the change of the file and GPTBot's next fetch of the file. */
const fetchedSeconds = 20 * 3_600;
const words = ["shoes", "shirts", "sale", "brands", "magazine", "new", "hats", "bags"];
const referrers = [
  "https://www.google.com/",
  "https://chatgpt.com/",
  "https://www.bing.com/",
  "https://shop.example/sale/",
];

function shopLines(random: () => number): readonly string[] {
  const start = Date.UTC(2026, 10, 1) / 1_000;
  const change = Date.UTC(2026, 10, 13, 9, 14) / 1_000;
  const lines: (readonly [at: number, line: string])[] = [];
  for (let day = 0; day < 30; day++) {
    const from = start + day * 86_400;
    const week = 1 + 0.25 * Math.sin((day / 7) * 2 * Math.PI);
    for (const [perDay, header, crossing] of crawlers) {
      const isGptBot = header.includes("GPTBot");
      for (let at = 0; at < perDay * week * (0.85 + random() * 0.3); at++) {
        const time = from + random() * 86_399;
        // GPTBot obeys the new file once it has fetched it.
        if (isGptBot && time > change + fetchedSeconds) continue;
        lines.push([time, lineOf(time, targetOf(random, random() < crossing), header, statusOf(random))]);
      }
    }
    for (let visit = 0; visit < 25; visit++) {
      const time = from + random() * 86_399;
      const referrer = referrers[Math.floor(random() ** 1.5 * referrers.length)]!;
      lines.push([
        time,
        lineOf(time, targetOf(random, false), "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", 200, referrer),
      ]);
    }
  }
  lines.push([change + fetchedSeconds, lineOf(change + fetchedSeconds, "/robots.txt", crawlers[2]![1], 200)]);
  for (const [, header, , hours] of crawlers) {
    for (let at = hours; hours > 0 && at < 30 * 24; at += hours * (0.8 + random() * 0.4)) {
      const time = start + at * 3_600;
      if (header.includes("GPTBot") && time > change && time < change + fetchedSeconds) continue;
      lines.push([time, lineOf(time, "/robots.txt", header, 200)]);
    }
  }
  return lines.toSorted(([one], [other]) => one - other).map(([, line]) => line);
}

function targetOf(random: () => number, isCrossing: boolean): string {
  if (isCrossing) return random() < 0.5 ? `/search?q=${words[Math.floor(random() * words.length)]}` : "/cart/checkout";
  const word = words[Math.floor(random() * words.length)]!;
  if (random() < 0.04) return `/search/help/${word}`;
  return `/${word}/${Math.floor(random() * 120)}${random() < 0.2 ? "?sort=price" : ""}`;
}

function statusOf(random: () => number): number {
  const number = random();
  return number < 0.9 ? 200 : number < 0.95 ? 301 : number < 0.985 ? 404 : 500;
}

function lineOf(atSeconds: number, target: string, header: string, status: number, referrer = "-"): string {
  const [date = "", time = ""] = new Date(Math.floor(atSeconds) * 1_000).toISOString().split(/[T.]/);
  const [year, month, day] = date.split("-");
  const name = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")[Number(month) - 1];
  return `192.0.2.1 - - [${day}/${name}/${year}:${time} +0000] "GET ${target} HTTP/1.1" ${status} 5120 "${referrer}" "${header}"\n`;
}

/** Random numbers from 0 to 1; the same seed gives the same numbers (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
