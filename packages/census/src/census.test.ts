// Tests the sums of a census: periods, changes, results, bounded tables, merging, documents that are none, and what is printed.
import { describe, expect, test } from "vitest";
import { Census } from "./census.ts";
import { csvPiecesOf } from "./csv.ts";
import { type CensusDocument, checkDocument, documentTextOf } from "./document.ts";
import { mergeDocuments } from "./merge.ts";
import { printHtml } from "./page.ts";
import { periodKinds, periodOf, periodsFrom } from "./periods.ts";
import { slicesOfGroup } from "./report.ts";
import { mostKeys } from "./tables.ts";
import { printText } from "./text.ts";

const crawlers = [
  { productToken: "GPTBot", names: ["GPTBot"], boundByEverybody: true, bound: "yes" },
  { productToken: "Googlebot-News", names: ["Googlebot-News", "Googlebot"], boundByEverybody: true, bound: "yes" },
  { productToken: "AdsBot-Google", names: ["AdsBot-Google"], boundByEverybody: false, bound: "own-group" },
  { productToken: "360Spider", names: ["360Spider"], boundByEverybody: true, bound: "by-name" },
];

type Captures = readonly (readonly [day: string, text: string])[];

/** The document of some origins. A text of a capture is a file, except the names of results. */
function documentFor(origins: readonly Captures[], source = "a", by: "quarter" | null = "quarter"): CensusDocument {
  const census = new Census({ crawlers, by: by ?? undefined });
  for (const captures of origins) {
    census.addOrigin({
      captures: captures.map(([day, text]) => {
        const atSeconds = day === "" ? undefined : Date.parse(day) / 1_000;
        if (text === "not-found" || text === "unreachable" || text === "unread") return { atSeconds, result: text };
        return { atSeconds, result: "robots-txt", version: text };
      }),
      bytesOf: (version) => new TextEncoder().encode(version),
      isCut: () => false,
    });
  }
  const settings = { registry: "1", maxBytes: 512_000, groupList: null, groupField: null };
  return census.document({ settings, parts: [{ source, shard: null, names: [source], rejects: 0 }], groups: [] });
}

const closed = "User-agent: GPTBot\nDisallow: /\n";

test("a capture stays in force until a newer one, and changes are those from the last known one", () => {
  const document = documentFor([
    [
      ["2024-02-01", "User-agent: *\nDisallow: /x"],
      ["2024-08-01", "unreachable"],
      ["2024-11-01", closed],
      ["2025-02-01", "not-found"],
    ],
  ]);
  const slices = slicesOfGroup(document, null);
  expect(slices.map(({ period }) => period)).toEqual(["2024-Q1", "2024-Q2", "2024-Q3", "2024-Q4", "2025-Q1"]);
  const results = ["robots-txt", "robots-txt", "unreachable", "robots-txt", "not-found"] as const;
  for (const [at, { totals }] of slices.entries()) expect(totals[results[at]!]).toBe(1);
  expect(slices.map(({ totals }) => totals.captured)).toEqual([1, 0, 1, 1, 1]);
  expect(slices.map(({ totals }) => totals.entered)).toEqual([1, 0, 0, 0, 0]);
  expect(slices.map(({ tables }) => tables.changes.rows)).toEqual([
    [],
    [],
    [],
    [
      ["GPTBot", "closed", 1],
      ["GPTBot", "first-named", 1],
    ],
    [["GPTBot", "opened", 1]],
  ]);
});

test("groups: own, fallback, * and none; a crawler that * does not bind is not closed by it", () => {
  const [slice] = documentFor([[["2024-01-01", "User-agent: *\nUser-agent: Googlebot\nDisallow: /\n"]]]).slices;
  expect(slice!.tables.crawlers.rows).toEqual([
    ["360Spider", "open", "none", 1],
    ["AdsBot-Google", "open", "none", 1],
    ["GPTBot", "closed", "everybody", 1],
    ["Googlebot-News", "closed", "fallback", 1],
  ]);
  expect(slice!.tables.closing.rows).toEqual([
    ["*", "closed", "disallow: /", 1],
    ["googlebot", "closed", "disallow: /", 1],
  ]);
});

test("a proof beyond the budget is not claimed", () => {
  const census = new Census({ crawlers: crawlers.slice(0, 1), mostSteps: 0 });
  const text = "User-agent: *\nDisallow: /\nAllow: /*a b*c\n";
  const bytesOf = (): Uint8Array => new TextEncoder().encode(text);
  census.addOrigin({ captures: [{ atSeconds: 0, result: "robots-txt", version: "1" }], bytesOf, isCut: () => false });
  const settings = { registry: "1", maxBytes: 512_000, groupList: null, groupField: null };
  const { slices } = census.document({ settings, parts: [], groups: [] });
  expect(slices[0]!.tables.crawlers.rows).toEqual([["GPTBot", "not-proved", "everybody", 1]]);
});

