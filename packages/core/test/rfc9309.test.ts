// Tests each statement of RFC 9309 about parsing and matching: the rfc9309 dialect obeys it, and the default dialect decides as Google's
// parser does. Tests of statements about fetching are in packages/fetch/test.
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type DialectName, createMatcher, parseRobotsTxt } from "../src/index.ts";
import { isProductToken } from "../src/product-tokens.ts";
import { parseDirectives } from "../src/lint.ts";
import { type Expected, statements } from "./rfc9309-cases.ts";
import { decideByTheStandard } from "./slow-rfc9309.ts";

function decide(input: string | Uint8Array, url: string, dialect: DialectName, token = "ExampleBot"): Expected {
  const decision = createMatcher(parseRobotsTxt(input, { dialect }), token).decide(url);
  return `${decision.allowed ? "allow" : "disallow"} ${decision.because === "rule" ? decision.rule.line : 0}`;
}

describe.each(Object.entries(statements))("%s", (_statement, cases) => {
  const questions = cases.map(([what, robotsTxt, url, rfc9309, { google = rfc9309, token } = {}]) => {
    return { what, robotsTxt, url, token, expected: { rfc9309, google } };
  });
  test.each(questions)("$what", ({ robotsTxt, url, token, expected }) => {
    const decided = {
      rfc9309: decide(robotsTxt, url, "rfc9309", token),
      google: decide(robotsTxt, url, "google", token),
    };
    expect(decided).toEqual(expected);
  });
});

const bytesOf = (...parts: readonly (string | number)[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "number" ? [part] : [...new TextEncoder().encode(part)])));

test("§2.2: a complete byte order mark is dropped; Google's parser also drops an incomplete one", () => {
  const file = "user-agent: *\ndisallow: /a";
  expect(decide(bytesOf(0xef, 0xbb, 0xbf, file), "/a", "rfc9309")).toBe("disallow 2");
  for (const broken of [[0xef], [0xef, 0xbb]]) {
    expect(decide(bytesOf(...broken, file), "/a", "rfc9309")).toBe("allow 0");
    expect(decide(bytesOf(...broken, file), "/a", "google")).toBe("disallow 2");
  }
  for (const dialect of ["rfc9309", "google"] as const) {
    expect(decide(bytesOf(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf, file), "/a", dialect)).toBe("allow 0");
  }
});

test("§2.2.1 #1 MUST: the product token contains only letters, _ and -: tested for every byte", () => {
  for (let byte = 0; byte < 256; byte++) {
    const isInside = /[A-Za-z_-]/.test(String.fromCharCode(byte));
    expect([byte, isProductToken(`a${String.fromCharCode(byte)}`)]).toEqual([byte, isInside]);
    // CR and LF end the line, # begins a comment, blanks are trimmed: the token ends before these bytes.
    if ([0x0a, 0x0d, 0x23, 0x20, 0x09].includes(byte)) continue;
    const named = decide(bytesOf("user-agent: a", byte, "\ndisallow: /"), "/x", "rfc9309", "a");
    const asked = isInside
      ? decide(bytesOf("user-agent: a", byte, "\ndisallow: /"), "/x", "rfc9309", `a${String.fromCharCode(byte)}`)
      : "";
    expect([byte, named, asked]).toEqual([byte, "allow 0", isInside ? "disallow 2" : ""]);
  }
  expect(isProductToken("")).toBe(false);
});

test("§2.2.2 #17 MAY: other encodings are not converted: bytes that are not UTF-8 are compared unchanged", () => {
  for (const dialect of ["rfc9309", "google"] as const) {
    const latin1 = bytesOf("user-agent: *\ndisallow: /caf", 0xe9);
    expect(decide(latin1, "/caf%E9", dialect)).toBe("disallow 2");
    expect(decide(latin1, "/caf%C3%A9", dialect)).toBe("allow 0");
    const utf16 = Array.from("user-agent: *\ndisallow: /").flatMap((character) => [character.charCodeAt(0), 0]);
    expect(decide(bytesOf(0xff, 0xfe, ...utf16), "/a", dialect)).toBe("allow 0");
  }
});

