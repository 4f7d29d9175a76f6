// Properties for any input: nothing throws, the compiled matcher equals a slow one, and irrelevant changes change no decision.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Decision, createMatcher, explain, parseRobotsTxt, pathOf } from "../src/index.ts";
import { parseDirectives } from "../src/lint.ts";
import { Arena, MatcherTable } from "../src/internal.ts";
import { knownRecords } from "../src/read/keys.ts";
import { decideSlowly } from "./slow-matcher.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
/** The number of runs: all in the long form, a quarter otherwise. */
const runsOf = (all: number): number => (isThorough ? all : all / 4);

// Small alphabets, so that rules often match paths.
const path = fc
  .string({ unit: fc.constantFrom("a", "b", "/", ".", "?", "$", "*", "%", "C", "3", "é", "index.htm"), maxLength: 24 })
  .map((text) => `/${text}`);
const pattern = fc.string({
  unit: fc.constantFrom("a", "b", "/", "*", "$", ".", "?", "%c3", "é", "/index.html", "/index.htm"),
  maxLength: 14,
});
const token = fc.constantFrom("Googlebot", "bingbot", "FooBot", "a_b-c", "", "__proto__", "constructor", "*");
const agentLine = fc
  .tuple(
    fc.constantFrom("User-agent: ", "user-agent:", "USERAGENT: "),
    fc.oneof(token, fc.constantFrom("*", "* x", "Googlebot/2.1", "foobot")),
  )
  .map((parts) => parts.join(""));
const ruleLine = fc
  .tuple(fc.constantFrom("Allow: ", "Disallow: ", "disallow:", "Allow "), pattern)
  .map((parts) => parts.join(""));
const otherLine = fc.oneof(
  fc
    .constantFrom(...knownRecords.flatMap(({ name, aliases }) => [name, ...(aliases ?? [])]))
    .map((name) => `${name}: 1`),
  fc.constantFrom("", "# comment", "junk", "unknown: /a", "Sitemap: https://example.com/s.xml", "__proto__: 1"),
);
const fileLines = fc.array(
  fc.oneof({ weight: 2, arbitrary: agentLine }, { weight: 5, arbitrary: ruleLine }, otherLine),
  { maxLength: 40 },
);
const tokens = fc.array(token, { maxLength: 3 });

const lineOf = (decision: Decision): number => (decision.because === "rule" ? decision.rule.line : 0);

describe("any input", () => {
  test("any bytes are parsed, any path is decided, any decision is explained", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), fc.string({ unit: "binary" }), (bytes, url, name) => {
        const robots = parseRobotsTxt(bytes);
        expect(robots.groups.length).toBeLessThanOrEqual(bytes.length);
        const matcher = createMatcher(robots, [name]);
        expect(explain(matcher.decide(url))).toMatch(/^(Allowed|Disallowed)/);
        expect(parseDirectives(bytes).at(-1)!.line).toBe(parseDirectives(bytes).length);
        expect(pathOf(url)[0]).toBe("/");
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  test("the caller may change the bytes after parsing", () => {
    for (const text of ["user-agent: *\ndisallow: /a", `user-agent: *\ndisallow: /a\n#${"x".repeat(20_000)}`]) {
      const bytes = new TextEncoder().encode(text);
      const robots = parseRobotsTxt(bytes);
      bytes.fill(0);
      expect(createMatcher(robots, "x").decide("/a").allowed).toBe(false);
      expect(robots.groups[0]!.rules[0]!.pattern).toBe("/a");
    }
  });
});

describe("the compiled matcher", () => {
  test("equals the slow matcher, on the first decision and after many", () => {
    fc.assert(
      fc.property(fileLines, tokens, fc.array(path, { minLength: 1, maxLength: 5 }), (lines, names, paths) => {
        const text = lines.join("\n");
        const directives = parseDirectives(text);
        const matcher = createMatcher(parseRobotsTxt(text), names);
        const table = new MatcherTable(new Arena());
        const block = table.add(matcher);
        const expected = paths.map((target) => decideSlowly(directives, names, target));
        for (let asked = 0; asked < 20; asked++) {
          for (const [at, target] of paths.entries()) {
            const decision = matcher.decideTarget(target);
            const bytes = Buffer.from(target);
            const place = table.find(block, bytes, 0, bytes.length);
            // The index is built between the first decisions and the last; the decisions in between are not checked.
            if (!isThorough && asked > 1 && asked < 19) continue;
            expect([table.decisionAt(block, place), table.isAllowed(place)]).toEqual([decision, decision.allowed]);
            expect({ allowed: decision.allowed, line: lineOf(decision) }).toEqual(expected[at]);
          }
        }
      }),
      { numRuns: runsOf(1_500) },
    );
  });

  test("a line that is neither a rule nor a user-agent line, inserted anywhere, changes no decision", () => {
    fc.assert(
      fc.property(fileLines, fc.nat(), otherLine, tokens, path, (lines, place, other, names, target) => {
        const at = place % (lines.length + 1);
        const before = createMatcher(parseRobotsTxt(lines.join("\n")), names).decideTarget(target);
        const after = createMatcher(parseRobotsTxt(lines.toSpliced(at, 0, other).join("\n")), names).decideTarget(
          target,
        );
        expect(after.allowed).toBe(before.allowed);
        expect(lineOf(after)).toBe(lineOf(before) > at ? lineOf(before) + 1 : lineOf(before));
      }),
      { numRuns: runsOf(1_000) },
    );
  });

  test("neither the order of groups nor a group for another crawler changes a decision", () => {
    const group = fc
      .tuple(
        agentLine,
        fc.array(
          pattern.map((text) => `Disallow: ${text}`),
          { minLength: 1, maxLength: 6 },
        ),
      )
      .map(([agent, rules]) => [agent, ...rules].join("\n"));
    fc.assert(
      fc.property(fc.array(group, { minLength: 1, maxLength: 5 }), tokens, path, (groups, names, target) => {
        const decide = (parts: readonly string[]): boolean =>
          createMatcher(parseRobotsTxt(parts.join("\n")), names).decideTarget(target).allowed;
        const allowed = decide(groups);
        expect(decide(groups.toReversed())).toBe(allowed);
        expect(decide([...groups, "User-agent: nobody-asked\nDisallow: /"])).toBe(allowed);
      }),
      { numRuns: runsOf(1_000) },
    );
  });
});

describe("names", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])("%s is just a name", (name) => {
    const robots = parseRobotsTxt(`User-agent: ${name}\nDisallow: /a\n${name}: 1\nUser-agent: *\nDisallow: /b`);
    expect(createMatcher(robots, name).decide("/a").allowed).toBe(false);
    expect(createMatcher(robots, "other").decide("/a").allowed).toBe(true);
    expect(createMatcher(robots, "other").decide("/b").allowed).toBe(false);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(robots.records).toEqual([]);
  });
});
