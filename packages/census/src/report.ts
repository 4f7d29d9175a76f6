// Makes the figures of a report from a census: the shares of crawlers in a slice, and their course over the periods.
import { amountOf, canonicalTextOf, countTextOf, listTextOf, shareTextOf } from "@robots-stream/audit/internal";
import type { CensusDocument, CensusSlice } from "./document.ts";
import type { Change } from "./slice.ts";
import { type FileGround, type FileState, fileStates, isKnown, results } from "./states.ts";

/** The numbers of origins with a robots.txt by state for one crawler. */
export interface CrawlerShares {
  readonly productToken: string;
  readonly states: Record<FileState, number>;
  /** The origins that are closed to the crawler, by ground. */
  readonly closedBy: Record<FileGround, number>;
  /** Origins whose file names the crawler itself. */
  named: number;
}

type CrawlerRow = readonly [productToken: string, state: FileState, ground: FileGround, origins: number];

/** The shares of all crawlers in a slice: the crawler to which most origins are closed comes first. */
export function sharesOf({ crawlers }: CensusDocument, slice: CensusSlice): readonly CrawlerShares[] {
  const all = new Map<string, CrawlerShares>();
  for (const { productToken } of crawlers) {
    const states = { closed: 0, "mostly-closed": 0, "partly-closed": 0, open: 0, "not-proved": 0 };
    const closedBy = { own: 0, fallback: 0, everybody: 0, none: 0 };
    all.set(productToken, { productToken, states, closedBy, named: 0 });
  }
  for (const [token, state, ground, count] of slice.crawlers as unknown as readonly CrawlerRow[]) {
    const shares = all.get(token)!;
    shares.states[state] += count;
    if (state === "closed") shares.closedBy[ground] += count;
    if (ground === "own") shares.named += count;
  }
  return [...all.values()].toSorted(
    (one, other) =>
      other.states.closed - one.states.closed ||
      other.named - one.named ||
      (one.productToken < other.productToken ? -1 : 1),
  );
}

/** The number of origins that say what crawlers may fetch: with a robots.txt, with another file, or without a file. */
export function knownOf({ totals }: CensusSlice): number {
  return results.filter(isKnown).reduce((sum, result) => sum + totals[result], 0);
}

/** All origins of a slice. */
export function originsOf({ totals }: CensusSlice): number {
  return results.reduce((sum, result) => sum + totals[result], 0);
}

/** The number of origins whose known robots.txt can be compared with an earlier one. */
export function comparedOf(slice: CensusSlice): number {
  return knownOf(slice) - slice.totals.entered;
}

/** The slices of a group, oldest first. */
export function slicesOfGroup({ slices }: CensusDocument, group: string | null): readonly CensusSlice[] {
  return slices.filter((slice) => slice.group === group);
}

/** The sentences about the origins of a slice: how many there are, and what is known about them. */
export function sentencesOf(document: CensusDocument, slice: CensusSlice): readonly string[] {
  const { totals, period } = slice;
  const { undated, rejects } = document;
  const old = originsOf(slice) - totals.captured;
  const when = period === "" ? "Of" : `At the end of ${period}, of`;
  const answers = listTextOf([
    `${countTextOf(totals["robots-txt"])} have a robots.txt`,
    ...someOf(totals["not-found"], "no file"),
    ...someOf(totals["no-robots-txt"], "another file"),
  ]);
  const others = [
    ...(totals.unreachable === 0 ? [] : [`${countTextOf(totals.unreachable)} unreachable`]),
    ...(totals.unread === 0 ? [] : [`${countTextOf(totals.unread)} whose answer is not in the sources`]),
  ];
  return [
    `${when} ${amountOf(originsOf(slice), "origin")}, ${countTextOf(knownOf(slice))} say what crawlers may fetch: ${answers}.`,
    ...(others.length === 0 ? [] : [`In no share: ${listTextOf(others)}.`]),
    ...(period === "" || old === 0 ? [] : [`Counted by a capture from before ${period}: ${amountOf(old, "origin")}.`]),
    ...(undated === 0 ? [] : [`Not counted, because they have no date: ${amountOf(undated, "origin")}.`]),
    ...(rejects === 0 ? [] : [`Entries of the sources that could not be read: ${countTextOf(rejects)}.`]),
  ];
}

/** The sentence of a census without origins. */
export function nothingCounted({ undated }: CensusDocument): string {
  return undated === 0
    ? "No origin was counted."
    : `No origin was counted: ${amountOf(undated, "origin")} without a date.`;
}

