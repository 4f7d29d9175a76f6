// Makes a corpus of robots.txt files from a seed: many origins over some quarters, with groups, exceptions, odd lines and other content.

/** A capture of an origin: seconds since 1970, the result, and the file; `group`: the origin's group. */
export interface SlowCapture {
  readonly origin: string;
  readonly group: number | undefined;
  readonly seconds: number;
  readonly result: "robots-txt" | "not-found" | "unreachable" | "unread";
  readonly body: Uint8Array;
}

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
  "GPTBot\u0001",
  "GPTBot",
  "Sogou web spider/4.0",
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
  "/%2A",
  "/a$b",
  "/%61",
  "/a%2fb",
  "*a",
  "/*$",
  "/b # x",
  "/\u0001",
  "/index.htm",
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
  "Content-Signal: /a Search = YES , ai-train",
  "Content-Usage: /x train-ai=n;note=1, search",
  'Content-Usage: train-ai=(a b), x=?1, x="s"',
  "Content-Usage: Train-ai=n",
  "Crawl-delay 7",
  "CrawlDelay: 9999",
  "Site-map: https://a.example/map.xml",
  "# BEGIN Cloudflare Managed content",
  "  # START YOAST BLOCK",
  "",
];
const odd: readonly (string | Uint8Array)[] = [
  "<!doctype html><title>404</title>\nSitemap: https://a.example/map.xml",
  "<?xml version='1.0'?>",
  "<!-- -->\nUser-agent *\nDisallow /",
  "< Disallow: /",
  "{}",
  "{\\rtf1}",
  "%PDF-1.7",
  "",
  "User-agent: *",
  "Disallow: /",
  "\ufeffUser-agent: *\r\nDisallow: /\r\n",
  "user agent *\ndisalow /",
  Buffer.from("\ufeffUser-agent: *\nDisallow: /\n", "utf16le"),
  Buffer.from("User-agent: *\nDisallow: /\n", "utf16le"),
  Buffer.from("User-agent: caf\u00e9\nDisallow: /caf\u00e9\nSitemap: \u00e9\n", "latin1"),
  Buffer.from("\u00ef\u00bbUser-agent: GPTBot\nDisallow: /\n", "latin1"),
  Buffer.alloc(64, 1),
  `User-agent: *\nDisallow: /${"a".repeat(120)}\n${"# filling\n".repeat(1_200)}`,
];

/** One robots.txt. */
function bodyOf(random: (below: number) => number): Uint8Array {
  if (random(8) === 0) return Buffer.from(odd[random(odd.length)]!);
  const lines: string[] = [];
  for (let group = random(4); group >= 0; group--) {
    for (let count = random(3); count >= 0; count--) lines.push(`User-agent: ${agents[random(agents.length)]}`);
    if (random(3) === 0) lines.push(others[random(others.length)]!);
    for (let count = random(5); count > 0; count--) {
      lines.push(`${["Disallow", "Disallow", "Allow", "Dissallow"][random(4)]}: ${patterns[random(patterns.length)]}`);
      if (random(6) === 0) lines.push(others[random(others.length)]!);
    }
  }
  return Buffer.from(`${lines.join(["\n", "\n", "\r\n", "\r"][random(4)])}\n`);
}

const results = ["robots-txt", "robots-txt", "robots-txt", "robots-txt", "not-found", "unreachable", "unread"] as const;

/** Captures of some origins over two years, in no order. Most files stay the same for some quarters. */
export function generatedCaptures(seed: number, origins: number, groups: number): readonly SlowCapture[] {
  const random = randomOf(seed);
  const captures: SlowCapture[] = [];
  for (let number = 0; number < origins; number++) {
    const origin = `https://host${number}.example`;
    const group = random(5) === 0 ? undefined : random(groups);
    let body = bodyOf(random);
    for (let quarter = 0; quarter < 8; quarter++) {
      if (random(5) === 0) body = bodyOf(random);
      for (let count = random(3); count > 0; count--) {
        const seconds = Date.UTC(2022, quarter * 3, 1) / 1_000 + random(89 * 86_400);
        captures.push({ origin, group, seconds, result: results[random(results.length)]!, body });
        if (random(4) === 0) body = bodyOf(random);
      }
    }
  }
  return captures.toSorted((one, other) => (one.seconds % 977) - (other.seconds % 977));
}
