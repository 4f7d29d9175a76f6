// Tests traces: the lines that chose the group, every rule that matches, and agreement with decide.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DialectName,
  type Trace,
  createMatcher,
  parseRobotsTxt,
  unavailableMatcher,
  unreachableMatcher,
} from "../index.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
/** The number of runs: all in the long form, a quarter otherwise. */
const runsOf = (all: number): number => (isThorough ? all : all / 4);

const traceIn = (
  lines: readonly string[],
  token: string | readonly string[],
  url: string,
  dialect?: DialectName,
): Trace => createMatcher(parseRobotsTxt(lines.join("\n"), dialect === undefined ? {} : { dialect }), token).trace(url);

/** The binding as short text: "1-3 [1 bingbot/2.0 = bingbot] 1|2 crawl-delay|3". */
const bindingOf = ({ groups }: Trace): string[] =>
  groups.map(({ fromLine, toLine, userAgents, joins }) =>
    [
      `${fromLine}-${toLine}`,
      `[${userAgents.map(({ line, value, productToken }) => `${line} ${value} = ${productToken}`).join(", ")}]`,
      ...joins.map(
        ({ afterLine, beforeLine, records }) =>
          `${afterLine}|${records.map(({ name, line }) => `${line} ${name}`).join(", ")}|${beforeLine}`,
      ),
    ].join(" "),
  );

describe("the user-agent lines that chose the group", () => {
  test.each<[string, string[], string | string[], string[]]>([
    ["named", ["User-agent: bingbot/2.0", "Disallow: /"], "BingBot", ["1-1 [1 bingbot/2.0 = BingBot]"]],
    ["everybody", ["", "User-agent: *", "Disallow: /"], "bingbot", ["2-2 [2 * = *]"]],
    ["nobody", ["User-agent: x", "Disallow: /"], "bingbot", []],
    ["an empty file", [], "bingbot", []],
    [
      "the second of three names",
      ["User-agent: a", "User-agent: b", "User-agent: c", "Disallow: /"],
      "b",
      ["1-3 [2 b = b]"],
    ],
    [
      "the first of three names",
      ["User-agent: a", "User-agent: b", "User-agent: c", "Disallow: /"],
      "a",
      ["1-3 [1 a = a]"],
    ],
    [
      "the last of three names",
      ["User-agent: a", "User-agent: b", "User-agent: c", "Disallow: /"],
      "c",
      ["1-3 [3 c = c]"],
    ],
    [
      "no rules after the user-agent lines",
      ["User-agent: a", "User-agent: b", "User-agent: c"],
      "a",
      ["1-3 [1 a = a]"],
    ],
    [
      "joined over a crawl-delay",
      ["User-agent: bingbot", "Crawl-delay: 10", "User-agent: GPTBot", "Disallow: /"],
      "bingbot",
      ["1-3 [1 bingbot = bingbot] 1|2 crawl-delay|3"],
    ],
    [
      "joined over blank lines, comments and unknown keys",
      ["User-agent: a", "User-agent: b", "", "# c", "unknown: 1", "User-agent: c", "User-agent: d", "Disallow: /"],
      "a",
      ["1-7 [1 a = a] 2||6"],
    ],
    [
      "joined twice",
      ["User-agent: a", "Sitemap: /s", "Host: h", "User-agent: b", "", "User-agent: c", "Disallow: /"],
      "b",
      ["1-6 [4 b = b] 1|2 sitemap, 3 host|4 4||6"],
    ],
    [
      "records after the last user-agent line are not part of a join",
      ["Host: h", "User-agent: a", "User-agent: b", "Crawl-delay: 1", "Sitemap: /s", "Disallow: /"],
      "a",
      ["2-3 [2 a = a]"],
    ],
    [
      "two groups",
      ["User-agent: a", "Disallow: /1", "User-agent: *", "Disallow: /2", "User-agent: x", "User-agent: A", "Allow: /3"],
      "a",
      ["1-1 [1 a = a]", "5-6 [6 A = a]"],
    ],
    [
      "several product tokens",
      ["User-agent: a", "User-agent: *", "User-agent: b", "Allow: /", "User-agent: b", "Allow: /"],
      ["b", "a"],
      ["1-3 [1 a = a, 3 b = b]", "5-5 [5 b = b]"],
    ],
    [
      "* in two groups, one of which also has other names",
      ["User-agent: x", "User-agent: *", "", "User-agent: * y", "Allow: /", "User-agent: *", "Allow: /"],
      "a",
      ["1-4 [2 * = *, 4 * y = *] 2||4", "6-6 [6 * = *]"],
    ],
    ["letters that are not ASCII", ["User-agent: bot é", "Disallow: /"], "bot", ["1-1 [1 bot é = bot]"]],
  ])("%s", (_what, lines, token, expected) => {
    expect(bindingOf(traceIn(lines, token, "/"))).toEqual(expected);
  });

  test("a product token found with token match whole", () => {
    const matcher = createMatcher(parseRobotsTxt("User-agent: MJ12bot/1\nDisallow: /\n"), "mj12bot", {
      tokenMatch: "whole",
    });
    expect(matcher.trace("/")).toMatchObject({
      ground: "named",
      tokenMatch: "whole",
      productTokens: ["mj12bot"],
      groups: [{ userAgents: [{ line: 1, value: "MJ12bot/1", productToken: "mj12bot" }] }],
    });
  });

  test("of a hundred and one user-agent lines, a trace has only the one that names the crawler", () => {
    const names = Array.from({ length: 100 }, (_, index) => `User-agent: other${"x".repeat(index)}`);
    expect(bindingOf(traceIn([...names, "User-agent: a", "Disallow: /"], "a", "/"))).toEqual(["1-101 [101 a = a]"]);
  });
});

