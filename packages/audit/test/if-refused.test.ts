// Tests that the page and the text say what changes if a site refuses a crawler, and only for crawlers of which that is known.
import { expect, test } from "vitest";
import { printHtml, printText, reportOf } from "../src/index.ts";
import { documentFor } from "./feed.ts";
import { createWorld } from "./generator.ts";

const generated = createWorld(3, { hosts: 2, crawlers: 4, lines: 1_500 });
const document = documentFor(generated, generated.lines);

test("the sentence stands beside the crawler, and below the table of the candidate if it disallows more", () => {
  const refused = document.origins.flatMap(({ flips }) =>
    flips.filter(([, , , flip]) => flip === "newly-disallowed").map(([, crawler]) => crawler),
  );
  const [crawler] = refused;
  expect(crawler).toBeDefined();
  const sentence = "Pages are <missing> from its search.";
  const report = reportOf(document, { ifRefused: new Map([[crawler!, sentence]]) });
  const shown = { ...report, hasCandidate: true };
  expect(printHtml(report)).toContain("If refused: Pages are &lt;missing&gt; from its search.");
  expect(printText(shown)).toContain(`  if ${crawler!} is refused: ${sentence}`);
  const silent = reportOf(document);
  expect(printHtml(silent)).not.toContain("If refused");
  expect(printText({ ...silent, hasCandidate: true })).not.toContain("is refused:");
});
