// Tests the blocks of a matcher table: their decisions, also after a move, and their places. Which rule wins is tested with `RuleTable`.
import { expect, test } from "vitest";
import { Arena, MatcherTable } from "../internal.ts";
import { createMatcher } from "./match.ts";
import { parseRobotsTxt } from "../read/parse.ts";

const many = Array.from({ length: 60 }, (_, at) => `Disallow: /folder-${at % 50}/${at % 7 === 0 ? "*.pdf$" : ""}`);
const ruleSets: readonly { name: string; rules: readonly string[]; dialect?: "rfc9309" }[] = [
  { name: "no rules", rules: [] },
  { name: "few rules", rules: ["Disallow: /a", "Allow: /a/b$", "Disallow:", "Disallow: /*?x="] },
  { name: "rules in buckets", rules: many },
  { name: "index files", rules: ["Disallow: /", "Allow: /a/index.html", ...many.slice(0, 9)] },
  {
    name: "index files in buckets",
    rules: ["Disallow: /", "Allow: /a/index.html", "Allow: /folder-9/*/index.htm", ...many],
  },
  { name: "a dialect that normalizes", rules: ["Disallow: /a%41", "Allow: /aA/b"], dialect: "rfc9309" },
  {
    name: "more bytes than a block copies",
    rules: Array.from({ length: 900 }, (_, at) => `Disallow: /${at}/${"a".repeat(90)}`),
  },
];
const targets = [
  "/",
  "/a",
  "/a/",
  "/a/b",
  "/aA",
  "/a/index.html",
  "/x?x=1",
  "/folder-7/",
  "/folder-7/a.pdf",
  "/folder",
];
targets.push(
  "/folder-14/x.pdf",
  "/folder-49/",
  "/folder-9/a/",
  "/folder-9/a/index.htm",
  `/7/${"a".repeat(90)}`,
  "/robots.txt",
);

test.each(ruleSets)("a block decides as its matcher, before and after a move: $name", ({ rules, dialect }) => {
  const matcher = createMatcher(
    parseRobotsTxt(`user-agent: *\n${rules.join("\n")}`, { dialect: dialect ?? "google" }),
    "FooBot",
  );
  const table = new MatcherTable(new Arena());
  let block = table.add(matcher);
  const expected = targets.map((target) => matcher.decideTarget(target));
  for (let round = 0; round < 2; round++) {
    const decided = targets.map((target) => {
      // The target is surrounded by other bytes, as in a log.
      const bytes = Buffer.from(`*${target}*`);
      const place = table.find(block, bytes, 1, bytes.length - 1);
      table.setValue(place, 7);
      return { place, decision: table.decisionAt(block, place), allowed: table.isAllowed(place) };
    });
    expect(decided.map(({ decision }) => decision)).toEqual(expected);
    expect(decided.map(({ allowed }) => allowed)).toEqual(expected.map(({ allowed }) => allowed));
    // Each decision has one place, also that of a rule for an index file and its folder.
    const places = new Set(decided.map(({ place }) => place));
    expect(places.size).toBe(new Set(expected).size);
    expect(table.keptPlaces(block).toSorted((one, other) => one - other)).toEqual(
      [...places].toSorted((one, other) => one - other),
    );
    block = table.move(block);
  }
  table.free(block);
});
