// Tests what an explanation says about crawlers whose own reading is not known: nothing about their operators' documentation.
import { expect, test } from "vitest";
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
