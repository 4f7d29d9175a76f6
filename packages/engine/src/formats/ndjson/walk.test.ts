// Tests that the walker finds the same members of JSON texts as JSON.parse, and refuses the same texts.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteStringOfJson } from "./tokens.ts";
import { AskedMembers } from "./asked-members.ts";
import { ObjectWalker } from "./walk.ts";

const numRuns = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 5_000 : 700;

const asked = new AskedMembers([Buffer.from("robots"), Buffer.from("url")]);
const [robots, url] = [0, 1];

/** A walker over a line between other lines; `shift` sets the offset of the line within a word of four bytes. */
function walkerOf(line: string, shift = 0, lineEnd: "\n" | "\r" = "\n"): { walker: ObjectWalker; start: number } {
  const before = lineEnd.repeat(shift);
  const bytes = Buffer.from(`${before}${line}${lineEnd}{"url":"next"}`, "utf8");
  const walker = new ObjectWalker({ bytes, text: bytes.toString("latin1") }, lineEnd);
  return { walker, start: walker.skipSpace(shift) };
}

const utf8Of = (text: string): string => Buffer.from(text, "latin1").toString("utf8");

/** Checks that JSON.parse and the walk agree on whether a line is an object, on its "url", and on whether it has a member "robots". */
function compare(text: string): void {
  // A text with a line feed is read with CR as the line end, so that it stays one line; its own carriage returns become spaces.
  const lineEnd = text.includes("\n") ? "\r" : "\n";
  const line = lineEnd === "\r" ? text.replaceAll("\r", " ") : text;
  let parsed: unknown;
  let isJson = true;
  try {
    parsed = JSON.parse(line);
  } catch {
    isJson = false;
  }
  const expected = isJson && typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  for (let shift = 0; shift < 4; shift++) {
    const { walker, start } = walkerOf(line, shift, lineEnd);
    expect([line, walker.walk(start, asked)]).toEqual([line, expected]);
    const end = Buffer.byteLength(line) + shift;
    if (!expected) {
      expect(walker.expectedAt).toBeLessThanOrEqual(end);
      continue;
    }
    const record = parsed as Record<string, unknown>;
    expect(walker.next).toBe(end + 1);
    expect(asked.has(robots)).toBe(Object.hasOwn(record, "robots"));
    expect(walker.text.slice(walker.close, end).trim()).toBe("}");
    const raw = utf8Of(walker.text.slice(asked.startOf(url), asked.endOf(url)));
    if (!Object.hasOwn(record, "url")) expect(asked.has(url)).toBe(false);
    else {
      expect(JSON.parse(raw)).toEqual(record["url"]);
      expect(asked.isEscaped(url)).toBe(raw.startsWith('"') && raw.includes("\\"));
    }
  }
}

