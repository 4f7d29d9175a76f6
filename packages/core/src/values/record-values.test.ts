// Tests the sitemaps of files, and the Crawl-delay, the groups and the other records that bind a crawler.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMatcher, isAllowed, parseRobotsTxt } from "../index.ts";
import { lint } from "../lint.ts";
import { bindingGroups, crawlDelay, crawlDelayIn, hosts, sitemaps } from "../records.ts";
import type { RobotsTxt } from "../read/types.ts";
import { type BoundRecord, boundRecordsOf, holdsRecords } from "./record-values.ts";

describe("sitemaps", () => {
  test.each<[what: string, text: string, expected: readonly (readonly [value: string, line: number])[]]>([
    ["none", "User-agent: *\nDisallow: /", []],
    [
      "in line order, inside and outside groups",
      "Sitemap: https://a.example/1\nUser-agent: *\nSitemap: https://a.example/2\nDisallow: /\nsitemap:https://b.example/3",
      [
        ["https://a.example/1", 1],
        ["https://a.example/2", 3],
        ["https://b.example/3", 5],
      ],
    ],
    [
      "repeated values are all returned",
      "Sitemap: https://a.example/1\nSitemap: https://a.example/1",
      [
        ["https://a.example/1", 1],
        ["https://a.example/1", 2],
      ],
    ],
    [
      "as written: relative, empty, not a URL",
      "Sitemap: /map.xml\nSitemap:\nSitemap: a b",
      [
        ["/map.xml", 1],
        ["", 2],
        ["a b", 3],
      ],
    ],
    ["other spellings", "site-map: https://a.example/1", [["https://a.example/1", 1]]],
  ])("%s", (_what, text, expected) => {
    expect(sitemaps(parseRobotsTxt(text))).toEqual(expected.map(([value, line]) => ({ value, line })));
  });
});

test("hosts", () => {
  const robots = parseRobotsTxt(
    "Host: a.example\nUser-agent: *\nHost: https://b.example:444\nSitemap: https://a.example/1",
  );
  expect(hosts(robots)).toEqual([
    { value: "a.example", line: 1 },
    { value: "https://b.example:444", line: 3 },
  ]);
  expect(hosts(parseRobotsTxt(""))).toEqual([]);
  expect(() => hosts({} as RobotsTxt)).toThrow(expect.objectContaining({ code: "ERR_FOREIGN_ROBOTS" }) as Error);
});

/** The example of robots-parser's README with the functions of this package. */
test("the example of robots-parser has the same results with this package", () => {
  const robots = parseRobotsTxt(
    "User-agent: *\nDisallow: /dir/\nDisallow: /test.html\nAllow: /dir/test.html\nAllow: /test.html\nCrawl-delay: 1\nSitemap: https://example.com/sitemap.xml\nHost: example.com",
  );
  const matcher = createMatcher(robots, "Sams-Bot/1.0");
  expect(matcher.decide("https://www.example.com/test.html").allowed).toBe(true);
  expect(matcher.decide("https://www.example.com/dir/test.html").allowed).toBe(true);
  expect(matcher.decide("https://www.example.com/dir/test2.html").allowed).toBe(false);
  const decision = matcher.decide("https://www.example.com/dir/test2.html");
  expect(decision.because === "rule" && decision.rule.line).toBe(2);
  expect(crawlDelay(robots, "Sams-Bot/1.0")?.seconds).toBe(1);
  expect(sitemaps(robots).map(({ value }) => value)).toEqual(["https://example.com/sitemap.xml"]);
  expect(hosts(robots)[0]?.value).toBe("example.com");
});

describe("crawlDelay", () => {
  const text =
    "User-agent: a\nCrawl-delay: 2\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 7\nAllow: /\n\nUser-agent: a\nCrawl-delay: 4.5\nCrawl-delay: soon";
  test.each<[what: string, productTokens: string | readonly string[], expected: object | undefined]>([
    ["the longest of all groups that name the crawler", "A", { seconds: 4.5, value: "4.5", line: 10 }],
    ["the delay of the group for *", "b", { seconds: 7, value: "7", line: 6 }],
    ["the delay of the group for *, for an empty list of names", [], { seconds: 7, value: "7", line: 6 }],
    ["several names", ["b", "a"], { seconds: 4.5, value: "4.5", line: 10 }],
  ])("%s", (_what, productTokens, expected) => {
    expect(crawlDelay(parseRobotsTxt(text), productTokens)).toEqual(expected);
  });

  test.each<[value: string, seconds: number | undefined]>([
    ["0", 0],
    [".5", 0.5],
    ["0.1234567890123", 0.1234567890123],
    ["0000000000002", 2],
    ["9999999999", 300],
    ["9".repeat(400), 300],
    ["99999999999.5", 300],
    ["5.", undefined],
    [".", undefined],
    ["1e3", undefined],
    ["-5", undefined],
    ["soon", undefined],
  ])("Crawl-delay %s: lint reports the values that crawlDelay ignores or limits", (value, seconds) => {
    const file = `User-agent: a\nCrawl-delay: ${value}\nDisallow: /\n`;
    expect(crawlDelay(parseRobotsTxt(file), "a")?.seconds).toBe(seconds);
    const codes = new Set(lint(file).map(({ code }) => code));
    expect(codes.has("crawl-delay-value")).toBe(seconds === undefined);
    expect(codes.has("crawl-delay-large")).toBe(seconds === 300);
  });

  test("no group, a delay of more than 300 seconds, and whole names", () => {
    expect(crawlDelay(parseRobotsTxt("Crawl-delay: 1"), "a")).toBeUndefined();
    expect(crawlDelay(parseRobotsTxt("User-agent: a\nCrawl-delay: 999"), "a")?.seconds).toBe(300);
    const robots = parseRobotsTxt("User-agent: MJ12bot\nCrawl-delay: 3");
    expect(crawlDelay(robots, "MJ12bot")).toBeUndefined();
    expect(crawlDelay(robots, "MJ12bot", { tokenMatch: "whole" })?.seconds).toBe(3);
    expect(crawlDelayIn([])).toBeUndefined();
  });
});

