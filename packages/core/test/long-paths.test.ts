// Tests decisions about paths of tens of thousands of characters with many wildcard rules against a simple greedy search.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type DialectName, createMatcher, parseRobotsTxt } from "../src/index.ts";
import { longestIndexedPath } from "../src/match/path-index.ts";
import { Path } from "../src/match/path.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

/** A unit that is repeated in a path: with few different characters, many rules nearly match. */
const unit = fc.oneof(
  fc.constantFrom("a", "ab", "aab", "abaab", "a/b?c", "%C3", "é"),
  fc.string({ unit: fc.constantFrom("a", "b", "c", "/", "-", "$"), minLength: 1, maxLength: 40 }),
);
const longPath = fc
  .tuple(
    fc.constantFrom(16_000, 16_384, 16_385, 20_000, longestIndexedPath - 1, longestIndexedPath, 70_000, 200_000),
    fc.array(fc.tuple(unit, fc.nat(400)), { minLength: 1, maxLength: 12 }),
  )
  .map(([size, runs]) => {
    const text = runs.map(([part, count]) => part.repeat(count + 1)).join("");
    return `/${text.repeat(Math.ceil(size / text.length))}`.slice(0, size);
  });
const piece = fc.string({ unit: fc.constantFrom("a", "b", "c", "/", "-", "~"), maxLength: 8 });
const pattern = fc
  .tuple(
    fc.array(piece, { minLength: 1, maxLength: 12 }),
    fc.constantFrom("", "$", "*", "aaaaaaaaaaaaaaaaaaaaab", "*a$"),
  )
  .map(([pieces, end]) => `/${pieces.join("*")}${end}`);

/** Matches greedily from left to right: each piece at its first occurrence. */
function matches(wanted: string, path: string): boolean {
  const isTied = wanted.endsWith("$");
  const [first = "", ...others] = (isTied ? wanted.slice(0, -1) : wanted).split("*");
  if (others.length === 0) return isTied ? path === first : path.startsWith(first);
  if (!path.startsWith(first)) return false;
  const last = isTied ? others.pop()! : "";
  let at = first.length;
  for (const other of others) {
    const found = path.indexOf(other, at);
    if (found < 0) return false;
    at = found + other.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

function octetsOf(wanted: string, dialect: DialectName): number {
  return dialect === "google" ? wanted.length : wanted.replaceAll("*", "").replace(/\$$/u, "").length;
}

test.each(["google", "rfc9309"] as const)("%s decides long paths as a greedy search does", (dialect) => {
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 20, maxLength: 60 }), longPath, (patterns, path) => {
      const robots = parseRobotsTxt(`user-agent: *\n${patterns.map((each) => `disallow: ${each}`).join("\n")}`, {
        dialect,
      });
      // In the rfc9309 dialect, a literal "$" and all characters beyond ASCII are compared encoded.
      const compared = dialect === "google" ? path : encodeURI(path).replaceAll("%25", "%").replaceAll("$", "%24");
      const lines = patterns.flatMap((each, at) => (matches(each, compared) ? [at + 2] : []));
      const octets = lines.map((line) => octetsOf(patterns[line - 2]!, dialect));
      const best = lines[octets.indexOf(Math.max(...octets))];
      const matcher = createMatcher(robots, "x");
      // A path alone that begins with two slashes would be taken for a URL without a scheme.
      expect(matcher.trace(`https://a.example${path}`).matches.map(({ rule }) => rule.line)).toEqual(lines);
      const lineNow = (): number | undefined => {
        const decision = matcher.decideTarget(path);
        return decision.because === "rule" ? decision.rule.line : undefined;
      };
      expect(lineNow()).toBe(best);
      for (let asked = 0; asked < 20; asked++) matcher.decideTarget("/x");
      expect(lineNow()).toBe(best);
    }),
    { numRuns: isThorough ? 300 : 25 },
  );
});

test("paths are indexed up to the longest that the app decides, and the index is released with the path", () => {
  const path = new Path();
  const isIndexed = (): boolean => path.indexFor(10) !== undefined;
  for (const size of [longestIndexedPath, longestIndexedPath + 1]) {
    path.readTarget("/".padEnd(size, "ab"));
    expect(isIndexed()).toBe(size === longestIndexedPath);
  }
  path.readTarget("/".padEnd(longestIndexedPath, "ab"));
  expect(isIndexed()).toBe(true);
  path.readTarget("/".padEnd(200, "ab"));
  expect(isIndexed()).toBe(false);
  expect(longestIndexedPath).toBe(65_536);
});
