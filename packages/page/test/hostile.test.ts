// Tests that any bytes of pages and headers are read without an error and with linear work. The tests count characters, not time.
import { Tokenizer } from "parse5";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { readHtml } from "../src/html.ts";
import { decidePage, engines, explainPage, readMetaTags, readXRobotsTag } from "../src/index.ts";

const isThorough = process.env["ROBOTS_STREAM_THOROUGH"] !== undefined;
const agents = ["Googlebot", "bingbot", "YandexBot", "GPTBot"];

afterEach(() => vi.restoreAllMocks());

/** Runs a function; returns the number of characters that `indexOf` searched, that `charCodeAt` returned and that parse5 read. */
function workOf(run: () => void): number {
  let work = 0;
  const { indexOf, charCodeAt } = String.prototype;
  vi.spyOn(String.prototype, "indexOf").mockImplementation(function (this: string, searched, from = 0) {
    const index = indexOf.call(this, searched, from);
    work += 1 + (index === -1 ? Math.max(0, this.length - from) : index - from);
    return index;
  });
  vi.spyOn(String.prototype, "charCodeAt").mockImplementation(function (this: string, index) {
    work++;
    return charCodeAt.call(this, index);
  });
  const tokenizer = Tokenizer.prototype as unknown as { _consume: () => number };
  const consume = tokenizer._consume;
  vi.spyOn(tokenizer, "_consume").mockImplementation(function (this: unknown) {
    work++;
    return consume.call(this);
  });
  run();
  vi.restoreAllMocks();
  return work;
}

test("the last tag counts at each offset around the end of the first part of the text that the tokenizer gets", () => {
  const tag = '<meta  name="robots"  content="noindex">';
  const lost: number[] = [];
  for (let start = 16_384 - tag.length; start <= 16_385; start++) {
    const page = `<!doctype html><head><!--${" ".repeat(start - 28)}-->${tag}<p>${"text ".repeat(4_000)}`;
    expect(page.indexOf(tag)).toBe(start);
    if (decidePage(readHtml(page).statements, "Googlebot").indexable) lost.push(start);
  }
  expect(lost).toEqual([]);
});

describe("work is linear", () => {
  const size = isThorough ? 200_000 : 10_000;
  const grown = (part: string): string => part.repeat(Math.ceil(size / part.length));

  test.each([
    "a:",
    "a,",
    ",",
    ":",
    " ",
    "x",
    "noindex, ",
    "max-snippet:5,",
    "unavailable_after: Tuesday, ",
    "googlebot: noindex, ",
  ])("a header of %j", (part) => {
    const text = grown(part);
    const work = workOf(() => decidePage(readXRobotsTag([text]), "googlebot"));
    expect(work).toBeLessThan(12 * text.length);
  });

  test.each([
    "<",
    "<meta name=robots content=noindex>",
    "<meta name=name=",
    "<meta name='&",
    '<meta name="a&',
    "name =  ",
    "<svg>",
    "<svg><foreignObject>",
    "<template>",
    "<noscript>",
    "<!--",
    "<link rel=canonical href=/x>",
    "<p data-nosnippet>",
    "</",
    "&",
    "<meta a",
  ])("a page of %j", (part) => {
    const text = `${grown(part)}<meta name=robots content=noindex>`;
    const work = workOf(() => readHtml(text));
    // Each character is searched for a few words, and read by the tokenizer, which reads some of them twice.
    expect(work).toBeLessThan(20 * text.length);
  });

  test("a page without a candidate is not tokenized", () => {
    const consume = vi.spyOn(Tokenizer.prototype as unknown as { _consume: () => number }, "_consume");
    readHtml(`<meta name="viewport" content="robots &amp; more"><title>robots</title>${"<p>text</p>".repeat(1_000)}`);
    expect(consume).not.toHaveBeenCalled();
  });

  test("reading stops after the last candidate", () => {
    const page = `<meta name=robots content=noindex>${"<p>text</p>".repeat(100_000)}`;
    expect(workOf(() => readHtml(page))).toBeLessThan(5 * page.length);
    const consume = vi.spyOn(Tokenizer.prototype as unknown as { _consume: () => number }, "_consume");
    readHtml(page);
    expect(consume.mock.calls.length).toBeLessThan(20_000);
  });
});

