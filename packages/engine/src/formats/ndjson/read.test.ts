// Tests the heads, URLs and rejects of lines of JSON with many kinds of content and damage.
import { describe, expect, test, vi } from "vitest";
import { readAll } from "../../../test/reading.ts";
import { ndjson } from "./format.ts";
import type { ReadOptions } from "../input-format.ts";

const read = (text: string, options: Partial<ReadOptions> & { output?: string } = {}): ReturnType<typeof readAll> =>
  readAll(ndjson, [new TextEncoder().encode(text)], options);

describe("the bytes of a record", () => {
  test.each([
    ["numbers as they are written", '{"url":"u:","n":1.00,"big":12345678901234567890,"e":1e400}'],
    ["white space inside", '{ "url" : "u:" , "n" : 1 }'],
    ["escapes as they are written", String.raw`{"url":"u:","s":"\u00e9\/\n"}`],
    ["duplicate members", '{"url":"u:","a":1,"a":2}'],
    ["hostile names", '{"url":"u:","__proto__":{"x":1}}'],
  ])("%s", async (_what, line) => {
    expect((await read(`${line}\n`)).heads).toEqual([line.slice(0, -1)]);
  });

  test("white space around a record is not part of its head", async () => {
    expect((await read(' \t{"url":"u:"} \t\r\n')).heads).toEqual(['{"url":"u:"']);
  });
});

test("ordinary lines are read without a string of their block", async () => {
  const toString = vi.spyOn(Buffer.prototype, "toString");
  const lines = new TextEncoder().encode(
    `{"url":"https://a.example/x","status":200,"agent":"bingbot"}\n`.repeat(1_100),
  );
  const status = { name: "status", field: "status", flag: "xField", isRequired: true } as const;
  const { urls } = await readAll(ndjson, [lines, lines, lines], { agentField: "agent", texts: [status] });
  const { calls, contexts } = toString.mock;
  // The head of a record is a part of its block, so it is a string of a range.
  const whole = contexts.filter((bytes, at) => (bytes as Buffer).length > 60_000 && calls[at]!.length < 2);
  // The first record is searched for its fields.
  expect([urls.length, whole.length]).toEqual([3_300, 1]);
  toString.mockRestore();
});

describe("the field with the URL", () => {
  test.each([
    ["url", '{"url":"x:1","link":"x:2"}', undefined, "x:1"],
    ["the most telling name, not the first", '{"link":"x:2","url":"x:1"}', undefined, "x:1"],
    ["any case", '{"URL":"x:1"}', undefined, "x:1"],
    ["a name of two words", '{"Page URL":"x:1"}', undefined, "x:1"],
    ["urlField", '{"url":"x:1","target":"x:2"}', "target", "x:2"],
    ["a nested member", '{"request":{"url":"x:3"}}', "request.url", "x:3"],
    ["an element of a list", '{"urls":["x:1","x:2"]}', "urls.1", "x:2"],
    ["a name with a dot, preferred to a path", '{"a.b":"x:1","a":{"b":"x:2"}}', "a.b", "x:1"],
    ["a name with letters beyond ASCII", '{"größe":"x:1"}', "größe", "x:1"],
    ["an escaped name", String.raw`{"\u0075rl":"x:1"}`, undefined, "x:1"],
    ["an escaped value", String.raw`{"url":"x:\u00fc\/"}`, undefined, "x:ü/"],
    ["an escape beside a character beyond ASCII", String.raw`{"url":"x:ü\u00fc"}`, undefined, "x:üü"],
    ["the last of two members with the same name", '{"url":"x:1","url":"x:2"}', undefined, "x:2"],
  ])("%s", async (_what, line, urlField, url) => {
    expect((await read(line, { urlField })).urls).toEqual([url]);
  });

  test.each([
    ["no field with a usual name", '{"a":1,"b":"x:1"}', undefined, "it has 2 fields"],
    ["no field with the requested name", '{"url":"x:1"}', "link", 'no field "link"; it has 1 field, among them url'],
    ["no field at the requested path", '{"a":{"b":1}}', "a.c", 'no field "a.c"'],
    ["no members", "{}", undefined, "it has no fields at all"],
    ["only an inherited member at the requested path", '{"a":{}}', "a.constructor", "no field"],
    ["the result key as a member", '{"url":"x:1","robots":{}}', undefined, 'already has a field "robots"'],
  ])("the first record has %s: wrong usage", async (_what, line, urlField, message) => {
    await expect(read(line, { urlField })).rejects.toThrow(message);
  });
});

describe("rejects", () => {
  test.each([
    ["broken JSON", '{"url":"x:1"', "not-json", "is not JSON: expected , or } at column 13"],
    ["text", "hello", "not-json", "is not JSON: expected { at column 1"],
    ["an array", '["x:1"]', "not-an-object", "is JSON, but not an object"],
    ["a number", "5", "not-an-object", "is JSON, but not an object"],
    ["null", "null", "not-an-object", "is JSON, but not an object"],
    ["an object without the field", '{"link":"x:1"}', "no-url-field", 'has no field "url"'],
    ["an empty object", "{}", "no-url-field", 'has no field "url"'],
    ["a number as URL", '{"url":5}', "url-not-text", 'has no text in the field "url"'],
    ["null as URL", '{"url":null}', "url-not-text", 'has no text in the field "url"'],
    [
      "the result key as a member",
      '{"url":"x:1","robots":1}',
      "key-taken",
      'already has a member "robots"; choose another name with resultKey',
    ],
    ["a NUL", '{"url":"x:\0"}', "not-json", "is not JSON: expected no control character in a string at column 11"],
  ])("%s", async (_what, line, code, message) => {
    const result = await read(`{"url":"x:0"}\n${line}\n{"url":"x:2"}\n`);
    expect(result.urls).toEqual(["x:0", "x:2"]);
    expect(result.rejects).toEqual([{ source: "test", line: 2, code, message, text: line }]);
  });

  test("rejects before the first record do not determine the field", async () => {
    const result = await read('nothing\n[1]\n{"link":"x:1"}\n');
    expect([result.urls, result.rejects.map(({ line }) => line)]).toEqual([["x:1"], [1, 2]]);
  });
});

describe("as CSV", () => {
  test("the members of the first record are the columns, and values keep their spelling", async () => {
    const lines = [
      String.raw`{"url":"x:1","n":1.00,"s":"a,\"b\"","o":{"a": [1]},"z":null,"t":true}`,
      String.raw`{"t":false,"url":"x:2","new":"lost"}`,
    ];
    const result = await read(lines.join("\n"), { output: "csv" });
    expect(result.header).toBe(
      "url,n,s,o,z,t,robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin\n",
    );
    expect(result.heads).toEqual(['x:1,1.00,"a,""b""","{""a"": [1]}",,true', "x:2,,,,,false"]);
  });
});
