// Tests that a mistake in the arguments throws at once, with a code, and never decides.
import { describe, expect, test } from "vitest";
import { CoreError, createMatcher, isAllowed, parseRobotsTxt } from "../src/index.ts";
import { lint, sentenceOf } from "../src/lint.ts";
import { createCrawlerMatcher, groupNameOf } from "../src/product-tokens.ts";
import { crawlDelayIn } from "../src/records.ts";

const body = "User-agent: *\nDisallow: /private\n";
const robots = parseRobotsTxt(body);
/** Calls a function as a program in JavaScript can. */
const call = (called: (...given: never[]) => unknown, ...given: readonly unknown[]): unknown =>
  (called as (...each: readonly unknown[]) => unknown)(...given);

function codeOf(act: () => unknown): string {
  try {
    return `no error: ${JSON.stringify(act())}`;
  } catch (error) {
    expect(error).toBeInstanceOf(CoreError);
    return (error as CoreError).code;
  }
}

describe("a robots.txt that is neither text nor bytes", () => {
  test.each([[null], [undefined], [7], [{}], [robots], [[1, 2]], [new ArrayBuffer(3)]])("%o", (given) => {
    expect(codeOf(() => call(parseRobotsTxt, given))).toBe("ERR_INVALID_ARGUMENT");
    expect(codeOf(() => call(isAllowed, given, "GPTBot", "/private"))).toBe("ERR_INVALID_ARGUMENT");
    expect(codeOf(() => call(lint, given))).toBe("ERR_INVALID_ARGUMENT");
  });

  test("the messages name the mistake", () => {
    expect(() => call(parseRobotsTxt, robots)).toThrow("Not text");
    expect(() => call(createMatcher, body, "GPTBot")).toThrow("made by parseRobotsTxt");
  });
});

describe("swapped and missing arguments", () => {
  test.each([
    ["https://shop.example/private", "GPTBot"],
    ["/private", "GPTBot"],
    ["HTTP://shop.example", "GPTBot"],
    [undefined, "/private"],
    [null, "/private"],
    [[7], "/private"],
  ])("isAllowed(body, %j, %j)", (name, url) => {
    expect(codeOf(() => call(isAllowed, body, name, url))).toBe("ERR_NO_PRODUCT_TOKEN");
    expect(codeOf(() => call(createMatcher, robots, name))).toBe("ERR_NO_PRODUCT_TOKEN");
  });

  test.each([[null], [undefined], [7], [new URL("https://shop.example/private")]])(
    "a URL that is no string: %s",
    (url) => {
      expect(codeOf(() => call(isAllowed, body, "GPTBot", url))).toBe("ERR_INVALID_ARGUMENT");
    },
  );

  test.each([[undefined], [null], ["GPTBot"], [{}], [{ names: "GPTBot" }], [{ names: [7] }]])(
    "a crawler: %j",
    (crawler) => {
      expect(codeOf(() => call(createCrawlerMatcher, robots, crawler))).toBe("ERR_NO_PRODUCT_TOKEN");
    },
  );

  test.each([
    ["GPTBot", body, "/private"],
    ["GPTBot", "/private", body],
    ["/private", body, "GPTBot"],
    [body, "/private", "GPTBot"],
  ])("isAllowed(%j, %j, %j) does not answer", (...given) => {
    expect(codeOf(() => call(isAllowed, ...given))).toMatch(/^ERR_(?:INVALID_ARGUMENT|NO_PRODUCT_TOKEN)$/);
  });

  test.each<readonly [what: string, called: (...given: never[]) => unknown, given: readonly unknown[]]>([
    ["sentenceOf", sentenceOf, ["no-group"]],
    ["sentenceOf", sentenceOf, [{ code: "toString" }]],
    ["crawlDelayIn", crawlDelayIn, [robots]],
  ])("%s", (_what, called, given) => {
    expect(codeOf(() => call(called, ...given))).toBe("ERR_INVALID_ARGUMENT");
  });

  test.each([[undefined], [null], [[7]], [{}]])("groupNameOf(robots, %j)", (names) => {
    expect(codeOf(() => call(groupNameOf, robots, names))).toBe("ERR_NO_PRODUCT_TOKEN");
    expect(call(groupNameOf, parseRobotsTxt("User-agent: GPTBot\n"), "GPTBot")).toBe("GPTBot");
  });

  test("whole names and headers are no URLs", () => {
    const header = "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)";
    for (const name of ["MJ12bot", "Max/Nutch-1.10", "", header]) {
      expect(isAllowed(body, name, "/private", { tokenMatch: "whole" })).toBe(false);
    }
    expect(isAllowed(body, header, "/private")).toBe(false);
  });
});
