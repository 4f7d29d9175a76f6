// Tests that a table of rules finds the rule that a plain comparison with every rule finds, for few and many rules and for hostile ones.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type DialectName, parseRobotsTxt } from "../index.ts";
import { RulesMatcher, createMatcher } from "../matcher/match.ts";
import { longestIndexedPath } from "./path-index.ts";
import { Path } from "./path.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

interface PlainRule {
  readonly line: number;
  readonly allows: boolean;
  readonly pattern: string;
}

/** The line of the rule that wins, or 0: compares the target with every rule, and tries every way to match it. */
function winnerOf(rules: readonly PlainRule[], target: string): number {
  let best = { line: 0, octets: -1, allows: false };
  for (const { line, allows, pattern } of rules) {
    const folder = /^(.*\/)index\.htm[^/]*$/su.exec(pattern)?.[1];
    const octets = matches(pattern, target)
      ? pattern.length
      : allows && folder !== undefined && matches(`${folder}$`, target)
        ? folder.length + 1
        : -1;
    if (octets > best.octets || (octets >= 0 && octets === best.octets && allows && !best.allows)) {
      best = { line, octets, allows };
    }
  }
  return best.line;
}

/** Keeps the set of all positions of the target that the pattern read so far can reach. */
function matches(pattern: string, target: string): boolean {
  const isTied = pattern.endsWith("$");
  let reached = new Set([0]);
  for (const character of isTied ? pattern.slice(0, -1) : pattern) {
    const next = new Set<number>();
    if (character === "*") for (let at = Math.min(...reached); at <= target.length; at++) next.add(at);
    else for (const at of reached) if (target[at] === character) next.add(at + 1);
    if (next.size === 0) return false;
    reached = next;
  }
  return !isTied || reached.has(target.length);
}

const text = (units: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...units), maxLength });
const rule = fc.record({
  allows: fc.boolean(),
  // Few beginnings, so that many rules share their first four bytes.
  pattern: fc
    .tuple(
      fc.constantFrom(
        "/",
        "",
        "*",
        "/*",
        "/shop/",
        "/shop/*",
        "/ab",
        "/abcdef",
        "/a1",
        "/a/index.html",
        "/sh*/index.htm",
      ),
      text(["a", "b", "/", "*", "**", "$", "?", "ab", "1", "shop", "-"], 6),
    )
    .map((parts) => parts.join("")),
});
const target = fc
  .tuple(
    fc.constantFrom("/", "/shop/", "/shop/shop", "/ab", "/abcdef", "/a1", "/a/", "/s", ""),
    text(["a", "b", "/", "?", "ab", "1", "$", "*", "shop", "-", "\u00e9"], 8),
  )
  .map((parts) => parts.join(""));

function fileOf(rules: readonly Omit<PlainRule, "line">[]): string {
  return `user-agent: *\n${rules.map(({ allows, pattern }) => `${allows ? "allow" : "disallow"}: ${pattern}`).join("\n")}`;
}

function lineFor(matcher: ReturnType<typeof createMatcher>, path: string): number {
  const decision = matcher.decideTarget(path);
  return decision.because === "rule" ? decision.rule.line : 0;
}

test("property: the rule that wins is the one that a comparison with every rule finds, before and after rules are in buckets", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(rule, { maxLength: 30 }), fc.array(rule, { minLength: 20, maxLength: 160 })),
      fc.array(target, { minLength: 20, maxLength: 40 }),
      (rules, targets) => {
        const plain = rules.map((each, index) => ({ ...each, line: index + 2 }));
        const matcher = createMatcher(parseRobotsTxt(fileOf(rules)), "x");
        for (const each of targets) expect([each, lineFor(matcher, each)]).toEqual([each, winnerOf(plain, each)]);
      },
    ),
    { numRuns: isThorough ? 3_000 : 40 },
  );
});

