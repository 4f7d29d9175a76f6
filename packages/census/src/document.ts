// Defines the document of a census: plain JSON with sums, which can be merged; and checks values that may be one (docs/CENSUS.md).
import { canonicalTextOf, fail, isCount, isIn, listOf, type Members, membersOf } from "@robots-stream/audit/internal";
import type { Census } from "./census.ts";
import type { CensusCrawler } from "./crawlers.ts";
import { type PeriodKind, periodKinds, periodPattern } from "./periods.ts";
import { changes, type Slice } from "./slice.ts";
import { cellCount, fileGrounds, fileStates, groundOf, results, stateOf } from "./states.ts";
import { type TableName, tableNames, tables } from "./tables.ts";

/** The version of the schema. Within one version, members keep their names and meanings. */
const schemaVersion = 1;

/** The member `type` of a document. */
export const documentType = "robots-stream census";

/** The settings of a census. Two documents merge only if all of their settings are equal. */
export interface CensusSettings {
  /** The version of the registry of crawlers. */
  readonly registry: string;
  readonly by: PeriodKind | null;
  readonly mostSteps: number;
  readonly maxBytes: number;
  /** SHA-256 of the list of groups, and the name of its column; null without groups. */
  readonly groupList: string | null;
  readonly groupField: string | null;
}

/** The sources of a part of a census. Parts are disjoint: no origin is counted in two of them. */
export interface CensusPart {
  /** A digest of the sources. */
  readonly source: string;
  /** The part of the sources' origins that was counted, such as "2/4"; null for all. */
  readonly shard: string | null;
  readonly names: readonly string[];
}

/** A group of origins. */
export interface CensusGroup {
  readonly value: string;
  /** The origins and hosts that the list has, and those of them that were found in the sources. */
  readonly listed: number;
  readonly found: number;
}

/** A row of a table: the parts of the key, and the number of origins. */
export type CountRow = readonly [...key: string[], origins: number];

/** A table. Keys whose hash is not smaller than `below` are left out; `other` is the sum of their rows. */
export interface CensusTable {
  readonly rows: readonly CountRow[];
  readonly other: number;
  /** null if no key is left out. */
  readonly below: string | null;
}

/** The sums of one period and one group of origins. */
export interface CensusSlice {
  /** null: all origins; "" is never the value of a group, and stands for the origins that the list of groups lacks. */
  readonly group: string | null;
  /** Such as "2024-Q3"; "" without periods. */
  readonly period: string;
  /** Origins by result, at the end of the period; and the origins with a capture, and with their first known robots.txt, in the period. */
  readonly totals: Readonly<Record<(typeof results)[number] | "captured" | "entered", number>>;
  /** Origins with a robots.txt by crawler, state and ground. */
  readonly crawlers: readonly CountRow[];
  /** Origins by crawler and change since the last known robots.txt. */
  readonly changes: readonly CountRow[];
  readonly tables: Readonly<Record<TableName, CensusTable>>;
}

/** A document. */
export interface CensusDocument {
  readonly type: typeof documentType;
  readonly schemaVersion: typeof schemaVersion;
  readonly settings: CensusSettings;
  readonly crawlers: readonly CensusCrawler[];
  readonly parts: readonly CensusPart[];
  readonly groups: readonly CensusGroup[];
  /** Origins without a date, which a census by period does not count. */
  readonly undated: number;
  /** Entries of the sources that are damaged or no robots.txt, and were left out. */
  readonly rejects: number;
  /** By group, then by period. */
  readonly slices: readonly CensusSlice[];
}

/** What a document says besides the sums. */
export type DocumentFacts = Pick<CensusDocument, "settings" | "parts" | "groups" | "rejects">;

/** The document of a census. */
export function documentOf(census: Census, { settings, parts, groups, rejects }: DocumentFacts): CensusDocument {
  const values = [null, ...(groups.length === 0 ? [] : [...groups.map(({ value }) => value), ""])];
  const { crawlers } = census.index;
  return {
    type: documentType,
    schemaVersion,
    settings,
    crawlers: crawlers.map(({ productToken, names, boundByEverybody, bound }) => ({
      productToken,
      names,
      boundByEverybody,
      bound,
    })),
    parts,
    groups,
    undated: census.undated,
    rejects,
    slices: values.flatMap((group, number) =>
      [...census.slicesOf(number)].map(({ period, slice }) => sliceOf(group, period, slice, crawlers)),
    ),
  };
}

