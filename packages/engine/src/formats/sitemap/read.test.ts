// Tests the entries and rejects of whole, damaged and hostile sitemaps, for chunks of several sizes and after resume points.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ReadAllOptions, type ReadResult, batchesOf, chunksOf, joined, readAll } from "../../../test/reading.ts";
import { detect } from "../../sources/detect.ts";
import { sitemap } from "./format.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;

const read = (text: string, options: ReadAllOptions = {}): Promise<ReadResult> =>
  readAll(sitemap, [Buffer.from(text)], options);

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const open = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';

/** The URLs of the entries, and line, code and text of each reject. */
async function shortOf(text: string, options: ReadAllOptions = {}): Promise<unknown[]> {
  const { urls, rejects } = await read(text, options);
  return [urls, ...rejects.map(({ line, code, text: of }) => [line, code, of])];
}

describe("entries", () => {
  test("a row has the URL and the time of the last change, if there is one", async () => {
    const text = `${declaration}${open}
  <url>
    <loc> https://a.example/ü </loc><priority>0.5</priority>
    <lastmod>2025-01-02</lastmod>
  </url><url><loc>https://a.example/2</loc><lastmod/></url>
</urlset>\n`;
    expect(await read(text)).toMatchObject({
      heads: ['{"url":"https://a.example/\xc3\xbc","lastmod":"2025-01-02"', '{"url":"https://a.example/2"'],
      urls: ["https://a.example/ü", "https://a.example/2"],
      rejects: [],
    });
    expect(await read(text, { output: "csv" })).toMatchObject({
      heads: ["https://a.example/\xc3\xbc,2025-01-02", "https://a.example/2,"],
    });
  });

  test.each<[what: string, text: string, urls: readonly string[]]>([
    [
      "an index",
      "<sitemapindex><sitemap><loc>https://a.example/1.xml.gz</loc></sitemap></sitemapindex>",
      ["https://a.example/1.xml.gz"],
    ],
    ["a prefix", '<s:urlset xmlns:s="x"><s:url><s:loc>x:1</s:loc></s:url></s:urlset>', ["x:1"]],
    [
      "extensions have other locations",
      "<urlset><url><image:image><image:loc>x:2</image:loc></image:image><image:loc>x:3</image:loc><loc>x:1</loc></url></urlset>",
      ["x:1"],
    ],
    ["a location in another element", "<urlset><url><x><loc>x:2</loc></x><loc>x:1</loc></url></urlset>", ["x:1"]],
    ["entities", "<urlset><url><loc>x:?a&amp;b&#61;&#x3D;&lt;&gt;&quot;&apos;</loc></url></urlset>", ["x:?a&b==<>\"'"]],
    ["an entity is replaced once", "<urlset><url><loc>x:&amp;lt;</loc></url></urlset>", ["x:&lt;"]],
    ["character numbers beyond ASCII", "<urlset><url><loc>x:&#252;&#x65e5;&#x1F600;</loc></url></urlset>", ["x:ü日😀"]],
    ["CDATA", "<urlset><url><loc>\n<![CDATA[x:?a&b&amp;]]>\n</loc></url></urlset>", ["x:?a&b&amp;"]],
    ["CDATA in text", "<urlset><url><loc>x:&amp;<![CDATA[&]]>&amp;</loc></url></urlset>", ["x:&&&"]],
    [
      "comments",
      "<!-- <url> --><urlset><!-- <url> --><url><!-- </url> --><loc>x:<!-- y -->1</loc></url></urlset>",
      ["x:1"],
    ],
    ["attributes with >", "<urlset a='>'><url a=\">/url>\"><loc b='/>'>x:1</loc></url></urlset>", ["x:1"]],
    [
      "a DTD",
      '<!DOCTYPE urlset [<!ENTITY a "]><url>"><!-- \' ]> -->]><urlset><url><loc>x:1</loc></url></urlset>',
      ["x:1"],
    ],
    [
      "sitemaps one after another",
      "<urlset><url><loc>x:1</loc></url></urlset>\n<?xml version='1.0'?><urlset><url><loc>x:2</loc></url></urlset>",
      ["x:1", "x:2"],
    ],
    ["no entries", "<urlset></urlset>", []],
    ["no elements", "<urlset/>", []],
    ["a byte order mark", "\ufeff<urlset><url><loc>x:1</loc></url></urlset>", ["x:1"]],
  ])("%s", async (_what, text, urls) => {
    expect(await shortOf(text)).toEqual([urls]);
    expect(detect("stdin", Buffer.from(text)).format.name).toBe("sitemap");
    for (const length of [1, 2, 3, 7]) {
      expect(await readAll(sitemap, chunksOf(Buffer.from(text), length))).toEqual(await read(text));
    }
  });
});