test("property: a path as a range of bytes among others is decided as the same path alone, as a target and in a URL", () => {
  const path = target.map((each) => `/${each.slice(1)}`);
  const dialects = fc.constantFrom<DialectName>("google", "rfc9309");
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 60 }),
      fc.array(path, { minLength: 20 }),
      dialects,
      (rules, paths, dialect) => {
        const matcher = createMatcher(parseRobotsTxt(fileOf(rules), { dialect }), "x");
        if (!(matcher instanceof RulesMatcher)) throw new TypeError("no matcher of rules");
        for (const each of paths) {
          const decision = matcher.decideTarget(each);
          const bytes = Buffer.from(`*${each}*`);
          const around = new Path();
          around.readBytes(bytes, 1, bytes.length - 1);
          expect(matcher.decisionOf(matcher.find(around))).toBe(decision);
          if (!each.startsWith("//")) expect(matcher.decide(`https://a.example${each}#b`)).toBe(decision);
        }
      },
    ),
    { numRuns: isThorough ? 2_000 : 30 },
  );
});

describe("hostile rules take linear time", () => {
  const long = "/".padEnd(longestIndexedPath, "ab");
  const letters = (at: number): string =>
    String.fromCharCode(97 + (at % 26), 97 + ((at / 26) % 26), 97 + ((at / 676) % 26));
  test.each<[name: string, patterns: readonly string[], target: string]>([
    [
      "thousands of stars",
      Array.from({ length: 20 }, (_, at) => `/${"*a".repeat(7_000 + at)}c`),
      "/".padEnd(longestIndexedPath, "a"),
    ],
    ["three thousand wildcards that nearly match", Array.from({ length: 3_000 }, (_, at) => `/*ab*a*b${at}`), long],
    [
      "three thousand wildcards with digits alone",
      Array.from({ length: 3_000 }, (_, at) => `/*1*2*3*${at}x`),
      "/".padEnd(longestIndexedPath, "123"),
    ],
    [
      "long pieces that nearly match",
      [`/*${"ab".repeat(8_000)}c`, `/*${"a".repeat(8_000)}$`, `/*${"ba".repeat(8_000)}*c`],
      long,
    ],
    [
      "long pieces and a path without an index",
      [`/*${"ab".repeat(8_000)}c`, `/*${"ba".repeat(8_000)}*c`],
      `${long}${long}`,
    ],
    [
      "ten thousand rules with the same beginning",
      Array.from({ length: 10_000 }, (_, at) => `/abab${letters(at)}${at}`),
      long,
    ],
    ["stars at the end", Array.from({ length: 10_000 }, (_, at) => `/ab${letters(at)}*`), long],
  ])("%s", (_name, patterns, path) => {
    const matcher = createMatcher(parseRobotsTxt(fileOf(patterns.map((pattern) => ({ allows: false, pattern })))), "x");
    // Each of these decisions would take minutes in time proportional to the product of the lengths.
    for (let asked = 0; asked < 6; asked++) lineFor(matcher, path);
    expect(lineFor(matcher, path)).toBe(winnerOfLong(patterns, path));
  });

  /** The line of the longest pattern that a greedy search finds in the path. */
  function winnerOfLong(patterns: readonly string[], path: string): number {
    let best = { line: 0, octets: -1 };
    for (const [index, pattern] of patterns.entries()) {
      if (pattern.length > best.octets && holdsPieces(pattern, path))
        best = { line: index + 2, octets: pattern.length };
    }
    return best.line;
  }

  function holdsPieces(pattern: string, path: string): boolean {
    const isTied = pattern.endsWith("$");
    const [first = "", ...pieces] = (isTied ? pattern.slice(0, -1) : pattern).split("*");
    if (!path.startsWith(first)) return false;
    let at = first.length;
    for (const piece of isTied ? pieces.slice(0, -1) : pieces) {
      at = path.indexOf(piece, at);
      if (at < 0) return false;
      at += piece.length;
    }
    const last = pieces.at(-1) ?? "";
    return !isTied || (path.endsWith(last) && path.length - last.length >= at);
  }
});
