// Tests that a version decides for every crawler as the matchers of both dialects do, whether the two dialects agree or not.
import { crawlers as knownCrawlers } from "@robots-stream/agents";
import { MatcherTable } from "@robots-stream/core/internal";
import { createMatcher, type DialectName, parseRobotsTxt, type RobotsTxt } from "@robots-stream/core";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
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
      fc.constantFrom(
        "*",
        "otherbot",
        "googlebot",
        "*\nUser-agent: otherbot",
        "otherbot\nUser-agent: thirdbot\nUser-agent: googlebot",
        // Only the google dialect reads this spelling of the key.
        "otherbot\nUseragent: thirdbot",
      ),
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
  { productToken: "thirdbot", dialect: "google" },
  { productToken: "thirdbot", dialect: "rfc9309" },
] as const;

/** A name for each number. Digits do not belong to product tokens. */
function nameOf(number: number): string {
  return `bot-${Array.from(String(number), (digit) => "abcdefghij".at(Number(digit))).join("")}`;
}

/** Crawlers that no file names. After so many crawlers, a version has an index of its groups. */
const others = Array.from(
  { length: 64 },
  (_, number) => ({ productToken: nameOf(number), dialect: "google" }) as const,
);

/** A version as `VersionRules.add` takes it. */
function versionOf(text: string): Parameters<VersionRules["add"]>[1] {
  const files = { google: readingOf(text, "google"), rfc9309: readingOf(text, "rfc9309") };
  return {
    robotsIn: (dialect) => files[dialect],
    matcherOf: (names, { dialect = "google", tokenMatch } = {}) => createMatcher(files[dialect], names, { tokenMatch }),
  };
}

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
      const rules = new VersionRules([...crawlers, ...others], { tokenMatch: undefined, hasFallback: true });
      rules.add("v", versionOf(text));
      for (let number = 0; chance % 2 === 1 && number < others.length; number++) {
        rules.decide("v", crawlers.length + number, Buffer.from("/"), 0, 1);
      }
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
      numRuns: process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 20_000 : 150,
    },
  );
});

test("the file is read as often for 1,000 crawlers as for 500", () => {
  const passesFor = (count: number): number => {
    const names = Array.from({ length: count }, (_, number) => nameOf(number));
    const shared = `${names.map((name) => `User-agent: ${name}\n`).join("")}Disallow: /shared\n`;
    const version = versionOf(names.map((name) => `User-agent: ${name}\nDisallow: /${name}\n`).join("") + shared);
    let passes = 0;
    for (const dialect of ["google", "rfc9309"] as const) {
      const robots = version.robotsIn(dialect) as unknown as { readonly rows: unknown };
      const { rows } = robots;
      Object.defineProperty(robots, "rows", { get: () => (passes++, rows) });
    }
    const asked = names.map((productToken) => ({ productToken, dialect: "google" }) as const);
    const rules = new VersionRules(asked, { tokenMatch: undefined, hasFallback: true });
    rules.add("v", version);
    for (const [number, name] of names.entries()) {
      const decide = (path: string): unknown => rules.decide("v", number, Buffer.from(path), 0, path.length);
      expect(decide(`/${name}`)).toMatchObject({ allowed: false, productToken: name });
      expect(decide("/shared")).toMatchObject({ allowed: false, productToken: name });
      expect(decide("/")).toMatchObject({ allowed: true, productToken: name });
    }
    return passes;
  };
  expect(passesFor(1_000)).toBe(passesFor(500));
});

test("crawlers that one long group binds share its rules", () => {
  const asked = Array.from(
    { length: 200 },
    (_, number) => ({ productToken: nameOf(number), dialect: "google" }) as const,
  );
  const list = Array.from({ length: 300 }, (_, number) => `Disallow: /${number}\n`).join("");
  const version = versionOf(asked.map(({ productToken }) => `User-agent: ${productToken}\n`).join("") + list);
  const rules = new VersionRules(asked, { tokenMatch: undefined, hasFallback: true });
  rules.add("v", version);
  const add = vi.spyOn(MatcherTable.prototype, "add");
  for (const [number, { productToken }] of asked.entries()) {
    expect(rules.decide("v", number, Buffer.from("/7"), 0, 2)).toMatchObject({ allowed: false, productToken });
  }
  // Each of the first five crawlers has two blocks, one for each dialect, and all others together have two.
  expect(add).toHaveBeenCalledTimes((5 + 1) * 2);
  add.mockRestore();
});
