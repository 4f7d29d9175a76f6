// Files in: whether one table of rules may decide ordinary targets for both dialects.
import { expect, test } from "vitest";
import { decideAlike, isPlainTarget } from "./alike.ts";
import { createMatcher } from "./match.ts";
import { parseRobotsTxt } from "./parse.ts";

const files: readonly [rules: string, isAlike: boolean][] = [
  ["Disallow: /a\nDisallow: /b", true],
  ["Disallow: /a*\nDisallow: /bc", true],
  // Google's dialect counts the star, so that the second rule is the stronger one; no target matches both.
  ["Disallow: /blog/paris\nDisallow: /cgi/*?view=", true],
  ["Disallow: /blog/paris$\nDisallow: /cgi/*?view=$", true],
  ["Disallow: /blog/paris\nDisallow: /blog/*view=", false],
  ["Disallow: /blog/paris\nDisallow: /*blog/view=", false],
  ["Disallow: /ab\nAllow: /a*", false],
  ["Allow: /a/index.htm\nDisallow: /b*aaaaaaaaaa", false],
];

test.each(files)("%j: %s", (rules, isAlike) => {
  const [google, rfc9309] = (["google", "rfc9309"] as const).map((dialect) =>
    createMatcher(parseRobotsTxt(`User-agent: *\n${rules}\n`, { dialect }), ["examplebot"]),
  );
  expect(decideAlike(google!, rfc9309!)).toBe(isAlike);
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
