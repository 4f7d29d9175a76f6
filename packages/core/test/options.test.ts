// Tests hostile option objects: each option is read once, a wrong value throws a CoreError with a code, and no prototype changes.
import { expect, test } from "vitest";
import { CrawlerGroups } from "../src/matcher/crawler-groups.ts";
import { createCrawlerMatcher, groupNameOf } from "../src/matcher/crawler-matcher.ts";
import { createMatcher, isAllowed, parseRobotsTxt } from "../src/index.ts";
import { parseDirectives } from "../src/lint.ts";
import { bindingGroups, crawlDelay } from "../src/records.ts";

const file = "User-agent: a1\nDisallow: /x\n";
const robots = parseRobotsTxt(file);

type Call = (options: object) => unknown;
const calls: readonly (readonly [name: string, option: string, code: string, call: Call])[] = [
  ["parseRobotsTxt", "dialect", "ERR_UNKNOWN_DIALECT", (options) => parseRobotsTxt(file, options)],
  ["parseDirectives", "dialect", "ERR_UNKNOWN_DIALECT", (options) => parseDirectives(file, options)],
  ["createMatcher", "tokenMatch", "ERR_UNKNOWN_TOKEN_MATCH", (options) => createMatcher(robots, "a1", options)],
  [
    "createCrawlerMatcher",
    "tokenMatch",
    "ERR_UNKNOWN_TOKEN_MATCH",
    (options) => createCrawlerMatcher(robots, { names: ["a1"] }, options),
  ],
  ["groupNameOf", "tokenMatch", "ERR_UNKNOWN_TOKEN_MATCH", (options) => groupNameOf(robots, ["a1"], options)],
  ["isAllowed", "dialect", "ERR_UNKNOWN_DIALECT", (options) => isAllowed(file, "a1", "/x", options)],
  ["isAllowed", "tokenMatch", "ERR_UNKNOWN_TOKEN_MATCH", (options) => isAllowed(file, "a1", "/x", options)],
  ["crawlDelay", "tokenMatch", "ERR_UNKNOWN_TOKEN_MATCH", (options) => crawlDelay(robots, "a1", options)],
  ["bindingGroups", "tokenMatch", "ERR_UNKNOWN_TOKEN_MATCH", (options) => bindingGroups(robots, "a1", options)],
  [
    "CrawlerGroups",
    "tokenMatch",
    "ERR_UNKNOWN_TOKEN_MATCH",
    (options) => new CrawlerGroups(robots, options).groupNameOf(["a1", "a*", "*"]),
  ],
];

const unprintable = {
  toString(): string {
    throw new Error("no text");
  },
};
const wrong: readonly (readonly [what: string, value: unknown])[] = [
  ["a name of Object.prototype", "constructor"],
  ["__proto__", "__proto__"],
  ["a number", 0],
  ["not a number", Number.NaN],
  ["a symbol", Symbol("google")],
  ["a list with a valid name", ["google"]],
  ["an object that converts to a valid name", { toString: () => "google" }],
  ["an object that does not convert to a string", unprintable],
  ["an object without a prototype", Object.create(null)],
  ["a long text", "g".repeat(1_000_000)],
];

for (const [name, option, code, call] of calls) {
  test.each(wrong)(`${name}: ${option} is %s`, (_what, value) => {
    let error: unknown;
    try {
      call({ [option]: value });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ name: "CoreError", code });
    expect((error as Error).message.length).toBeLessThan(200);
  });

  test(`${name}: ${option} is read once`, () => {
    let reads = 0;
    call({
      get [option]() {
        reads++;
        return reads === 1 ? undefined : "rfc9309, then whole";
      },
    });
    expect(reads).toBe(1);
  });

  test.each([
    ["a mistyped option", `${option}s`, option],
    ["an option in another case", option.toUpperCase(), option],
    ["an option of another function", "concurrency", "Known options: "],
    ["a long name", "x".repeat(1_000_000), "Known options: "],
    ["constructor", "constructor", "Known options: "],
  ])(`${name} refuses %s`, (_what, unknown, advice) => {
    let error: unknown;
    try {
      call({ [unknown]: undefined });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ name: "CoreError", code: "ERR_INVALID_OPTION" });
    expect((error as Error).message).toContain(unknown.slice(0, 100));
    expect((error as Error).message).toContain(advice);
    expect((error as Error).message.length).toBeLessThan(200);
  });

  test(`${name}: an error thrown by a getter is passed on, and a member called __proto__ changes nothing`, () => {
    const failing = {
      get [option](): never {
        throw new RangeError("mine");
      },
    };
    expect(() => call(failing)).toThrow(new RangeError("mine"));
    const polluting = JSON.parse('{"__proto__":{"polluted":1}}') as object;
    expect(() => call(polluting)).toThrow(expect.objectContaining({ code: "ERR_INVALID_OPTION" }));
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
}
