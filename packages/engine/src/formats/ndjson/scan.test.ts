// JSON texts in: the scanner finds what JSON.parse finds, and refuses what it refuses.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createObjectScan, isJsonValue, keyOf, scanObject } from "./scan.ts";

/** What JSON.parse and the scan say about one line: both must agree on whether it is an object, and on its "url". */
function compare(line: string): void {
  const found = createObjectScan();
  const isObject = scanObject(line, 0, line.length, "url", "robots", found);
  let parsed: unknown;
  let isJson = true;
  try {
    parsed = JSON.parse(line);
  } catch {
    isJson = false;
  }
  const expected = isJson && typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  expect([line, isObject]).toEqual([line, expected]);
  if (!expected) return;
  const record = parsed as Record<string, unknown>;
  expect(found.taken).toBe(Object.hasOwn(record, "robots"));
  expect(line.slice(found.close).trim()).toBe("}");
  if (!Object.hasOwn(record, "url")) expect(found.valueStart).toBe(-1);
  else expect(JSON.parse(line.slice(found.valueStart, found.valueEnd))).toEqual(record["url"]);
}

describe("scanObject says what JSON.parse says", () => {
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

  test("on any JSON, and on any JSON with a letter changed", () => {
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
      { numRuns: 2_000 },
    );
  });

  test("looks at nothing outside its range", () => {
    const found = createObjectScan();
    expect(scanObject('x{"url":"a"}y', 1, 12, "url", "robots", found)).toBe(true);
    expect(scanObject('{"url":"a"}', 0, 10, "url", "robots", found)).toBe(false);
    expect(scanObject('{"url":true}', 0, 9, "url", "robots", found)).toBe(false);
    expect(scanObject('{"url":"a"}', 0, 8, "url", "robots", found)).toBe(false);
  });

  test("says what it expected, and where", () => {
    const found = createObjectScan();
    scanObject('{"url":"a";}', 0, 12, "url", "robots", found);
    expect([found.expected, found.at]).toEqual([", or }", 10]);
  });

  test("a hundred thousand brackets overflow no stack", () => {
    const line = `{"url":"a","deep":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(scanObject(line, 0, line.length, "url", "robots", createObjectScan())).toBe(false);
    const fair = `{"url":"a","deep":${"[".repeat(9_000)}${"]".repeat(9_000)}}`;
    expect(scanObject(fair, 0, fair.length, "url", "robots", createObjectScan())).toBe(true);
  });
});

describe("a line is a JSON value when JSON.parse says so", () => {
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
    expect(isJsonValue(text)).toBe(isParsed(text));
  });

  test("any value, whole and damaged", () => {
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
        expect([text, isJsonValue(text)]).toEqual([text, isParsed(text)]);
      }),
      { numRuns: 2_000 },
    );
  });
});

test("a key with escapes is the name that JSON.parse gives", () => {
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
      for (const asked of [keyOf(name), keyOf(key)]) {
        const found = createObjectScan();
        const line = `{${key}:1}`;
        expect(scanObject(line, 0, line.length, asked, "", found)).toBe(true);
        expect(found.valueStart >= 0).toBe(keyOf(key) === asked);
      }
    }),
    { numRuns: 2_000 },
  );
});
