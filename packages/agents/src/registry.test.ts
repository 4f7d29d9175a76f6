// Tests the data of the registry: invariants for every crawler, and known facts about some crawlers.
import { describe, expect, test } from "vitest";
import { crawlerOf, crawlers, dataVersion } from "./registry.ts";
import type { Crawler } from "./types.ts";
import { crawlerSetOf, crawlerSets } from "./sets.ts";
import { createCrawlerList, productTokenOf, unknownProductTokenOf } from "./index.ts";

describe("every crawler", () => {
  test("no product token twice, ignoring case", () => {
    expect(new Set(crawlers.map(({ productToken }) => productToken.toLowerCase())).size).toBe(crawlers.length);
  });

  test.each(crawlers.map((crawler) => [crawler.productToken, crawler] as const))("%s", (token, crawler) => {
    const { names, sources, purposes, kind, note, operator } = crawler;
    expect(names[0]).toBe(token);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    expect(sources.length).toBeGreaterThan(0);
    expect(sources.every((source) => /^https?:\/\/\S+$|^npm |^github\.com\//.test(source))).toBe(true);
    expect(purposes.length).toBeGreaterThan(0);
    expect(operator).not.toBe("");
    expect(note === "" || /^[A-Z].*[.)]$/s.test(note)).toBe(true);
    expect(Object.isFrozen(crawler) && Object.isFrozen(names) && Object.isFrozen(sources)).toBe(true);
    expect(crawler.boundSource === undefined).toBe(crawler.bound === "undocumented");
    if (crawler.boundSource !== undefined) expect(sources).toContain(crawler.boundSource);
    // The group for * does not bind a crawler that obeys only its own group; it binds every other crawler that obeys robots.txt.
    if (crawler.bound === "own-group") expect(crawler.boundByEverybody).toBe(false);
    if (crawler.bound === "yes" || crawler.bound === "by-name") expect(crawler.boundByEverybody).toBe(true);
    if (kind === "control-token") expect(crawler.exampleHeader).toBe(undefined);
    expect(crawlerOf(token.toUpperCase())).toBe(crawler);
  });

  test("no header name twice", () => {
    const names = crawlers.flatMap(({ headerNames }) => headerNames.map((name) => name.toLowerCase()));
    expect(new Set(names).size).toBe(names.length);
  });
});

test.each<[string, readonly string[], boolean]>([
  ["Googlebot-Image", ["Googlebot-Image", "Googlebot"], true],
  ["Storebot-Google", ["Storebot-Google"], true],
  ["AdsBot-Google", ["AdsBot-Google"], false],
  ["bingbot", ["bingbot", "msnbot"], true],
  ["msnbot-media", ["msnbot-media", "msnbot"], true],
  ["SemrushBot-SA", ["SemrushBot-SA", "SemrushBot"], true],
  ["SemrushBot-OCOB", ["SemrushBot-OCOB", "SemrushBot"], true],
  ["omgilibot", ["omgilibot", "omgili"], true],
  ["Facebot", ["Facebot", "facebookexternalhit"], true],
  ["facebookcatalog", ["facebookcatalog", "facebookexternalhit"], true],
  ["Sogou News Spider", ["Sogou News Spider", "Sogou web spider"], true],
  ["coccocbot-ads", ["coccocbot-ads", "coccocbot"], true],
  ["Kagibot", ["Kagibot", "Googlebot"], true],
  ["Ai2Bot-Dolma", ["Ai2Bot-Dolma", "AI2Bot"], true],
  ["Applebot", ["Applebot", "Googlebot"], true],
  ["YandexImages", ["YandexImages", "Yandex"], true],
  ["YandexDirect", ["YandexDirect"], false],
  ["Baiduspider-image", ["Baiduspider-image", "Baiduspider"], true],
])("the names of %s", (token, names, boundByEverybody) => {
  expect(crawlerOf(token)).toMatchObject({ names, boundByEverybody });
});

test.each<[string, Crawler["bound"], RegExp | undefined]>([
  ["Googlebot", "yes", /google-common-crawlers/],
  ["AdsBot-Google", "own-group", /google-special-case-crawlers/],
  ["YandexDirect", "own-group", /yandex/],
  ["Amzn-SearchBot", "by-name", /developer\.amazon\.com/],
  ["Google-Safety", "no", /google-special-case-crawlers/],
  ["Google-NotebookLM", "no", /google-user-triggered-fetchers/],
  ["ChatGPT-User", "no", /openai/],
  ["facebookexternalhit", "no", /facebook/],
  ["ArchiveBot", "no", /archiveteam/],
  ["UptimeRobot", "no", /uptimerobot/],
  ["StatusCake_Uptime_Checker", "no", /statuscake/],
  ["AhrefsSiteAudit", "no", /ahrefs/],
  ["SiteAuditBot", "no", /semrush\.com\/kb/],
  ["SemrushBot-SA", "no", /semrush\.com\/kb/],
  ["SemrushBot-SI", "no", /semrush/],
  ["OnCrawl", "no", /oncrawl/],
  ["AddSearchBot", "no", /addsearchbot/],
  ["YextBot", "no", /yext/],
  ["Amzn-User", "no", /amazon/],
  ["DeepCrawl", "no", /lumar/],
  ["AhrefsBot", "yes", /ahrefs/],
  ["SemrushBot", "yes", /semrush/],
  ["Claude-User", "yes", /anthropic/],
  ["Kagibot", "yes", /kagi/],
  ["TurnitinBot", "yes", /turnitin/],
  ["Bytespider", "undocumented", undefined],
  ["Twitterbot", "undocumented", undefined],
])("whether a robots.txt binds %s", (token, bound, source) => {
  const crawler = crawlerOf(token)!;
  expect(crawler.bound).toBe(bound);
  if (source !== undefined) expect(crawler.boundSource).toMatch(source);
});

test.each<[string, Pick<Crawler, "dialect" | "accessPolicy">]>([
  ["Googlebot", { dialect: "google", accessPolicy: "google" }],
  ["AdsBot-Google", { dialect: "google", accessPolicy: "google" }],
  ["CCBot", { dialect: "rfc9309", accessPolicy: "rfc9309" }],
  ["YandexBot", { dialect: undefined, accessPolicy: "yandex" }],
  ["bingbot", { dialect: undefined, accessPolicy: undefined }],
])("what the operator of %s documents", (token, documented) => {
  expect(crawlerOf(token)).toMatchObject(documented);
});

test("the window of bingbot's Crawl-delay", () => {
  expect(crawlerOf("bingbot")!.note).toContain("1 to 30 seconds");
});

test("what changes if a crawler is refused: one sentence or two, with a document of the operator", () => {
  const told = crawlers.filter(({ ifRefused }) => ifRefused !== undefined);
  expect(told.map(({ productToken }) => productToken)).toEqual(
    expect.arrayContaining(["GPTBot", "OAI-SearchBot", "ClaudeBot", "Google-Extended", "Applebot-Extended"]),
  );
  for (const { productToken, ifRefused, sources, evidence } of told) {
    expect(ifRefused!.text, productToken).toMatch(/^[A-Z].{20,140}\.$/u);
    expect(sources, productToken).toContain(ifRefused!.source);
    expect(ifRefused!.source).toMatch(/^https:\/\/[a-z.]*(?:openai|anthropic|google|apple|amazon)\.com\//u);
    expect(evidence).toBe("documented");
  }
});

test("an unknown product token", () => {
  expect(crawlerOf("nobody")).toBe(undefined);
});

test("the data version is a date", () => {
  expect(new Date(dataVersion).toISOString().slice(0, 10)).toBe(dataVersion);
});

describe("sets", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["all-search", ["Googlebot", "bingbot", "YandexBot", "DuckAssistBot"], ["GPTBot", "AhrefsBot"]],
    ["ai", ["GPTBot", "ClaudeBot", "PerplexityBot", "Google-Extended", "ChatGPT-User"], ["Googlebot", "AhrefsBot"]],
    ["ai-training", ["GPTBot", "CCBot", "Applebot-Extended"], ["PerplexityBot"]],
    ["user-triggered", ["ChatGPT-User", "FeedFetcher-Google"], ["GPTBot"]],
    ["control", ["Google-Extended", "Applebot-Extended", "Webzio-Extended", "__usage_ai-training"], ["Applebot"]],
    ["archive", ["archive.org_bot", "CCBot"], ["bingbot"]],
    ["security", ["CensysInspect"], ["bingbot"]],
    ["programs", ["Scrapy", "Screaming Frog SEO Spider", "img2dataset"], ["FirecrawlAgent"]],
  ])("%s", (name, members, others) => {
    const tokens = crawlerSetOf(name)!.crawlers.map(({ productToken }) => productToken);
    expect(tokens).toEqual(expect.arrayContaining([...members]));
    for (const other of others) expect(tokens).not.toContain(other);
  });

  test("no set is empty, and every set is in the order of the registry", () => {
    for (const { crawlers: members } of crawlerSets) {
      expect(members.length).toBeGreaterThan(0);
      expect(members).toEqual(crawlers.filter((crawler) => members.includes(crawler)));
    }
    expect(crawlerSetOf("nothing")).toBe(undefined);
  });
});

test.each<readonly [name: string, called: (...given: never[]) => unknown, given: readonly unknown[]]>([
  ["crawlerOf", crawlerOf, [undefined]],
  ["crawlerOf", crawlerOf, [["GPTBot"]]],
  ["productTokenOf", productTokenOf, [null]],
  ["productTokenOf", productTokenOf, [{}]],
  ["unknownProductTokenOf", unknownProductTokenOf, [undefined]],
  ["createCrawlerList", createCrawlerList, [undefined]],
  ["createCrawlerList", createCrawlerList, [["MyBot"]]],
  ["createCrawlerList", createCrawlerList, [[null]]],
  ["a list's crawlerOf", createCrawlerList([{ productToken: "MyBot" }]).crawlerOf, [undefined]],
])("%s of a wrong argument", (_name, called, given) => {
  expect(() => (called as (...each: readonly unknown[]) => unknown)(...given)).toThrow(
    expect.objectContaining({ code: "ERR_INVALID_ARGUMENT" }),
  );
});