describe("the rules that matched", () => {
  const lines = ["User-agent: *", "Disallow: /a", "Allow: /a/b", "Allow: /c", "Disallow: /*b", "Disallow:", "Allow: /"];

  test("all of them, with octets, winner and runner-up", () => {
    const trace = traceIn(lines, "bingbot", "https://example.com/a/b?c#d");
    expect(trace).toMatchObject({
      path: "/a/b?c",
      dialect: "google",
      ground: "everybody",
      winner: { rule: { type: "allow", pattern: "/a/b", line: 3 }, octets: 4, productToken: "*" },
      runnerUp: { rule: { type: "disallow", pattern: "/*b", line: 5 }, octets: 3 },
    });
    expect(trace.matches.map(({ rule, octets }) => [rule.line, octets])).toEqual([
      [2, 2],
      [3, 4],
      [5, 3],
      [6, 0],
      [7, 1],
    ]);
    expect(trace.matches).toContain(trace.winner);
    expect(trace.matches).toContain(trace.runnerUp);
    expect(trace.decision.because === "rule" && trace.decision.rule).toBe(trace.winner!.rule);
  });

  test("octets of the dialect", () => {
    const trace = traceIn(lines, "bingbot", "/a/%62", "rfc9309");
    expect(trace.path).toBe("/a/b");
    expect(trace.dialect).toBe("rfc9309");
    expect(trace.matches.map(({ rule, octets }) => [rule.line, octets])).toEqual([
      [2, 2],
      [3, 4],
      [5, 2],
      [6, 0],
      [7, 1],
    ]);
    expect(trace.runnerUp!.rule.line).toBe(2);
  });

  test("with equal octets allow wins, then the first line", () => {
    const trace = traceIn(["User-agent: *", "Disallow: /a", "Allow: /a", "Allow: /*"], "x", "/a");
    expect([trace.winner!.rule.line, trace.runnerUp!.rule.line]).toEqual([3, 4]);
  });

  test("the folder of an index file", () => {
    const trace = traceIn(["User-agent: *", "Disallow: /a/", "Allow: /a/index.html"], "x", "/a/");
    expect(trace.matches).toMatchObject([
      { pattern: "/a/", octets: 3 },
      { rule: { pattern: "/a/index.html" }, pattern: "/a/$", octets: 4 },
    ]);
    expect(trace.winner).toBe(trace.matches[1]);
  });

  test("no rule decides about /robots.txt in a dialect that always allows it", () => {
    const trace = traceIn(["User-agent: *", "Disallow: /"], "x", "/robots.txt", "rfc9309");
    expect(trace).toMatchObject({ decision: { because: "robots-txt" }, matches: [{ rule: { line: 2 } }] });
    expect(trace.winner).toBeUndefined();
    expect(trace.runnerUp).toBeUndefined();
  });

  test("each matching rule has the product token that chose its group", () => {
    const two = ["User-agent: a", "Disallow: /", "User-agent: b", "Allow: /x"];
    const trace = traceIn(two, ["a", "b"], "/x");
    expect(trace.matches.map(({ productToken }) => productToken)).toEqual(["a", "b"]);
  });
});

test.each([
  ["unavailable", unavailableMatcher],
  ["unreachable", unreachableMatcher],
])("%s has a trace too", (because, matcher) => {
  const trace = matcher.trace("https://example.com/a#b");
  expect(trace.decision).toBe(matcher.decide("/"));
  expect(trace).toMatchObject({ decision: { because }, path: "/a", ground: "none", groups: [], matches: [] });
  expect(trace.dialect).toBeUndefined();
});

test("a trace is deeply frozen", () => {
  const frozen = (value: unknown): boolean =>
    typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(frozen));
  expect(frozen(traceIn(["User-agent: a", "Host: h", "User-agent: b", "Disallow: /", "Allow: /*"], "a", "/"))).toBe(
    true,
  );
  expect(frozen(traceIn(["User-agent: a", "", "User-agent: b"], "a", "/"))).toBe(true);
  expect(frozen(unavailableMatcher.trace("/"))).toBe(true);
});

