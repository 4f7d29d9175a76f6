// Tests the removal of dot segments and needless escapes from targets.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizeTarget } from "./index.ts";

describe("normalizeTarget", () => {
  test.each<[what: string, target: string, normalized: string]>([
    ["nothing to do", "/a/b?c", "/a/b?c"],
    ["root", "/", "/"],
    ["dot", "/./a/./b", "/a/b"],
    ["two dots", "/a/../b/c/../d", "/b/d"],
    ["dot at the end", "/a/.", "/a/"],
    ["two dots at the end", "/a/b/..", "/a/"],
    ["above the root", "/../../a", "/a"],
    ["only dots", "/..", "/"],
    ["three dots", "/.../a", "/.../a"],
    ["dots within a name", "/.a/b./..c", "/.a/b./..c"],
    ["empty segments are segments", "/a//../b", "/a/b"],
    ["'//' stays", "//a//b/", "//a//b/"],
    ["%2e", "/%2e/a/%2E", "/a/"],
    ["%2e%2e in each spelling", "/a/b/c/d/%2e%2E/.%2e/%2E./x", "/a/x"],
    ["dots in the query stay", "/a?b/../c", "/a?b/../c"],
    ["a slash in the query does not end a path segment", "/a/..?/../", "/?/../"],
    ["unreserved", "/%41%7A%30%2D%5F%7E?%41", "/Az0-_~?A"],
    ["reserved and others stay", "/%2F%3F%23%25%20%C3%BC%2A%24", "/%2F%3F%23%25%20%C3%BC%2A%24"],
    ["decoded once", "/%2541", "/%2541"],
    ["invalid escapes stay", "/%zz%4%", "/%zz%4%"],
    ["no new escape: both digits", "/%%34%31", "/%%341"],
    ["no new escape: the first digit", "/%%341", "/%%341"],
    ["no new escape: the second digit", "/%4%31", "/%4%31"],
    ["decoding creates no new escape", "/%%7E%%2e%4%7E", "/%~%.%4~"],
  ])("%s: %s", (_what, target, normalized) => {
    expect(normalizeTarget(target)).toBe(normalized);
  });

  test.each(["/..", "/a/..", "%2e%2e/", "%41", "%", "/.", "//", "a/../"])("a megabyte of %s: idempotent", (unit) => {
    const normalized = normalizeTarget(`/${unit.repeat(Math.ceil((1 << 20) / unit.length))}`);
    expect(normalizeTarget(normalized) === normalized).toBe(true);
  });

  test("is idempotent, and leaves no dot segment and no escape of a dot", () => {
    const targets = fc
      .array(fc.constantFrom("/", ".", "..", "%2e", "%2E", "%", "%4", "%41", "%34", "%2F", "a", "?", "4", "g"), {
        maxLength: 25,
      })
      .map((pieces) => `/${pieces.join("")}`);
    fc.assert(
      fc.property(targets, (target) => {
        const normalized = normalizeTarget(target);
        expect(normalizeTarget(normalized)).toBe(normalized);
        expect(normalized.split("?", 1)[0]!.split("/")).not.toContain("..");
        expect(normalized.split("?", 1)[0]!.split("/")).not.toContain(".");
        expect(normalized).not.toMatch(/%2e/i);
      }),
    );
  });

  test.each(["", "a", "?a", "http://h/"])("%j is not a target", (text) => {
    expect(() => normalizeTarget(text)).toThrow(expect.objectContaining({ code: "ERR_NOT_A_TARGET" }));
  });
});
