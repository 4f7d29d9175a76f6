// Tests tables with many kinds of content and damage: which records are read, which lines are rejected, and that no later row is lost.
import fc from "fast-check";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { chunksOf, readAll } from "../../../test/reading.ts";
import { delimiterOf } from "./first-row.ts";
import { csv, tsv } from "./format.ts";
import { closingQuoteFrom, endOfRow, fieldsOf, RecordFinder } from "./find-record.ts";
import type { ReadOptions } from "../input-format.ts";

type Options = Partial<ReadOptions> & { readonly output?: string; readonly csvSafe?: boolean };

const read = (text: string, options: Options = {}): ReturnType<typeof readAll> =>
  readAll(csv, [new TextEncoder().encode(text)], options);

describe("the delimiter of a first row", () => {
  test.each([
    ["url,title,status", ","],
    ["url;title;status", ";"],
    ["url\ttitle\tstatus", "\t"],
    ["url|title", "|"],
    ["url", ""],
    ["url;a,b;c", ";"],
    ["a,b,c;url", ";"],
    ['"a,b,c,d";url', ";"],
    ["x;y,z,w", ","],
  ])("%s", (row, delimiter) => {
    expect(delimiterOf(row)).toBe(delimiter);
  });
});

describe("columns", () => {
  test.each([
    ["by a usual name", "Title,Address\na,x:1\n", undefined, ["x:1"]],
    ["by name", "a,b\nx:1,x:2\n", "b", ["x:2"]],
    ["by name in another case", "a,Target\nx:1,x:2\n", "target", ["x:2"]],
    ["by number", "a,b\nx:1,x:2\n", "2", ["x:2"]],
    ["by a name that is a number", "2,b\nx:1,x:2\n", "2", ["x:1"]],
    [
      "without a header, by the URL",
      "7,https://a.example/\n8,https://b.example/\n",
      undefined,
      ["https://a.example/", "https://b.example/"],
    ],
    ["without a header, by number", "https://a.example/,x:1\n", "2", ["x:1"]],
    ["a single one with commas in its fields", "url\nhttps://a.example/1,2\n", undefined, ["https://a.example/1,2"]],
    ["a quoted header", '"Id","Page URL"\n1,x:1\n', undefined, ["x:1"]],
    ["by a telling name, preferred to other names", "Link,Uri\nx:1,x:2\n", undefined, ["x:2"]],
    [
      "of two telling names, the one whose field is a URL",
      "Address,URL\nMain Street 1,https://a.example/\n",
      undefined,
      ["https://a.example/"],
    ],
    [
      "of two other names, the one whose field is a URL",
      "Page,Landing Page\n7,https://a.example/\n",
      undefined,
      ["https://a.example/"],
    ],
    [
      "in another language, by the only field that is a URL",
      "Die h\u00e4ufigsten Seiten;Klicks\nhttps://a.example/;1\n",
      undefined,
      ["https://a.example/"],
    ],
    ["the same, after a damaged row", "Seite,Klicks\n1\nhttps://a.example/,1\n", undefined, ["https://a.example/"]],
    ["a header over two lines", '"a\nb",url\n1,x:1\n', undefined, ["x:1"]],
  ])("%s", async (_what, text, urlField, urls) => {
    expect((await read(text, { urlField })).urls).toEqual(urls);
  });

  test.each([
    ["no usual name", "a,b\n1,2\n", undefined, "it has 2 fields"],
    ["no field of the name, but one with a URL", "a,b\n1,https://a.example/\n2", "c", "field 2 holds a URL"],
    ["no usual name and no row", "a,b\n", undefined, "it has 2 fields"],
    ["two telling names", "url,URL\nx:1,x:2\n", undefined, "may hold the URL: 1, 2"],
    ["two telling names and no row", "URI,Address\n", undefined, "may hold the URL: 1, 2"],
    [
      "two names, both with URLs",
      "Referring page URL,Target URL\nhttps://a.example/,https://b.example/\n",
      undefined,
      "may hold the URL: 1, 2",
    ],
    ["two URLs under other names", "von,nach\nhttps://a.example/,https://b.example/\n", undefined, "URL: 1, 2"],
    ["no field of the requested name", "a,b\n1,2\n", "c", 'no field "c"'],
    ["a number too high", "a,b\n1,2\n", "3", 'no field "3"'],
    ["two names that differ only in case", "Link,LINK\n1,2\n", "link", "matches several columns: 1, 2"],
    ["broken quotes", 'a,"url\n1,2\n', undefined, "test:1: the first row opens a field"],
    ["the name of an added column", "url,robots\n1,2\n", undefined, 'already has a field "robots"'],
  ])("%s: wrong usage", async (_what, text, urlField, message) => {
    await expect(read(text, { urlField })).rejects.toThrow(message);
  });

  test.each<readonly [flag: string, code: string, asked: Partial<ReadOptions>]>([
    ["urlField", "ERR_SEVERAL_URL_FIELDS", { urlField: "link" }],
    ["pathField", "ERR_SEVERAL_URL_FIELDS", { urlField: { path: "link" } }],
    ["hostField", "ERR_SEVERAL_URL_FIELDS", { urlField: { path: "url", host: "link" } }],
    ["agentField", "ERR_SEVERAL_AGENT_FIELDS", { agentField: "link" }],
    ["timeField", "ERR_SEVERAL_TIME_FIELDS", { time: { field: "link" } }],
    [
      "addressField",
      "ERR_SEVERAL_TEXT_FIELDS",
      { texts: [{ name: "address", field: "link", flag: "addressField", isRequired: true }] },
    ],
  ])("the name of %s matches two columns: wrong usage", async (flag, code, asked) => {
    const message = `test: "link" (${flag}) matches several columns: 2, 3`;
    await expect(read("url,Link,LINK\nhttps://a.example/,1,2\n", asked)).rejects.toMatchObject({ code, message });
  });

  test("names that occur twice or are empty become unique names", async () => {
    const { heads } = await read("url,a,a,,a_2\nx:1,1,2,3,4\n");
    expect(heads).toEqual(['{"url":"x:1","a":"1","a_3":"2","column_4":"3","a_2":"4"']);
  });

  test("100,000 columns with the same name get unique names within the time limit of a test", async () => {
    const times = 100_000;
    const { heads } = await read(`url${",a".repeat(times)}\nx:1${",1".repeat(times)}\n`);
    expect(heads[0]?.slice(-30)).toMatch(/"a_99999":"1","a_100000":"1"$/);
  });
});