describe("walk gives the same result as JSON.parse", () => {
  test.each([
    "{}",
    '{"url":"a"}',
    '{"url":"a"} \t',
    '{ "url" : "a" , "b" : [ ] , "c" : { } }',
    '{"a":{"url":"no"},"url":"yes"}',
    '{"url":"first","url":"last"}',
    String.raw`{"\u0075rl":"escaped name"}`,
    String.raw`{"url":"a\"b\\c\/\b\f\n\r\t\u00e9"}`,
    '{"n":[0,-0,1.5,-1e9,1E+5,0.1e-2,true,false,null,"x",{"y":[[[]]]}],"robots":1}',
    '{"__proto__":1,"constructor":2,"url":"x"}',
    '{"url":null}',
    '{"url":5}',
    // Not JSON.
    "",
    "{",
    "}",
    '{"url"}',
    '{"url":}',
    '{"url":"a",}',
    '{,"url":"a"}',
    '{"url":"a"}}',
    '{"url":"a"} x',
    '{"url":"a""b":1}',
    "{'url':'a'}",
    '{url:"a"}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":1e}',
    '{"a":-}',
    '{"a":NaN}',
    '{"a":tru}',
    '{"a":nulll}',
    '{"a":[1,]}',
    '{"a":[1 2]}',
    '{"a":[}',
    '{"a":{]}',
    '{"a":{"b"}}',
    '{"a":{"b":1,}}',
    '{"a":"\u0001"}',
    '{"a":"\t"}',
    String.raw`{"a":"\x"}`,
    String.raw`{"a":"\u12g4"}`,
    String.raw`{"a":"\u123`,
    String.raw`{"a":"\"`,
    '{"a":"',
    "[1]",
    '"text"',
    "5",
    "\u00a0{}",
    '{"a":1\u00a0}',
  ])("%j", compare);

  test("for random objects: whole, with one character changed or removed, and cut short", () => {
    expect.hasAssertions();
    const letters = '{}[]:,"\\ \t\n0123.eE+-truefalsn u\u0000\u00e9'.split("");
    const changes = fc.tuple(fc.nat(), fc.constantFrom(...letters));
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), changes, fc.boolean(), (record, [at, letter], spaced) => {
        const line = JSON.stringify({ ...record, url: "https://a.example/" }, undefined, spaced ? 1 : 0);
        compare(line);
        const place = at % line.length;
        compare(line.slice(0, place) + letter + line.slice(place + 1));
        compare(line.slice(0, place) + line.slice(place + 1));
        compare(line.slice(0, place));
      }),
      { numRuns },
    );
  });

  test.each([
    ["{", '"url":"a"}', "{", 0],
    ["a name", '{url:"a"}', 'a name in "quotes"', 1],
    ["a colon", '{"url" "a"}', ":", 7],
    ["a comma", '{"url":"a";}', ", or }", 10],
    ["a comma in an array", '{"url":[1;2]}', ", or ]", 9],
    ["a value", '{"url":nul}', "a value", 7],
    ["a value at the end", '{"url": \t', "a value", 7],
    ["a digit", '{"url":1.}', "a digit", 9],
    ["an end of the line", '{"url":"a"} x', "the end of the line", 12],
    ["a quote", '{"url":"a', 'a closing "', 9],
    ["a quote before blanks", '{"url":"a \t\r', 'a closing "', 9],
    ["a quote in a member's name", '{"url', 'a closing "', 5],
    ["no control character", '{"url":"a\tb"}', "no control character in a string", 9],
    ["an escape", '{"url":"\\x"}', "a valid JSON escape", 8],
    ["an escape at the end", '{"url":"\\ ', "a valid JSON escape", 8],
    ["digits", '{"url":"\\u12', "four hexadecimal digits after \\u", 12],
  ])("the walker says what it expected, and where: %s", (_what, line, expected, at) => {
    const { walker, start } = walkerOf(line);
    expect(walker.walk(start, asked)).toBe(false);
    expect([walker.expected, walker.expectedAt]).toEqual([expected, at]);
  });

  test("a hundred thousand brackets do not overflow the stack", () => {
    const line = `{"url":"a","deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(walkerOf(line).walker.walk(0, asked)).toBe(false);
    const fair = `{"url":"a","deep":${"[".repeat(9_000)}${"]".repeat(9_000)}}`;
    expect(walkerOf(fair).walker.walk(0, asked)).toBe(true);
  });
});

const isValue = (text: string): boolean => {
  const lineEnd = text.includes("\n") ? "\r" : "\n";
  const { walker, start } = walkerOf(text.replaceAll(lineEnd, " "), 1, lineEnd);
  return walker.isValue(start);
};

describe("a line is a JSON value exactly when JSON.parse accepts it", () => {
  const isParsed = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  test.each([
    "[",
    "]",
    "[]",
    "[,]",
    "[1,]",
    "1",
    "-",
    "01",
    "1e",
    "1.5E-3",
    '"',
    '""',
    '"\\"',
    "tru",
    "true",
    "truex",
    "nul",
    "null",
    "[1 2]",
    '[{"a":1}]',
    '[{"a"}]',
    "[[]",
    "{}x",
    "é",
    '"é"',
    '"\0"',
    "[	1\r\n]",
    "1 1",
    "NaN",
    "﻿1",
    "[".repeat(1e6),
    `${"[".repeat(1e6)}${"]".repeat(1e6)}`,
    '[{"a":'.repeat(2e5),
  ])("%.40s", (text) => {
    expect(isValue(text)).toBe(isParsed(text));
  });

  test("random values, whole and damaged", () => {
    const damage = fc.record({
      at: fc.nat(200),
      drop: fc.nat(3),
      put: fc.constantFrom("", '"', "\\", "[", "}", ",", "0"),
    });
    fc.assert(
      fc.property(fc.json(), fc.array(damage, { maxLength: 2 }), (json, damages) => {
        let text = json;
        for (const { at, drop, put } of damages) text = text.slice(0, at) + put + text.slice(at + drop);
        text = text.trim();
        expect([text, isValue(text)]).toEqual([text, isParsed(text)]);
      }),
      { numRuns },
    );
  });
});

test("a key with escapes matches a name exactly when JSON.parse decodes the key to this name", () => {
  const part = fc.constantFrom(
    "u",
    "r",
    "l",
    "\\u0075",
    "\\u0072",
    "\\u006C",
    "\\n",
    "\\/",
    "\\u00e9",
    "é",
    "\\ud83d\\ude00",
    "\\ud83d",
    "\xff",
  );
  const parts = fc.array(part, { minLength: 1, maxLength: 5 });
  const rawOf = (text: string): string => (text.includes("é") ? Buffer.from(text).toString("latin1") : text);
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const [key, name] = [one, other].map((each) => `"${rawOf(each.join(""))}"`) as [string, string];
      for (const wanted of [byteStringOfJson(name), byteStringOfJson(key)]) {
        const bytes = Buffer.from(`{${key}:1}`, "latin1");
        const walker = new ObjectWalker({ bytes, text: bytes.toString("latin1") }, "\n");
        const member = new AskedMembers([Buffer.from(wanted, "latin1")]);
        expect(walker.walk(0, member)).toBe(true);
        expect(member.has(0)).toBe(byteStringOfJson(key) === wanted);
      }
    }),
    { numRuns },
  );
});