test("without periods, the newest capture counts; without a date, an origin has no period", () => {
  const captures: Captures = [
    ["2024-05-01", closed],
    ["2023-05-01", "unreachable"],
  ];
  expect(documentFor([captures], "a", null).slices.map(({ totals }) => totals["robots-txt"])).toEqual([1]);
  expect(documentFor([[["", closed]]], "a", null).slices.map(({ totals }) => totals["robots-txt"])).toEqual([1]);
  const undated = documentFor([[["", closed]]]);
  expect(undated).toMatchObject({ undated: 1, slices: [] });
  expect(printText(undated)).toBe("No origin was counted: 1 origin without a date.\n");
});

test.each<readonly [table: keyof CensusDocument["slices"][number]["tables"], text: string, rows: readonly unknown[]]>([
  [
    "names",
    "User-agent: GPTBot/1.0\nUser-agent: *\nUser-agent: gptbot",
    [
      ["*", 1],
      ["gptbot", 1],
    ],
  ],
  [
    "crawl-delays",
    "User-agent: *\nCrawl-delay: 10\nCrawl-delay: soon\nCrawl-delay: 9999",
    [
      ["10", 1],
      ["300", 1],
      ["no number", 1],
    ],
  ],
  [
    "preferences",
    "User-agent: *\nContent-Signal: /a search=yes, ai-train=no\nContent-Usage: train-ai=n\nContent-Usage: ===",
    [
      ["content-signal", "ai-train", "no", 1],
      ["content-signal", "search", "yes", 1],
      ["content-usage", "", "not a dictionary", 1],
      ["content-usage", "train-ai", "n", 1],
    ],
  ],
  ["sitemaps", "Sitemap: a\nSitemap: b\nSitemap: c", [["2–5", 1]]],
  ["encodings", "\uFEFFUser-agent: é", [["utf-8 with a byte order mark", 1]]],
  [
    "managed",
    "User-agent: x\r\n  # Begin Cloudflare managed content \r\nnot # START YOAST BLOCK\n",
    [["Cloudflare", 1]],
  ],
  ["no-robots-txt", " <html>", [["HTML", 1]]],
  ["no-robots-txt", "<html>\nSitemap: x", [["HTML", 1]]],
  ["no-robots-txt", "<html>\nUser-agent *\nDisallow /", []],
  ["encodings", "\u00ff\u00fe", [["utf-8", 1]]],
  ["dialects", "User-agent: GPTBot/1.0\nDisallow: /", [["GPTBot", "closed own", "open none", 1]]],
  ["lines", "a\nb\n\n", [["1–9", 1]]],
  ["lines", "", [["0", 1]]],
])("%s of %j", (table, text, rows) => {
  expect(documentFor([[["2024-01-01", text]]]).slices[0]!.tables[table].rows).toEqual(rows);
});

test("groups whose rules together are large have their states", () => {
  const names = ["GPTBot", "Googlebot", "AdsBot-Google"];
  const group = names.map((name) => `User-agent: ${name}\nDisallow: /${name}\nUser-agent: *\n`).join("");
  const [slice] = documentFor([[["2024-01-01", `User-agent: *\n${group.repeat(6_000)}Disallow: /x\n`]]]).slices;
  expect(slice!.tables.crawlers.rows).toEqual([
    ["360Spider", "open", "none", 1],
    ["AdsBot-Google", "partly-closed", "own", 1],
    ["GPTBot", "partly-closed", "own", 1],
    ["Googlebot-News", "partly-closed", "fallback", 1],
  ]);
});

test("one file adds a bounded number of keys, and its states are still complete", () => {
  const names = Array.from({ length: 3_000 }, (_, at) => `User-agent: ${"abcdefghij"[at % 10]}x${at}`).join("\n");
  const [slice] = documentFor([[["2024-01-01", `${names}\n${closed}`]]]).slices;
  expect(slice!.tables.names.rows.length).toBe(1_000);
  expect(slice!.tables.crawlers.rows).toContainEqual(["GPTBot", "closed", "own", 1]);
});

