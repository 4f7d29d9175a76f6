// Shows the table of answers, with a row for each URL and a column for each crawler. Each answer is a button that opens its trace.
import type { Decision } from "@robots-stream/core";
import { type Answers, type InBoth, type Row, lineOf } from "./answers.ts";
import type { AskedCrawler } from "./crawlers.ts";
import { button, countText, h, shown } from "./dom.ts";

/** The cell whose trace is open. */
export interface Chosen {
  readonly row: number;
  readonly column: number;
}

/** The first cell that a rule disallows in the dialect of Google's parser; the first cell of the table if there is no such cell. */
export function firstChosen({ rows }: Answers): Chosen {
  for (const [row, { cells }] of rows.entries()) {
    const column = cells.findIndex((cell) => cell?.google.because === "rule" && !cell.google.allowed);
    if (column !== -1) return { row, column };
  }
  return { row: 0, column: 0 };
}

export function answersTable(
  answers: Answers,
  chosen: Chosen | undefined,
  choose: (cell: Chosen) => void,
): HTMLElement {
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "URL or path"), ...answers.crawlers.map(columnHead))),
    h("tbody", {}, ...answers.rows.map((row, at) => rowOf(row, at, chosen, choose))),
  );
}

/** A summary such as "12 answers: 8 allowed, 4 disallowed as Google’s parser reads; rfc9309 answers 2 of them differently." */
export function answersSummary({ rows, crawlers, left }: Answers): string {
  const cells = rows.flatMap((row) => row.cells.flatMap((cell) => cell ?? []));
  if (cells.length === 0) return "Enter a URL and a crawler above.";
  const allowed = cells.filter(({ google }) => google.allowed).length;
  const differ = cells.filter(isOtherwise).length;
  const without = crawlers.filter(({ problem }) => problem !== undefined).length;
  return `${[
    `${countText(cells.length, "answer")}: ${allowed} allowed, ${cells.length - allowed} disallowed as Google’s parser reads`,
    differ === 0 ? "rfc9309 gives the same answers" : `rfc9309 answers ${differ} of them differently`,
    ...(without === 0 ? [] : [`${countText(without, "crawler")} without an answer`]),
    ...(left.urls === 0 ? [] : [`${countText(left.urls, "more URL")} left out`]),
    ...(left.crawlers === 0 ? [] : [`${countText(left.crawlers, "more crawler")} left out`]),
  ].join("; ")}.`;
}

function columnHead({ typed, productToken, note, problem }: AskedCrawler): HTMLElement {
  const typedNote = typed === productToken ? [] : [h("small", {}, `from “${shown(typed, 80)}”`)];
  return h(
    "th",
    { scope: "col" },
    h("b", {}, shown(productToken, 40)),
    ...typedNote,
    h("small", problem === undefined ? {} : { class: "bad" }, problem ?? note),
  );
}

function rowOf(
  { url, note, cells }: Row,
  row: number,
  chosen: Chosen | undefined,
  choose: (cell: Chosen) => void,
): HTMLElement {
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row" },
      h("code", {}, shown(url, 160)),
      note === "" ? undefined : h("small", {}, shown(note, 160)),
    ),
    ...cells.map((cell, column) => {
      if (cell === undefined) return h("td", {}, "–");
      const isChosen = chosen?.row === row && chosen.column === column;
      return h(
        "td",
        {},
        answerButton(cell, isChosen, `${row}.${column}`, () => choose({ row, column })),
      );
    }),
  );
}

function answerButton(both: InBoth<Decision>, isChosen: boolean, key: string, act: () => void): HTMLElement {
  const { google, rfc9309 } = both;
  const word = google.allowed ? "allowed" : "disallowed";
  return button(
    {
      class: `answer ${word}`,
      "aria-pressed": String(isChosen),
      "data-cell": key,
      "data-google": `${google.allowed} ${lineOf(google)}`,
      "data-rfc9309": `${rfc9309.allowed} ${lineOf(rfc9309)}`,
    },
    act,
    h("b", { class: google.allowed ? "good" : "bad" }, `${google.allowed ? "✔" : "✘"} ${word}`),
    h("small", {}, groundOf(google)),
    isOtherwise(both)
      ? h("small", { class: "warn" }, `rfc9309: ${rfc9309.allowed ? "allowed" : "disallowed"}, ${groundOf(rfc9309)}`)
      : undefined,
  );
}

/** Whether the dialects give different answers, or the same answer by different lines. */
function isOtherwise({ google, rfc9309 }: InBoth<Decision>): boolean {
  return google.allowed !== rfc9309.allowed || lineOf(google) !== lineOf(rfc9309);
}

/** The reason for a decision in a few words. */
export function groundOf(decision: Decision): string {
  switch (decision.because) {
    case "rule":
      return `line ${decision.rule.line}`;
    case "no-rule":
      return "no rule";
    case "no-group":
      return "no group";
    case "robots-txt":
      return "robots.txt itself";
    case "unavailable":
    case "unreachable":
      return decision.because;
  }
}