function someOf(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${countTextOf(count)} ${what}`];
}

/** Crawlers with the same numbers. */
export interface AlikeCrawlers {
  readonly crawlers: readonly string[];
  readonly shares: CrawlerShares;
}

/** The crawlers in their order, those with the same numbers together. */
export function alikeCrawlersOf(all: readonly CrawlerShares[]): readonly AlikeCrawlers[] {
  const alike = new Map<string, { readonly crawlers: string[]; readonly shares: CrawlerShares }>();
  for (const shares of all) {
    const key = canonicalTextOf({ ...shares, productToken: "" });
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { crawlers: [shares.productToken], shares });
    else known.crawlers.push(shares.productToken);
  }
  return [...alike.values()];
}

/** The crawlers of a row as a text. */
export function crawlersTextOf({ crawlers }: AlikeCrawlers): string {
  return crawlers.length < 3 ? crawlers.join(", ") : `${crawlers[0]} and ${crawlers.length - 1} more`;
}

/** A table of a report: its headings, and rows of texts; behind the first `names` columns, each text begins with its number. */
export interface ReportTable {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly names: number;
}

/** The origins by state for crawlers that are alike; the three numbers behind the share are the closed ones by the group that closes them. */
export function sharesTable(all: readonly AlikeCrawlers[], known: number): ReportTable {
  const rows = all.map((alike) => {
    const { states, closedBy, named } = alike.shares;
    const [closed, ...others] = fileStates.map((state) => countTextOf(states[state]));
    const grounds = [closedBy.own, closedBy.fallback, closedBy.everybody].map(countTextOf);
    return [
      crawlersTextOf(alike),
      closed!,
      shareTextOf(states.closed, known),
      ...grounds,
      ...others,
      countTextOf(named),
    ];
  });
  const grounds = ["by own group", "fallback's", "*"];
  return {
    heads: ["crawler", "closed", "share", ...grounds, "mostly", "partly", "open", "not proved", "named"],
    rows,
    names: 1,
  };
}

/** The closed origins in slices, for the first of some crawlers that are alike. */
export function closedIn(
  document: CensusDocument,
  slices: readonly CensusSlice[],
  shown: readonly AlikeCrawlers[],
): readonly (readonly number[])[] {
  return slices.map((slice) => {
    const closed = new Map(sharesOf(document, slice).map(({ productToken, states }) => [productToken, states.closed]));
    return shown.map(({ crawlers: [token = ""] }) => closed.get(token)!);
  });
}

/** The closed origins at the end of each period, with those that closed and opened in it. */
export function courseTable(document: CensusDocument, shown: readonly AlikeCrawlers[]): ReportTable {
  const slices = slicesOfGroup(document, null);
  const rows = closedIn(document, slices, shown).map((closed, at) => {
    const slice = slices[at]!;
    const changeOf = (token: string, change: Change): number =>
      Number(slice.changes.find(([productToken, name]) => productToken === token && name === change)?.at(-1) ?? 0);
    const cells = shown.map(({ crawlers: [token = ""] }, column) => {
      const changed = `(+${changeOf(token, "closed")} −${changeOf(token, "opened")})`;
      return `${countTextOf(closed[column]!)}${comparedOf(slice) === 0 ? "" : ` ${changed}`}`;
    });
    return [slice.period, countTextOf(knownOf(slice)), ...cells];
  });
  return { heads: ["period", "of", ...shown.map(crawlersTextOf)], rows, names: 1 };
}

/** The closed origins of each group at the end, and how many listed origins the sources lack. */
export function groupTable(document: CensusDocument, shown: readonly AlikeCrawlers[]): ReportTable {
  const period = slicesOfGroup(document, null).at(-1)?.period;
  const missing = new Map(document.groups.map(({ value, listed, found }) => [value, listed - found]));
  const slices = document.slices.filter((slice) => slice.group !== null && slice.period === period);
  const rows = closedIn(document, slices, shown).map((closed, at) => {
    const { group } = slices[at]!;
    const known = knownOf(slices[at]!);
    const cells = closed.map((count) => `${countTextOf(count)} (${shareTextOf(count, known)})`);
    return [groupTextOf(group), countTextOf(missing.get(group!) ?? 0), countTextOf(known), ...cells];
  });
  return { heads: ["group", "missing", "of", ...shown.map(crawlersTextOf)], rows, names: 1 };
}

/** The value of a group as a text. */
export function groupTextOf(group: string | null): string {
  return group === null ? "all origins" : group === "" ? "(not in the list)" : group;
}
