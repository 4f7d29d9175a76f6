// Makes a corpus of robots.txt files from a seed: many origins over some quarters, with groups, exceptions, odd lines and other content.
import type { SlowCapture } from "./slow.ts";

/** mulberry32 */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const agents = [
  "*",
  "*",
  "*",
  "GPTBot",
  "ClaudeBot",
  "CCBot",
  "Google-Extended",
  "Googlebot",
  "Googlebot-News",
  "360Spider",
  "MJ12bot/1.0",
  "Sogou web spider",
  "bingbot # old",
  "* all",
  "Twitterbot (x)",
  "unknown_one",
];
const patterns = [
  "/",
  "/",
  "/*",
  "*",
  "",
  "/a",
  "/a/",
  "/*.php$",
  "/$",
  "/a/index.html",
  "/*?",
  "/private",
  "a",
  "/%7e",
  "/*/b",
  "/a*b",
  "/\u00e9",
];
const others = [
  "Crawl-delay: 10",
  "Crawl-delay: 0.5",
  "crawl-delay: soon",
  "Sitemap: https://a.example/map.xml",
  "Content-Signal: search=yes, ai-train=no",
  "Content-Usage: train-ai=n",
  "# a comment",
  "Host: a.example",
  "nonsense",
  "License: https://a.example/license.xml",
  "",
];
const odd = [
  "<!doctype html><title>404</title>",
  "{}",
  "",
  "User-agent: *",
  "Disallow: /",
  "\ufeffUser-agent: *\r\nDisallow: /\r\n",
  "user agent *\ndisalow /",
];

/** One robots.txt. */
function textOf(random: (below: number) => number): string {
  if (random(12) === 0) return odd[random(odd.length)]!;
  const lines: string[] = [];
  for (let group = random(4); group >= 0; group--) {
    for (let count = random(3); count >= 0; count--) lines.push(`User-agent: ${agents[random(agents.length)]}`);
    if (random(3) === 0) lines.push(others[random(others.length)]!);
    for (let count = random(5); count > 0; count--) {
      lines.push(`${["Disallow", "Disallow", "Allow", "Dissallow"][random(4)]}: ${patterns[random(patterns.length)]}`);
      if (random(6) === 0) lines.push(others[random(others.length)]!);
    }
  }
  return `${lines.join(["\n", "\n", "\r\n"][random(3)])}\n`;
}

/** Captures of some origins over two years, in no order. Most files stay the same for some quarters. */
export function generatedCaptures(seed: number, origins: number): readonly SlowCapture[] {
  const random = randomOf(seed);
  const captures: SlowCapture[] = [];
  for (let origin = 0; origin < origins; origin++) {
    let body = Buffer.from(textOf(random));
    for (let quarter = 0; quarter < 8; quarter++) {
      if (random(5) === 0) body = Buffer.from(textOf(random));
      for (let count = random(3); count > 0; count--) {
        const seconds = Date.UTC(2022, quarter * 3, 1) / 1_000 + random(89 * 86_400);
        captures.push({ origin: `https://host${origin}.example`, seconds, body });
        if (random(4) === 0) body = Buffer.from(textOf(random));
      }
    }
  }
  return captures.toSorted((one, other) => (one.seconds % 977) - (other.seconds % 977));
}
