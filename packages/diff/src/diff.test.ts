// Tests, for pairs of files, which rules change answers, and with which target.
import { parseRobotsTxt } from "@robots-stream/core";
import { describe, expect, test } from "vitest";
import { type DiffOptions, diffRobots } from "./index.ts";

const group = (...rules: readonly string[]): string => `User-agent: *\n${rules.join("\n")}\n`;

/** Each change as "file line effect target". */
function changesOf(old: string, next: string, options?: DiffOptions): readonly string[] {
  return diffRobots(old, next, options).answers.flatMap(({ changes }) =>
    changes.map(({ side, rule, effect, witness }) =>
      [side, rule.line, effect, ...(witness === undefined ? [] : [witness.target])].join(" "),
    ),
  );
}

test.each([
  ["an added rule", group("Disallow: /a"), group("Disallow: /a", "Disallow: /b"), ["new 3 newly-disallowed /b"]],
  ["a removed rule", group("Disallow: /a", "Disallow: /b"), group("Disallow: /a"), ["old 3 newly-allowed /b"]],
  ["a rule within another", group("Disallow: /a"), group("Disallow: /a", "Disallow: /a/b"), ["new 3 none"]],
  [
    "a rule within an exception",
    group("Disallow: /a", "Allow: /a/b"),
    group("Disallow: /a", "Allow: /a/b", "Disallow: /a/b/c"),
    ["new 4 newly-disallowed /a/b/c"],
  ],
  ["a star at the end of a pattern", group("Disallow: /a*"), group("Disallow: /a"), ["new 2 none", "old 2 none"]],
  ["one slash less", group("Disallow: /a/"), group("Disallow: /a"), ["new 2 newly-disallowed /a", "old 2 none"]],
  ["a final $", group("Disallow: /*.php"), group("Disallow: /*.php$"), ["old 2 newly-allowed /.phpx", "new 2 none"]],
  [
    "octets that tie: allow wins",
    group("Disallow: /ab"),
    group("Disallow: /ab", "Allow: /*b"),
    ["new 3 newly-allowed /ab"],
  ],
  [
    "octets that differ: the longer rule wins",
    group("Disallow: /ab"),
    group("Disallow: /ab", "Allow: /*"),
    ["new 3 none"],
  ],
  [
    "two rules that only together cover a third",
    group("Disallow: /*a", "Disallow: /x*b", "Disallow: /x*ab"),
    group("Disallow: /*a", "Disallow: /x*b"),
    ["old 4 none"],
  ],
  [
    "the folder of an index file (google)",
    group("Disallow: /"),
    group("Disallow: /", "Allow: /d/index.html"),
    ["new 3 newly-allowed /d/index.html"],
  ],
  ["rules in another order", group("Disallow: /a", "Allow: /b"), group("Allow: /b", "Disallow: /a"), []],
  ["a backslash is a slash before the query", group(""), group("Disallow: /\\"), ["new 2 none"]],
  ["a backslash stays a backslash in the query", group(""), group("Disallow: /*\\"), ["new 2 newly-disallowed /?\\"]],
  ["characters that a URL writes as escapes", group(""), group("Disallow: /a<b"), ["new 2 none"]],
])("google: %s", (_what, old, next, expected) => {
  expect(changesOf(old, next)).toEqual(expected);
});

test.each([
  ["an escape of an unreserved character", group("Disallow: /%7Ea"), group("Disallow: /~a"), []],
  ["/robots.txt itself", group(""), group("Disallow: /robots.txt$"), ["new 2 none"]],
  [
    "a path that begins with /robots.txt",
    group(""),
    group("Disallow: /robots.txt"),
    ["new 2 newly-disallowed /robots.txtz"],
  ],
  ["a character outside ASCII", group(""), group("Disallow: /ä"), ["new 2 newly-disallowed /%C3%A4"]],
  ["an incomplete escape", group(""), group("Disallow: /*%C"), ["new 2 newly-disallowed /%25C"]],
  [
    "the folder of an index file",
    group("Disallow: /"),
    group("Disallow: /", "Allow: /d/index.html"),
    ["new 3 newly-allowed /d/index.html"],
  ],
])("rfc9309: %s", (_what, old, next, expected) => {
  expect(changesOf(old, next, { dialect: "rfc9309" })).toEqual(expected);
});

