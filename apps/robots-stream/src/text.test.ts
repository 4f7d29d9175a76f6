// Text from outside in: what may be shown on a terminal out.
import { describe, expect, test } from "vitest";
import { bytesOf, printableJsonOf, printableOf, textOf, urlTextOf, withoutSecrets } from "./text.ts";

describe("bytes as Latin-1 strings", () => {
  test.each([["plain"], ["größe"], ["日本"], ["😀"], [""]])("%s survives the way there and back", (text) => {
    expect(textOf(bytesOf(text))).toBe(text);
    expect(bytesOf(text)).toBe(Buffer.from(text).toString("latin1"));
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

test.each([
  ['{"url":"http://u:p@h/a?b=c&d=e#f"', '{"url":"http://***@h/a?b=***&d=***#f"'],
  ["http://h/p@th and a@b.example", "http://h/p@th and a@b.example"],
  ["//u@h //v:w@h ?=x a=b", "//***@h //***@h ?=x a=b"],
])("%s is shown as %s", (text, shown) => {
  expect(withoutSecrets(text)).toBe(shown);
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
    const printed = printableJsonOf(JSON.stringify(data, undefined, 2));
    expect(JSON.parse(printed)).toEqual(data);
    expect(printed.split("\n").map((line) => printableOf(line))).toEqual(printed.split("\n"));
  });

  test("cuts what is long", () => {
    expect(printableOf("x".repeat(500), 10)).toBe("xxxxxxxxxx…");
  });
});
