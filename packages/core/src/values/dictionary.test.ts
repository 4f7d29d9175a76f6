// Structured Fields Dictionaries: the cases of RFC 9651, and the parser compared with a regular expression of the grammar.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDictionary } from "./dictionary.ts";

const bytesOf = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, "latin1"));

/** `key: type text` of each member; the offset of the failure when parsing fails. */
function membersOf(text: string): string[] | number {
  const { members, at } = parseDictionary(bytesOf(text));
  if (members === undefined) return at;
  return [...members.values()].map(({ key, type, text: value }) => `${key}: ${type} ${value}`);
}

describe("dictionaries that parse (RFC 9651 §3.2, §4.2)", () => {
  test.each<[string, string, string[]]>([
    ["empty", "", []],
    ["blanks", "   ", []],
    ["a string and a token", 'en="Applepie", da=*2', ['en: string "Applepie"', "da: token *2"]],
    ["booleans", "a=?0, b, c; foo=bar", ["a: boolean ?0", "b: boolean ", "c: boolean "]],
    [
      "inner lists",
      "rating=1.5, feelings=(joy sadness)",
      ["rating: decimal 1.5", "feelings: inner-list (joy sadness)"],
    ],
    [
      "members and parameters",
      "a=(1 2), b=3, c=4;aa=bb, d=(5 6);valid",
      ["a: inner-list (1 2)", "b: integer 3", "c: integer 4", "d: inner-list (5 6)"],
    ],
    ["an empty inner list", "a=()", ["a: inner-list ()"]],
    ["blanks within an inner list", "a=(  1   2  )", ["a: inner-list (  1   2  )"]],
    ["parameters within an inner list", 'a=("x";q=1;w y)', ['a: inner-list ("x";q=1;w y)']],
    ["tabs around commas", "a=1\t,\t b=2", ["a: integer 1", "b: integer 2"]],
    ["blanks after a semicolon", "a=1;  b=2;c", ["a: integer 1"]],
    ["a repeated key: its last value, at the position of the first", "a=1,b=2,a=y", ["a: token y", "b: integer 2"]],
    ["characters of keys", "*=1, a-_.*9=2", ["*: integer 1", "a-_.*9: integer 2"]],
    ["characters of tokens", "a=A!#$%&'*+-.^_`|~:/9", ["a: token A!#$%&'*+-.^_`|~:/9"]],
    [
      "numbers",
      "a=-0, b=999999999999999, c=-123456789012.125",
      ["a: integer -0", "b: integer 999999999999999", "c: decimal -123456789012.125"],
    ],
    ["escapes of strings", String.raw`a="\"\\"`, [String.raw`a: string "\"\\"`]],
    [
      "bytes",
      "a=:cHJl:, b=::, c=:YQ:, d=:YQ==:",
      ["a: byte-sequence :cHJl:", "b: byte-sequence ::", "c: byte-sequence :YQ:", "d: byte-sequence :YQ==:"],
    ],
    [
      "dates, also before other members",
      "a=@1659578233, b=@-1;x=1, c=(@1 @2), train-ai=n",
      ["a: date @1659578233", "b: date @-1", "c: inner-list (@1 @2)", "train-ai: token n"],
    ],
    ["numbers with zeros in front", "a=007, b=-00.50", ["a: integer 007", "b: decimal -00.50"]],
    ["blanks after ; only", "a=b;  c=1  ,  d=e; f=2; g=3", ["a: token b", "d: token e"]],
    ["a byte order mark in a display string", 'a=%"%ef%bb%bf"', ['a: display-string %"%ef%bb%bf"']],
    ["a display string", 'a=%"f%c3%bc"', ['a: display-string %"f%c3%bc"']],
  ])("%s", (_, text, expected) => {
    expect(membersOf(text)).toEqual(expected);
  });
});

