// Tests the decisions for files, product tokens and URLs: the deciding lines and the explaining sentences.
import { describe, expect, test } from "vitest";
import { explain } from "./trace.ts";
import { createMatcher, isAllowed, unavailableMatcher, unreachableMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";
import { crawlDelay } from "../values/record-values.ts";

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
      "a pattern with * and $",
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
      "a name that is not a product token is not found",
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

  describe("a string shaped like a User-Agent header", () => {
    const robots = parseRobotsTxt("user-agent: GPTBot\ndisallow: /private\nuser-agent: *\nallow: /\n");
    test.each([
      "GPTBot/1.2",
      "GPTBot/1.2 (+https://openai.com/gptbot)",
      "gptbot/v1",
      "GPTBot (+https://openai.com/gptbot)",
      "GPTBot(x)",
      "GPTBot/1.0 (compatible; Googlebot/2.1)",
      "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)",
      "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    ])("stands for the token it names: %s", (header) => {
      const matcher = createMatcher(robots, header);
      expect(matcher.decide("/private")).toMatchObject({
        allowed: false,
        productToken: expect.stringMatching(/^gptbot$/i),
      });
      expect(isAllowed("user-agent: GPTBot\ndisallow: /private\nuser-agent: *\nallow: /\n", header, "/private")).toBe(
        false,
      );
      // A list of names, and a string with token match "whole", are compared as given.
      expect(createMatcher(robots, [header]).decide("/private").allowed).toBe(true);
      expect(createMatcher(robots, header, { tokenMatch: "whole" }).decide("/private").allowed).toBe(true);
    });

    test.each([
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36",
      "Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1)",
      "Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/)",
      "Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)",
      "MJ12bot/v1.4.8 (http://mj12bot.com/)",
      "(x)",
    ])("throws for a header whose product token is uncertain: %s", (header) => {
      const asked = (): unknown => createMatcher(robots, header);
      expect(asked).toThrow(expect.objectContaining({ name: "CoreError", code: "ERR_NO_PRODUCT_TOKEN" }) as Error);
      expect(() => crawlDelay(robots, header)).toThrow(/a User-Agent header/);
    });

    test.each<[given: unknown, what: string]>([
      [5, "number"],
      [{ productToken: "x" }, "object"],
      [[undefined], "object"],
      [["x", 5], "object"],
    ])("throws for a value that is neither a string nor a list of strings: %j", (given, what) => {
      expect(() => createMatcher(robots, given as string)).toThrow(
        expect.objectContaining({
          name: "CoreError",
          code: "ERR_NO_PRODUCT_TOKEN",
          message: `a value of type ${what} is a User-Agent header, a URL, or not a string.`,
        }) as Error,
      );
    });

    test("long headers take linear time", () => {
      for (const part of ["a", "compatible; ", "compatible; a", "(", "/", " ", "mozilla"]) {
        for (const header of [`${part.repeat(200_000)}(`, `Mozilla/5.0 (${part.repeat(200_000)}`]) {
          try {
            createMatcher(robots, header);
          } catch (error) {
            expect(error).toMatchObject({ code: "ERR_NO_PRODUCT_TOKEN", message: expect.stringMatching(/^.{1,200}$/) });
          }
        }
      }
    });

    test.each(["MJ12bot", "360Spider", "Sogou web spider", "Yahoo! Slurp", "a/b", "a;b", "é", ""])(
      "names with other characters are not changed: %j",
      (name) => {
        expect(createMatcher(robots, name).trace("/").productTokens).toEqual([name]);
      },
    );
  });

  test("no group at all", () => {
    const decision = createMatcher(parseRobotsTxt("Sitemap: https://h/s.xml"), "bingbot").decide("/");
    expect(decision).toEqual({ allowed: true, because: "no-group" });
    expect(explain(decision)).toBe("Allowed: no group names this crawler or *.");
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

test.each([
  ["private/x", "/x"],
  ["example.com/private", "/private"],
  ["private", "/"],
  ["mailto:x@y.example", "/"],
])("the path of a text that is neither a URL nor a path begins at its first slash, or is /: %s", (text, path) => {
  const matcher = createMatcher(parseRobotsTxt("user-agent: *\ndisallow: /"), "x");
  expect(matcher.trace(text).path).toBe(path);
  expect(matcher.decide(text)).toBe(matcher.decide(path));
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
  ])("the name %s, a user-agent line with the value %s: named %s", (token, value, named) => {
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