test("crawlers that the same rules bind are one class; names are compared without regard to case", () => {
  const old = "User-agent: a\nUser-agent: MJ12bot\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n";
  const next = "User-agent: MJ12BOT\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n";
  const { answers, groups, compared, isProved } = diffRobots(old, next);
  expect(answers.map(({ crawlers }) => crawlers)).toEqual([["a"]]);
  expect(answers[0]!.changes.map(({ effect, witness }) => [effect, witness?.target])).toEqual([
    ["newly-disallowed", "/y"],
    ["newly-allowed", "/x"],
  ]);
  expect(groups).toEqual([{ side: "old", productToken: "a", line: 1 }]);
  expect([compared, isProved]).toEqual([3, true]);
});

test("names that Google's parser cuts to the same letters, or to nothing, are different names", () => {
  const file = (...names: readonly string[]): string =>
    names.map((name) => `User-agent: ${name}\nDisallow: /\n`).join("\n");
  const { groups } = diffRobots(file("MJ12bot", "80legs", "*"), file("MJ13bot/2.0", "360Spider", "*"));
  expect(groups.map(({ side, productToken }) => `${side} ${productToken}`)).toEqual([
    "new mj13bot",
    "new 360spider",
    "old mj12bot",
    "old 80legs",
  ]);
});

test.each([
  ["a parsed file", [parseRobotsTxt(""), ""], "ERR_INVALID_ARGUMENT"],
  ["no second file", ["User-agent: *"], "ERR_INVALID_ARGUMENT"],
  ["null", [null, ""], "ERR_INVALID_ARGUMENT"],
  ["an unknown option", ["", "", { agents: [] }], "ERR_INVALID_OPTION"],
  ["a number of steps that is none", ["", "", { mostSteps: "many" }], "ERR_INVALID_OPTION"],
  ["crawlers without names", ["", "", { crawlers: [{ name: "GPTBot" }] }], "ERR_NO_PRODUCT_TOKEN"],
  ["names of crawlers", ["", "", { crawlers: ["GPTBot"] }], "ERR_NO_PRODUCT_TOKEN"],
])("%s is refused with a code", (_what, given, code) => {
  expect(() => (diffRobots as (...each: readonly unknown[]) => unknown)(...given)).toThrow(
    expect.objectContaining({ code }),
  );
});

test("the caller defines a crawler's other names and whether groups for * bind it", () => {
  const [old, next] = ["User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /b\n"];
  const names = { name: "AdsBot-Google", names: ["AdsBot-Google"], boundByEverybody: false };
  expect(diffRobots(old, next, { crawlers: [names] }).answers).toEqual([]);
  const fallback = { name: "Googlebot-News", names: ["Googlebot-News", "Googlebot"] };
  const found = diffRobots(old, `${next}\nUser-agent: Googlebot\nAllow: /\n`, { crawlers: [fallback] });
  expect(found.answers[0]!.changes.map(({ effect }) => effect)).toContain("newly-allowed");
});

test("records that were added and removed, and rules that moved", () => {
  const old = "User-agent: *\nCrawl-delay: 5\nDisallow: /a\nDisallow: /b\nSitemap: https://a.example/1.xml\n";
  const next = "Sitemap: https://a.example/2.xml\nUser-agent: *\nDisallow: /b\nDisallow: /a\n";
  const { records, answers } = diffRobots(old, next);
  expect(records.map(({ side, name, value, line }) => [side, name, value, line])).toEqual([
    ["new", "sitemap", "https://a.example/2.xml", 1],
    ["old", "sitemap", "https://a.example/1.xml", 5],
    ["old", "crawl-delay", "5", 2],
  ]);
  expect(answers).toEqual([{ crawlers: ["*"], changes: [], moved: 1 }]);
});