describe("dictionaries that do not parse, with the offset", () => {
  test.each<[string, string, number]>([
    ["a comma at the end", "a=1, ", 5],
    ["an empty member", "a=1,,b=2", 4],
    ["a comma alone", ",", 0],
    ["a tab at the start", "\ta=1", 0],
    ["an upper-case key", "Train-AI=n", 0],
    ["an upper-case letter in a key", "train-AI=n", 6],
    ["a key that begins with a digit", "1a=1", 0],
    ["no value", "a=", 2],
    ["a blank before =", "a =1", 2],
    ["a blank after =", "a= 1", 2],
    ["a blank before ;", "a=b ;c", 4],
    ["a blank before = of a parameter", "a=b;c =1", 6],
    ["a blank after = of a parameter", "a=b;c= 1", 6],
    ["base64 with a blank", "a=:YQ ==:", 5],
    ["a display string with a tab", 'a=%"\t"', 4],
    ["a display string without a quote", "a=%foo", 3],
    ["a display string with a broken sequence", 'a=%"%e2%28%a1"', 13],
    ["a display string that begins within a sequence", 'a=%"%a0%a1"', 10],
    ["a semicolon between members", "a=1;B", 4],
    ["a path without a slash", "*.pdf train-ai=n", 6],
    ["16 digits", "a=1234567890123456", 18],
    ["13 digits before the point", "a=1234567890123.1", 17],
    ["4 digits after the point", "a=1.1234", 8],
    ["no digit after the point", "a=1.", 4],
    ["a sign alone", "a=-", 3],
    ["two points", "a=1.1.1", 5],
    ["an open string", 'a="b', 4],
    ["an unknown escape", String.raw`a="\n"`, 4],
    ["a control character in a string", 'a="\x7f"', 3],
    ["a byte of 0x80 and above", 'a="\xe9"', 3],
    ["an open byte sequence", "a=:YQ", 5],
    ["one letter of base64", "a=:Y:", 4],
    ["padding of the wrong length", "a=:YQ=:", 6],
    ["padding inside", "a=:Y=Q:", 5],
    ["another boolean", "a=?2", 3],
    ["a decimal date", "a=@1.5", 6],
    ["an open inner list", "a=(1", 4],
    ["items that touch", 'a=("x""y")', 6],
    ["a tab in an inner list", "a=(1\t2)", 4],
    ["an inner list in an inner list", "a=((1))", 3],
    ["upper-case escapes in a display string", 'a=%"%C3%BC"', 4],
    ["a display string that is not UTF-8", 'a=%"%c3"', 7],
    ["an escape cut off", 'a=%"%c', 4],
    ["a NUL", "a=1\0", 3],
  ])("%s", (_, text, at) => {
    expect(membersOf(text)).toBe(at);
  });
});

test("a range of the bytes", () => {
  const { members } = parseDictionary(bytesOf("X a=1, b=%"), 2, 5);
  expect([...members!.keys()]).toEqual(["a"]);
  expect(parseDictionary(bytesOf('a=%"%c3%bc"'), 0, 9).members).toBeUndefined();
});

// The grammar as one regular expression, which the parser must agree with. It does not check that display strings are valid UTF-8.
const key = "[a-z*][a-z0-9_.*-]*";
const number = String.raw`-?(?:\d{1,12}\.\d{1,3}|\d{1,15}(?![\d.]))`;
const bare = [
  number,
  String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`,
  "[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*",
  ":(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?:",
  String.raw`\?[01]`,
  String.raw`@-?\d{1,15}(?![\d.])`,
  '%"(?:[ !#$&-~]|%[0-9a-f]{2})*"',
].join("|");
const parameters = `(?:; *${key}(?:=(?:${bare}))?)*`;
const innerList = String.raw`\( *(?:(?:${bare})${parameters}(?: +(?:${bare})${parameters})* *)?\)`;
const member = `${key}(?:=(?:${innerList}|${bare}))?${parameters}`;
const dictionary = new RegExp(`^ *(?:${member}(?:[ \t]*,[ \t]*${member})*[ \t]*)?$`);

const pieces = [
  "a",
  "train-ai",
  "=",
  "y",
  "n",
  ",",
  " ",
  "\t",
  ";",
  "(",
  ")",
  '"x"',
  '"',
  "1",
  "1.5",
  "-",
  "?1",
  "@7",
  ":YQ==:",
  ":",
  '%"%c3%bc"',
  "%",
  "A",
  "é",
  "\\",
];
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
const numRuns = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined ? 200_000 : 4000;

test("any text parses exactly when it matches the grammar", () => {
  fc.assert(
    fc.property(soup, (text) => {
      const encoded = bytesOf(text);
      expect(parseDictionary(encoded).members !== undefined).toBe(dictionary.test(text));
    }),
    { numRuns },
  );
});

test("a long value takes linear time", () => {
  for (const text of [
    "a=(".repeat(200_000),
    "a,".repeat(300_000),
    `a="${String.raw`\"`.repeat(300_000)}`,
    "a;".repeat(300_000),
  ]) {
    expect(parseDictionary(bytesOf(text)).members).toBeUndefined();
  }
});