/** The sums of a slice as plain data. */
export function sliceOf(
  group: string | null,
  period: string,
  slice: Slice,
  crawlers: readonly CensusCrawler[],
): CensusSlice {
  const tokens = crawlers.map(({ productToken }) => productToken);
  const counts = Object.fromEntries(results.map((result, at) => [result, slice.results[at]!]));
  return {
    group,
    period,
    totals: { ...counts, captured: slice.captured, entered: slice.entered } as CensusSlice["totals"],
    crawlers: rowsOf(tokens, slice.cells, cellCount, (cell) => [stateOf(cell), groundOf(cell)]),
    changes: rowsOf(tokens, slice.changes, changes.length, (at) => [changes[at]!]),
    tables: Object.fromEntries(
      tableNames.map((name) => {
        const { entries, other, below } = slice.tables[name].list();
        return [name, { rows: entries.map(([key, count]) => [...(JSON.parse(key) as string[]), count]), other, below }];
      }),
    ) as unknown as CensusSlice["tables"],
  };
}

function rowsOf(
  tokens: readonly string[],
  counts: Float64Array,
  width: number,
  wordsOf: (at: number) => readonly string[],
): readonly CountRow[] {
  return tokens.flatMap((token, crawler) =>
    Array.from({ length: width }, (_, at) => at).flatMap((at) => {
      const count = counts[crawler * width + at]!;
      return count === 0 ? [] : [[token, ...wordsOf(at), count] as unknown as CountRow];
    }),
  );
}

/** The canonical text of a document. Equal documents have equal texts. */
export function documentTextOf(document: CensusDocument): string {
  return `${canonicalTextOf(document)}\n`;
}

/** Returns a value that is a document. Throws an `AuditError` (`ERR_INVALID_DOCUMENT`) with the path of the first mistake otherwise. */
export function checkDocument(value: unknown): CensusDocument {
  const document = membersOf(value, "the document");
  if (document["type"] !== documentType) fail("type");
  if (document["schemaVersion"] !== schemaVersion) fail("schemaVersion");
  const { registry, by, mostSteps, maxBytes, groupList, groupField } = membersOf(document["settings"], "settings");
  const texts = [registry, groupList ?? "", groupField ?? ""];
  if (!texts.every(isText) || !isCount(mostSteps) || !isCount(maxBytes)) fail("settings");
  if (by !== null && !isIn(periodKinds, by)) fail("settings.by");
  const tokens = membersOfEach(document["crawlers"], "crawlers").map((crawler) => {
    const { productToken, names, boundByEverybody, bound } = crawler;
    const isWhole = [productToken, bound, ...listOf(names, "crawlers.names")].every(isText);
    if (!isWhole || typeof boundByEverybody !== "boolean") fail("crawlers");
    return productToken as string;
  });
  for (const { source, shard, names } of membersOfEach(document["parts"], "parts")) {
    const isShard = shard === null || (isText(shard) && /^\d+\/\d+$/.test(shard));
    if (!isShard || ![source, ...listOf(names, "parts.names")].every(isText)) fail("parts");
  }
  const groups = membersOfEach(document["groups"], "groups").map(({ value: name, listed, found }) => {
    if (!isText(name) || !isCount(listed) || !isCount(found)) fail("groups");
    return name;
  });
  for (const name of ["undated", "rejects"]) if (!isCount(document[name])) fail(name);
  for (const [at, slice] of membersOfEach(document["slices"], "slices").entries()) {
    const { group } = slice;
    if (group !== null && (groups.length === 0 || !isIn([...groups, ""], group))) fail(`slices[${at}].group`);
    checkSlice(slice, tokens, `slices[${at}]`);
  }
  return value as CensusDocument;
}

function checkSlice({ period, totals, ...slice }: Members, tokens: readonly string[], where: string): void {
  if (!isText(period) || !periodPattern.test(period)) fail(`${where}.period`);
  const counts = membersOf(totals, `${where}.totals`);
  for (const name of [...results, "captured", "entered"]) if (!isCount(counts[name])) fail(`${where}.totals.${name}`);
  checkRows(slice["crawlers"], [tokens, fileStates, fileGrounds], `${where}.crawlers`);
  checkRows(slice["changes"], [tokens, changes], `${where}.changes`);
  const found = membersOf(slice["tables"], `${where}.tables`);
  for (const name of tableNames) {
    const place = `${where}.tables.${name}`;
    const { rows, other, below } = membersOf(found[name], place);
    if (!isCount(other) || (below !== null && !(isText(below) && /^[0-9a-f]{16}$/.test(below)))) fail(place);
    checkRows(
      rows,
      tables[name].columns.map(() => undefined),
      place,
    );
  }
}

/** Checks the rows of a table: parts of a key, of which some must be among known words, and a count. */
function checkRows(rows: unknown, words: readonly (readonly string[] | undefined)[], where: string): void {
  for (const each of listOf(rows, where)) {
    const row = listOf(each, where);
    const isKey = words.every((known, at) => (known === undefined ? isText(row[at]) : isIn(known, row[at])));
    if (row.length !== words.length + 1 || !isKey || !isCount(row.at(-1))) fail(where);
  }
}

function membersOfEach(list: unknown, where: string): readonly Members[] {
  return listOf(list, where).map((each, at) => membersOf(each, `${where}[${at}]`));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