describe("damage", () => {
  const good = "<url><loc>x:1</loc></url>";
  const last = "<url><loc>x:2</loc></url>";
  test.each<[what: string, text: string, rejects: readonly unknown[]]>([
    ["no location", "<url><lastmod>1</lastmod></url>", [[3, "no-url-field", "<url><lastmod>1</lastmod></url>"]]],
    ["an empty entry", "<url/>", [[3, "no-url-field", "<url/>"]]],
    ["two locations", "<url><loc>a</loc><loc>b</loc></url>", [[3, "not-xml", "<url><loc>a</loc><loc>b</loc></url>"]]],
    ["a bare &", "<url><loc>x:?a&b=1</loc></url>", [[3, "not-xml", "<url><loc>x:?a&b=1</loc></url>"]]],
    ["an entity of a DTD", "<url><loc>&lol;</loc></url>", [[3, "not-xml", "<url><loc>&lol;</loc></url>"]]],
    ["a number that is not a character", "<url><loc>&#0;</loc></url>", [[3, "not-xml", "<url><loc>&#0;</loc></url>"]]],
    ["no closing tag", "<url><loc>x:3</loc>", [[3, "not-xml", "<url><loc>x:3</loc>"]]],
    ["no closing tag of a field", "<url><loc>x:3</url>", [[3, "not-xml", "<url><loc>x:3</url>"]]],
    [
      "crossed tags",
      "<url><a><b></a></b><loc>x:3</loc></url>",
      [[3, "not-xml", "<url><a><b></a></b><loc>x:3</loc></url>"]],
    ],
    ["a bare <", "<url><loc>a<b</loc></url>", [[3, "not-xml", "<url><loc>a<b</loc></url>"]]],
    [
      "text between entries",
      "\n oops \n oh",
      [
        [4, "not-xml", "oops"],
        [5, "not-xml", "oh"],
      ],
    ],
    ["other elements", "<page>x</page>\n", [[3, "not-xml", "<page>x</page>"]]],
    ["a closing tag too many", "</url>", [[3, "not-xml", "</url>"]]],
  ])("%s: only the damage is rejected", async (_what, text, rejects) => {
    const all = `${declaration}${open}${good}\n${text}${last}\n</urlset>`;
    expect(await shortOf(all)).toEqual([["x:1", "x:2"], ...rejects]);
  });

  test("a file that is cut anywhere: whole entries are read, and the cut is reported", async () => {
    const whole = `${declaration}<!-- c -->${open}\n${good}\n<url>\n<loc>x:2</loc>\n</url>\n</urlset>`;
    const firstEnd = whole.indexOf(good) + good.length;
    for (let length = 1; length < whole.length; length++) {
      const { urls, rejects } = await read(whole.slice(0, length));
      expect([length, urls.length]).toEqual([length, length < firstEnd ? 0 : length < whole.length - 10 ? 1 : 2]);
      // A file that ends after the declaration or the comment before the root element is whole.
      if (![declaration.length - 1, declaration.length, declaration.length + 10].includes(length)) {
        expect([length, rejects.length]).toEqual([length, 1]);
      }
    }
    expect(await shortOf(whole.slice(0, firstEnd))).toEqual([["x:1"], [3, "not-xml", ""]]);
  });

  test("an entry or a line over the limit is one reject, for chunks of several sizes", async () => {
    const long = `<url><loc>x:${"y".repeat(3_000)}</loc></url>`;
    const text = `${open}${good}${long}${good}\n${"z".repeat(3_000)}\n${good}<url ${"a".repeat(3_000)}></url>${good}</urlset>`;
    const whole = await read(text, { maxLineBytes: 1_000 });
    expect(whole.urls).toEqual(["x:1", "x:1", "x:1", "x:1"]);
    expect(whole.rejects.map(({ line, code }) => [line, code])).toEqual([
      [1, "too-long"],
      [2, "too-long"],
      [3, "too-long"],
    ]);
    for (const { text: kept } of whole.rejects) expect(kept.length).toBeLessThanOrEqual(1_024);
    for (const length of [1, 33, 999, 5_000]) {
      expect(await readAll(sitemap, chunksOf(Buffer.from(text), length), { maxLineBytes: 1_000 })).toEqual(whole);
    }
  });

  test("fields that a sitemap does not have are wrong usage", async () => {
    await expect(read(open, { agentField: "ua" })).rejects.toThrow("agentField");
    await expect(read(open, { urlField: "loc" })).rejects.toThrow('no field "loc"');
    await expect(read(open, { time: { field: undefined } })).rejects.toThrow("no field that usually holds a time");
    expect((await read(`${open}${good}</urlset>`, { urlField: "url" })).urls).toEqual(["x:1"]);
  });
});

