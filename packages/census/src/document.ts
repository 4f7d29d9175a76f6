// Defines the document of a census: plain JSON with sums, which can be merged; and checks values that may be one (docs/CENSUS.md).
import { canonicalTextOf } from "@robots-stream/audit/internal";
import type { Census } from "./census.ts";
import type { CensusCrawler } from "./crawlers.ts";
import { type PeriodKind, periodKinds } from "./periods.ts";
import { changes, type Slice } from "./slice.ts";
import { cellCount, fileGrounds, fileStates, groundOf, results, stateOf } from "./states.ts";
import { type TableName, tableNames, tables } from "./tables.ts";
import { CensusError } from "./errors.ts";

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

/** Returns a value that is a document. Throws a `CensusError` (`ERR_INVALID_DOCUMENT`) with the path of the first mistake otherwise. */
export function checkDocument(value: unknown): CensusDocument {
  const document = objectAt(value, "the document");
  if (document["type"] !== documentType) fail("it is not the document of a census");
  if (document["schemaVersion"] !== schemaVersion) fail(`its schema version is not ${schemaVersion}`);
  const { registry, by, mostSteps, maxBytes, groupList, groupField } = objectAt(document["settings"], "settings");
  textAt(registry, "settings.registry");
  if (by !== null) oneOf(by, periodKinds, "settings.by");
  countAt(mostSteps, "settings.mostSteps");
  countAt(maxBytes, "settings.maxBytes");
  for (const each of [groupList, groupField]) if (each !== null) textAt(each, "settings.groupList");
  const tokens = listAt(document["crawlers"], "crawlers").map((each) => {
    const { productToken, names, boundByEverybody, bound } = objectAt(each, "crawlers");
    for (const name of [bound, ...listAt(names, "crawlers.names")]) textAt(name, "crawlers");
    if (typeof boundByEverybody !== "boolean") fail("crawlers.boundByEverybody");
    return textAt(productToken, "crawlers");
  });
  for (const each of listAt(document["parts"], "parts")) {
    const { source, shard, names } = objectAt(each, "parts");
    textAt(source, "parts.source");
    if (shard !== null && !/^\d+\/\d+$/.test(textAt(shard, "parts.shard"))) fail("parts.shard");
    for (const name of listAt(names, "parts.names")) textAt(name, "parts.names");
  }
  const values = listAt(document["groups"], "groups").map((each) => {
    const { value: name, listed, found } = objectAt(each, "groups");
    countAt(listed, "groups.listed");
    countAt(found, "groups.found");
    return textAt(name, "groups.value");
  });
  countAt(document["undated"], "undated");
  countAt(document["rejects"], "rejects");
  const groups = [null, ...(values.length === 0 ? [] : [...values, ""])];
  for (const each of listAt(document["slices"], "slices")) checkSlice(objectAt(each, "slices"), tokens, groups);
  return value as CensusDocument;
}

function checkSlice(slice: Plain, tokens: readonly string[], groups: readonly (string | null)[]): void {
  oneOf(slice["group"], groups, "slices.group");
  if (!/^(?:\d{4}(?:-Q[1-4]|-(?:0[1-9]|1[0-2]))?)?$/.test(textAt(slice["period"], "slices.period")))
    fail("slices.period");
  const totals = objectAt(slice["totals"], "slices.totals");
  for (const name of [...results, "captured", "entered"]) countAt(totals[name], `slices.totals.${name}`);
  for (const row of rowsAt(slice["crawlers"], 3, "slices.crawlers")) {
    oneOf(row[0], tokens, "slices.crawlers");
    oneOf(row[1], fileStates, "slices.crawlers");
    oneOf(row[2], fileGrounds, "slices.crawlers");
  }
  for (const row of rowsAt(slice["changes"], 2, "slices.changes")) {
    oneOf(row[0], tokens, "slices.changes");
    oneOf(row[1], changes, "slices.changes");
  }
  const found = objectAt(slice["tables"], "slices.tables");
  for (const name of tableNames) {
    const { rows, other, below } = objectAt(found[name], `slices.tables.${name}`);
    if (below !== null && !/^[0-9a-f]{16}$/.test(textAt(below, `slices.tables.${name}`))) fail("slices.tables");
    rowsAt(rows, tables[name].columns.length, `slices.tables.${name}`);
    countAt(other, `slices.tables.${name}.other`);
  }
}

type Plain = Readonly<Record<string, unknown>>;

function fail(what: string): never {
  throw new CensusError("ERR_INVALID_DOCUMENT", what.includes(" ") ? what : `${what} is not what a census has there`);
}

function objectAt(value: unknown, where: string): Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Plain) : fail(where);
}

function listAt(value: unknown, where: string): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : fail(where);
}

function textAt(value: unknown, where: string): string {
  return typeof value === "string" ? value : fail(where);
}

function countAt(value: unknown, where: string): number {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fail(where);
}

function oneOf(value: unknown, known: readonly unknown[], where: string): void {
  if (!known.includes(value)) fail(where);
}

function rowsAt(value: unknown, keyParts: number, where: string): readonly (readonly unknown[])[] {
  return listAt(value, where).map((each) => {
    const row = listAt(each, where);
    if (row.length !== keyParts + 1) fail(where);
    for (const part of row.slice(0, -1)) textAt(part, where);
    countAt(row.at(-1), where);
    return row;
  });
}
