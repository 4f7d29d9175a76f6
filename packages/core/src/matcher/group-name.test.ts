// Tests the name that chooses the group for product tokens in order of preference, and agreement with createMatcher.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CrawlerGroups } from "./crawler-groups.ts";
import { groupNameOf } from "./group-name.ts";
import { createMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";
import type { RobotsTxt } from "../read/types.ts";

const image = ["Googlebot-Image", "Googlebot"];

describe("the first name that the file has a group for", () => {
  test.each<[string, string, readonly string[], string | undefined]>([
    [
      "the first name",
      "User-agent: googlebot-image\nDisallow: /a\nUser-agent: Googlebot\nDisallow: /b",
      image,
      image[0],
    ],
    [
      "the first name, below a group for the second name",
      "User-agent: Googlebot\nDisallow: /b\nUser-agent: Googlebot-Image\nDisallow: /",
      image,
      image[0],
    ],
    ["the second name", "User-agent: Googlebot\nDisallow: /b\nUser-agent: *\nDisallow: /", image, image[1]],
    ["*", "User-agent: *\nDisallow: /", image, "*"],
    ["*, from a value that only Google reads as *", "User-agent: * # all\nDisallow: /", image, "*"],
    ["no group for a name or for *", "User-agent: bingbot\nDisallow: /", image, undefined],
    ["an empty file", "", image, undefined],
    ["an empty list of names", "User-agent: Googlebot\nUser-agent: *\nDisallow: /", [], "*"],
    ["a user-agent line without rules", "User-agent: *\nDisallow: /\nUser-agent: Googlebot-Image", image, image[0]],
    ["a value that Google cuts to a name", "User-agent: Googlebot/2.1\nDisallow: /", image, image[1]],
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
    expect(groupNameOf(parseRobotsTxt(text, { dialect: "rfc9309" }), image)).toBe(undefined);
  });

  test("a copy of a parsed file is refused", () => {
    const copy = { ...parseRobotsTxt("") } as RobotsTxt;
    expect(() => groupNameOf(copy, image)).toThrow(expect.objectContaining({ code: "ERR_FOREIGN_ROBOTS" }));
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
