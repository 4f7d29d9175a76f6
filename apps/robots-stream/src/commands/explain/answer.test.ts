// The Crawl-delay that a file sets for a crawler, and the lines of a robots.txt, which are split and numbered as the parser does it.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { accessPolicies, paceOf } from "@robots-stream/fetch/policy";
import { expect, test } from "vitest";
import { type CrawlDelay, crawlDelayOf, linesOf } from "./answer.ts";
import { parseDirectives } from "@robots-stream/core/lint";
import fc from "fast-check";

const both = "User-agent: *\nCrawl-delay: 7\nDisallow: /a\n\nUser-agent: bingbot\nCrawl-delay: 2.5\nDisallow: /b\n";
const bare = both.replace("Crawl-delay: 2.5\n", "");

test.each<[string, string, string, "everybody" | "yes", CrawlDelay | undefined]>([
  ["its own", both, "bingbot", "everybody", { seconds: 2.5, line: 6, isEverybodys: false }],
  [
    "from the group for *, beside its own group",
    bare,
    "bingbot",
    "everybody",
    { seconds: 7, line: 2, isEverybodys: true },
  ],
  ["not from the group for * for a crawler that ignores it", bare, "bingbot", "yes", undefined],
  ["from the group for *", both, "CCBot", "yes", { seconds: 7, line: 2, isEverybodys: false }],
  ["none", "User-agent: *\nDisallow: /", "bingbot", "everybody", undefined],
  [
    "a value that is not a number",
    both.replace("2.5", "fast"),
    "bingbot",
    "everybody",
    { seconds: 7, line: 2, isEverybodys: true },
  ],
  [
    "the longest one",
    `User-agent: bingbot\nCrawl-delay: -1\nCrawl-delay: 3\nCrawl-delay: 4\nCrawl-delay: 4.0`,
    "bingbot",
    "yes",
    { seconds: 4, line: 4, isEverybodys: false },
  ],
])("%s", (_what, text, agent, crawlDelay, expected) => {
  const robots = parseRobotsTxt(text);
  const { groups } = createMatcher(robots, agent).trace("/");
  expect(crawlDelayOf(robots, { crawlDelay }, groups)).toEqual(expected);
});

test.each(["10", "0", "0.5", ".5", "5.", "301", "1e3", "-5", "5s", "", "2\nCrawl-delay: 9\nCrawl-delay: 3"])(
  "Crawl-delay: %j is parsed as by paceOf of @robots-stream/fetch",
  (value) => {
    const robots = parseRobotsTxt(`User-agent: bingbot\nCrawl-delay: ${value}\nUser-agent: other\nCrawl-delay: 99\n`);
    const { groups } = createMatcher(robots, "bingbot").trace("/");
    const client = paceOf(robots, "bingbot", accessPolicies.google).crawlDelay;
    const ours = crawlDelayOf(robots, { crawlDelay: "yes" }, groups);
    expect(ours && { seconds: ours.seconds, line: ours.line }).toEqual(
      client && { seconds: client.seconds, line: client.line },
    );
  },
);

const textsOf = (bytes: Uint8Array): string[] => {
  const lines = linesOf(bytes);
  return Array.from({ length: lines.count }, (_, at) => lines.textOf(at + 1));
};

test.each<[string, string[]]>([
  ["", [""]],
  ["a", ["a"]],
  ["a\n", ["a", ""]],
  ["a\r\nb\rc\nd", ["a", "b", "c", "d"]],
  ["\n\r\n\r", ["", "", "", ""]],
  ["\u{feff}a\n\u{feff}b", ["a", "\u{feff}b"]],
  ["ü\u0000x", ["ü\u0000x"]],
])("%j", (text, expected) => {
  expect(textsOf(new TextEncoder().encode(text))).toEqual(expected);
});

test("the text of a line that does not exist is empty", () => {
  const lines = linesOf(new TextEncoder().encode("a"));
  expect([lines.textOf(0), lines.textOf(2)]).toEqual(["", ""]);
});

test("lines are numbered as the parser numbers them", () => {
  const bytes = fc
    .array(fc.constantFrom(0xef, 0xbb, 0xbf, 0x0a, 0x0d, 0x61, 0x3a, 0x23, 0x00), { maxLength: 20 })
    .map((list) => new Uint8Array(list));
  fc.assert(
    fc.property(bytes, (file) => {
      expect(linesOf(file).count).toBe(parseDirectives(file).length);
    }),
    { numRuns: 2000 },
  );
});

test("lines contain the values that the parser reads", () => {
  const line = fc.constantFrom("allow: /a", "disallow:/b # c", "", "#", "\u{feff}", "host: x");
  const end = fc.constantFrom("\n", "\r", "\r\n");
  fc.assert(
    fc.property(fc.array(fc.tuple(line, end), { maxLength: 10 }), (parts) => {
      const text = parts.flat().join("");
      const lines = linesOf(new TextEncoder().encode(text));
      for (const { line: number, key, value } of parseDirectives(text)) {
        expect(lines.textOf(number)).toContain(key);
        expect(lines.textOf(number)).toContain(value);
      }
    }),
  );
});
