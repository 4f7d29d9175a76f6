// Tests how many headers of npm crawler-user-agents productTokenOf recognizes, and that it takes no browser for a crawler.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import listed from "crawler-user-agents";
import { describe, expect, test } from "vitest";
import { crawlerOf, productTokenOf, unknownProductTokenOf } from "@robots-stream/agents";
import { browsers } from "./browsers.ts";
import { headersOf } from "./listed.ts";

describe("the headers of crawler-user-agents", () => {
  const entries = new Map(listed.map((entry) => [entry.pattern, entry]));
  const all = listed.flatMap(({ pattern, instances }) =>
    instances.map((header) => ({ header, expected: headersOf(pattern, header) })),
  );

  test("the table has only patterns of the list and crawlers of the registry", () => {
    const missing = headersOf.patterns.filter((pattern) => !entries.has(pattern));
    const unknown = headersOf.tokens.filter((token) => crawlerOf(token) === undefined);
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  });

  test("recognizes at least 99 % of the headers of known crawlers", () => {
    const known = all.filter(({ expected }) => expected !== undefined);
    const wrong = known.filter(({ header, expected }) => productTokenOf(header) !== expected);
    const share = ((known.length - wrong.length) / known.length) * 100;
    console.log(
      `productTokenOf: ${known.length - wrong.length} of ${known.length} headers of known crawlers (${share.toFixed(2)} %)`,
    );
    for (const { header, expected } of wrong) console.log(`  ${productTokenOf(header)} for ${expected}: ${header}`);
    expect(known.length).toBeGreaterThan(250);
    expect(share).toBeGreaterThanOrEqual(99);
  });

  test("takes no other program for a known crawler", () => {
    const others = all.filter(({ expected }) => expected === undefined);
    const taken = others.filter(({ header }) => productTokenOf(header) !== undefined);
    console.log(
      `productTokenOf: ${taken.length} of ${others.length} headers of other programs taken for a known crawler's`,
    );
    expect(taken).toEqual([]);
  });

  test("finds a product token in more than half of the other headers", () => {
    const others = all.filter(({ header }) => productTokenOf(header) === undefined);
    const named = others.filter(({ header }) => unknownProductTokenOf(header) !== undefined);
    console.log(`unknownProductTokenOf: ${named.length} of ${others.length} headers of unknown crawlers and programs`);
    expect(named.length / others.length).toBeGreaterThan(0.5);
  });
});

describe("browsers", () => {
  test("no header of the list is a crawler's", () => {
    console.log(`productTokenOf: ${browsers.length} headers of browsers`);
    expect(browsers.length).toBeGreaterThan(200);
    expect(browsers.filter((header) => productTokenOf(header) !== undefined)).toEqual([]);
    expect(browsers.filter((header) => unknownProductTokenOf(header) !== undefined)).toEqual([]);
  });

  const shared = process.env["ROBOTS_STREAM_SHARED"] ?? join(import.meta.dirname, "../../../../shared");
  const logs = ["nginx-wordpress-2025", "elastic-apache-combined-2015"].map((name) =>
    join(shared, "corpora/logs", `${name}.ndjson.gz`),
  );
  test.skipIf(!logs.every((path) => existsSync(path)))(
    "no browser in real logs is a crawler (needs the folder shared)",
    () => {
      const headers = new Set(
        logs.flatMap((path) =>
          gunzipSync(readFileSync(path))
            .toString("utf8")
            .trimEnd()
            .split("\n")
            .map((line) => (JSON.parse(line) as { readonly user_agent: string | null }).user_agent ?? ""),
        ),
      );
      // Headers that begin like a browser's and contain no word of a crawler's.
      const visitors = [...headers].filter(
        (header) =>
          /^(?:Mozilla|Opera)\//.test(header) &&
          !/bot|spider|crawl|slurp|archive|preview|GoogleOther|http|@/i.test(header),
      );
      expect(visitors.length).toBeGreaterThan(100);
      expect(visitors.filter((header) => productTokenOf(header) !== undefined)).toEqual([]);
      expect(visitors.filter((header) => unknownProductTokenOf(header) !== undefined)).toEqual([]);
    },
  );
});
