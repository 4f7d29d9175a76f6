// Tests the groups, rules and other records of parsed files, with their lines.
import { describe, expect, test } from "vitest";
import { CoreError } from "./errors.ts";
import { createMatcher } from "../matcher/match.ts";
import { parseRobotsTxt, parseUnchanging } from "./parse.ts";
import { knownRecords } from "./keys.ts";

describe("groups", () => {
  test("user-agent lines, rules and records with their lines", () => {
    const robots = parseRobotsTxt(
      [
        "Allow: /before-any-group", // 1
        "Sitemap: https://example.com/ü.xml", // 2
        "User-agent: MJ12bot", // 3
        "Crawl-delay: 5", // 4: does not end the run of user-agent lines
        "User-Agent: *", // 5
        "Disallow: /ä%c3", // 6
        "Allow:", // 7
        "license: https://example.com/license.xml", // 8
        "user-agent: other", // 9
      ].join("\n"),
    );
    expect(robots.groups).toEqual([
      {
        userAgents: [
          { value: "MJ12bot", productToken: "MJ", line: 3 },
          { value: "*", productToken: "*", line: 5 },
        ],
        rules: [
          { type: "disallow", pattern: "/%C3%A4%C3", line: 6 },
          { type: "allow", pattern: "", line: 7 },
        ],
        records: [
          { name: "crawl-delay", value: "5", line: 4, scope: "group" },
          { name: "license", value: "https://example.com/license.xml", line: 8, scope: "group" },
        ],
      },
      { userAgents: [{ value: "other", productToken: "other", line: 9 }], rules: [], records: [] },
    ]);
    expect(robots.records.map(({ name, line, scope }) => [name, line, scope])).toEqual([
      ["sitemap", 2, "file"],
      ["crawl-delay", 4, "group"],
      ["license", 8, "group"],
    ]);
  });

  test.each([
    ["empty", ""],
    ["only a rule", "disallow: /"],
    ["HTML", "<!doctype html>\n<title>x: y</title>"],
  ])("no groups: %s", (_, text) => {
    expect(parseRobotsTxt(text).groups).toEqual([]);
  });

  test.each(
    knownRecords.flatMap(({ name, aliases, scope }) =>
      [name, ...(aliases ?? [])].map((key) => [key, name, scope] as const),
    ),
  )("the key %s is that of the record %s, whose scope is %s", (key, name, scope) => {
    const { records, groups } = parseRobotsTxt(`${key.toUpperCase()}: 1\nUser-agent: *\n${key}: 2`);
    const scopes = { file: ["file", "file"], group: ["file", "group"], either: ["file", "group"] }[scope];
    expect(records).toEqual([
      { name, value: "1", line: 1, scope: scopes[0] },
      { name, value: "2", line: 3, scope: scopes[1] },
    ]);
    expect(groups[0]!.records.length).toBe(scope === "file" ? 0 : 1);
  });
});

describe("input", () => {
  test.each([
    ["small", 10],
    ["larger than the files kept as text", 20_000],
  ])("a text and its UTF-8 bytes parse alike: %s", (_, size) => {
    const text = `\uFEFFuser-agent: *\n#${"é".repeat(size)}\ndisallow: /日本\nsitemap: https://example.com/日本`;
    const fromText = parseRobotsTxt(text);
    const fromBytes = parseRobotsTxt(new TextEncoder().encode(text));
    expect(fromBytes.groups).toEqual(fromText.groups);
    expect(fromBytes.records).toEqual(fromText.records);
    expect(fromText.groups[0]!.rules[0]!.pattern).toBe("/%E6%97%A5%E6%9C%AC");
    expect(fromText.records[0]!.value).toBe("https://example.com/日本");
  });

  test("bytes that are not UTF-8 are escaped in a pattern", () => {
    const bytes = Uint8Array.from([...Buffer.from("user-agent: *\ndisallow: /"), 0xff, 0xfe]);
    expect(parseRobotsTxt(bytes).groups[0]!.rules[0]!.pattern).toBe("/%FF%FE");
  });

  test("an unknown dialect is the caller's mistake", () => {
    const parse = (): unknown => parseRobotsTxt("", { dialect: "bing" as "google" });
    expect(parse).toThrow(CoreError);
    expect(parse).toThrow(expect.objectContaining({ code: "ERR_UNKNOWN_DIALECT" }));
  });
});

test.each<[what: string, file: readonly number[] | string]>([
  ["nothing", ""],
  ["rules", "user-agent: a\ndisallow: /x\n\nuser-agent: *\nallow: /*y$\ndisallow: /ä\nsitemap: /ü"],
  ["a byte order mark", "\ufeffuser-agent: *\ndisallow: /"],
  ["bytes that are not UTF-8", [...new TextEncoder().encode("user-agent: *\ndisallow: /"), 0xff, 0x80, 0x0a, 0x00]],
  ["more than 16 KiB", `user-agent: *\n${"disallow: /x\n".repeat(2_000)}`],
])("parseUnchanging parses like parseRobotsTxt: %s", (_what, file) => {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : Uint8Array.from(file);
  for (const dialect of ["google", "rfc9309"] as const) {
    const [copied, kept] = [parseRobotsTxt(bytes, { dialect }), parseUnchanging(bytes, { dialect })];
    expect(kept.groups).toEqual(copied.groups);
    expect(kept.records).toEqual(copied.records);
    for (const target of ["/", "/x", "/zy", "/ä", "/\ufffd"])
      for (const token of ["a", "b"])
        expect(createMatcher(kept, token).decide(target)).toEqual(createMatcher(copied, token).decide(target));
  }
});

// Each file is 500 KiB of one line. Time proportional to the product of its lines, or to the square of a line, would be minutes.
test.each<[what: string, line: string]>([
  ["line ends", "\r"],
  ["blanks in lines", `${" ".repeat(500)}\n`],
  ["blanks in one line", " "],
  ["colons", ":"],
  ["one line of stars", "*"],
  ["lines of 17 KB", `disallow:/${"%aa".repeat(5_700)}\n`],
  ["words without a colon", "allow a\n"],
  ["unknown keys", "request-rat:\n"],
  ["sitemaps", "sitemap:a\n"],
  ["names of one group", "user-agent:a\n"],
  ["groups for everybody", "user-agent:*\nallow:/\n"],
  ["groups of one name", "user-agent:bingbot\nallow:/index.htm\n"],
])("a hostile file takes linear time: %s", (_what, line) => {
  const bytes = new TextEncoder().encode(
    `user-agent:*\ndisallow:/${line.repeat(Math.ceil((500 * 1_024) / line.length))}`,
  );
  for (const dialect of ["google", "rfc9309"] as const) {
    const robots = parseRobotsTxt(bytes, { dialect });
    expect(robots.groups.length).toBeGreaterThan(0);
    const matcher = createMatcher(robots, "bingbot");
    for (let asked = 0; asked < 40; asked++) expect(typeof matcher.decide("/a").allowed).toBe("boolean");
  }
});
