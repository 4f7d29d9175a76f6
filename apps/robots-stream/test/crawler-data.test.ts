// Tests that the crawlers of @robots-stream/agents and the checks of @robots-stream/verify agree.
import { crawlerOf, crawlers } from "@robots-stream/agents";
import { publishedChecks, rangeFiles } from "@robots-stream/verify";
import { expect, test } from "vitest";

test.each(publishedChecks.flatMap(({ operator, productTokens }) => productTokens.map((token) => [token, operator])))(
  "%s, which %s publishes checks for, is a crawler of this operator",
  (token, operator) => {
    expect(crawlerOf(token)).toMatchObject({ productToken: token, operator });
    expect(crawlerOf(token)!.headerNames).not.toEqual([]);
  },
);

test("no product token and no file occurs twice in the checks", () => {
  const tokens = publishedChecks.flatMap(({ productTokens }) => productTokens.map((token) => token.toLowerCase()));
  expect(new Set(tokens).size).toBe(tokens.length);
  for (const member of ["name", "url"] as const) {
    expect(new Set(rangeFiles.map((file) => file[member])).size).toBe(rangeFiles.length);
  }
});

/** The page that a link leads to: without the scheme, the language and a slash at the end. */
const pageOf = (link: string): string =>
  link
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/\/en(?:-us)?(?=\/)/, "")
    .replace(/\/$/, "");

test("each page has one link", () => {
  const links = new Set(
    [...crawlers.flatMap(({ sources }) => sources), ...publishedChecks.map(({ source }) => source)].filter((link) =>
      link.startsWith("http"),
    ),
  );
  const pages = [...links].map(pageOf);
  expect([...links].filter((_link, at) => pages.indexOf(pages[at]!) !== pages.lastIndexOf(pages[at]!))).toEqual([]);
});
