// Defines the document of a census: plain JSON with sums, which can be merged; and checks values that may be one (docs/CENSUS.md).
import { canonicalTextOf, fail, isCount, isIn, listOf, type Members, membersOf } from "@robots-stream/audit/internal";
import type { CensusCrawler } from "./answers.ts";
import { type PeriodKind, periodKinds, periodPattern } from "./periods.ts";
import {
  changes,
  type CountedTable,
  countedTables,
  fileGrounds,
  fileStates,
  tables,
  type Total,
  totalNames,
} from "./tables.ts";

/** The version of the schema. Within one version, members keep their names and meanings. */
export const schemaVersion = 1;

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
  /** Damaged entries of the sources, which were left out. The parts of a division all read the same sources. */
  readonly rejects: number;
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
  /** The time of the newest capture at or before the end of the period, in seconds since 1970; null without a date. */
  readonly lastCapture: number | null;
  /** Origins by result, at the end of the period; and the origins with a capture, and with their first known robots.txt, in the period. */
  readonly totals: Readonly<Record<Total, number>>;
  readonly tables: Readonly<Record<CountedTable, CensusTable>>;
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
  /** By group, then by period. */
  readonly slices: readonly CensusSlice[];
}

/** What the caller of a census says about it. */
export interface DocumentFacts extends Pick<CensusDocument, "parts" | "groups"> {
  readonly settings: Omit<CensusSettings, "by" | "mostSteps">;
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
  for (const { source, shard, names, rejects } of membersOfEach(document["parts"], "parts")) {
    const isShard = shard === null || (isText(shard) && /^\d+\/\d+$/.test(shard));
    if (!isShard || !isCount(rejects) || ![source, ...listOf(names, "parts.names")].every(isText)) fail("parts");
  }
  const groups = membersOfEach(document["groups"], "groups").map(({ value: name, listed, found }) => {
    if (!isText(name) || !isCount(listed) || !isCount(found)) fail("groups");
    return name;
  });
  if (!isCount(document["undated"])) fail("undated");
  for (const [at, slice] of membersOfEach(document["slices"], "slices").entries()) {
    const { group } = slice;
    if (group !== null && (groups.length === 0 || !isIn([...groups, ""], group))) fail(`slices[${at}].group`);
    checkSlice(slice, tokens, `slices[${at}]`);
  }
  return value as CensusDocument;
}

function checkSlice({ period, lastCapture, ...slice }: Members, tokens: readonly string[], where: string): void {
  if (!isText(period) || !periodPattern.test(period)) fail(`${where}.period`);
  if (lastCapture !== null && !Number.isSafeInteger(lastCapture)) fail(`${where}.lastCapture`);
  const totals = membersOf(slice["totals"], `${where}.totals`);
  for (const name of totalNames) if (!isCount(totals[name])) fail(`${where}.totals.${name}`);
  const found = membersOf(slice["tables"], `${where}.tables`);
  for (const name of countedTables) {
    const place = `${where}.tables.${name}`;
    const { rows, other, below } = membersOf(found[name], place);
    if (!isCount(other) || (below !== null && !(isText(below) && /^[0-9a-f]{16}$/.test(below)))) fail(place);
    const words = wordsOf(name, tokens);
    for (const each of listOf(rows, place)) {
      const row = listOf(each, place);
      const isKey = words.every((known, at) => (known === undefined ? isText(row[at]) : isIn(known, row[at])));
      if (row.length !== words.length + 1 || !isKey || !isCount(row.at(-1))) fail(place);
    }
  }
}

/** The words that each part of a key can have; undefined for any text. */
function wordsOf(name: CountedTable, tokens: readonly string[]): readonly (readonly string[] | undefined)[] {
  if (name === "crawlers") return [tokens, fileStates, fileGrounds];
  return name === "changes" ? [tokens, changes] : tables[name].columns.map(() => undefined);
}

function membersOfEach(list: unknown, where: string): readonly Members[] {
  return listOf(list, where).map((each, at) => membersOf(each, `${where}[${at}]`));
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