describe("hostile", () => {
  const size = isThorough ? 600_000 : 150_000;
  const laughs = `<!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from({ length: 9 }, (_, at) => `<!ENTITY lol${at} "${"&lol;".repeat(10)}">`).join("")}]>`;
  test.each<[what: string, text: string, rejects: number]>([
    ["billion laughs", `${laughs}<urlset><url><loc>&lol8;</loc></url></urlset>`, 1],
    [
      "an external entity",
      '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>x:&f;</loc></url></urlset>',
      1,
    ],
    ["nothing but <", "<".repeat(isThorough ? 2_000_000 : 400_000), 1],
    ["many < in an entry", `<urlset><url>${"<".repeat(size)}</url></urlset>`, 1],
    ["many <a>", `<urlset><url>${"<a>".repeat(size / 3)}</url></urlset>`, 1],
    ["many <!", "<!".repeat(size / 2), 1],
    ["many <!--", "<!--".repeat(size / 4), 1],
    ["many <![CDATA[", "<![CDATA[".repeat(size / 9), 1],
    ["many quotes in a tag", `<urlset ${"'".repeat(size)}`, 1],
    ["many references", `<urlset><url><loc>${"&#9".repeat(size / 3)}</loc></url></urlset>`, 1],
    ["many brackets", `<!DOCTYPE ${"[<".repeat(size / 2)}`, 1],
    ["many <url>", `<urlset>${"<url>".repeat(size / 5)}`, size / 5],
  ])("%s", async (_what, text, count) => {
    const bytes = Buffer.from(text);
    const whole = await readAll(sitemap, [bytes]);
    expect([whole.urls, whole.rejects.length]).toEqual([[], count]);
    expect((await readAll(sitemap, chunksOf(bytes, 4_099))).rejects).toEqual(whole.rejects);
  });
});

const pieces = fc.constantFrom(
  "<urlset>",
  "</urlset>",
  "<s:urlset>",
  "<url>",
  "</url>",
  "<sitemap>",
  "</sitemap>",
  "<s:url>",
  "</s:url>",
  "<loc>",
  "</loc>",
  "<loc>https://a.example/</loc>",
  "<url><loc>https://a.example/ü?a&amp;b</loc><lastmod>2025</lastmod></url>",
  "<lastmod/>",
  "<url/>",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<?x",
  "?>",
  "<!DOCTYPE x [",
  "]>",
  "&amp;",
  "&",
  "&#25",
  "2;",
  "<",
  ">",
  '"',
  "'",
  "\n",
  "\r\n",
  " ",
  "x",
  "\u00ff",
);

const cases = fc.record({
  text: fc
    .tuple(fc.constantFrom("", "\ufeff", "<urlset>"), fc.array(pieces, { maxLength: 60 }))
    .map(([a, b]) => a + b.join("")),
  length: fc.integer({ min: 1, max: 40 }),
  maxLineBytes: fc.constantFrom(1_000, 60, 20),
  lineEnd: fc.constantFrom<"\n" | "\r">("\n", "\n", "\r"),
});

const numRuns = Number(process.env["ROBOTS_STREAM_FUZZ_RUNS"] ?? (isThorough ? 500 : 200));

test("property: the sizes of chunks make no difference, and text outside of entries and other markup is in a reject", async () => {
  await fc.assert(
    fc.asyncProperty(cases, async ({ text, length, ...options }) => {
      const bytes = Buffer.from(text);
      const whole = await readAll(sitemap, [bytes], options);
      expect(await readAll(sitemap, chunksOf(bytes, length), options)).toEqual(whole);
      const words = text.split(/x|\u00ff/).length - 1;
      const told = JSON.stringify([whole.heads, whole.rejects]).split(/x(?!ml|:)|\u00c3\u00bf/).length - 1;
      // Of an entry, only the fields of rows are kept.
      if (!/<!|<\?|<(?:s:)?url>|<sitemap>/.test(text) && options.maxLineBytes > text.length * 2)
        expect(told).toBeGreaterThanOrEqual(words);
    }),
    { numRuns },
  );
});

test("property: reading that continues from any resume point gives the same result", async () => {
  let continued = 0;
  await fc.assert(
    fc.asyncProperty(cases, fc.nat(), async ({ text, length, ...options }, stop) => {
      const bytes = Buffer.from(text);
      const parts = await batchesOf(sitemap, chunksOf(bytes, length), { ...options, givesPlaces: true });
      const resumable = [...parts.keys()].filter((at) => parts[at]!.place !== undefined);
      const index = resumable[stop % resumable.length];
      if (index === undefined) return;
      const place = parts[index]!.place!;
      continued++;
      const rest = [bytes.subarray(place.offset)];
      const again = joined(await batchesOf(sitemap, rest, { ...options, from: place, known: parts[index]!.writer }));
      expect(again).toMatchObject({
        heads: parts.slice(index + 1).flatMap(({ heads }) => heads),
        rejects: parts.slice(index + 1).flatMap(({ rejects }) => rejects),
      });
    }),
    { numRuns },
  );
  expect(continued).toBeGreaterThan(0);
});
