// Tests which group of a robots.txt binds each crawler, and that crawlers of one group share a matcher.
import { type RobotsTxt, createMatcher, parseRobotsTxt, unavailableMatcher } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import { questionsOf } from "../questions/questions.ts";
import { groupOf, matchersOf } from "./matchers.ts";

const everybody = "User-agent: *\nDisallow: /everybody\n";
const group = (name: string): string => `User-agent: ${name}\nDisallow: /${name}\n`;

const loaded = (text: string): Parameters<typeof matchersOf>[0] & { readonly made: string[] } => {
  const robots = (dialect: "google" | "rfc9309"): RobotsTxt => parseRobotsTxt(text, { dialect });
  const files = { google: robots("google"), rfc9309: robots("rfc9309") };
  const made: string[] = [];
  return {
    made,
    robotsIn: (dialect) => files[dialect],
    matcherOf(tokens, reading) {
      made.push([tokens].flat().join(" ") || "*");
      return createMatcher(files[reading?.dialect ?? "google"], tokens, { tokenMatch: reading?.tokenMatch });
    },
  };
};
const about = (...agents: readonly string[]): ReturnType<typeof questionsOf> =>
  questionsOf(agents, { dialects: ["google"], tokenMatch: undefined, hasFallback: true });

describe("the group that binds a crawler", () => {
  test.each<[what: string, agent: string, text: string, group: string | undefined]>([
    ["its own", "Googlebot-Image", group("Googlebot") + group("googlebot-image") + everybody, "Googlebot-Image"],
    ["the next of its names", "Googlebot-Image", group("Googlebot") + everybody, "Googlebot"],
    ["everybody's", "Googlebot-Image", group("bingbot") + everybody, "*"],
    ["none", "Googlebot-Image", group("bingbot"), undefined],
    ["not the group of another name", "Storebot-Google", group("Googlebot") + everybody, "*"],
    ["bingbot: msnbot's", "bingbot", group("msnbot") + everybody, "msnbot"],
    ["bingbot: its own before msnbot's", "bingbot", group("msnbot") + group("bingbot"), "bingbot"],
    ["Applebot: Googlebot's", "Applebot", group("Googlebot") + everybody, "Googlebot"],
    ["AdsBot-Google: not everybody's", "AdsBot-Google", everybody, undefined],
    ["AdsBot-Google: its own", "AdsBot-Google", everybody + group("AdsBot-Google"), "AdsBot-Google"],
    ["the name as the registry spells it", "applebot", group("GoogleBot"), "Googlebot"],
    ["an unknown crawler: only its own", "Googlebot-Unknown", group("Googlebot") + everybody, "*"],
    ["a name that is no product token", "MJ12bot", group("MJ12bot") + everybody, "MJ12bot"],
  ])("%s", (_what, agent, text, expected) => {
    expect(groupOf(loaded(text), about(agent)[0]!)).toBe(expected);
  });

  test("with --no-fallback, the group for `*` binds crawlers without a group of their own", () => {
    const [image, ads] = questionsOf(["Googlebot-Image", "AdsBot-Google"], {
      dialects: ["google"],
      tokenMatch: undefined,
      hasFallback: false,
    });
    const robots = loaded(group("Googlebot") + everybody);
    expect([groupOf(robots, image!), groupOf(robots, ads!)]).toEqual(["*", "*"]);
  });

  test("only the group of the first name, not the groups of all names together", () => {
    const [matcher] = matchersOf(
      loaded("User-agent: Googlebot-Image\nAllow: /a\n\nUser-agent: Googlebot\nDisallow: /"),
      about("Googlebot-Image"),
    );
    expect(matcher!.decideTarget("/b")).toMatchObject({ because: "no-rule", productToken: "Googlebot-Image" });
  });
});

describe("matchers", () => {
  test("one for each group, in the order of the questions", () => {
    const robots = loaded(group("Googlebot") + everybody);
    const matchers = matchersOf(
      robots,
      about("GPTBot", "Googlebot", "CCBot", "Googlebot-Image", "Applebot", "AdsBot-Google"),
    );
    expect(matchers.map((matcher) => matchers.indexOf(matcher))).toEqual([0, 1, 0, 1, 1, 5]);
    expect(robots.made).toEqual(["*", "Googlebot"]);
    expect(matchers[5]!.decideTarget("/everybody")).toEqual({ allowed: true, because: "no-group" });
  });

  test("one for each dialect and token match", () => {
    const options = { dialects: ["google", "rfc9309"], tokenMatch: undefined, hasFallback: true } as const;
    const matchers = matchersOf(loaded(everybody), questionsOf(["GPTBot", "MJ12bot", "CCBot"], options));
    expect(matchers.map((matcher) => matchers.indexOf(matcher))).toEqual([0, 1, 2, 3, 0, 1]);
  });

  test("for many crawlers: the file is read at most twice, and crawlers of one group share a matcher", () => {
    const letters = (number: number): string =>
      Array.from(String(number), (digit) => "abcdefghij".at(Number(digit))).join("");
    const names = Array.from({ length: 500 }, (_, index) => `bot-${letters(index)}`);
    const robots = loaded(names.map(group).join("") + everybody);
    const file = robots.robotsIn("google") as unknown as { readonly rows: unknown };
    const { rows } = file;
    let passes = 0;
    Object.defineProperty(file, "rows", {
      get() {
        passes++;
        return rows;
      },
    });
    const matchers = matchersOf(robots, about(...names, "CCBot", "GPTBot", "AdsBot-Google"));
    expect(passes).toBeLessThanOrEqual(2);
    expect(robots.made).toEqual([]);
    for (const [index, name] of names.entries()) {
      expect(matchers[index]!.decideTarget(`/${name}`)).toMatchObject({ allowed: false, productToken: name });
    }
    expect(matchers[500]).toBe(matchers[501]);
    expect(matchers[502]!.decideTarget("/everybody")).toEqual({ allowed: true, because: "no-group" });
  });

  test("without a file, every question has the matcher of the access result", () => {
    const robots = { robotsIn: () => undefined, matcherOf: () => unavailableMatcher };
    expect(matchersOf(robots, about("a", "AdsBot-Google"))).toEqual([unavailableMatcher, unavailableMatcher]);
  });
});
