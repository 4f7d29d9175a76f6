// Tests that one group binds a crawler: the group of the first of the crawler's names that the file contains.
import { expect, test } from "vitest";
import { type CrawlerNames, createCrawlerMatcher } from "./crawler-matcher.ts";
import { createMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";

const image: CrawlerNames = { names: ["Googlebot-Image", "Googlebot"], boundByEverybody: true };
const ads: CrawlerNames = { names: ["AdsBot-Google"], boundByEverybody: false };
const majestic: CrawlerNames = { names: ["MJ12bot"] };
const everybody = "User-agent: *\nDisallow: /\n";
const both = "User-agent: Googlebot-Image\nDisallow: /a\nUser-agent: Googlebot\nDisallow: /b\n";

test.each<[what: string, crawler: CrawlerNames, text: string, target: string, expected: object]>([
  ["its own group", image, both, "/a", { allowed: false, productToken: "Googlebot-Image" }],
  [
    "its own group, without the rules of the next name's group",
    image,
    both,
    "/b",
    { allowed: true, because: "no-rule" },
  ],
  [
    "the group of the next name",
    image,
    `User-agent: Googlebot\nDisallow: /b\n${everybody}`,
    "/b",
    { allowed: false, productToken: "Googlebot" },
  ],
  ["the group for *", image, everybody, "/b", { allowed: false, productToken: "*" }],
  ["the group for *, which does not bind the crawler", ads, everybody, "/b", { allowed: true, because: "no-group" }],
  [
    "its own group, for a crawler that the group for * does not bind",
    ads,
    `User-agent: AdsBot-Google\nDisallow: /b\n${everybody}`,
    "/b",
    { allowed: false },
  ],
  [
    "a name with digits is found whole",
    majestic,
    "User-agent: MJ12bot/1.4\nDisallow: /b\n",
    "/b",
    { allowed: false, productToken: "MJ12bot" },
  ],
  ["no names", { names: [] }, everybody, "/b", { allowed: false, productToken: "*" }],
  ["an empty file", image, "", "/b", { allowed: true, because: "no-group" }],
])("%s", (_what, crawler, text, target, expected) => {
  for (const dialect of ["google", "rfc9309"] as const) {
    if (dialect === "rfc9309" && crawler === majestic) continue;
    const robots = parseRobotsTxt(text, { dialect });
    expect(createCrawlerMatcher(robots, crawler).decide(target)).toMatchObject(expected);
    expect(createCrawlerMatcher(robots, crawler, { tokenMatch: undefined }).decide(target)).toMatchObject(expected);
  }
});

test("createMatcher unites the groups of all names; createCrawlerMatcher takes the group of the first name found", () => {
  const robots = parseRobotsTxt(both);
  expect(createMatcher(robots, image.names).decide("/b").allowed).toBe(false);
  expect(createCrawlerMatcher(robots, image).decide("/b").allowed).toBe(true);
});

test("the token match of the caller overrides the default", () => {
  const robots = parseRobotsTxt("User-agent: MJ12bot\nDisallow: /\n");
  expect(createCrawlerMatcher(robots, majestic, { tokenMatch: "google" }).decide("/").allowed).toBe(true);
});
