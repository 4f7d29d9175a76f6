// Prints a census as text for a terminal: the shares of the crawlers at the end, their changes, and the groups.
import { alignedLines, countTextOf, cutTextOf, safeTextOf, wrap } from "@robots-stream/audit/internal";
import type { CensusDocument } from "./document.ts";
import {
  sharesOf,
  courseTable,
  groupTable,
  knownOf,
  periodsTextOf,
  type ReportTable,
  sentencesOf,
  sharesTable,
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

/** Prints the text of a census, with a line feed at its end. Control characters in texts of files are escaped. */
export function printText(document: CensusDocument, { title, columns = 100, more }: TextOptions = {}): string {
  const width = Math.max(40, columns);
  const slices = slicesOfGroup(document, null);
  const last = slices.at(-1);
  const sentences = sentencesOf(document).flatMap((sentence) => wrap(sentence, width, 0));
  if (last === undefined) return `${sentences.join("\n")}\n`;
  const known = knownOf(last);
  const alike = sharesOf(document, last);
  const shown = alike.slice(0, shownCourses);
  const rest = alike.length - shownCrawlers;
  const span = periodsTextOf(slices);
  return `${[
    ...(title === undefined ? [] : [safeTextOf(title)]),
    `census of robots.txt${span === "" ? "" : ` · ${span}`}`,
    ...sentences,
    "",
    ...linesOf(sharesTable(alike.slice(0, shownCrawlers), known), width),
    ...(rest > 0 ? [`  … ${countTextOf(rest)} more rows${more === undefined ? "" : ` · ${more}`}`] : []),
    `  Shares are of the ${countTextOf(known)} origins that say what crawlers may fetch.`,
    ...(slices.length < 2 ? [] : tableLines(ofPeriods, courseTable(document, shown), width)),
    ...tableLines(ofGroups, groupTable(document, shown), width),
  ].join("\n")}\n`;
}

const ofPeriods = "Closed at the end of each period (+ origins that closed, − that opened):";
const ofGroups = "Closed by group of origins (missing: listed, but not in the sources):";

/** The last lines of a table with a heading above it; none for a table without rows. */
function tableLines(about: string, table: ReportTable, width: number): readonly string[] {
  if (table.rows.length === 0) return [];
  const rest = table.rows.length - shownRows;
  const lines = linesOf({ ...table, rows: table.rows.slice(-shownRows) }, width);
  return ["", about, ...lines, ...(rest > 0 ? [`  … ${countTextOf(rest)} rows before these`] : [])];
}

function linesOf({ heads, rows, names = 1 }: ReportTable, width: number): readonly string[] {
  const safe = [heads, ...rows].map((row) => row.map((cell) => cutTextOf(safeTextOf(cell), 30)));
  return alignedLines(safe, width, (column) => column >= names).map((line) => `  ${line}`);
}
