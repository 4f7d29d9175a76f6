// Tests that CrawlerGroups, which reads a file once, gives each of many crawlers the group name and the matcher that a pass for that
// crawler alone gives.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CrawlerGroups } from "./crawler-groups.ts";
import { groupNameOf } from "./crawler-matcher.ts";
import { Arena, MatcherTable, chosenTokenOf, rulesIdentityOf } from "../internal.ts";
import { RulesMatcher, createMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";
import type { RuleTable } from "../match/rule-table.ts";
import type { Matcher, RobotsTxt } from "../read/types.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

const name = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "B-A",
    "MJ12bot",
    "a b",
    "a/1",
    "(x)",
    "*",
    "",
    "\u00e9t\u00e9",
    "\u212a",
    "k",
    "a\u00a0b",
    "a;",
  ),
  fc.string({ unit: fc.constantFrom("a", "B", "-", "1", " ", "/", "*", ";", "(", "\u00e9", "\u212a"), maxLength: 4 }),
);
const userAgent = fc
  .tuple(name, fc.constantFrom("", "", " ", "/2", " b", ";", "x"))
  .map(([value, end]) => `User-agent: ${value}${end}`);
const line = fc.oneof(
  { weight: 3, arbitrary: userAgent },
  fc.constantFrom("User-agent: *", "User-agent: a", "User-agent: b", ""),
  fc.constantFrom(
    "Disallow: /",
    "Disallow: /a",
    "Allow: /a/b",
    "Disallow: /*b$",
    "Allow: a",
    "Allow: /\u0001",
    "Allow: /a/index.html",
    "Disallow: /a/*",
    "Allow: /*b$",
    "Allow:",
  ),
  fc.constantFrom("Crawl-delay: 1", "Sitemap: https://a.example/s", "# comment", "nonsense"),
);
const reading = {
  dialect: fc.constantFrom("google", "rfc9309"),
  tokenMatch: fc.constantFrom("google", "whole"),
} as const;
const targets = ["/", "/a", "/a/", "/a/index.html", "/a/b", "/ab", "/c", "/robots.txt"];

test("property: the groups and the matcher of each crawler equal the result of a pass for that crawler alone", () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 16 }),
      fc.array(fc.array(name, { maxLength: 3 }), { maxLength: 6 }),
      fc.record(reading),
      // With a limit of -1, the rules of several groups are never copied into one buffer.
      fc.constantFrom(undefined, -1, 20),
      (lines, crawlers, { dialect, tokenMatch }, mostCopied) => {
        const robots = parseRobotsTxt(lines.join("\n"), { dialect });
        const groups = new CrawlerGroups(robots, { tokenMatch }, mostCopied);
        const table = new MatcherTable(new Arena());
        const blocks = new Map<object, number>();
        for (const names of crawlers)
          expect(groups.groupNameOf(names)).toBe(groupNameOf(robots, names, { tokenMatch }));
        for (const productToken of [undefined, ...crawlers.flat()]) {
          const matcher = groups.matcherOf(productToken);
          const alone = createMatcher(robots, productToken === undefined ? [] : [productToken], { tokenMatch });
          for (const target of targets) expect(matcher.trace(target)).toEqual(alone.trace(target));
          // Some of the matchers share a table.
          for (let round = 0; round < 4; round++) {
            for (const target of targets) expect(matcher.decideTarget(target)).toEqual(alone.decideTarget(target));
          }
          const identity = rulesIdentityOf(matcher);
          const block = blocks.get(identity) ?? table.add(matcher);
          blocks.set(identity, block);
          for (const target of targets) {
            const bytes = Buffer.from(target);
            const decision = table.decisionAt(block, table.find(block, bytes, 0, bytes.length), chosenTokenOf(matcher));
            expect(decision).toEqual(alone.decideTarget(target));
          }
        }
      },
    ),
    { numRuns: isThorough ? 5_000 : 120 },
  );
});

