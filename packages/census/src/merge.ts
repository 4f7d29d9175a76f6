// Merges the documents of disjoint parts of a census. Neither the division nor the order of the parts changes the result.
import { AuditError } from "@robots-stream/audit";
import { canonicalTextOf } from "@robots-stream/audit/internal";
import {
  type CensusDocument,
  type CensusGroup,
  type CensusPart,
  type CensusSlice,
  type CountRow,
  sliceOf,
} from "./document.ts";
import { periodsFrom } from "./periods.ts";
import { type Change, changes, Slice } from "./slice.ts";
import { cellCount, cellOf, type FileGround, type FileState, results } from "./states.ts";
import { tableNames } from "./tables.ts";

/**
 * Merges one or more documents from `checkDocument` or `documentOf`. Throws an `AuditError`: `ERR_DIFFERENT_DOCUMENTS` if their settings,
 * crawlers or groups differ, `ERR_SAME_INPUT_TWICE` if two of them count the same origins.
 */
export function mergeDocuments(documents: readonly CensusDocument[]): CensusDocument {
  const [first] = documents;
  if (first === undefined) throw new AuditError("ERR_INVALID_DOCUMENT", "there is no document to merge");
  for (const other of documents.slice(1)) {
    for (const member of ["settings", "crawlers"] as const) checkEqual(member, first[member], other[member]);
    checkEqual("groups", listedIn(first), listedIn(other));
  }
  const parts = documents.flatMap((document) => document.parts);
  checkDisjoint(parts);
  const periods = periodsFrom(documents.flatMap(({ slices }) => slices.map(({ period }) => period)));
  const values = new Set(documents.flatMap(({ slices }) => slices.map(({ group }) => group)));
  const inOrder = [null, ...first.groups.map(({ value }) => value), ""].filter((value) => values.has(value));
  return {
    ...first,
    parts: parts.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
    groups: first.groups.map((group, at) => ({ ...group, found: sumOf(documents, ({ groups }) => groups[at]!.found) })),
    undated: sumOf(documents, ({ undated }) => undated),
    rejects: sumOf(documents, ({ rejects }) => rejects),
    slices: inOrder.flatMap((group) => {
      const finders = documents.map((document) => sliceFinder(document, group));
      return periods.map((period) => mergedSlice(group, period, finders, first));
    }),
  };
}

function sumOf(documents: readonly CensusDocument[], countOf: (document: CensusDocument) => number): number {
  return documents.reduce((sum, document) => sum + countOf(document), 0);
}

function listedIn({ groups }: CensusDocument): readonly Omit<CensusGroup, "found">[] {
  return groups.map(({ value, listed }) => ({ value, listed }));
}

function checkEqual(what: string, one: unknown, other: unknown): void {
  if (canonicalTextOf(one) === canonicalTextOf(other)) return;
  throw new AuditError("ERR_DIFFERENT_DOCUMENTS", `the documents were made with different ${what}`);
}

const keyOf = ({ source, shard }: CensusPart): string => `${source} ${shard ?? ""}`;

/** Checks that no two parts are of one source, unless they are different shards of one division. */
function checkDisjoint(parts: readonly CensusPart[]): void {
  const known = new Map<string, CensusPart[]>();
  for (const part of parts) {
    const others = known.get(part.source) ?? [];
    const clash = others.find(({ shard }) => !areDisjoint(shard, part.shard));
    if (clash !== undefined) {
      const shown = (each: CensusPart): string =>
        `${each.names.join(" ")}${each.shard === null ? "" : `, shard ${each.shard}`}`;
      throw new AuditError(
        "ERR_SAME_INPUT_TWICE",
        `two documents count the same origins: ${shown(clash)}; ${shown(part)}`,
      );
    }
    known.set(part.source, [...others, part]);
  }
}

function areDisjoint(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  return one !== other && one.split("/")[1] === other.split("/")[1];
}

/** Returns the slice of a period, and whether it is the last one before the period: then only its stocks count. */
type SliceFinder = (period: string) => { readonly slice: CensusSlice; readonly isBefore: boolean } | undefined;

function sliceFinder(document: CensusDocument, group: string | null): SliceFinder {
  const slices = document.slices.filter((slice) => slice.group === group);
  const byPeriod = new Map(slices.map((slice) => [slice.period, slice]));
  const last = slices.at(-1);
  return (period) => {
    const own = byPeriod.get(period);
    if (own !== undefined) return { slice: own, isBefore: false };
    return last !== undefined && last.period < period ? { slice: last, isBefore: true } : undefined;
  };
}

function mergedSlice(
  group: string | null,
  period: string,
  finders: readonly SliceFinder[],
  { crawlers }: CensusDocument,
): CensusSlice {
  const sum = new Slice(crawlers.length);
  const numbers = new Map(crawlers.map(({ productToken }, at) => [productToken, at]));
  for (const find of finders) {
    const found = find(period);
    if (found !== undefined) addSlice(sum, found.slice, numbers, found.isBefore);
  }
  return sliceOf(group, period, sum, crawlers);
}

function addSlice(
  sum: Slice,
  { totals, crawlers, changes: changed, tables }: CensusSlice,
  numbers: ReadonlyMap<string, number>,
  onlyStocks: boolean,
): void {
  for (const [at, result] of results.entries()) sum.results[at]! += totals[result];
  for (const [token, state, ground, count] of crawlers as readonly (readonly [
    string,
    FileState,
    FileGround,
    number,
  ])[]) {
    sum.cells[numbers.get(token)! * cellCount + cellOf(state, ground)]! += count;
  }
  for (const name of tableNames) {
    const { rows, other, below } = tables[name];
    sum.tables[name].addAll({ entries: rows.map(entryOf), other, below });
  }
  if (onlyStocks) return;
  sum.captured += totals.captured;
  sum.entered += totals.entered;
  for (const [token, change, count] of changed as readonly (readonly [string, Change, number])[]) {
    sum.changes[numbers.get(token)! * changes.length + changes.indexOf(change)]! += count;
  }
}

function entryOf(row: CountRow): readonly [key: string, count: number] {
  return [JSON.stringify(row.slice(0, -1)), row.at(-1) as number];
}