test("§2.2.4 #20 MAY: other records are read", () => {
  for (const dialect of ["rfc9309", "google"] as const) {
    const { records, groups } = parseRobotsTxt("Sitemap: https://h/s\nuser-agent: *\ncrawl-delay: 5", { dialect });
    expect(records).toEqual([
      { name: "sitemap", value: "https://h/s", line: 1, scope: "file" },
      { name: "crawl-delay", value: "5", line: 3, scope: "group" },
    ]);
    expect(groups[0]!.records).toEqual([records[1]]);
  }
});

test("§2.2.4 #21 MAY: other records are read leniently", () => {
  for (const dialect of ["rfc9309", "google"] as const) {
    const { records } = parseRobotsTxt("site-map: a\nSITEMAP : b", { dialect });
    expect(records.map(({ name, value }) => `${name} ${value}`)).toEqual(["sitemap a", "sitemap b"]);
  }
});

test("§2.3.1.1 #26 MUST: the parseable rules are followed; refused lines are not rules", () => {
  const text = "user-agent: *\ndisallow: /a\ndisallow: b\nallow: /\u{1}\nallow:\ncrawl-delay: \u{1}";
  const { groups, records } = parseRobotsTxt(text, { dialect: "rfc9309" });
  expect(groups.map(({ rules }) => rules)).toEqual([
    [
      { type: "disallow", pattern: "/a", line: 2 },
      { type: "allow", pattern: "", line: 5 },
    ],
  ]);
  expect(records).toEqual([]);
  const types = parseDirectives(text, { dialect: "rfc9309" }).map(({ type }) => type);
  expect(types).toEqual(["user-agent", "disallow", "disallow", "none", "allow", "none"]);
});

test("§2.5 #38 SHOULD: a limited part of a line is read", () => {
  const file = (length: number): string => `user-agent: *\ndisallow: /${"a".repeat(length - 11)}$`;
  // A line that is cut loses its "$".
  for (const [dialect, limit] of [
    ["rfc9309", 512_000],
    ["google", 16_663],
  ] as const) {
    const path = `/${"a".repeat(limit)}`;
    expect(decide(file(limit - 1), path, dialect)).toBe("allow 0");
    expect(decide(file(limit), path, dialect)).toBe("disallow 2");
  }
});

test("§2.5 #39 MUST: at least 500 KiB are parsed; the parser itself has no size limit", () => {
  const rule = "disallow: /last";
  for (const size of [511_999, 512_000, 512_001, 2_000_000]) {
    const head = "user-agent: *\n";
    const filler = `${"#".repeat(99)}\n`.repeat(Math.ceil(size / 100));
    const file = `${head}${filler.slice(0, size - head.length - rule.length - 1)}\n${rule}`;
    expect(file.length).toBe(size);
    for (const dialect of ["rfc9309", "google"] as const) {
      expect(decide(file, "/last", dialect)).toMatch(/^disallow /);
    }
  }
  // A single long line: the rfc9309 dialect reads all of it.
  const name = "a".repeat(500_000);
  expect(decide(`user-agent: *\ndisallow: /${name}b`, `/${name}c`, "rfc9309")).toBe("allow 0");
  expect(decide(`user-agent: *\ndisallow: /${name}b`, `/${name}c`, "google")).toBe("disallow 2");
});

test("§2.2, §3: every control character except TAB, LF, CR and DEL makes a rule invalid", () => {
  for (let byte = 0; byte < 0x80; byte++) {
    if ([0x09, 0x0a, 0x0d].includes(byte)) continue;
    const rules = parseRobotsTxt(bytesOf("user-agent: *\ndisallow: /a*", byte), { dialect: "rfc9309" }).groups[0]!
      .rules;
    expect([byte, rules.length]).toEqual([byte, byte < 0x20 ? 0 : 1]);
  }
});