test("60,000 lines within quotes, each in its own piece, are read within the time limit of a test", async () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => (index % 2 === 0 ? "a\n" : 'b""\n'));
  const inRow = ["url,n\nx:1,1\n", 'x:2,"', ...lines, '"\nx:3,3\n'].map((text) => Buffer.from(text));
  const { heads } = await readAll(csv, inRow);
  const urls = heads.map((head) => (JSON.parse(`${head}}`) as { url: string }).url);
  expect(urls).toEqual(["x:1", "x:2", "x:3"]);
  const inHeader = ['url,"', ...lines, '"\nx:1,1\n'].map((text) => Buffer.from(text));
  expect(await readAll(csv, inHeader)).toMatchObject({ urls: ["x:1"] });
});

test.each(["sep=;\n", '"sep=;"\r\n', "\n\nSEP=;\n"])("the delimiter that %j states before the header", async (line) => {
  const text = new TextEncoder().encode(`${line}a,b;url\n1;x:1\n2\n`);
  for (const length of [text.length, 3, 1]) {
    const result = await readAll(csv, chunksOf(text, length));
    expect(result.heads).toEqual(['{"a,b":"1","url":"x:1"']);
    expect(result.rejects).toMatchObject([{ line: line.split("\n").length + 2, code: "ragged" }]);
  }
});

test("empty lines that fill the first chunks do not determine the delimiter, and are counted as lines", async () => {
  const pieces = ["\n\n", "\n", "n;url\n", "1;x:1\n", "2\n"].map((piece) => new TextEncoder().encode(piece));
  const result = await readAll(csv, pieces);
  expect(result.urls).toEqual(["x:1"]);
  expect(result.rejects).toMatchObject([{ line: 6, message: "has 1 field where the first row has 2" }]);
});

