// Tests that extentOf says for all targets whether any is allowed and whether any is disallowed.
import { createMatcher, type DialectName, parseRobotsTxt } from "@robots-stream/core";
import { CrawlerGroups } from "@robots-stream/core/internal";
import { expect, test } from "vitest";
import { Random, fileOf } from "../test/random.ts";
import { extentOf } from "./extent.ts";

const group = (...rules: readonly string[]): string => ["User-agent: *", ...rules].join("\n");

test.each<readonly [text: string, allowed: string, disallowed: string]>([
  [group("Disallow: /"), "none", "/"],
  [group("Disallow: *"), "none", "/"],
  [group("Disallow: /", "Allow: /a"), "/a", "/"],
  [group("Disallow: /", "Allow: /$"), "/", "/x"],
  [group("Disallow: /", "Allow: /*/b$"), "//b", "/"],
  // The longer rule takes back what the shorter one allows.
  [group("Disallow: /", "Allow: /a", "Disallow: /a*"), "none", "/"],
  [group("Disallow: /", "Allow: /a", "Disallow: /a*$"), "none", "/"],
  // No URL has such a target.
  [group("Disallow: /", "Allow: /a b"), "none", "/"],
  [group("Disallow: /", "Allow: /$", "Disallow: /*$"), "none", "/"],
  [group("Disallow: /", "Disallow:"), "none", "/"],
  [group("Disallow: /*?", "Disallow: /a"), "/", "/?"],
  [group("Disallow:"), "/", "none"],
  [group("Allow: /"), "/", "none"],
  [group("Disallow: private"), "/", "none"],
  [group("Disallow: /a", "Allow: /a*"), "/", "none"],
  [group("Disallow: /$", "Disallow: /a", "Disallow: /b"), "/x", "/"],
  ["", "/", "none"],
])("%j: allows %s, disallows %s", (text, allowed, disallowed) => {
  const extent = extentOf(createMatcher(parseRobotsTxt(text), []));
  const shown = (example: (typeof extent)["allowed"]): string =>
    typeof example === "string" ? example : example.target;
  expect([shown(extent.allowed), shown(extent.disallowed)]).toEqual([allowed, disallowed]);
});

test("a proof beyond the limit of work is not claimed", () => {
  // No URL has a space, so that no target made from the pattern is one.
  const matcher = createMatcher(parseRobotsTxt(group("Disallow: /", "Allow: /*a b*c")), []);
  const { allowed } = extentOf(matcher, { mostSteps: 10 });
  expect(allowed).toBe("unknown");
});

test("a matcher with a table for each of its groups", () => {
  const groups = ["Disallow: /", "Allow: /a", "Disallow: /a*"].map((rule) => `User-agent: x\n${rule}\n`);
  const extentIn = (text: string): unknown =>
    extentOf(new CrawlerGroups(parseRobotsTxt(text), undefined, -1).matcherOf("x"));
  const disallowed = { target: "/" };
  expect(extentIn(groups.slice(0, 2).join("\n"))).toEqual({ allowed: { target: "/a" }, disallowed });
  expect(extentIn(groups.join("\n"))).toEqual({ allowed: "none", disallowed });
});

const targets = (function* () {
  let layer = ["/"];
  for (let size = 0; size < 5; size++) {
    yield* layer;
    layer = layer.flatMap((target) => ["/", "a", "b", "?"].map((character) => target + character));
  }
})();
const enumerated = [...targets];

test.each<DialectName>(["google", "rfc9309"])("%s: agrees with enumerated targets", (dialect) => {
  const random = new Random(7);
  const seen = { allowed: 0, disallowed: 0 };
  for (let round = 0; round < 300; round++) {
    const text = fileOf(random, 1 + random.below(6));
    const matcher = createMatcher(parseRobotsTxt(text, { dialect }), []);
    const extent = extentOf(matcher, { dialect });
    for (const side of ["allowed", "disallowed"] as const) {
      const example = extent[side];
      expect(example, text).not.toBe("unknown");
      const isAllowed = side === "allowed";
      if (typeof example === "object") expect(matcher.decideTarget(example.target).allowed, text).toBe(isAllowed);
      else {
        seen[side]++;
        expect(
          enumerated.find((target) => matcher.decideTarget(target).allowed === isAllowed),
          text,
        ).toBe(undefined);
      }
    }
  }
  expect(seen.disallowed).toBeGreaterThan(3);
});
