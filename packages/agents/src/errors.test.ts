// Tests that an argument of a wrong type throws at once, with a code.
import { expect, test } from "vitest";
import { createCrawlerList, crawlerOf, productTokenOf, unknownProductTokenOf } from "./index.ts";

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
