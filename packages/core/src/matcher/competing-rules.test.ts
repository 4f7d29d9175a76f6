// Tests the decision without a rule, and which plain targets one table of rules may decide for both dialects.
import { expect, test } from "vitest";
import { type Alikeness, alikenessOf, decisionBy, isPlainTarget } from "./competing-rules.ts";
import { CrawlerGroups } from "./crawler-groups.ts";
import { createMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";

const files: readonly [rules: string, alikeness: Alikeness][] = [
  ["Disallow: /a\nDisallow: /b", "all"],
  ["Disallow: /a*\nDisallow: /bc", "all"],
  // Google's dialect counts the star, so that the second rule is the stronger one; no target matches both.
  ["Disallow: /blog/paris\nDisallow: /cgi/*?view=", "all"],
  ["Disallow: /blog/paris$\nDisallow: /cgi/*?view=$", "all"],
  ["Disallow: /blog/paris\nDisallow: /blog/*view=", "unmatched"],
  ["Disallow: /blog/paris\nDisallow: /*blog/view=", "unmatched"],
  ["Disallow: /ab\nAllow: /a*", "unmatched"],
  // In Google's dialect, the first rule matches the folder, too.
  ["Allow: /a/index.htm\nDisallow: /b", "none"],
  // Only one dialect reads the second rule.
  ["Disallow: /a\nDisalow: /b", "none"],
];

test.each(files)("%j: %s", (rules, alikeness) => {
  const [google, rfc9309] = (["google", "rfc9309"] as const).map((dialect) =>
    createMatcher(parseRobotsTxt(`User-agent: *\n${rules}\n`, { dialect }), ["examplebot"]),
  );
  expect(alikenessOf(google!, rfc9309!)).toBe(alikeness);
});

const targets: readonly [target: string, isPlain: boolean][] = [
  ["/a?b=c&d", true],
  ["/%C3%A4", true],
  ["/%C3%A", false],
  ["/%c3%a4", false],
  ["/%41", false],
  ["/%2F", false],
  ["/robots.txt", false],
  ["/robots.txt?a", true],
  ["/a*", false],
];

test.each(targets)("%s: %s", (target, isPlain) => {
  const bytes = Buffer.from(`x${target}4`);
  expect(isPlainTarget(bytes, 1, bytes.length - 1)).toBe(isPlain);
});

test("no rule matches: the strongest of several empty rules decides, for a comparison as for the matcher", () => {
  const robots = parseRobotsTxt("User-agent: a\nDisallow:\n\nUser-agent: *\nDisallow: /\n\nUser-agent: a\nAllow:\n");
  for (const mostCopied of [undefined, -1]) {
    const matcher = new CrawlerGroups(robots, undefined, mostCopied).matcherOf("a");
    expect(decisionBy(matcher, undefined)).toMatchObject({ because: "rule", rule: { line: 8 } });
    expect(decisionBy(matcher, undefined)).toBe(matcher.decideTarget("/x"));
  }
});
