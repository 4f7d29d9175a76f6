// Tests pages that were examined in addition to the log: the merging of counts, the document's schema, the sentences of findings.
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type AuditDocument,
  AuditError,
  type PageFinding,
  checkDocument,
  documentOf,
  documentTextOf,
  mergeDocuments,
  printHtml,
  reportOf,
  sentenceTextOf,
} from "../src/index.ts";
import { pageFindings } from "../src/count/pages.ts";
import { counterFor, settings } from "./feed.ts";
import { createWorld } from "./generator.ts";
import { documentSchema } from "../src/document/schema.ts";

const world = createWorld(3, { hosts: 1, crawlers: 1, lines: 1 });

type Page = readonly [crawler: string, target: string, found: readonly PageFinding[]];

function documentFor(pages: readonly Page[], name = "pages.csv"): AuditDocument {
  const counter = counterFor(world);
  for (const [crawler, target, found] of pages) counter.pages.add(crawler, "https://shop.example", target, found);
  const input = { name, bytes: 0, sha256: name, lines: pages.length, rejects: {}, sampleRate: 1, outside: 0 };
  return documentOf(counter, { settings, inputs: [input] });
}

const page = fc.tuple(
  fc.constantFrom("Googlebot", "bingbot"),
  fc.nat(40).map((number) => `/${number}?secret=${number}`),
  fc.subarray([...pageFindings]),
);
const validate = new Ajv2020({ allowUnionTypes: true }).compile(documentSchema());

test("any two parts, merged in reverse order, give the counts of the whole", () => {
  fc.assert(
    fc.property(fc.array(page, { maxLength: 30 }), fc.nat(30), (pages, at) => {
      const parts = [documentFor(pages.slice(at), "2"), documentFor(pages.slice(0, at), "1")];
      const whole = documentFor(pages);
      expect(mergeDocuments(parts).pages).toEqual(whole.pages);
      expect(validate(JSON.parse(documentTextOf(whole)))).toBe(true);
      expect(checkDocument(JSON.parse(documentTextOf(whole)))).toEqual(whole);
    }),
    { numRuns: 50 },
  );
});

test("crawlers with equal pages share a sentence, and examples have no values of parameters", () => {
  const both: readonly PageFinding[] = ["noindex-not-seen", "engines-differ", "sitemap-disallowed"];
  const document = documentFor([
    ["Googlebot", "/a?key=1", both],
    ["bingbot", "/a?key=1", both],
    ["Googlebot", "/b", ["sitemap-noindex"]],
    ["bingbot", "/b", []],
    ["Googlebot", "/c", ["sitemap-noindex", "canonical-disallowed"]],
    ["bingbot", "/c", []],
  ]);
  const report = reportOf(document);
  expect(
    report.findings.map(({ code, severity, number, sentence }) => [code, severity, number, sentenceTextOf(sentence)]),
  ).toMatchInlineSnapshot(`
    [
      [
        "sitemap-noindex",
        "warning",
        "2",
        "pages of the sitemap say noindex to Googlebot (of 3 pages examined); for example https://shop.example/b, https://shop.example/c",
      ],
      [
        "canonical-disallowed",
        "warning",
        "1",
        "page has a canonical URL that robots.txt disallows for Googlebot (of 3 pages examined); for example https://shop.example/c",
      ],
      [
        "noindex-not-seen",
        "warning",
        "1",
        "page says noindex, which Googlebot and bingbot cannot see: robots.txt disallows fetching it (of 3 pages examined); for example https://shop.example/a?key=…",
      ],
      [
        "sitemap-disallowed",
        "warning",
        "1",
        "page of the sitemap is disallowed for Googlebot and bingbot (of 3 pages examined); for example https://shop.example/a?key=…",
      ],
      [
        "engines-differ",
        "note",
        "1",
        "page may be in the index of some of Google, Bing and Yandex, and not of others (of 3 pages examined); for example https://shop.example/a?key=…",
      ],
    ]
  `);
  expect(printHtml(report)).toContain("https://shop.example/a?key=…");
});

test.each<[what: string, pages: unknown]>([
  ["a value that is not a list", {}],
  ["an entry without a crawler", [{ pages: 1, findings: [] }]],
  ["an unknown finding", [{ crawler: "x", pages: 1, findings: [{ code: "crossed", pages: 1, examples: [] }] }]],
  ["a number below 0", [{ crawler: "x", pages: -1, findings: [] }]],
  [
    "an example without a valid hash",
    [{ crawler: "x", pages: 1, findings: [{ code: "engines-differ", pages: 1, examples: [["x", "/"]] }] }],
  ],
])("%s is refused by the check and by the schema", (_what, pages) => {
  const damaged = { ...documentFor([]), pages };
  expect(() => checkDocument(damaged)).toThrow(AuditError);
  expect(validate(damaged)).toBe(false);
});