test("§2.2.2: encoding is the same on both sides for every octet", () => {
  for (let byte = 0; byte < 256; byte++) {
    const hex = byte.toString(16).padStart(2, "0");
    const escaped = `/a%${hex}z`;
    const upper = `/a%${hex.toUpperCase()}z`;
    expect([hex, decide(`user-agent: *\ndisallow: ${escaped}`, upper, "rfc9309")]).toEqual([hex, "disallow 2"]);
    if (byte < 0x21 || byte >= 0x80 || byte === 0x23) continue;
    const raw = `/a${String.fromCharCode(byte)}z`;
    expect([hex, decide(`user-agent: *\ndisallow: ${escaped}`, raw, "rfc9309")]).toEqual([hex, "disallow 2"]);
    expect([hex, decide(`user-agent: *\ndisallow: ${raw}$`, escaped, "rfc9309")]).toEqual([hex, "disallow 2"]);
  }
});

test("§2.2.2, §3: any file and any URI are decided as by a literal implementation of the standard", () => {
  const unit = fc.constantFrom(
    "a",
    "b",
    "/",
    "*",
    "$",
    ".",
    "?",
    "%",
    "%61",
    "%2F",
    "%2a",
    "%24",
    "%c3%a9",
    "é",
    "|",
    "1",
    " ",
  );
  const path = fc.string({ unit, maxLength: 8 });
  const line = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom("allow: /", "Disallow:/", "disallow: *", "disallow:"), path)
        .map((parts) => parts.join("")),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "user-agent: a",
        "User-Agent : *",
        "user-agent: b",
        "user-agent: a/1",
        "useragent: a",
        "user-agent: b\u{1}",
      ),
    },
    fc.constantFrom(
      "",
      "# x",
      "sitemap: x",
      "allow: a",
      "disallow: /\u{2}",
      "disallow /",
      "allow: / # \0",
      "\u{feff}allow: /",
    ),
  );
  const ends = fc.constantFrom("\n", "\r", "\r\n");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(line, ends), { maxLength: 14 }),
      fc.array(path, { minLength: 1, maxLength: 4 }),
      (lines, paths) => {
        const text = lines.flat().join("");
        for (const token of ["a", "c"]) {
          const matcher = createMatcher(parseRobotsTxt(text, { dialect: "rfc9309" }), token);
          const expected = paths.map((rest) => decideByTheStandard(text, token, `/${rest}`));
          // Enough decisions for the index to be built.
          for (let asked = 0; asked < 20; asked++) {
            for (const [at, rest] of paths.entries()) {
              const decision = matcher.decideTarget(`/${rest}`);
              const decided = {
                allowed: decision.allowed,
                line: decision.because === "rule" ? decision.rule.line : 0,
              };
              expect(decided).toEqual(expected[at]);
            }
          }
        }
      },
    ),
    { numRuns: 600 },
  );
});

test("each of the 40 capitalised statements has a test, here or in packages/fetch", () => {
  const sources = ["./rfc9309-cases.ts", "./rfc9309.test.ts", "../../fetch/test/rfc9309.test.ts"].map((path) =>
    readFileSync(new URL(path, import.meta.url), "utf8"),
  );
  const levels = new Map<number, string>();
  for (const [, number, level] of sources
    .join("\n")
    .matchAll(/"§[\d.]+ #(\d+) (MUST NOT|MUST|SHOULD NOT|SHOULD|MAY):/g)) {
    expect([number, levels.get(Number(number)) ?? level]).toEqual([number, level]);
    levels.set(Number(number), level!);
  }
  expect([...levels.keys()].toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 40 }, (_, at) => at + 1),
  );
  const counted: Record<string, number> = {};
  for (const level of levels.values()) counted[level] = (counted[level] ?? 0) + 1;
  expect(counted).toEqual({ MUST: 19, "MUST NOT": 2, SHOULD: 9, "SHOULD NOT": 1, MAY: 9 });
});
