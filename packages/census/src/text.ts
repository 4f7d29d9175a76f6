// Prints a census as text for a terminal: the shares of the crawlers at the end, their changes, and the groups.
import { countTextOf, cutTextOf, safeTextOf, shareTextOf, wrap } from "@robots-stream/audit/internal";
import type { CensusDocument } from "./document.ts";
import {
  type AlikeCrawlers,
  alikeCrawlersOf,
  courseTable,
  crawlersTextOf,
  groupTable,
  knownOf,
  nothingCounted,
  type ReportTable,
  sentencesOf,
  sharesOf,
  slicesOfGroup,
} from "./report.ts";

/** The options of `printText`. */
export interface TextOptions {
  readonly title?: string | undefined;
  /** The maximum number of characters of a line, at least 40. Default: 100. */
  readonly columns?: number | undefined;
  /** Where the rows are that the text leaves out. Default: nothing is said. */
  readonly more?: string | undefined;
}

const shownCrawlers = 20;
/** The last rows of a table that are shown. */
const shownRows = 60;
/** The crawlers whose course over the periods is shown. */
const shownCourses = 4;

type Row = readonly string[];

/** Prints the text of a census, with a line feed at its end. Control characters in texts of files are escaped. */
export function printText(document: CensusDocument, { title, columns = 100, more }: TextOptions = {}): string {
  const width = Math.max(40, columns);
  const slices = slicesOfGroup(document, null);
  const last = slices.at(-1);
  if (last === undefined) return `${nothingCounted(document)}\n`;
  const shares = sharesOf(document, last);
  const known = knownOf(last);
  const periods = slices.length < 2 ? "" : ` · ${slices.length} periods, ${slices[0]!.period} to ${last.period}`;
  const alike = alikeCrawlersOf(shares);
  const shown = alike.slice(0, shownCourses);
  const rest = alike.length - shownCrawlers;
  return `${[
    ...(title === undefined ? [] : [safeTextOf(title)]),
    `census of robots.txt${periods}`,
    ...sentencesOf(document, last).flatMap((sentence) => wrap(sentence, width, 0)),
    "",
    ...linesOf(
      [
        ["crawler", "closed", "share", "by its group", "mostly", "partly", "open", "not proved", "named"],
        ...alike.slice(0, shownCrawlers).map((each) => rowOf(each, known)),
      ],
      width,
    ),
    ...(rest > 0 ? [`  … ${countTextOf(rest)} more rows${more === undefined ? "" : ` · ${more}`}`] : []),
    `  Shares are of the ${countTextOf(known)} origins that say what crawlers may fetch.`,
    ...tableLines(
      "Closed at the end of each period (+ origins that closed, − that opened):",
      courseTable(document, shown),
      2,
      width,
    ),
    ...tableLines(
      "Closed by group of origins (missing: listed, but not in the sources):",
      groupTable(document, shown),
      1,
      width,
    ),
  ].join("\n")}\n`;
}

function rowOf(alike: AlikeCrawlers, known: number): Row {
  const { states, closedBy, named } = alike.shares;
  return [
    safeTextOf(crawlersTextOf(alike)),
    countTextOf(states.closed),
    shareTextOf(states.closed, known),
    countTextOf(closedBy.own + closedBy.fallback),
    ...(["mostly-closed", "partly-closed", "open", "not-proved"] as const).map((state) => countTextOf(states[state])),
    countTextOf(named),
  ];
}

/** The lines of a table with a heading above it; none for a table of fewer than `least` rows. */
function tableLines(about: string, { heads, rows }: ReportTable, least: number, width: number): readonly string[] {
  if (rows.length < least) return [];
  const rest = rows.length - shownRows;
  const safe = rows.slice(-shownRows).map((row) => row.map((cell) => cutTextOf(safeTextOf(cell), 40)));
  return [
    "",
    about,
    ...linesOf([heads.map(safeTextOf), ...safe], width),
    ...(rest > 0 ? [`  … ${countTextOf(rest)} rows before these`] : []),
  ];
}

/** Aligns rows: the first column to the left, the others to the right. Columns that do not fit into the width are left out. */
function linesOf(rows: readonly Row[], width: number): readonly string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  let used = 0;
  const fitting = widths.findIndex((each) => (used += each + 2) > width);
  const count = fitting < 0 ? widths.length : Math.max(2, fitting);
  return rows.map((row) =>
    `  ${row
      .slice(0, count)
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join("  ")}`.trimEnd(),
  );
}