describe("the work for many crawlers of one file", () => {
  const count = 2_000;
  const names = Array.from({ length: count }, (_, index) => `bot-${"abcdefghij".at(index % 10)}${lettersOf(index)}`);
  const rules = Array.from({ length: count }, (_, index) => `disallow: /folder-${index}\n`);
  const joined = `${names.map((each) => `user-agent: ${each}\n`).join("")}${rules.join("")}`;
  const own = names.map((each, index) => `user-agent: ${each}\n${rules[index]!}`).join("\n");
  // Every name begins with the same word, so that each look-up has to search among all values.
  const spaced = names.map((each) => `user-agent: a ${each}/2\n`).join("") + rules.join("");

  test.each<[what: string, text: string, names: readonly string[], tokenMatch: "google" | "whole", ruleSets: number]>([
    ["one group names all", joined, names, "google", 1],
    ["each has a group", own, names, "google", count],
    ["each has a group, named twice", own + own, names, "google", count],
    ["no crawler is named", `user-agent: *\n${rules.join("")}`, names, "google", 1],
    ["whole names", joined, names, "whole", 1],
    ["whole names that hold white space", spaced, names.map((each) => `a ${each}`), "whole", 1],
  ])("%s: one pass over the file, rules made once for each set of groups", (_what, text, all, tokenMatch, ruleSets) => {
    const robots = parseRobotsTxt(text);
    const passes = countPasses(robots);
    const groups = new CrawlerGroups(robots, { tokenMatch });
    const matchers = all.map((each) => groups.matcherOf(each));
    expect(passes()).toBeLessThanOrEqual(2);
    expect(new Set(matchers.map(entriesOf)).size).toBe(ruleSets);
    // Together the entries take one copy of the file's rules: a head of 8 bytes and the pattern for each rule.
    const bytes = [...new Set(matchers.map(entriesOf))].reduce((sum, entries) => sum + entries.length, 0);
    expect(bytes).toBeLessThan(text.length * 2);
  });

  test("each crawler is in a long group and in its own group: after a few copies, the crawlers share the rules of each group", () => {
    const robots = parseRobotsTxt(joined + own);
    const passes = countPasses(robots);
    const groups = new CrawlerGroups(robots);
    const matchers = names.map((each) => groups.matcherOf(each));
    const table = new MatcherTable(new Arena());
    const bytes = matchers.reduce((sum, matcher) => sum + table.bytesOf(table.add(matcher)), 0);
    // Copied for each crawler, the rules would take 100 MB.
    expect(bytes).toBeLessThan(10_000_000);
    for (const index of [0, 1, count - 2, count - 1]) {
      expect(tablesOf(matchers[index]!)).toHaveLength(index < 2 ? 1 : 2);
      const alone = createMatcher(robots, names[index]!);
      for (const target of [`/folder-${index}/x`, `/folder-${count - 3}`, "/x"])
        expect(matchers[index]!.decideTarget(target)).toEqual(alone.decideTarget(target));
    }
    expect(passes()).toBeLessThan(10);
  });

  test("the crawlers of one group share a table", () => {
    const groups = new CrawlerGroups(parseRobotsTxt(joined));
    const [first, second] = names.slice(0, 2).map((each) => groups.matcherOf(each));
    for (let round = 0; round < 100; round++) first!.decideTarget("/folder-7");
    expect(second!.decideTarget("/folder-7")).toMatchObject({ allowed: false, productToken: names[1] });
    expect(rulesIdentityOf(second!)).toBe(rulesIdentityOf(first!));
  });
});

/** Counts how often the property `rows` of a file is read. One pass of `CrawlerGroups` reads the property twice. */
function countPasses(robots: RobotsTxt): () => number {
  const { rows } = robots as unknown as { readonly rows: unknown };
  let reads = 0;
  Object.defineProperty(robots, "rows", {
    get() {
      reads++;
      return rows;
    },
  });
  return () => reads;
}

function tablesOf(matcher: Matcher): readonly RuleTable[] {
  if (!(matcher instanceof RulesMatcher)) throw new Error("no matcher of rules");
  return matcher.rules.tables;
}

function entriesOf(matcher: Matcher): Uint8Array {
  return tablesOf(matcher)[0]!.entries;
}

function lettersOf(number: number): string {
  return Array.from(String(number), (digit) => "abcdefghij".at(Number(digit))).join("");
}