describe("a row with a mistake is rejected, and no row after it", () => {
  const after = ["x:7,8", '"x:9","1\n0"', "x:11,12"].join("\n");
  const urlsAfter = ["x:7", "x:9", "x:11"];

  test.each([
    ["a stray quote", 'x:1,a"b', "stray-quote"],
    ["something after a closing quote", '"x:1"2,3', "stray-quote"],
    ["a quote that is not closed", 'x:1,"2', "open-quote"],
    ["too few fields", "x:1", "ragged"],
    ["too many fields", "x:1,2,3", "ragged"],
    ["too many quoted fields", '"x:1","2","3"', "ragged"],
  ])("%s", async (_what, row, code) => {
    const result = await read(`url,n\nx:0,0\n${row}\n${after}\n`);
    expect(result.urls).toEqual(["x:0", ...urlsAfter]);
    expect(result.rejects).toMatchObject([{ line: 3, code, text: row }]);
  });

  test("a quote without a closing quote up to the end of the file", async () => {
    const result = await read('url,n\nx:1,"2\nx:3,4\nx:5,6\n');
    expect(result.urls).toEqual(["x:3", "x:5"]);
    expect(result.rejects).toMatchObject([{ line: 2, code: "open-quote", text: 'x:1,"2' }]);
  });

  test("if another mistake closes a quote, the lines of both mistakes are rejected, not the rows between", async () => {
    const rows = ["https://a.example/1,a", "https://a.example/2,b"];
    const quotes = [
      // With as many fields as a row.
      ['https://a.example/0,"x', 'https://a.example/9,y"'],
      // With more fields.
      ['https://a.example/0,"x', 'https://a.example/9",y'],
    ] as const;
    for (const [first, last] of quotes) {
      const text = new TextEncoder().encode(
        ["url,n", "https://a.example/,0", first, ...rows, last, ...rows, ""].join("\n"),
      );
      for (const length of [text.length, 40, 7]) {
        const result = await readAll(csv, chunksOf(text, length));
        expect(result.rejects.map(({ line, text: lost }) => [line, lost])).toEqual([
          [3, first],
          [6, last],
        ]);
        expect(result.urls.slice(1)).toEqual([
          "https://a.example/1",
          "https://a.example/2",
          "https://a.example/1",
          "https://a.example/2",
        ]);
      }
    }
  });

  test("text over several lines stays one field", async () => {
    const row = '"https://a.example/1","first, second\r\n\nsee https://b.example/\na,b,c"';
    const result = await read(`url,n\n${row}\nhttps://a.example/2,\n`);
    expect(result.urls).toEqual(["https://a.example/1", "https://a.example/2"]);
    expect(result.rejects).toEqual([]);
  });

  test("a line that ends one field and begins another is not a row, although it has a URL and as many delimiters as a row", async () => {
    const rows = [
      '"a\nb",https://a.example/1,"x","c\nd"',
      '"a\n\nb","https://a.example/2",,"c\nd"',
      '1,https://a.example/3,"2",3',
    ];
    for (const lineEnd of ["\n", "\r\n"]) {
      const text = `n,url,m,o\n${rows.join("\n")}\n`.replaceAll("\n", lineEnd);
      const result = await read(text);
      expect(result.urls).toEqual(["https://a.example/1", "https://a.example/2", "https://a.example/3"]);
      expect(result.rejects).toEqual([]);
    }
  });

  test("a quote without a closing quote within the limit", async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => `x:${index},y`);
    const text = new TextEncoder().encode(`url,n\nx:1,"2\n${rows.join("\n")}\n`);
    for (const length of [text.length, 1_000, 10]) {
      const result = await readAll(csv, chunksOf(text, length), { maxLineBytes: 500 });
      expect(result.urls).toHaveLength(1_000);
      expect(result.rejects).toMatchObject([{ line: 2, code: "open-quote" }]);
    }
  });

  test("line numbers count all lines of records with several lines", async () => {
    const result = await read('url,n\n"x:1","a\r\nb\n\nc"\nbad\nx:2,3\n');
    expect(result.rejects).toMatchObject([{ line: 6 }]);
  });
});

describe("output as CSV or TSV", () => {
  const header = "robots_agent,robots_allowed,robots_because,robots_group,robots_rule,robots_line,robots_origin\n";

  test("rows keep their bytes", async () => {
    const rows = ["x:1,ü", '"x:2","a ""b"", c\r\nd"', 'x:3,""', "x:4,  "];
    const result = await read(`url,n\n${rows.join("\r\n")}\r\n`, { output: "csv" });
    expect(result.header).toBe(`url,n,${header}`);
    expect(result.heads.map((head) => Buffer.from(head, "latin1").toString())).toEqual(rows);
  });

  test("another delimiter: fields keep their text", async () => {
    const result = await read('url;n\nx:1;a,b\n"x:2";"c;d"\n', { output: "csv" });
    expect(result.heads).toEqual(['x:1,"a,b"', "x:2,c;d"]);
  });

  test("a single column with commas is quoted", async () => {
    expect((await read("url\nx:1,2\n", { output: "csv" })).heads).toEqual(['"x:1,2"']);
  });

  test.each(["=1+1", "+1", "-1", "@x", "\t=1", "＝1", "＋1", "－1", "＠x"])("csvSafe escapes %j", async (field) => {
    const row = `url,n\nx:1,"${field}"\n`;
    const [safe] = (await read(row, { output: "csv", csvSafe: true })).heads;
    expect(Buffer.from(safe ?? "", "latin1").toString()).toBe(`x:1,'${field}`);
    const [raw] = (await read(row, { output: "csv" })).heads;
    expect(Buffer.from(raw ?? "", "latin1").toString()).toBe(`x:1,"${field}"`);
  });

  test("rows of TSV keep their bytes", async () => {
    const result = await readAll(tsv, [Buffer.from('url\tn\nx:1\ta,b\nx:2\t"c\td"\n')], { output: "tsv" });
    expect(result.heads).toEqual(["x:1\ta,b", 'x:2\t"c\td"']);
  });
});

