// Tests that one group binds a crawler: the group of the first of the crawler's names that the file contains.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CrawlerNames, createCrawlerMatcher, groupNameOf } from "./crawler-matcher.ts";
import { createMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";
import { CrawlerGroups } from "./crawler-groups.ts";
import type { RobotsTxt } from "../read/types.ts";

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

const imageNames = image.names;

describe("the first name that the file has a group for", () => {
  test.each<[string, string, readonly string[], string | undefined]>([
    [
      "the first name",
      "User-agent: googlebot-image\nDisallow: /a\nUser-agent: Googlebot\nDisallow: /b",
      imageNames,
      imageNames[0],
    ],
    [
      "the first name, below a group for the second name",
      "User-agent: Googlebot\nDisallow: /b\nUser-agent: Googlebot-Image\nDisallow: /",
      imageNames,
      imageNames[0],
    ],
    ["the second name", "User-agent: Googlebot\nDisallow: /b\nUser-agent: *\nDisallow: /", imageNames, imageNames[1]],
    ["*", "User-agent: *\nDisallow: /", imageNames, "*"],
    ["*, from a value that only Google reads as *", "User-agent: * # all\nDisallow: /", imageNames, "*"],
    ["no group for a name or for *", "User-agent: bingbot\nDisallow: /", imageNames, undefined],
    ["an empty file", "", imageNames, undefined],
    ["an empty list of names", "User-agent: Googlebot\nUser-agent: *\nDisallow: /", [], "*"],
    [
      "a user-agent line without rules",
      "User-agent: *\nDisallow: /\nUser-agent: Googlebot-Image",
      imageNames,
      imageNames[0],
    ],
    ["a value that Google cuts to a name", "User-agent: Googlebot/2.1\nDisallow: /", imageNames, imageNames[1]],
    ["a name with a digit is not found", "User-agent: MJ12bot\nDisallow: /", ["MJ12bot"], undefined],
  ])("%s", (_what, text, tokens, expected) => {
    expect(groupNameOf(parseRobotsTxt(text), tokens)).toBe(expected);
    expect(new CrawlerGroups(parseRobotsTxt(text)).groupNameOf(tokens)).toBe(expected);
  });

  test("with token match whole, a name with a digit is found and a part of it is not", () => {
    const robots = parseRobotsTxt("User-agent: MJ12bot/1.4\nDisallow: /\nUser-agent: *");
    expect(groupNameOf(robots, ["MJ12bot"], { tokenMatch: "whole" })).toBe("MJ12bot");
    expect(groupNameOf(robots, ["MJ12"], { tokenMatch: "whole" })).toBe("*");
  });

  test("in a file of the rfc9309 dialect, a value with a version names no crawler", () => {
    const text = "User-agent: Googlebot/2.1\nDisallow: /";
    expect(groupNameOf(parseRobotsTxt(text, { dialect: "rfc9309" }), imageNames)).toBe(undefined);
  });

  test("a copy of a parsed file is refused", () => {
    const copy = { ...parseRobotsTxt("") } as RobotsTxt;
    expect(() => groupNameOf(copy, imageNames)).toThrow(expect.objectContaining({ code: "ERR_FOREIGN_ROBOTS" }));
    expect(() => new CrawlerGroups(copy)).toThrow(expect.objectContaining({ code: "ERR_FOREIGN_ROBOTS" }));
  });
});

test("property: for one product token groupNameOf chooses the same group as createMatcher", () => {
  const line = fc.constantFrom(
    "User-agent: a",
    "User-agent: b/1",
    "User-agent: *",
    "User-agent: * b",
    "User-agent: b-a",
    "Disallow: /",
    "Allow: /a",
    "Crawl-delay: 1",
    "",
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom("a", "b", "B-A"),
      fc.constantFrom("google", "rfc9309"),
      fc.constantFrom("google", "whole"),
      (lines, token, dialect, tokenMatch) => {
        const robots = parseRobotsTxt(lines.join("\n"), { dialect });
        const { ground, productTokens } = createMatcher(robots, token, { tokenMatch }).trace("/");
        const expected = { named: productTokens[0], everybody: "*", none: undefined }[ground];
        expect(groupNameOf(robots, [token], { tokenMatch })).toBe(expected);
      },
    ),
  );
});