test("2 MB of <, 100,000 tags and 1 MB of header", () => {
  expect(readHtml("<".repeat(2_000_000)).statements).toEqual([]);
  const { statements } = readHtml("<meta name=robots content=none>\n".repeat(60_000));
  expect(statements).toHaveLength(60_000);
  expect(statements.at(-1)).toMatchObject({ line: 60_000, place: "head" });
  const tags = readMetaTags(Array.from({ length: 100_000 }, () => ({ name: "robots", content: "none" })));
  const decision = decidePage(tags, "googlebot");
  expect(decision).toMatchObject({ prohibited: ["noindex", "nofollow"] });
  expect(decision.because).toHaveLength(100_000);
  expect(explainPage(decision).split("\n")).toHaveLength(22);
  expect(decidePage(readXRobotsTag("noindex,".repeat(125_000)), "bingbot").indexable).toBe(false);
});

test("a page is cut after the bytes that Google Search reads, or after maxBytes", () => {
  const page = new TextEncoder().encode(
    `${" ".repeat(engines.google.maxBytes.value)}<meta name=robots content=noindex>`,
  );
  expect(readHtml(page)).toMatchObject({ statements: [], isCut: true });
  expect(readHtml(page, { maxBytes: page.length })).toMatchObject({ statements: [{}], isCut: false });
});

const part = fc.constantFrom(
  ..."noindex nofollow none index all , : = ; googlebot: unavailable_after: Tuesday, 31-Dec-30 23:59:59 GMT max-snippet: -1 20".split(
    " ",
  ),
  ..."<meta name=robots content= > < / & ' \" </head> <body> <svg> <template> <!-- --> <title> data-nosnippet canonical".split(
    " ",
  ),
  " ",
  "\n",
  "\0",
  "\u{1F916}",
  "\uD800",
  "\u212A",
);
const runs = { numRuns: isThorough ? 20_000 : 200 };

describe("any text", () => {
  test("is read, decided and explained without an error, with the same result each time", () => {
    const text = fc.oneof(
      fc.array(part, { maxLength: 40 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), text, fc.constantFrom(...agents), (headers, page, agent) => {
        const read = (): string => {
          const statements = [
            ...readXRobotsTag(headers),
            ...readMetaTags([{ name: "robots", content: page }]),
            ...readHtml(page).statements,
          ];
          const decision = decidePage(statements, agent);
          const all = statements.reduce((sum, { directives }) => sum + directives.length, 0);
          const taken =
            new Set(decision.because).size + new Set(decision.ignored.map(({ directive }) => directive)).size;
          // Each directive is a ground or is reported as one without effect.
          expect(taken).toBeGreaterThanOrEqual(all);
          // eslint-disable-next-line no-control-regex -- nothing but line ends may be left of the page's control characters
          expect(explainPage(decision)).not.toMatch(/[\0-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/u);
          return JSON.stringify(decision);
        };
        expect(read()).toBe(read());
      }),
      runs,
    );
  });

  test("and any bytes are read without an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(part, { maxLength: 10 }), (bytes, parts) => {
        const page = new Uint8Array([...bytes, ...new TextEncoder().encode(parts.join(""))]);
        expect(() => readHtml(page)).not.toThrow();
      }),
      runs,
    );
  });

  test("with a restrictive engine, added directives never permit more", () => {
    const list = fc.array(fc.constantFrom("noindex", "nofollow", "nosnippet", "index", "all", "none", "max-snippet:9"));
    fc.assert(
      fc.property(list, list, fc.constantFrom("Googlebot", "bingbot", "GPTBot"), (some, more, agent) => {
        const fewer = decidePage(readXRobotsTag(some), agent);
        const all = decidePage(readXRobotsTag([...some, ...more]), agent);
        expect(all.prohibited).toEqual(expect.arrayContaining([...fewer.prohibited]));
        expect(!all.indexable || fewer.indexable).toBe(true);
      }),
      runs,
    );
  });

  test("the order of lines changes only the order of grounds", () => {
    const line = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(","));
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom(...agents), (lines, agent) => {
        const { because, ignored, ...decision } = decidePage(readXRobotsTag(lines), agent);
        const other = decidePage(readXRobotsTag(lines.toReversed()), agent);
        expect(other).toMatchObject(decision);
        expect([other.because.length, other.ignored.length]).toEqual([because.length, ignored.length]);
      }),
      runs,
    );
  });
});
