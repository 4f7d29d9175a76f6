// Tests that the groups and records of any file have the values that `parseDirectives` reads line by line.
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseRobotsTxt } from "./parse.ts";
import { parseDirectives } from "./directives.ts";

const key = fc.constantFrom("User-agent:", "Disallow:", "Allow:", "Sitemap:", "Crawl-delay:", "Host:", "x:", "", "#");
const value = fc.oneof(
  fc.string({ unit: fc.constantFrom("/", "a", "*", "$", "%", "e", "9", " ", "\t", "?", "~", '"'), maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
const text = fc.array(
  fc.tuple(key, value, lineEnd).map((parts) => parts.join("")),
  { maxLength: 8 },
);
// There are arbitrary bytes between two texts, so that some files are not valid UTF-8.
const bytes = fc
  .tuple(text, fc.array(fc.nat(255), { maxLength: 8 }), text)
  .map(([before, between, after]) =>
    Buffer.concat([Buffer.from(before.join("")), Uint8Array.from(between), Buffer.from(after.join(""))]),
  );

test.each(["google", "rfc9309"] as const)(
  "property: %s: each user-agent line, rule and record agrees with the directive of its line",
  (dialect) => {
    fc.assert(
      fc.property(bytes, fc.boolean(), fc.boolean(), (file, isText, isLong) => {
        // Of the files given as bytes, a long one is kept as bytes, and a short one as text if it is valid UTF-8.
        const padded = isLong ? Buffer.concat([file, Buffer.from(`\n${"#".repeat(20_000)}`)]) : file;
        const input = isText ? padded.toString() : padded;
        const robots = parseRobotsTxt(input, { dialect });
        const lines = new Map(parseDirectives(input, { dialect }).map((directive) => [directive.line, directive]));
        for (const { userAgents, rules } of robots.groups) {
          for (const { value: written, line, productToken } of userAgents) {
            expect(lines.get(line)).toMatchObject({ type: "user-agent", value: written });
            if (productToken !== "*") expect(written.startsWith(productToken)).toBe(true);
          }
          for (const { type, pattern, line } of rules) {
            expect(lines.get(line)?.type).toBe(type);
            if (dialect === "google") expect(lines.get(line)?.value).toBe(pattern);
          }
        }
        for (const { name, value: written, line } of robots.records) {
          if (name === "sitemap") expect(lines.get(line)?.value).toBe(written);
          else expect(lines.get(line)?.type).toBe("other");
        }
      }),
      { numRuns: 500 },
    );
  },
);

test("bytes of 0x80 and above in user-agent lines, rules and other records", () => {
  const file = "User-agent: b\u00f6t\nDisallow: /\u00e9%c3?\u20ac\nHost: \u{1f600}.example\nSitemap: /\u00e4";
  for (const input of [file, Buffer.from(file), Buffer.from(`${file}\n#${"x".repeat(20_000)}`)]) {
    const { groups, records } = parseRobotsTxt(input);
    expect(groups).toEqual([
      {
        userAgents: [{ value: "b\u00f6t", productToken: "b", line: 1 }],
        rules: [{ type: "disallow", pattern: "/%C3%A9%C3?%E2%82%AC", line: 2 }],
        records: [],
      },
    ]);
    expect(records.map(({ value: written }) => written)).toEqual(["\u{1f600}.example", "/\u00e4"]);
  }
});
