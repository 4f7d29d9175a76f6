// Tests that this package and npm robots-parser 3.0.1 give different answers only for files of the listed kinds.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import npmRobotsParser from "robots-parser";
import { describe, expect, test } from "vitest";
import robotsParser from "../src/index.ts";
import { kinds } from "./kinds.ts";

// The types of npm robots-parser declare a default export; the module itself is the function.
const theirParser = npmRobotsParser as unknown as typeof robotsParser;
const base = "https://a.example";
const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

describe("every kind of difference", () => {
  test.each(kinds)("$name", ({ robotsTxt, path, theirs, ours, rewrite }) => {
    const url = `${base}${path}`;
    const answers = [theirParser, robotsParser].map((parse) =>
      parse(`${base}/robots.txt`, robotsTxt).isAllowed(url, "Bot"),
    );
    expect(answers).toEqual([theirs, ours]);
    expect(theirParser(`${base}/robots.txt`, rewrite(robotsTxt)).isAllowed(url, "Bot")).toBe(ours);
  });
});

test.each([
  ["an empty query", "Disallow: /*?", "/page?", true, false],
  ["an empty query, an exact rule", "Disallow: /page$", "/page?", false, true],
  ["an empty query before a fragment", "Disallow: /*?", "/page?#a", true, false],
  ["a dot segment", "Disallow: /b", "/a/../b", false, true],
  ["a rule with a dot segment", "Disallow: /a/./b", "/a/./b", true, false],
  ["an escaped dot segment", "Disallow: /%2E%2E/", "/%2e%2e/b", true, false],
  ["an apostrophe in the query", "Disallow: /a?b='", "/a?b='c'", true, false],
  ["braces in the path", "Disallow: /{id}", "/{id}/x", false, false],
  ["escaped braces in the rule", "Disallow: /%7Bid%7D", "/{id}/x", false, true],
  ["an escaped backquote in the rule", "Disallow: /%60", "/`", false, true],
  ["a quotation mark in the path", "Disallow: /a%22", '/a"', false, false],
  ["a backslash in the path", "Disallow: /a/b", "/a\\b", false, false],
  ["a backslash in the query", "Disallow: /*\\", "/a?b\\c", true, false],
  ["a lone surrogate", "Disallow: /\ud800", "/\ud800", true, true],
  ["a pair of surrogates", "Disallow: /\ud83d\ude00", "/\ud83d\ude00", false, false],
  ["white space around and in the URL", "Disallow: /a%20b", " /a b\t\n ", false, false],
  ["a relative URL", "Disallow: /b", "b/c", false, false],
  ["a query alone", "Disallow: /?q", "?q=1", false, false],
])("the URL's own text decides: %s", (_what, rule, path, theirs, ours) => {
  const text = `User-agent: *\n${rule}\n`;
  const answers = [theirParser, robotsParser].map((parse) => parse("/robots.txt", text).isAllowed(path, "Bot"));
  expect(answers).toEqual([theirs, ours]);
  if (path.startsWith("/")) expect(robotsParser(`${base}/robots.txt`, text).isAllowed(base + path, "Bot")).toBe(ours);
});

test.each([
  ["an upper-case scheme", "HTTPS://A.example/a?"],
  ["the default port", "https://a.example:443/a?"],
  ["a user and a password with a slash", "https://u:p@a.example/a?"],
  ["backslashes", "https:\\\\a.example\\a?"],
  ["no slashes", "https:a.example/a?"],
])("a URL with %s has the target /a?", (_what, url) => {
  const robots = robotsParser(`${base}/robots.txt`, "User-agent: *\nDisallow: /a?$\n");
  expect(robots.isAllowed(url, "Bot")).toBe(false);
});

test("null stands for no contents and for no user agent, as in npm robots-parser", () => {
  const text = "User-agent: *\nDisallow: /a\nCrawl-delay: 2\n\nUser-agent: null\nDisallow: /b\n";
  for (const parse of [theirParser, robotsParser]) {
    expect(parse(`${base}/robots.txt`, null).isAllowed(`${base}/a`, null)).toBe(true);
    const robots = parse(`${base}/robots.txt`, text);
    expect([robots.isAllowed(`${base}/a`, null), robots.getCrawlDelay(null)]).toEqual([false, 2]);
    expect(robots.getMatchingLineNumber(`${base}/a`, null)).toBe(2);
  }
});

test("an empty Crawl-delay is 0, as in npm robots-parser", () => {
  const text = "User-agent: Bot\nDisallow: /a\nCrawl-delay: 2\nCrawl-delay:";
  const delays = [theirParser, robotsParser].map((parse) => parse(`${base}/robots.txt`, text).getCrawlDelay("Bot"));
  expect(delays).toEqual([0, 0]);
});

test.each([
  ["Bot/1.0", true, "its own group"],
  ["Other", false, "the group for *"],
  ["*", true, "the group for *, which names *"],
  ["", true, "the group for *, as without a name"],
])("%j is explicitly disallowed: %s, by %s", (ua, expected) => {
  const text = "User-agent: *\nDisallow: /a\n\nUser-agent: Bot\nDisallow: /a\n";
  const robots = robotsParser(`${base}/robots.txt`, text);
  expect(robots.isAllowed(`${base}/a`, ua)).toBe(false);
  expect(robots.isExplicitlyDisallowed(`${base}/a`, ua)).toBe(expected);
  expect(robots.isExplicitlyDisallowed(`${base}/b`, ua)).toBe(false);
  expect(robots.isExplicitlyDisallowed("https://b.example/a", ua)).toBeUndefined();
});

