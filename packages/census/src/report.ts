// Makes the figures of a report from a census: the shares of crawlers in a slice, and their course over the periods.
import {
  amountOf,
  canonicalTextOf,
  countTextOf,
  isoDayOf,
  listTextOf,
  shareTextOf,
} from "@robots-stream/audit/internal";
import type { CensusDocument, CensusSlice, CountRow } from "./document.ts";
import {
  type Change,
  type CountedTable,
  type FileGround,
  type FileState,
  results,
  type TableName,
  tables,
  type Total,
  wholes,
} from "./tables.ts";

/** The number of origins of which the counts of a table are a share; changes can only be of those that did not enter in the period. */
export function wholeOf(slice: CensusSlice, name: TableName): number {
  return sumOf(slice, wholes[tables[name].of]) - (name === "changes" ? slice.totals.entered : 0);
}

/** The number of origins that say what crawlers may fetch: with a robots.txt, with another file, or without a file. */
export function knownOf(slice: CensusSlice): number {
  return sumOf(slice, wholes.known);
}

function sumOf({ totals }: CensusSlice, names: readonly Total[]): number {
  return names.reduce((sum, name) => sum + totals[name], 0);
}

/** All origins of a slice. */
export function originsOf(slice: CensusSlice): number {
  return sumOf(slice, results);
}

/** The slices of a group, oldest first. */
export function slicesOfGroup({ slices }: CensusDocument, group: string | null): readonly CensusSlice[] {
  return slices.filter((slice) => slice.group === group);
}

/** The value of a group as a text. */
export function groupTextOf(group: string | null): string {
  return group === null ? "all origins" : group === "" ? "(not in the list)" : group;
}

/** The day of the newest capture at or before the end of a period; "" without a date. */
export function lastDayOf({ lastCapture }: CensusSlice): string {
  return lastCapture === null ? "" : isoDayOf(Math.floor(lastCapture / 86_400));
}

/** The number of damaged entries of all sources, each source once. */
export function rejectsOf({ parts }: CensusDocument): number {
  const bySource = new Map(parts.map(({ source, rejects }) => [source, rejects]));
  return [...bySource.values()].reduce((sum, rejects) => sum + rejects, 0);
}

/** The numbers of origins with a robots.txt for one crawler, with their headings: by state, closed ones also by ground, and those that name it. */
const figures = {
  closed: "closed",
  own: "by own group",
  fallback: "fallback's",
  everybody: "*",
  "mostly-closed": "mostly",
  "partly-closed": "partly",
  open: "open",
  "not-proved": "not proved",
  named: "named",
} as const;

type Figure = keyof typeof figures;
const figureNames = Object.keys(figures) as readonly Figure[];

/** The numbers of one crawler, or of several that have the same ones. */
export interface CrawlerShares {
  readonly crawlers: readonly string[];
  /** The crawlers as a short text. */
  readonly text: string;
  readonly counts: Readonly<Record<Figure, number>>;
}

/** The shares of all crawlers in a slice: those to which most origins are closed come first. */
export function sharesOf({ crawlers }: CensusDocument, slice: CensusSlice): readonly CrawlerShares[] {
  const zeros = (): Record<Figure, number> => Object.fromEntries(figureNames.map((name) => [name, 0])) as never;
  const byToken = new Map(crawlers.map(({ productToken }) => [productToken, zeros()]));
  for (const row of slice.tables.crawlers.rows) {
    const [token, state, ground] = row as unknown as readonly [string, FileState, FileGround];
    const counts = byToken.get(token)!;
    counts[state] += countOf(row);
    if (state === "closed" && ground !== "none") counts[ground] += countOf(row);
    if (ground === "own") counts.named += countOf(row);
  }
  const alike = new Map<string, { readonly crawlers: string[]; readonly counts: Record<Figure, number> }>();
  for (const [token, counts] of [...byToken].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const key = canonicalTextOf(counts);
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { crawlers: [token], counts });
    else known.crawlers.push(token);
  }
  return [...alike.values()]
    .toSorted(({ counts: one }, { counts: other }) => other.closed - one.closed || other.named - one.named)
    .map(({ crawlers: names, counts }) => {
      const text = names.length < 3 ? names.join(", ") : `${names[0]} and ${names.length - 1} more`;
      return { crawlers: names, text, counts };
    });
}

/** The periods as a text; "" without periods. The last one may be incomplete, so it is given with the day of its last capture. */
export function periodsTextOf(slices: readonly CensusSlice[]): string {
  if (slices.length < 2) return "";
  return `${slices.length} periods, ${slices[0]!.period} to ${lastTextOf(slices.at(-1)!)}`;
}

function lastTextOf(slice: CensusSlice): string {
  return `${slice.period} (until ${lastDayOf(slice)})`;
}

