// Lists the linter's findings; each is a link to its line.
import { type Finding, sentenceOf } from "@robots-stream/core/lint";
import { button, h } from "./dom.ts";

/** Maximum number of findings in the list. */
const mostListed = 200;

/** The list of the first `mostListed` findings, in the order of `findings`. `goTo` moves to a line. */
export function findingsList(findings: readonly Finding[], goTo: (line: number) => void): HTMLElement {
  if (findings.length === 0) return h("p", { class: "muted" }, "No findings.");
  const rows = findings.slice(0, mostListed).map((finding) =>
    h(
      "li",
      { class: finding.severity },
      button({ class: "line number" }, () => goTo(finding.line), `line ${finding.line}`),
      h("div", {}, `${sentenceOf(finding)} `, h("small", {}, `${finding.severity} · ${finding.code}`)),
    ),
  );
  const left = findings.length - rows.length;
  return h(
    "ul",
    { class: "card list" },
    ...rows,
    left > 0 ? h("li", {}, h("div", {}, `${left} more findings are not listed.`)) : undefined,
  );
}
