// Lists the linter's findings; each is a link to its line.
import { sentenceOf } from "@robots-stream/core/lint";
import { button, h } from "./dom.ts";
import type { ShownFindings } from "./shown-findings.ts";

/** The list of the shown findings, followed by the number of those left out. `goTo` moves to a line. */
export function findingsList({ shown, leftOut }: ShownFindings, goTo: (line: number) => void): HTMLElement {
  if (shown.length === 0) return h("p", { class: "muted" }, "No findings.");
  const rows = shown.map((finding) =>
    h(
      "li",
      { class: finding.severity },
      button({ class: "line number" }, () => goTo(finding.line), `line ${finding.line}`),
      h("div", {}, `${sentenceOf(finding)} `, h("small", {}, `${finding.severity} · ${finding.code}`)),
    ),
  );
  return h(
    "ul",
    { class: "card list" },
    ...rows,
    leftOut === undefined ? undefined : h("li", {}, h("div", {}, leftOut)),
  );
}
