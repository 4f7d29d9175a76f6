// Shows the trace of one answer in both dialects side by side, and returns the lines that the editor highlights.
import { type Trace, explain } from "@robots-stream/core";
import { type Answers, dialects, tracesOf } from "./answers.ts";
import type { Chosen } from "./answers-view.ts";
import { button, h, shown } from "./dom.ts";
import type { Lit } from "./editor.ts";

/** Maximum number of user-agent lines, of joins, and of rules in one trace. */
const mostRules = 40;

/** The trace of a cell; undefined if the cell does not exist or has no answer. */
export function traceCard(
  answers: Answers,
  { row, column }: Chosen,
  goTo: (line: number) => void,
): HTMLElement | undefined {
  const both = tracesOf(answers, row, column);
  if (both === undefined) return undefined;
  const title = `${shown(answers.rows[row]?.url ?? "", 160)} for ${shown(answers.crawlers[column]?.productToken ?? "", 60)}`;
  return h(
    "div",
    { class: "card traces" },
    h("h3", {}, title),
    ...dialects.map((dialect) => dialectTrace(dialect, both[dialect], goTo)),
  );
}

/** The lines that take part in an answer, in the dialect of Google's parser. */
export function litLinesOf(answers: Answers, { row, column }: Chosen): ReadonlyMap<number, Lit> {
  const lines = new Map<number, Lit>();
  const trace = tracesOf(answers, row, column)?.google;
  if (trace === undefined) return lines;
  for (const { userAgents } of trace.groups) {
    for (const { line } of userAgents) lines.set(line, { kind: "agent", note: "chooses the group" });
  }
  for (const { rule } of trace.matches) lines.set(rule.line, { kind: "match", note: "matches, but does not decide" });
  const { decision } = trace;
  if (decision.because === "rule") {
    const kind = decision.allowed ? "allow" : "disallow";
    lines.set(decision.rule.line, { kind, note: decision.allowed ? "decides: allowed" : "decides: disallowed" });
  }
  return lines;
}

function dialectTrace(dialect: string, trace: Trace, goTo: (line: number) => void): HTMLElement {
  const { decision, path, groups, matches, winner } = trace;
  const lineButton = (line: number): HTMLElement => button({ class: "line" }, () => goTo(line), `line ${line}`);
  const agents = groups.flatMap((group) => group.userAgents);
  const joins = groups.flatMap((group) => group.joins);
  return h(
    "div",
    { class: "trace", "data-dialect": dialect },
    h("h4", {}, dialect === "google" ? "google: as Google’s parser reads" : "rfc9309: as the standard says"),
    h("p", { class: decision.allowed ? "good" : "bad" }, `${decision.allowed ? "✔" : "✘"} ${explain(decision)}`),
    h("p", { class: "muted" }, "Compared: ", h("code", {}, shown(path, 300))),
    h(
      "ol",
      {},
      ...agents
        .slice(0, mostRules)
        .map(({ line, value }) =>
          h(
            "li",
            { class: "agent" },
            lineButton(line),
            " ",
            h("code", {}, `user-agent: ${shown(value, 80)}`),
            " chooses the group",
          ),
        ),
      ...joins
        .slice(0, mostRules)
        .map(({ afterLine, beforeLine }) =>
          h(
            "li",
            {},
            `No rule stands between line ${afterLine} and line ${beforeLine}, so the user-agent lines form one group.`,
          ),
        ),
      ...matches.slice(0, mostRules).map((match) => {
        const { rule, octets } = match;
        const isWinner = match === winner;
        return h(
          "li",
          isWinner ? { class: rule.type } : {},
          lineButton(rule.line),
          " ",
          h("code", {}, shown(`${rule.type}: ${rule.pattern}`.trim(), 120)),
          ` matches with ${octets} octet${octets === 1 ? "" : "s"}`,
          isWinner ? h("b", {}, ": it decides") : ruleWhy(octets, winner?.octets),
        );
      }),
      matches.length > mostRules ? h("li", {}, `${matches.length - mostRules} more rules match.`) : undefined,
    ),
  );
}

function ruleWhy(octets: number, most: number | undefined): string {
  if (most === undefined) return "";
  return octets < most
    ? ": fewer than the line that decides"
    : ": just as many; an allow rule wins, otherwise the earlier line";
}