test("thousands of rules without stars: each effect is proved", () => {
  const rules = (type: string, begin: string): string =>
    group(...Array.from({ length: 5000 }, (_, at) => `${type}: /${begin}${at}`));
  const { answers, isProved } = diffRobots(rules("Disallow", "a"), `${rules("Allow", "b")}Allow: /a4999\n`);
  const counts = new Map<string, number>();
  for (const { effect } of answers.flatMap(({ changes }) => changes)) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  expect([...counts]).toEqual([
    ["newly-allowed", 5001],
    ["none", 5000],
  ]);
  expect(isProved).toBe(true);
});

test("a group with many names and records lists 100 names for each record, and counts the others", () => {
  const file = (delay: number): string =>
    Array.from(
      { length: 3000 },
      (_, at) => `User-agent: ${at.toString(26).replaceAll(/\d/g, "q")}z\nCrawl-delay: ${delay + at}\n`,
    ).join("");
  const { records } = diffRobots(file(0), file(1));
  expect(records).toHaveLength(2);
  expect(records[0]!.productTokens).toHaveLength(100);
  expect(records[0]!.moreProductTokens).toBeGreaterThan(400);
});

describe("hostile files are compared in bounded time", () => {
  const lines = (count: number, lineOf: (at: number) => string): string =>
    group(...Array.from({ length: count }, (_, at) => lineOf(at)));
  const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
  const size = isThorough ? 512_000 : 64_000;
  const mostSteps = isThorough ? 3_000_000 : 300_000;

  test.each([
    [
      "wildcards against wildcards",
      lines(size / 64, (at) => `Disallow: /${"*a".repeat(25)}*${at}b`),
      lines(size / 64, (at) => `Allow: /${"*b".repeat(25)}*${at}a`),
    ],
    [
      "one pattern of repetitions",
      group(`Disallow: /*${"a".repeat(16_000)}b`),
      group(`Disallow: /*${"a".repeat(16_000)}c*a`),
    ],
    [
      "many patterns of repetitions",
      lines(size / 16_000, (at) => `Disallow: /*${"ab".repeat(8000)}${at}`),
      lines(size / 16_000, (at) => `Allow: /*${"ba".repeat(8000)}${at}*`),
    ],
    [
      "many groups",
      Array.from(
        { length: size / 34 },
        (_, at) => `User-agent: ${at.toString(26).replaceAll(/\d/g, "q")}z\nDisallow: /${at}\n`,
      ).join(""),
      group("Disallow: /"),
    ],
    [
      "long equal beginnings, allow and disallow in turn",
      lines(size / 1012, (at) => `${at % 2 ? "Dis" : ""}allow: /${"a".repeat(1000)}${at}`),
      lines(size / 1012, (at) => `${at % 2 ? "" : "Dis"}allow: /${"a".repeat(1000)}${at}x`),
    ],
    [
      "stars behind equal beginnings",
      lines(size / 118, (at) => `Disallow: /${"a".repeat(100)}*${at}`),
      lines(size / 118, (at) => `Allow: /${"a".repeat(100)}*${at}x`),
    ],
    [
      "each pattern begins the next",
      lines(Math.sqrt(size), (at) => `${at % 2 ? "Dis" : ""}allow: /${"a".repeat(at)}`),
      lines(Math.sqrt(size), (at) => `${at % 2 ? "" : "Dis"}allow: /${"a".repeat(at)}`),
    ],
    [
      "subsets of stars",
      lines(60, (at) => `Disallow: /*k${at}v*w${at}x`),
      lines(60, (at) => `Disallow: /*k${at}v*w${at}x$`),
    ],
  ])("%s", { timeout: 300_000 }, (_what, old, next) => {
    const { answers, isProved } = diffRobots(old, next, { mostSteps });
    expect(answers.length).toBeGreaterThan(0);
    const effects = answers.flatMap(({ changes }) => changes.map(({ effect }) => effect));
    expect(effects.length).toBeGreaterThan(0);
    expect(isProved).toBe(!effects.includes("unknown"));
  });
});
