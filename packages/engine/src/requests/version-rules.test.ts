// Tests that a version decides for every crawler as the matchers of both dialects do, whether the two dialects agree or not.
import { crawlers as knownCrawlers } from "@robots-stream/agents";
import { createMatcher, type DialectName, parseRobotsTxt, type RobotsTxt } from "@robots-stream/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { VersionRules } from "./version-rules.ts";

const pattern = fc.array(fc.constantFrom("/", "a", "b", "*", "$", "%61", "%C3%A4", "ä", "index.htm", "?", "~"), {
  maxLength: 5,
});
const rule = fc.record({
  key: fc.constantFrom("Allow", "Disallow", "disalow"),
  pattern: pattern.map((parts) => parts.join("")),
  isAbsolute: fc.boolean(),
});
const lineOf = ({ key, pattern: value, isAbsolute }: { key: string; pattern: string; isAbsolute: boolean }): string =>
  `${key}: ${isAbsolute ? "/" : ""}${value}\n`;
const file = fc
  .array(
    fc.tuple(
      fc.constantFrom("*", "otherbot", "googlebot", "*\nUser-agent: otherbot"),
      fc.array(rule, { maxLength: 5 }),
    ),
    {
      maxLength: 3,
    },
  )
  .map((groups) => groups.map(([name, rules]) => `User-agent: ${name}\n${rules.map(lineOf).join("")}`).join("\n"));
const target = fc.oneof(
  fc
    .array(fc.constantFrom("/", "a", "b", "?", "%61", "%41", "%C3%A4", "~", "$", "*", "index.htm"), { maxLength: 6 })
    .map((parts) => `/${parts.join("")}`),
  fc.constantFrom("/robots.txt", "/robots.txt?a", "/"),
);

const crawlers = [
  { productToken: "otherbot", dialect: "rfc9309" },
  { productToken: "googlebot", dialect: "google" },
  { productToken: "Googlebot-Image", dialect: "rfc9309" },
] as const;

/** The names by which a crawler's group is searched, from the registry; the third crawler has two. */
function namesOf(productToken: string): readonly string[] {
  return knownCrawlers.find((crawler) => crawler.productToken === productToken)?.names ?? [productToken];
}

/** So many rules that decisions are cached. None of these rules matches a target. */
const manyRules = Array.from({ length: 130 }, (_, number) => `Disallow: /zzz${number}\n`).join("");

function readingOf(text: string, dialect: DialectName): RobotsTxt {
  return parseRobotsTxt(text, { dialect });
}

test("a version decides as the matchers of both dialects do", () => {
  fc.assert(
    fc.property(file, fc.array(target, { minLength: 1, maxLength: 8 }), fc.nat(19), (found, targets, chance) => {
      const text = chance === 0 ? `${found}\n${manyRules}` : found;
      const rules = new VersionRules(crawlers, { tokenMatch: undefined, hasFallback: true });
      rules.add("v", {
        robotsIn: (dialect) => readingOf(text, dialect),
        matcherOf: (names, { dialect = "google", tokenMatch } = {}) =>
          createMatcher(readingOf(text, dialect), names, { tokenMatch }),
      });
      for (const [number, { productToken, dialect }] of crawlers.entries()) {
        const names = namesOf(productToken);
        const own = createMatcher(readingOf(text, dialect), names);
        const other = createMatcher(readingOf(text, dialect === "google" ? "rfc9309" : "google"), names);
        for (const each of targets) {
          const bytes = Buffer.from(`x${each}x`);
          const decision = own.decideTarget(each);
          const disputed = other.decideTarget(each).allowed !== decision.allowed;
          const decided = rules.decide("v", number, bytes, 1, bytes.length - 1);
          expect(decided).toMatchObject({ ...decision, disputed });
          expect(rules.decide("v", number, bytes, 1, bytes.length - 1)).toBe(decided);
        }
      }
    }),
    {
      // Dialects rank these rules differently, or read the target as different texts.
      examples: [
        ["User-agent: *\nDisallow: /ab\nAllow: /a*\n", ["/ab", "/a"], 1],
        ["User-agent: *\nAllow: /a*$\nDisallow: /ab\n", ["/ab"], 0],
        ["User-agent: *\nDisallow: /a/b\nAllow: /%61*b\n", ["/a/b", "/%61/b"], 1],
        ["User-agent: *\nDisallow: /\nAllow: /a/index.htm\n", ["/a/", "/a/index.htm"], 0],
        ["User-agent: *\nDisallow: /\n", ["/robots.txt", "/robots.txt?a"], 0],
        // Ranked differently, but no target matches both.
        ["User-agent: *\nDisallow: /ab\nAllow: /b*\n", ["/ab", "/b", "/bab", "/%C3%A4"], 1],
      ],
      numRuns: process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 20_000 : 500,
    },
  );
});