describe("RecordFinder", () => {
  /** All records of a text that is given in pieces; undefined when one is wrong. */
  function split(pieces: readonly string[]): string[] | undefined {
    const finder = new RecordFinder(",", "\n", 1_000_000);
    const records: string[] = [];
    let rest = "";
    for (const [index, piece] of [...pieces, ""].entries()) {
      const all = rest + piece;
      finder.begin(all);
      let at = 0;
      for (; at < all.length; at = finder.next) {
        const found = finder.find(at, index === pieces.length);
        if (found === "more") break;
        if (found === "blank") continue;
        if (found !== "row" && found !== "quoted-row") return undefined;
        records.push(all.slice(at, finder.end));
      }
      rest = all.slice(at);
    }
    return records;
  }

  const parseStrictly = (text: string): string[][] | undefined => {
    try {
      return parse(text, { record_delimiter: "\n", relax_column_count: true, skip_empty_lines: true });
    } catch {
      return undefined;
    }
  };

  test("finds the same records and fields as csv-parse, and a mistake in the same texts", () => {
    const text = fc.array(fc.constantFrom('"', '"', ",", "\n", "a", "b", '""', '","'), { maxLength: 30 });
    fc.assert(
      fc.property(text, (parts) => {
        const whole = parts.join("");
        const records = split([whole]);
        const parsed = parseStrictly(whole);
        expect([whole, records?.map((record) => fieldsOf(record, ","))]).toEqual([whole, parsed]);
      }),
      { numRuns: 5_000 },
    );
  });

  test("every cut after a line end gives the same records", () => {
    const field = fc.oneof(
      fc.constantFrom("", "a", "b c"),
      fc.string({ maxLength: 5 }).map((each) => `"${each.replaceAll('"', '""').replaceAll("\r", "")}"`),
    );
    const table = fc.array(
      fc.array(field, { minLength: 2, maxLength: 3 }).map((row) => row.join(",")),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(table, fc.nat(), (rows, seed) => {
        const whole = rows.map((row) => `${row}\n`).join("");
        const lines = whole.split(/(?<=\n)/);
        const cut = lines.length === 0 ? 0 : seed % lines.length;
        const pieces = [lines.slice(0, cut).join(""), lines.slice(cut).join("")].filter((piece) => piece !== "");
        expect(split(pieces)).toEqual(rows);
        expect(split(lines.filter((line) => line !== ""))).toEqual(rows);
      }),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  ["one quote", 'a"', 1],
  ["a doubled quote, which is text, before the closing quote", 'a""b"', 4],
  ["three quotes, of which the third closes the field", 'a"""', 3],
  ["no quote", "a", -1],
  ["only doubled quotes", '""""', -1],
])("the closing quote of a field with %s", (_what, text, at) => {
  expect(closingQuoteFrom(text, 0)).toBe(at);
});

const text = fc
  .array(fc.constantFrom('"', '"', '""', ",", "a", "\n", "\r\n", "\r"), { maxLength: 14 })
  .map((parts) => parts.join(""));

describe("endOfRow", () => {
  /** By definition: each quote opens or closes a field. */
  function slowEndOfRow(row: string, lineEnd: string, isOpen: boolean): number {
    let inQuotes = isOpen;
    for (let at = 0; at < row.length; at++) {
      if (row[at] === '"') inQuotes = !inQuotes;
      else if (row[at] === lineEnd && !inQuotes) return at;
    }
    return -1;
  }

  test("is the first line end outside of quotes", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(text, fc.constantFrom("\n", "\r"), fc.boolean(), (row, lineEnd, isOpen) => {
        // When a text begins within quotes, its first quote is not the second half of a doubled one.
        expect(endOfRow(row, lineEnd, isOpen)).toBe(slowEndOfRow(row, lineEnd, isOpen));
      }),
      { numRuns: 2_000 },
    );
  });

  test("is found within the time limit of a test after a million quotes", () => {
    expect(endOfRow(`${'"a",'.repeat(500_000)}\n`, "\n")).toBe(2_000_000);
  });
});
