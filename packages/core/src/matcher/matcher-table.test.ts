// Tests that a matcher table decides by few and many rules as a matcher does.
import fc from "fast-check";
import { expect, test } from "vitest";
import { Arena, MatcherTable } from "../internal.ts";
import { createMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

/** The decisions of a matcher, and of a table before and after its block was moved. */
function decisionsOf(lines: readonly string[], targets: readonly string[]): { matcher: unknown[]; table: unknown[][] } {
  const matcher = createMatcher(parseRobotsTxt(`user-agent: *\n${lines.join("\n")}`), "FooBot");
  const table = new MatcherTable(new Arena());
  let block = table.add(matcher);
  const decided = (): unknown[] =>
    targets.map((target) => {
      // The target is surrounded by other bytes, as in a log.
      const bytes = Buffer.from(`*${target}*`);
      return [target, table.decisionAt(block, table.find(block, bytes, 1, bytes.length - 1))];
    });
  const first = decided();
  block = table.move(block);
  const moved = decided();
  table.free(block);
  return { matcher: targets.map((target) => [target, matcher.decideTarget(target)]), table: [first, moved] };
}

const text = (units: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...units), maxLength });
const rule = fc
  .tuple(
    fc.constantFrom("Allow: ", "Disallow: "),
    // Few beginnings, so that many rules share their literal bytes.
    fc.constantFrom(
      "/",
      "",
      "*",
      "/*",
      "/shop/",
      "/shop/*",
      "/ab",
      "/abcdef",
      "/a\0",
      "/a/index.html",
      "/shop/index.htm",
    ),
    text(["a", "b", "/", "*", "$", "?", "?", "ab", "\0", "é", "%c3", "shop"], 6),
  )
  .map((parts) => parts.join(""));
const target = fc
  .tuple(
    fc.constantFrom("/", "/shop/", "/shop/shop", "/ab", "/abcdef", "/a\0", "/a/"),
    text(["a", "b", "/", "?", "ab", "\0", "%C3%A9", "é", "*", "shop"], 8),
  )
  .map((parts) => parts.join(""));

test("property: a table decides by any number of rules as a matcher does", () => {
  fc.assert(
    fc.property(
      // Blocks with more than 24 rules have drawers.
      fc.oneof(fc.array(rule, { maxLength: 40 }), fc.array(rule, { minLength: 20, maxLength: 160 })),
      fc.array(target, { minLength: 10, maxLength: 40 }),
      (lines, targets) => {
        const { matcher, table } = decisionsOf(lines, targets);
        expect(table).toEqual([matcher, matcher]);
      },
    ),
    { numRuns: isThorough ? 3_000 : 60 },
  );
});

const folders = Array.from({ length: 771 }, (_, at) => `/catalogue/item-${at % 97}/${at % 13 === 0 ? "" : at}`);
const cases: readonly (readonly [name: string, rules: readonly string[]])[] = [
  ["folders with a long common beginning", folders.map((folder) => `Disallow: ${folder}`)],
  // More bytes of patterns with stars would be left to the matcher.
  ["parameters after a star", folders.slice(0, 300).map((_, at) => `Disallow: /*?p${at}=`)],
  [
    "a star in one rule in six",
    folders.map((folder, at) => `Disallow: ${at % 6 === 0 ? folder.replace("-", "*") : folder}`),
  ],
  ["ties of allow and disallow", folders.flatMap((folder) => [`Disallow: ${folder}`, `Allow: ${folder}`])],
  ["equal rules", folders.map((_, at) => `Disallow: /folder-${at % 5}/`)],
  ["patterns that must match to the end of the target", folders.map((folder) => `Disallow: ${folder}$`)],
  [
    "stars alone and at the end",
    folders.map((folder, at) => `Disallow: ${"*".repeat(at % 8 === 0 ? 2 : 0)}${folder}${"*".repeat(at % 3)}`),
  ],
  [
    "stars and index files after a common beginning",
    folders.flatMap((_, at) => [
      `Disallow: ${at % 8 === 0 ? "/catalogue/*" : "/catalogue/"}${at}`,
      `Allow: /catalogue/${at}/index.html${at % 3 === 0 ? "$" : ""}`,
      `Allow: ${["/*", "/a/", "/cat*", "/cata*"][at % 4]}/index.htm`,
      `Disallow: /cat${at % 2 === 0 ? "" : "a"}${at % 9 === 0 ? "*e" : ""}$`,
    ]),
  ],
  [
    "short patterns",
    folders.map((_, at) => `Disallow: /${String.fromCharCode(97 + (at % 26))}${at % 2 === 0 ? "" : "$"}`),
  ],
];

test.each(cases)("hundreds of rules: %s", (_name, rules) => {
  const targets = [
    "/",
    "/f",
    "/folder-3/x",
    "/catalogue",
    "/x?p7=1",
    "/x?p299=&p3=",
    "/catalogue/item*5/31",
    "/cat",
    "/cata",
    "/cate",
  ];
  targets.push("/catalogue/6/", "/catalogue/item/80", "/cat/", "/cata/", "/cat/x/", "/a/");
  for (let at = 0; at < 771; at += 7) targets.push(folders[at]!, `${folders[at]!}/x`, folders[at]!.replace("-", "/a/"));
  const { matcher, table } = decisionsOf(rules, targets);
  expect(table).toEqual([matcher, matcher]);
});

test("a matcher decides for many patterns that are too short for the drawers", () => {
  const table = new MatcherTable(new Arena());
  const add = (pattern: string, count: number): number =>
    table.add(createMatcher(parseRobotsTxt(`user-agent: *\n${`Disallow: ${pattern}\n`.repeat(count)}`), "FooBot"));
  expect(table.isAsked(add("/ab", 512), 9)).toBe(false);
  expect(table.isAsked(add("/ab", 513), 9)).toBe(true);
  expect(table.isAsked(add("/abc", 513), 9)).toBe(false);
});
