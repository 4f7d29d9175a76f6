// Prints a census as text for a terminal: the shares of the crawlers at the end, their changes, and the groups.
import { countTextOf, cutTextOf, safeTextOf, shareTextOf, wrap } from "@robots-stream/audit/internal";
import type { CensusDocument, CensusSlice } from "./document.ts";
import {
  type AlikeCrawlers,
  alikeCrawlersOf,
  changeOf,
  comparedOf,
  crawlersTextOf,
  type CrawlerShares,
  groupTextOf,
  knownOf,
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
const shownGroups = 20;
/** The crawlers whose course over the periods is shown. */
const shownCourses = 4;

type Row = readonly string[];

/** Prints the text of a census, with a line feed at its end. Control characters in texts of files are escaped. */
export function printText(document: CensusDocument, { title, columns = 100, more }: TextOptions = {}): string {
  const width = Math.max(40, columns);
  const slices = slicesOfGroup(document, null);
  const last = slices.at(-1);
  if (last === undefined) return "No origin was counted.\n";
  const shares = sharesOf(document, last);
  const known = knownOf(last);
  const periods = slices.length < 2 ? "" : ` · ${slices.length} periods, ${slices[0]!.period} to ${last.period}`;
  const alike = alikeCrawlersOf(shares);
  const shown = alike.slice(0, shownCourses).map((each) => each.shares);
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
    ...courseLines(document, slices, shown, width),
    ...groupLines(document, last.period, shown, width),
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

/** The share of origins that are closed to some crawlers in each period, with the origins that closed and opened. */
function courseLines(
  document: CensusDocument,
  slices: readonly CensusSlice[],
  shown: readonly CrawlerShares[],
  width: number,
): readonly string[] {
  if (slices.length < 2) return [];
  const rows = slices.map((slice) => {
    const shares = new Map(sharesOf(document, slice).map((each) => [each.productToken, each]));
    return [
      slice.period,
      countTextOf(knownOf(slice)),
      ...shown.map(({ productToken }) => {
        const closed = countTextOf(shares.get(productToken)!.states.closed);
        if (comparedOf(slice) === 0) return closed;
        return `${closed} (+${changeOf(slice, productToken, "closed")} −${changeOf(slice, productToken, "opened")})`;
      }),
    ];
  });
  return [
    "",
    "Closed at the end of each period (+ origins that closed, − that opened):",
    ...linesOf([["period", "of", ...shown.map(({ productToken }) => safeTextOf(productToken))], ...rows], width),
  ];
}

function groupLines(
  document: CensusDocument,
  period: string,
  shown: readonly CrawlerShares[],
  width: number,
): readonly string[] {
  if (document.groups.length === 0) return [];
  const slices = document.slices.filter((slice) => slice.group !== null && slice.period === period);
  const listed = new Map(document.groups.map((group) => [group.value, group]));
  const rows = slices.slice(0, shownGroups).map((slice) => {
    const shares = new Map(sharesOf(document, slice).map((each) => [each.productToken, each]));
    const { listed: all, found } = listed.get(slice.group!) ?? { listed: 0, found: 0 };
    return [
      cutTextOf(safeTextOf(groupTextOf(slice.group)), 30),
      countTextOf(knownOf(slice)),
      countTextOf(all - found),
      ...shown.map(({ productToken }) => {
        const { closed } = shares.get(productToken)!.states;
        return `${countTextOf(closed)} (${shareTextOf(closed, knownOf(slice))})`;
      }),
    ];
  });
  const rest = slices.length - shownGroups;
  const heads = ["group", "of", "missing", ...shown.map(({ productToken }) => safeTextOf(productToken))];
  return [
    "",
    "Closed by group of origins (missing: listed, but not in the sources):",
    ...linesOf([heads, ...rows], width),
    ...(rest > 0 ? [`  … ${countTextOf(rest)} more groups`] : []),
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