/** The sentences about the origins at the end: how many there are, and what is known about them. */
export function sentencesOf(document: CensusDocument): readonly string[] {
  const { undated } = document;
  const slice = slicesOfGroup(document, null).at(-1);
  if (slice === undefined)
    return [`No origin was counted${undated === 0 ? "" : `: ${amountOf(undated, "origin")} without a date`}.`];
  const { totals, period } = slice;
  const [old, rejects, day] = [originsOf(slice) - totals.captured, rejectsOf(document), lastDayOf(slice)];
  const said = (count: number, what: string): readonly string[] =>
    count === 0 ? [] : [`${countTextOf(count)} ${what}`];
  const told = (count: number, what: string): readonly string[] =>
    count === 0 ? [] : [`${what}: ${amountOf(count, "origin")}.`];
  const answers = [
    `${countTextOf(totals["robots-txt"])} have a robots.txt`,
    ...said(totals["not-found"], "no file"),
    ...said(totals["no-robots-txt"], "another file"),
  ];
  const others = [
    ...said(totals.unreachable, "unreachable"),
    ...said(totals.unread, "whose answer is not in the sources"),
  ];
  return [
    `${day === "" ? "Of" : `On ${day}, the day of the last capture, of`} ${amountOf(originsOf(slice), "origin")}, ` +
      `${countTextOf(knownOf(slice))} say what crawlers may fetch: ${listTextOf(answers)}.`,
    ...(others.length === 0 ? [] : [`In no share: ${listTextOf(others)}.`]),
    ...told(period === "" ? 0 : old, `Counted by a capture from before ${period}`),
    ...told(undated, "Not counted, because they have no date"),
    ...(rejects === 0 ? [] : [damageTextOf(rejects)]),
  ];
}

/** The sentence about damaged entries. */
export function damageTextOf(rejects: number): string {
  return `Damaged entries of the sources: ${countTextOf(rejects)}. Their origins are missing, or counted by another capture.`;
}

/** A table of a report: its headings, and rows of texts; behind the first `names` columns (default: 1), each text begins with its number. */
export interface ReportTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly names?: number;
}

/** The origins by state for crawlers that are alike; the three numbers behind the share are the closed ones by the group that closes them. */
export function sharesTable(all: readonly CrawlerShares[], known: number): ReportTable {
  const withShare = (cells: readonly string[], share: string): readonly string[] => cells.toSpliced(1, 0, share);
  return {
    heads: ["crawler", ...withShare(Object.values(figures), "share")],
    rows: all.map(({ text, counts }) => {
      const cells = figureNames.map((name) => countTextOf(counts[name]));
      return [text, ...withShare(cells, shareTextOf(counts.closed, known))];
    }),
  };
}

/** The number of origins that are closed to the first of some crawlers that are alike. */
export function closedIn({ tables: { crawlers } }: CensusSlice, { crawlers: [token] }: CrawlerShares): number {
  return countIn(crawlers.rows, ([name, state]) => name === token && state === "closed");
}

function countIn(rows: readonly CountRow[], isCounted: (row: CountRow) => boolean): number {
  return rows.filter(isCounted).reduce((sum, row) => sum + countOf(row), 0);
}

function countOf(row: CountRow): number {
  return row.at(-1) as number;
}

/** The closed origins at the end of each period, with those that closed and opened in it. The last period may be incomplete. */
export function courseTable(document: CensusDocument, shown: readonly CrawlerShares[]): ReportTable {
  const slices = slicesOfGroup(document, null);
  const changed = (slice: CensusSlice, alike: CrawlerShares, change: Change): number =>
    countIn(slice.tables.changes.rows, ([name, each]) => name === alike.crawlers[0] && each === change);
  const rows = slices.map((slice, at) => [
    at === slices.length - 1 ? lastTextOf(slice) : slice.period,
    countTextOf(knownOf(slice)),
    ...shown.map((alike) => {
      const both = ` (+${changed(slice, alike, "closed")} −${changed(slice, alike, "opened")})`;
      return `${countTextOf(closedIn(slice, alike))}${wholeOf(slice, "changes") === 0 ? "" : both}`;
    }),
  ]);
  return { heads: ["period", "of", ...shown.map(({ text }) => text)], rows };
}

/** The closed origins of each group at the end, and how many listed origins the sources lack. */
export function groupTable(document: CensusDocument, shown: readonly CrawlerShares[]): ReportTable {
  const period = slicesOfGroup(document, null).at(-1)?.period;
  const missing = new Map(document.groups.map(({ value, listed, found }) => [value, listed - found]));
  const slices = document.slices.filter((slice) => slice.group !== null && slice.period === period);
  const rows = slices.map((slice) => [
    groupTextOf(slice.group),
    countTextOf(missing.get(slice.group!) ?? 0),
    countTextOf(knownOf(slice)),
    ...shown
      .map((alike) => closedIn(slice, alike))
      .map((count) => `${countTextOf(count)} (${shareTextOf(count, knownOf(slice))})`),
  ]);
  return { heads: ["group", "missing", "of", ...shown.map(({ text }) => text)], rows };
}

/** A table about contents of files, the rows of most origins first. */
export function contentsTable(slice: CensusSlice, name: CountedTable): ReportTable {
  const { columns } = tables[name];
  const whole = wholeOf(slice, name);
  const rows = slice.tables[name].rows
    .toSorted((one, other) => countOf(other) - countOf(one))
    .map((row) => [...row.slice(0, -1).map(String), countTextOf(countOf(row)), shareTextOf(countOf(row), whole)]);
  return { heads: [...columns, "origins", `of ${countTextOf(whole)}`], rows, names: columns.length };
}
