// Text from outside is converted to a form that is safe on a terminal.
import { visibleJsonOf } from "@robots-stream/core/internal";
import { describe, expect, test } from "vitest";
import { byteStringOf, printableOf, shownWordOf, utf8TextOf, urlTextOf } from "./text.ts";

describe("bytes as Latin-1 strings", () => {
  test.each([["plain"], ["größe"], ["日本"], ["😀"], [""]])("%s is unchanged after encoding and decoding", (text) => {
    expect(utf8TextOf(byteStringOf(text))).toBe(text);
    expect(byteStringOf(text)).toBe(Buffer.from(text).toString("latin1"));
  });

  test.each([
    ["ASCII", "https://a.example/b", "https://a.example/b"],
    ["UTF-8", "https://a.example/\u00c3\u00bc", "https://a.example/ü"],
    ["a Latin-1 byte", "https://a.example/\u00fc", "https://a.example/%FC"],
    ["UTF-8 cut off", "https://a.example/\u00c3\u00bc\u00c3", "https://a.example/%C3%BC%C3"],
  ])("a URL in %s", (_what, bytes, text) => {
    expect(urlTextOf(bytes)).toBe(text);
  });
});

describe("words of the command line", () => {
  test.each([
    ["a path", "data/v=1/https@example.com@8443.txt"],
    ["a path with a time", "log-2026-11-01T10:00:00.ndjson"],
    ["a path of Windows", "C:\\logs\\today.log"],
    ["a URL of a host and a path", "htp://example.com:8080/a/b.txt"],
    ["an address with its port", "[::1]:80"],
    ["a URL of an address", "https://[2001:db8::1]:8443/robots.txt"],
  ])("%s is shown: %s", (_what, word) => expect(shownWordOf(word)).toBe(word));

  const user = [
    "u:hunter2@h",
    "u:hunter2@@h",
    ":hunter2@h",
    "u%3Ahunter2%40h",
    "u%253ahunter2%2540h",
    "hunter2:@h",
    "u\\hunter2@h",
  ];
  const schemes = ["http", "HTTPS", "ftp", "redis", "rediss", "socks5", " https", "x-y"];
  const words = [
    ...user,
    ...schemes.flatMap((scheme) => user.map((each) => `${scheme}://${each}/`)),
    ...user.flatMap((each) => [
      `https:${each}`,
      `https:\\\\${each}`,
      `https%3A%2F%2F${each}`,
      `https%253a//${each}`,
      `//${each}`,
    ]),
    "https://h/?token=hunter2",
    "https://h/#hunter2",
    "h.example/?token=hunter2",
    "https://hunter2@h/",
    "https:hunter2",
  ];
  test.each(words)("the credential in %s is not shown", (word) => expect(shownWordOf(word)).not.toContain("hunter2"));
});

describe("printableOf", () => {
  test.each([
    ["an escape sequence", "a\u001b[31mb", "a\\x1b[31mb"],
    ["a C1 control", "a\u009bb", "a\\x9bb"],
    ["line ends", "a\r\nb", "a\\x0d\\x0ab"],
    ["a right-to-left override", "a\u202eb", "a\\u202eb"],
    ["a zero-width space", "a\u200bb", "a\\u200bb"],
    ["a lone surrogate", "a\ud800b", "a\\ud800b"],
    ["letters of any script", "größe 日本 😀", "größe 日本 😀"],
  ])("%s", (_what, text, printed) => {
    expect(printableOf(text)).toBe(printed);
  });

  test("JSON stays the same data", () => {
    const data = { "a\u001b[31m": ["\u007f\u009b2J", "\u202e", "\n\u2028", "\ud800", "größe 😀"] };
    const printed = visibleJsonOf(JSON.stringify(data, undefined, 2));
    expect(JSON.parse(printed)).toEqual(data);
    expect(printed.split("\n").map((line) => printableOf(line))).toEqual(printed.split("\n"));
  });

  /** Every character with one of the properties, including lone surrogates. */
  const allOf = (property: RegExp): string[] => {
    const found: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (property.test(character)) found.push(character);
    }
    return found;
  };

  test.each([
    ["controls", /[\p{Cc}]/u, 65],
    ["line and paragraph separators", /[\p{Zl}\p{Zp}]/u, 2],
    ["marks of the writing direction", /\p{Bidi_Control}/u, 12],
    ["default-ignorable characters", /\p{Default_Ignorable_Code_Point}/u, 4_000],
    ["lone surrogates", /\p{Cs}/u, 2_048],
  ])("all %s become ASCII escapes", (_what, property, atLeast) => {
    const all = allOf(property);
    expect(all.length).toBeGreaterThanOrEqual(atLeast);
    for (const character of all) {
      const printed = printableOf(`a${character}b`);
      if (!/^a\\(?:x[\da-f]{2}|u[\da-f]{4}|u\{[\da-f]{5,6}\})b$/.test(printed)) expect(printed).toBe("an escape");
      if (character === "\n") continue;
      const json = visibleJsonOf(`"${character}"`);
      if (!/^"(?:\\u[\da-f]{4}){1,2}"$/.test(json) || JSON.parse(json) !== character) expect(json).toBe("an escape");
    }
  });

  test.each([["\u034f"], ["\u3164"], ["\ufe0f"], ["\u{e0041}"], ["\u{e01ef}"], ["\u115f"], ["\uffa0"], ["\u{1d173}"]])(
    "%j becomes ASCII",
    (character) => {
      for (const printed of [printableOf(character), visibleJsonOf(JSON.stringify({ [character]: character }))])
        expect(printed).toMatch(/^[ -~]+$/);
    },
  );

  test("cuts long texts", () => {
    expect(printableOf("x".repeat(500), 10)).toBe("xxxxxxxxxx…");
  });
});
