// Tests the decisions for files, product tokens and URLs: the deciding lines and the explaining sentences.
import { describe, expect, test } from "vitest";
import { explain } from "./explain.ts";
import { createMatcher, unavailableMatcher, unreachableMatcher } from "./match.ts";
import { parseRobotsTxt } from "./parse.ts";

const file = `User-agent: bingbot
User-agent: Googlebot
Disallow: /private
Allow: /private/open
Disallow: /*.pdf$

User-agent: *
Disallow:

User-agent: MJ12bot/1.4
Disallow: /mj
`;

describe("decide", () => {
  test.each([
    [
      "a rule",
      "bingbot",
      "/private/x",
      false,
      3,
      'Disallowed by line 3 ("disallow: /private") of the group for bingbot.',
    ],
    [
      "case of the token does not matter",
      "BINGBOT",
      "/private",
      false,
      3,
      'Disallowed by line 3 ("disallow: /private") of the group for BINGBOT.',
    ],
    [
      "more octets",
      "Googlebot",
      "https://h/private/open/1",
      true,
      4,
      'Allowed by line 4 ("allow: /private/open") of the group for Googlebot.',
    ],
    [
      "a special",
      "bingbot",
      "/a/b.pdf",
      false,
      5,
      'Disallowed by line 5 ("disallow: /*.pdf$") of the group for bingbot.',
    ],
    ["nothing matches", "bingbot", "/a/b.pdf?x", true, 0, "Allowed: no rule of the group for bingbot matches."],
    [
      "the group for *",
      "FooBot",
      "/private",
      true,
      8,
      'Allowed: line 8 ("disallow:") of the group for * is empty and no other rule matches.',
    ],
    [
      "a token that is none is not found",
      "MJ12bot",
      "/mj",
      true,
      8,
      'Allowed: line 8 ("disallow:") of the group for * is empty and no other rule matches.',
    ],
  ])("%s", (_, token, url, allowed, line, sentence) => {
    const matcher = createMatcher(parseRobotsTxt(file), token);
    const decision = matcher.decide(url);
    expect(decision.allowed).toBe(allowed);
    expect(decision.because === "rule" ? decision.rule.line : 0).toBe(line);
    expect(explain(decision)).toBe(sentence);
    // The same ground gives the same frozen object, also after the index has been built.
    expect(Object.isFrozen(decision)).toBe(true);
    for (let asked = 0; asked < 40; asked++) expect(matcher.decide(url)).toBe(decision);
  });

  test("no group at all", () => {
    const decision = createMatcher(parseRobotsTxt("Sitemap: https://h/s.xml"), "bingbot").decide("/");
    expect(decision).toEqual({ allowed: true, because: "no-group" });
    expect(explain(decision)).toBe("Allowed: no group is for this crawler, and none is for *.");
  });

  test("several product tokens bind the union of their groups, and each decision has the product token of its rule", () => {
    const robots = parseRobotsTxt(
      "user-agent: a\ndisallow: /1\nuser-agent: b\ndisallow: /2\nuser-agent: *\ndisallow: /3",
    );
    const matcher = createMatcher(robots, ["b", "a"]);
    expect(matcher.decide("/1")).toMatchObject({ allowed: false, productToken: "a" });
    expect(matcher.decide("/2")).toMatchObject({ allowed: false, productToken: "b" });
    expect(matcher.decide("/3")).toMatchObject({ allowed: true, because: "no-rule" });
    expect(createMatcher(robots, []).decide("/3")).toMatchObject({ allowed: false, productToken: "*" });
  });

  test("decideTarget does not parse a target as a URL", () => {
    const matcher = createMatcher(parseRobotsTxt("user-agent: *\ndisallow: //h/a"), "x");
    expect(matcher.decideTarget("//h/a").allowed).toBe(false);
    expect(matcher.decide("//h/a").allowed).toBe(true);
    expect(matcher.decide("https://h//h/a").allowed).toBe(false);
  });

  test("constant matchers for an unavailable and an unreachable robots.txt", () => {
    expect(explain(unavailableMatcher.decide("/"))).toBe("Allowed: there is no robots.txt to obey (unavailable).");
    expect(explain(unreachableMatcher.decide("/"))).toBe(
      "Disallowed: robots.txt is unreachable, so what it allows is unknown.",
    );
  });
});

describe("whole names", () => {
  test.each([
    ["MJ12bot", "MJ12bot", true],
    ["MJ12bot", "mj12BOT/1.4", true],
    ["Sogou web spider", "Sogou web spider/4.0", true],
    ["360Spider", "360Spider(x)", true],
    ["MJ12bot", "MJ12botX", false],
    ["MJ", "MJ12bot", false],
    ["", "", false],
  ])("%s in the line for %s: %s", (token, value, named) => {
    const matcher = createMatcher(parseRobotsTxt(`user-agent: ${value}\ndisallow: /`), token, { tokenMatch: "whole" });
    expect(matcher.decide("/").allowed).toBe(!named);
  });
});

test.each([
  [
    "a RobotsTxt that parseRobotsTxt did not make",
    () => createMatcher({ groups: [], records: [] }, "x"),
    "ERR_FOREIGN_ROBOTS",
  ],
  [
    "an unknown token match",
    () => createMatcher(parseRobotsTxt(""), "x", { tokenMatch: "y" as "whole" }),
    "ERR_UNKNOWN_TOKEN_MATCH",
  ],
])("the caller's mistake: %s", (_, make, code) => {
  expect(make).toThrow(expect.objectContaining({ code }));
});

test.each([
  ["stars alone", `/${"*a".repeat(8000)}b`, `/${"a".repeat(8000)}`],
  ["long pieces that almost match", `/*${"a".repeat(4000)}b*${"a".repeat(4000)}c`, `/${"a".repeat(16_000)}`],
])("a hostile pattern takes linear time: %s", (_, pattern, path) => {
  const matcher = createMatcher(parseRobotsTxt(`user-agent: *\n${`disallow: ${pattern}\n`.repeat(5)}`), "x");
  for (let asked = 0; asked < 40; asked++) expect(matcher.decideTarget(path).allowed).toBe(true);
});
