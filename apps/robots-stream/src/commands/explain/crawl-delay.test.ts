// The Crawl-delay that a file sets for a crawler.
import { createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { accessPolicies, paceOf } from "@robots-stream/fetch/policy";
import { expect, test } from "vitest";
import { type CrawlDelay, crawlDelayOf } from "./crawl-delay.ts";

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
