// Tests look-ups by product token and by header in the registry with the caller's own crawlers.
import { expect, test } from "vitest";
import { createCrawlerList } from "./crawler-list.ts";
import { crawlers } from "./registry.ts";

const list = createCrawlerList([
  { productToken: "AcmeBot", names: ["Acme"], headerNames: ["acme-fetcher", "Mozilla/5.0 (*acme.example*)", "*-acme"] },
  { productToken: "GPTBot", boundByEverybody: false, operator: "me" },
  { productToken: "Plain" },
]);

test.each<[header: string, token: string | undefined]>([
  ["Acme-Fetcher/2.0", "AcmeBot"],
  ["Acme-Fetchers/2.0", undefined],
  ["mozilla/5.0 (x; +https://ACME.example/bot)", "AcmeBot"],
  ["Mozilla/5.0 (acme.example", undefined],
  ["x Mozilla/5.0 (acme.example)", undefined],
  ["something-acme", "AcmeBot"],
  ["something-acme/1", undefined],
  ["-acme", "AcmeBot"],
  ["Plain/1.0", "Plain"],
  ["like Plain", undefined],
  ["GPTBot/1.2", "GPTBot"],
  ["bingbot/2.0", "bingbot"],
  ["curl/8", undefined],
])("the header %j names %j", (header, token) => {
  expect(list.productTokenOf(header)).toBe(token);
});

test("the caller's crawlers come first, and replace crawlers of the registry", () => {
  expect(list.crawlers.slice(0, 3).map(({ productToken }) => productToken)).toEqual(["AcmeBot", "GPTBot", "Plain"]);
  expect(list.crawlers).toHaveLength(crawlers.length + 2);
  expect(list.crawlerOf("acmebot")).toMatchObject({
    names: ["AcmeBot", "Acme"],
    boundByEverybody: true,
    evidence: "own",
    bound: "undocumented",
  });
  expect(list.crawlerOf("gptbot")).toMatchObject({ boundByEverybody: false, operator: "me" });
  expect(list.crawlerOf("bingbot")?.operator).toBe("Microsoft");
});

test("a crawler of the caller is not an unknown crawler", () => {
  expect(list.unknownProductTokenOf("thebot-acme")).toBeUndefined();
  expect(list.unknownProductTokenOf("otherbot")).toBe("otherbot");
});

test("without own crawlers the list is the registry", () => {
  expect(createCrawlerList([]).crawlers).toBe(crawlers);
});
