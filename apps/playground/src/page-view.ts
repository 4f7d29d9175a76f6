// Shows the directives of a page and the preferences of its site, with a row for each crawler.
import { explainPage } from "@robots-stream/page";
import { type Category, type Usage, sentencesOf } from "@robots-stream/preferences";
import { h, shown } from "./dom.ts";
import type { PageAnswer } from "./page-answers.ts";

const categories: readonly (readonly [category: Category, heading: string])[] = [
  ["search", "Search"],
  ["ai-input", "AI input"],
  ["train-ai", "AI training"],
];

/** The table for one URL, below a sentence about it. */
export function pageTable(answers: readonly PageAnswer[], url: string): HTMLElement {
  if (answers.length === 0) return h("p", { class: "muted" }, "Enter a crawler above.");
  return h(
    "div",
    {},
    h(
      "p",
      { class: "muted" },
      `For ${shown(url, 160)}. A preference is not a prohibition. Crawlers do not see what a page says if robots.txt disallows fetching it.`,
    ),
    h(
      "div",
      { class: "card scroll", tabindex: "0", role: "region", "aria-label": "What a page says, by crawler" },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            ...["Crawler", "Index", ...categories.map(([, heading]) => heading), "Because"].map((heading) =>
              h("th", { scope: "col" }, heading),
            ),
          ),
        ),
        h("tbody", {}, ...answers.map(rowOf)),
      ),
    ),
  );
}

function rowOf({ crawler, decision, usage }: PageAnswer): HTMLElement {
  const index = decision.indexable ? "✔ indexable" : "✘ not indexable";
  const sentences = [...explainPage(decision).split("\n").slice(1), ...sentencesOf(usage)];
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, shown(crawler.productToken, 60)),
    h(
      "td",
      {},
      h("span", { class: `value ${decision.indexable ? "good" : "bad"}` }, index),
      h("small", {}, readingOf(decision.engine)),
    ),
    ...categories.map(([category]) => h("td", {}, valueOf(usage, category))),
    h(
      "td",
      {},
      ...(sentences.length === 0 ? ["–"] : sentences.map((sentence) => h("small", {}, shown(sentence, 400)))),
    ),
  );
}

function readingOf(engine: PageAnswer["decision"]["engine"]): string {
  return engine === "draft"
    ? "by draft-illyes-repext, the draft of a standard: this crawler’s own reading is not known here"
    : `as ${engine} documents it`;
}

function valueOf(usage: Usage, category: Category): HTMLElement {
  const { value } = usage[category];
  if (value === "unknown") return h("span", { class: "muted" }, "not stated");
  return h(
    "span",
    { class: `value ${value === "allow" ? "good" : "bad"}` },
    value === "allow" ? "✔ allowed" : "✘ reserved",
  );
}