test("a copy of a parsed file is refused", () => {
  const copy = { ...parseRobotsTxt("") } as RobotsTxt;
  for (const call of [() => sitemaps(copy), () => crawlDelay(copy, "a"), () => bindingGroups(copy, "a")]) {
    expect(call).toThrow(expect.objectContaining({ code: "ERR_FOREIGN_ROBOTS" }));
  }
});

const fileLine = fc.constantFrom(
  "User-agent: a",
  "User-agent: b/1",
  "User-agent: *",
  "User-agent: * b",
  "Disallow: /a",
  "Disallow: b",
  "Allow: /a/b",
  "Crawl-delay: 1",
  "Sitemap: /s",
  "",
);
const file = fc.array(fileLine, { maxLength: 14 }).map((lines) => lines.join("\n"));
const dialect = fc.constantFrom("google" as const, "rfc9309" as const);

test("property: bindingGroups returns the same groups as the crawler's trace", () => {
  fc.assert(
    fc.property(file, dialect, fc.constantFrom("a", "b", "c"), (text, name, productToken) => {
      const robots = parseRobotsTxt(text, { dialect: name });
      const { groups } = createMatcher(robots, productToken).trace("/");
      const lines = bindingGroups(robots, productToken).map(({ userAgents }) => userAgents[0]!.line);
      expect(lines).toEqual(groups.map(({ fromLine }) => fromLine));
    }),
  );
});

test("property: isAllowed decides as a matcher of the parsed file does", () => {
  fc.assert(
    fc.property(file, dialect, fc.constantFrom("/a", "/a/b", "https://a.example/a?b", "b"), (text, name, url) => {
      const matcher = createMatcher(parseRobotsTxt(text, { dialect: name }), "a");
      expect(isAllowed(text, "a", url, { dialect: name })).toBe(matcher.decide(url).allowed);
      expect(isAllowed(Buffer.from(text), ["a"], url, { dialect: name })).toBe(matcher.decide(url).allowed);
    }),
  );
});

const wanted = new Set(["content-usage", "content-signal"] as const);
const told = ({ name, line, value, scope }: BoundRecord): string =>
  `${line} ${name} ${Buffer.from(value).toString("latin1")} ${scope}`;
const boundIn = (text: string | Uint8Array, tokens: readonly string[] | "none" = ["a"]): string[] =>
  boundRecordsOf(parseRobotsTxt(text), tokens === "none" ? undefined : tokens, "google", wanted).map(told);

describe("records that bind", () => {
  test.each<[string, string, string[]]>([
    ["in its group", "User-agent: A\nContent-Signal: x\nCrawl-delay: 3\n", ["2 content-signal x named"]],
    ["in the group for *", "User-agent: *\nContent-Usage: x # y\n", ["2 content-usage x everybody"]],
    ["not in the group for * when the file names it", "User-agent: *\nContent-Usage: x\nUser-agent: a\nDisallow:", []],
    ["before all groups", "Content-Signal: x\nUser-agent: b\nDisallow:\n", ["1 content-signal x file"]],
    [
      "between the names of one group",
      "User-agent: b\nContent-Signal: x\nUser-agent: a\nDisallow:\n",
      ["2 content-signal x named"],
    ],
    [
      "for Content-Usage records, a Content-Usage line ends the run of user-agent lines",
      "User-agent: b\nContent-Usage: x\nUser-agent: a\nContent-Usage: y\n",
      ["4 content-usage y named"],
    ],
    [
      "for other records, a Content-Usage line does not end the run",
      "User-agent: b\nContent-Usage: x\nUser-agent: a\nContent-Signal: y\nUser-agent: c\nDisallow:",
      ["4 content-signal y named"],
    ],
  ])("%s", (_, text, expected) => {
    expect(boundIn(text)).toEqual(expected);
  });

  test("without product tokens: only the records before all groups", () => {
    expect(boundIn("Content-Signal: x\nUser-agent: *\nContent-Signal: y\n", "none")).toEqual([
      "1 content-signal x file",
    ]);
  });

  test("values are the bytes of the file", () => {
    const bytes = Uint8Array.from(Buffer.from("User-agent: *\nContent-Usage: \xff\xfe x \n", "latin1"));
    expect(boundIn(bytes)).toEqual(["2 content-usage \xff\xfe x everybody"]);
  });
});

test("holdsRecords: whether a file has a line of a wanted record", () => {
  expect(holdsRecords(parseRobotsTxt("User-agent: *\ncontent-usage: x"), wanted)).toBe(true);
  expect(holdsRecords(parseRobotsTxt("User-agent: *\nLicense: x"), wanted)).toBe(false);
});
