// Tests which patterns match with the most octets, and that the first of them agrees with the decisions of a matcher.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LongestPatterns } from "./longest-patterns.ts";
import { createMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const winners = (
  patterns: readonly string[],
  target: string,
  dialect: "google" | "rfc9309" = "google",
): readonly string[] => {
  const longest = new LongestPatterns(parseRobotsTxt("", { dialect }), patterns.map(bytesOf));
  return longest.winnersOf(target).map((index) => longest.texts()[index]!);
};

describe("winners", () => {
  test.each<[string, string[], string, string[]]>([
    ["the longest", ["", "/", "/a", "/ab"], "/ac", ["/a"]],
    [
      "all patterns of the greatest length, in the caller's order",
      ["/a*c", "/a", "/abc", "/abc"],
      "/abc",
      ["/a*c", "/abc", "/abc"],
    ],
    ["an empty pattern", ["", "/x"], "/a", [""]],
    ["no pattern matches", ["/x"], "/a", []],
    ["an empty list of patterns", [], "/a", []],
    ["a pattern with $ does not match a longer target", ["/a$", "/a"], "/ab", ["/a"]],
    ["$ counts as an octet", ["/a$", "/a"], "/a", ["/a$"]],
    ["bytes outside ASCII", ["/é"], "/%C3%A9", ["/%C3%A9"]],
    ["a pattern for an index file does not match the folder", ["/a/index.html"], "/a/", []],
  ])("%s", (_, patterns, target, expected) => {
    expect(winners(patterns, target)).toEqual(expected);
  });

  test("the rfc9309 dialect compares normalized octets", () => {
    expect(winners(["/%7Ea", "/~*"], "/~a", "rfc9309")).toEqual(["/~a"]);
    expect(winners(["/%7Ea", "/~*"], "/~a")).toEqual(["/~*"]);
  });
});

test("the first winner is the rule that a matcher finds among disallow rules", () => {
  const pattern = fc
    .array(fc.constantFrom("a", "b", "/", "*", "$", "%C3%A9"), { maxLength: 5 })
    .map((parts) => `/${parts.join("")}`);
  const target = fc.array(fc.constantFrom("a", "b", "/", "é"), { maxLength: 6 }).map((parts) => `/${parts.join("")}`);
  fc.assert(
    fc.property(
      fc.array(pattern, { maxLength: 6 }),
      target,
      fc.constantFrom("google", "rfc9309"),
      (patterns, asked, dialect) => {
        const text = ["User-agent: *", ...patterns.map((each) => `Disallow: ${each}`)].join("\n");
        const robots = parseRobotsTxt(text, { dialect });
        const decision = createMatcher(robots, []).decideTarget(asked);
        const [first] = new LongestPatterns(robots, patterns.map(bytesOf)).winnersOf(asked);
        expect(first === undefined ? undefined : first + 2).toBe(
          decision.because === "rule" ? decision.rule.line : undefined,
        );
      },
    ),
    { numRuns: process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 50_000 : 1500 },
  );
});