describe("merging", () => {
  const origins: readonly Captures[] = [
    [
      ["2024-02-01", closed],
      ["2024-08-01", "unread"],
    ],
    [
      ["2024-05-01", "User-agent: *\nDisallow: /"],
      ["2025-02-01", "User-agent: *\nAllow: /"],
    ],
    [["2024-11-01", "not-found"]],
  ];
  const parts = origins.map((origin, at) => documentFor([origin], String(at)));

  test("parts with other periods merge in any order to the document of the whole", () => {
    const [one, two, three] = parts as [CensusDocument, CensusDocument, CensusDocument];
    const text = documentTextOf(mergeDocuments(parts));
    expect(documentTextOf(mergeDocuments([three, one, two]))).toBe(text);
    expect(documentTextOf(mergeDocuments([mergeDocuments([two, three]), one]))).toBe(text);
    expect(mergeDocuments(parts).slices).toEqual(documentFor(origins).slices);
    expect(checkDocument(JSON.parse(text))).toEqual(mergeDocuments(parts));
  });

  test("a table beyond its limit is exact, in any order and however it is divided", () => {
    const many = Array.from({ length: 7 }, (_, part): Captures => {
      const names = Array.from({ length: 900 }, (_unused, at) => `User-agent: name${part * 850 + at}`);
      return [["2024-02-01", names.join("\n")]];
    });
    const whole = documentFor(many);
    const { rows, other, below } = whole.slices[0]!.tables.names;
    expect([rows.length, other > 0, below?.length]).toEqual([mostKeys, true, 16]);
    expect(rows.reduce((sum, row) => sum + (row.at(-1) as number), other)).toBe(7 * 900);
    const divided = many.map((origin, at) => documentFor([origin], String(at)));
    expect(mergeDocuments(divided).slices).toEqual(whole.slices);
    expect(mergeDocuments(divided.toReversed()).slices).toEqual(whole.slices);
  });

  test.each<readonly [shards: readonly (string | null)[], isRefused: boolean]>([
    [[null, null], true],
    [["1/2", null], true],
    [["1/2", "1/2"], true],
    [["1/2", "2/3"], true],
    [["1/2", "2/2"], false],
  ])("parts of one source: %j", (shards, isRefused) => {
    const documents = shards.map((shard) => ({
      ...parts[0]!,
      parts: [{ source: "x", shard, names: ["x"], rejects: 1 }],
    }));
    const merge = (): unknown => mergeDocuments(documents);
    if (isRefused) expect(merge).toThrow(expect.objectContaining({ code: "ERR_SAME_INPUT_TWICE" }));
    else expect(merge).not.toThrow();
  });

  test("other settings are refused", () => {
    const other = { ...parts[1]!, settings: { ...parts[1]!.settings, maxBytes: 1 } };
    expect(() => mergeDocuments([parts[0]!, other])).toThrow(
      expect.objectContaining({ code: "ERR_DIFFERENT_DOCUMENTS" }),
    );
  });
});

test.each<readonly [what: string, change: (document: Record<string, never>) => unknown]>([
  ["null", () => null],
  ["another type", (document) => ({ ...document, type: "x" })],
  ["a negative count", (document) => ({ ...document, undated: -1 })],
  ["a crawler that is not listed", (document) => ({ ...document, crawlers: [] })],
  [
    "a slice without tables",
    (document) => ({ ...document, slices: [{ ...((document["slices"] as never)[0] as object), tables: {} }] }),
  ],
  ["a shard that is none", (document) => ({ ...document, parts: [{ source: "", shard: "x", names: [], rejects: 0 }] })],
])("%s is no document", (_what, change) => {
  const document = JSON.parse(documentTextOf(documentFor([[["2024-01-01", closed]]]))) as Record<string, never>;
  expect(() => checkDocument(change(document))).toThrow(expect.objectContaining({ code: "ERR_INVALID_DOCUMENT" }));
});

test.each(periodKinds)("the periods of a %s follow one another", (kind) => {
  const days = Array.from({ length: 1_200 }, (_, day) => Date.UTC(1999, 1, 1) / 1_000 + day * 86_400);
  const periods = [...new Set(days.map((seconds) => periodOf(seconds, kind)))];
  expect(periodsFrom([periods.at(-1)!, periods[0]!, periods[1]!])).toEqual(periods);
  expect(periods.length).toBe({ year: 4, quarter: 14, month: 40 }[kind]);
  expect(() => periodsFrom(["0001", "9999", "2024-Q1"])).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_OPTION" }),
  );
});

test("texts of files become neither markup nor escape sequences nor formulas", () => {
  const text = 'User-agent: <script>alert(1)</script>\nUser-agent: =1+1\nUser-agent: \u001b[31mred\nDisallow: /<b>"\n';
  const document = documentFor([[["2024-01-01", text]]]);
  const page = printHtml(document, { title: "<i>\u001b[31m" });
  for (const part of ["<script>alert", "<b>", "<i>", "\u001b"]) expect(page).not.toContain(part);
  expect(page).toContain("&lt;script&gt;");
  expect(printText(document, { title: "\u001b[31m" })).not.toContain("\u001b");
  expect([...csvPiecesOf(document, "names", { isSafe: true })].join("")).toContain(",'=1+1,");
});

test("the name at the end of a line has the line's colour", () => {
  const document = documentFor([[["2024-01-01", closed]], [["2024-07-01", closed]]]);
  const page = printHtml(document);
  expect(page).toMatch(
    /<g color="var\(--bad\)"\s*><path [^>]*stroke="currentColor"[^>]*><text[^>]* class="own"[^>]*\s*>GPTBot</,
  );
  expect(page).toContain("svg .own{fill:currentColor}");
});
