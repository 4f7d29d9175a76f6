// Tests what an explanation says about crawlers whose own reading is not known: nothing about their operators' documentation.
import { expect, test } from "vitest";
import { readHtml } from "../src/html.ts";
import { decidePage, explainPage, readXRobotsTag } from "../src/index.ts";

test.each(["Applebot", "Amazonbot", "Yeti", "OtherBot"])("%s is read by the draft", (productToken) => {
  const statements = readXRobotsTag(["noindex, nofollow, noimageindex"]);
  const explained = explainPage(decidePage(statements, productToken));
  expect(explained).toContain(
    `Not indexable for ${productToken.toLowerCase()}, by the draft of a standard, because the crawler's own reading is not known here.`,
  );
  expect(explained).toContain("Without effect: nofollow");
  expect(explained).toContain("because the draft does not define it");
  expect(explained).not.toMatch(/operator|the engine/u);
});

test("an engine's own reading is named", () => {
  const explained = explainPage(decidePage(readXRobotsTag(["noindex, noyaca"]), "Googlebot"));
  expect(explained).toContain("Not indexable for googlebot, as google documents it.");
  expect(explained).toContain("because the engine does not document it");
});

const unknown = "it is not a known directive";

test.each([
  ["no-index", `${unknown}: probably noindex is meant`],
  ["no_index", `${unknown}: probably noindex is meant`],
  ["noindexs", `${unknown}: probably noindex is meant`],
  ["nonidex", `${unknown}: probably noindex is meant`],
  ["noidex", `${unknown}: probably noindex is meant`],
  ["“noindex”", `${unknown}: probably noindex is meant`],
  ["noindex nofollow", `${unknown}: probably noindex, nofollow is meant`],
  ["noindex;nofollow", `${unknown}: probably noindex, nofollow is meant`],
  ["none;", `${unknown}: probably none is meant`],
  ["nothing", unknown],
  ["toString", unknown],
  ["robots: noindex", "a name in X-Robots-Tag is that of one crawler; directives for all crawlers have none"],
])("X-Robots-Tag: %s has no effect, and the explanation says why", (line, why) => {
  const explained = explainPage(decidePage(readXRobotsTag([line]), "Googlebot")).split("\n");
  expect(explained).toEqual([
    "Indexable for googlebot, as google documents it.",
    expect.stringMatching(/^Without effect: .* by line 1 of X-Robots-Tag/u),
  ]);
  expect(explained[1]!.endsWith(`, because ${why}`)).toBe(true);
});

test.each([
  ['<meta name="robots" value="noindex">', '<meta name="robots">', "the tag has value instead of content"],
  ['<meta property="robots" content="noindex">', '<meta property="robots">', "the tag has property instead of name"],
  [
    '<meta name="robots,googlebot" content="noindex">',
    '<meta name="robots,googlebot">',
    "a tag has one name: several crawlers need several tags",
  ],
])("%s has no effect, and the explanation says why", (html, tag, why) => {
  expect(explainPage(decidePage(readHtml(html).statements, "Googlebot"))).toBe(
    `Indexable for googlebot, as google documents it.
Without effect: noindex by ${tag} on line 1 in the head ("noindex"), because ${why}`,
  );
});