// Small alphabets, so that rules often match paths.
const line = fc.oneof(
  fc.constantFrom(
    "User-agent: a",
    "User-agent: A/1",
    "User-agent: b",
    "User-agent: *",
    "User-agent: c",
    "User-agent: é",
  ),
  fc.constantFrom("", "# x", "Crawl-delay: 1", "Sitemap: /s", "unknown: x"),
  fc
    .tuple(
      fc.constantFrom("Allow:", "Disallow:"),
      fc.string({ unit: fc.constantFrom("/", "a", "*", "$", "%61", "é", "/index.html"), maxLength: 6 }),
    )
    .map((parts) => parts.join(" ")),
);
const path = fc
  .string({ unit: fc.constantFrom("/", "a", "b", "$", "*", "%61", "é", "?", "index.html"), maxLength: 8 })
  .map((text) => `/${text}`);
const dialect = fc.constantFrom<DialectName>("google", "rfc9309");
const tokens = fc.subarray(["a", "b", ""]);

describe("a trace", () => {
  test("agrees with decide, before and after the index is built", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), tokens, dialect, path, (lines, names, name, target) => {
        const matcher = createMatcher(parseRobotsTxt(lines.join("\n"), { dialect: name }), names);
        for (const asked of [0, 40]) {
          for (let count = 0; count < asked; count++) matcher.decide(target);
          const { decision, winner, runnerUp, matches } = matcher.trace(target);
          expect(decision).toBe(matcher.decide(target));
          expect(winner?.rule).toBe(decision.because === "rule" ? decision.rule : undefined);
          expect(winner?.productToken).toBe(decision.because === "rule" ? decision.productToken : undefined);
          if (decision.because === "no-rule" || decision.because === "no-group") expect(matches).toEqual([]);
          expect(runnerUp === undefined).toBe(winner === undefined || matches.length < 2);
        }
      }),
      { numRuns: runsOf(1_500) },
    );
  });

  test("the runner-up is the rule that decides after the winner is removed", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), tokens, dialect, path, (lines, names, name, target) => {
        const all = ["User-agent: *", "User-agent: a", "Allow: /never-asked-for", ...lines];
        const trace = traceIn(all, names, target, name);
        // Removing a rule could join its group with the next group, so the rule is replaced by a rule that never matches.
        const without = all.with((trace.winner?.rule.line ?? 1) - 1, "Allow: /never-asked-for");
        if (trace.winner === undefined) return;
        expect(traceIn(without, names, target, name).winner?.rule.line).toBe(trace.runnerUp?.rule.line);
      }),
      { numRuns: runsOf(1_000) },
    );
  });

  test("the lines in a trace are the lines of the parsed file", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), tokens, dialect, (lines, names, name) => {
        const robots = parseRobotsTxt(lines.join("\n"), { dialect: name });
        const { groups, ground } = createMatcher(robots, names).trace("/");
        const binds = (productToken: string): boolean =>
          ground === "named" ? names.includes(productToken.toLowerCase()) : productToken === "*";
        const expected = robots.groups.flatMap(({ userAgents, records }) => {
          const naming = userAgents.filter(
            (each) => binds(each.productToken) && !(name === "rfc9309" && each.productToken === ""),
          );
          if (ground === "none" || naming.length === 0) return [];
          const numbers = userAgents.map((each) => each.line);
          return [
            {
              fromLine: numbers[0],
              toLine: numbers.at(-1),
              userAgents: naming.map((each) => ({ line: each.line, value: each.value })),
              gaps: numbers.flatMap((before, at) => {
                const after = numbers[at + 1];
                return after === undefined || after === before + 1 ? [] : [[before, after]];
              }),
              delays: records
                .filter((each) => each.name === "crawl-delay" && each.line < numbers.at(-1)!)
                .map((each) => each.line),
            },
          ];
        });
        expect(
          groups.map(({ fromLine, toLine, userAgents, joins }) => ({
            fromLine,
            toLine,
            userAgents: userAgents.map((each) => ({ line: each.line, value: each.value })),
            gaps: joins.map(({ afterLine, beforeLine }) => [afterLine, beforeLine]),
            delays: joins.flatMap((join) =>
              join.records.filter((each) => each.name === "crawl-delay").map((each) => each.line),
            ),
          })),
        ).toEqual(expected);
      }),
      { numRuns: runsOf(1_500) },
    );
  });

  test("trace accepts any text", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: "binary" }), dialect, (bytes, url, name) => {
        const matcher = createMatcher(parseRobotsTxt(bytes, { dialect: name }), [url]);
        expect(matcher.trace(url).decision).toBe(matcher.decide(url));
      }),
    );
  });
});