/** The answers for a URL of the methods that npm robots-parser 3.0.1 has, too. */
function answersOf(robot: ReturnType<typeof robotsParser>, url: string, ua: string | undefined): readonly unknown[] {
  return [
    robot.isAllowed(url, ua),
    robot.isDisallowed(url, ua),
    robot.getMatchingLineNumber(url, ua),
    robot.getCrawlDelay(ua),
  ];
}

test("for generated files of no listed kind, every method of npm robots-parser 3.0.1 gives the same answer", () => {
  const name = fc.constantFrom("*", "Bot", "bot/2.0", "Other", "MJ12bot", "Mozilla/5.0 (compatible)", "360Spider");
  const path = fc
    .array(fc.constantFrom("/", "a", "b", "*", "?", "é", "%c3%a9", "~", "=", "$", "."), { maxLength: 6 })
    .map((parts) => `/${parts.join("")}`);
  const line = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.tuple(fc.constantFrom("Disallow: ", "allow:", "DISALLOW:\t"), path).map((parts) => parts.join("")),
    },
    fc.constantFrom("", "# a comment", "Disallow:", "Sitemap: https://a.example/s.xml", "Host: A.example"),
  );
  const delay = fc.constantFrom(
    "",
    "Crawl-delay: 3",
    "crawl-delay: 0.5",
    "Crawl-delay: soon",
    "Crawl-delay: 2\nCrawl-delay:",
  );
  // Each group has a rule, so that user-agent lines of two groups are never in one run.
  const group = fc
    .tuple(fc.array(name, { minLength: 1, maxLength: 3 }), path, fc.array(line, { maxLength: 5 }), delay)
    .map(([names, first, lines, wait]) =>
      [...names.map((each) => `User-agent: ${each}`), `Disallow: ${first}`, ...lines, wait].join("\n"),
    );
  const file = fc.array(group, { maxLength: 4 }).map((groups) => groups.join("\n"));
  const url = fc.tuple(fc.constantFrom(base, base, base, "https://b.example", "http://a.example", ""), path);
  fc.assert(
    fc.property(
      file,
      fc.array(fc.tuple(url, fc.option(name, { nil: undefined })), { minLength: 1, maxLength: 8 }),
      (text, asked) => {
        const [theirs, ours] = [theirParser, robotsParser].map((parse) => parse(`${base}/robots.txt`, text));
        for (const [[origin, target], ua] of asked) {
          // Dot segments and empty queries are listed differences.
          const about =
            origin + target.replaceAll("*", "x").replaceAll("$", "y").replaceAll("/.", "/x.").replace(/\?$/, "?x");
          expect([text, about, ua, ...answersOf(ours!, about, ua)]).toEqual([
            text,
            about,
            ua,
            ...answersOf(theirs!, about, ua),
          ]);
        }
        expect([ours!.getSitemaps(), ours!.getPreferredHost()]).toEqual([
          theirs!.getSitemaps(),
          theirs!.getPreferredHost(),
        ]);
      },
    ),
    { numRuns: isThorough ? 30_000 : 300 },
  );
});

interface Pair {
  readonly robots_b64: string;
  readonly urls: readonly string[];
  readonly allowed: Readonly<Record<string, string>>;
}

const shared = process.env["ROBOTS_STREAM_SHARED"] ?? join(import.meta.dirname, "../../../../shared");
const corpus = join(shared, "corpora/robots/real-pairs-google.ndjson.gz");

test.skipIf(!existsSync(corpus))(
  "real files: Google's decisions, no unlisted difference (needs the folder shared)",
  () => {
    const all = gunzipSync(readFileSync(corpus)).toString().trim().split("\n");
    const pairs = isThorough ? all : all.filter((_, index) => index % 10 === 0);
    const counts = { decisions: 0, different: 0 };
    const wrong: unknown[] = [];
    for (const pair of pairs) {
      const { robots_b64, urls, allowed } = JSON.parse(pair) as Pair;
      const text = Buffer.from(robots_b64, "base64").toString();
      const robots = new Map<string, ReturnType<typeof robotsParser>[]>();
      const parsers = [robotsParser, theirParser];
      const rewritings = [
        ...kinds.map(({ rewrite }) => rewrite),
        (from: string) => kinds.reduce((form, { rewrite }) => rewrite(form), from),
      ];
      for (const [index, url] of urls.entries()) {
        const origin = URL.canParse(url) ? new URL(url).origin : "";
        if (!robots.has(origin))
          robots.set(
            origin,
            parsers.map((parse) => parse(`${origin}/robots.txt`, text)),
          );
        const [ours, theirs] = robots.get(origin)!;
        for (const [agent, answers] of Object.entries(allowed)) {
          const answer = ours!.isAllowed(url, agent);
          counts.decisions++;
          if (answer !== (answers[index] === "1")) wrong.push(["not Google's", url, agent]);
          if (answer === theirs!.isAllowed(url, agent)) continue;
          counts.different++;
          const isOfKind = rewritings.some(
            (rewrite) => theirParser(`${origin}/robots.txt`, rewrite(text)).isAllowed(url, agent) === answer,
          );
          if (!isOfKind) wrong.push(["of no kind", url, agent]);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(counts.decisions).toBeGreaterThan(isThorough ? 200_000 : 10_000);
    expect(counts.different).toBeGreaterThan(0);
    console.log(`${counts.decisions} decisions as Google's parser; npm robots-parser differs on ${counts.different}`);
  },
);
