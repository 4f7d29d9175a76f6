// Merges the documents of disjoint parts of a census. Neither the division nor the order of the parts changes the result.
import { AuditError } from "@robots-stream/audit";
import { canonicalTextOf } from "@robots-stream/audit/internal";
import type { CensusDocument, CensusPart, CensusSlice } from "./document.ts";
import { periodsFrom } from "./periods.ts";
import { Slice } from "./slice.ts";

/**
 * Merges one or more documents from `checkDocument` or `documentOf`. Throws an `AuditError`: `ERR_DIFFERENT_DOCUMENTS` if their settings,
 * crawlers or groups differ, `ERR_SAME_INPUT_TWICE` if two of them count the same origins.
 */
export function mergeDocuments(documents: readonly CensusDocument[]): CensusDocument {
  const [first] = documents;
  if (first === undefined) throw new AuditError("ERR_INVALID_DOCUMENT", "there is no document to merge");
  for (const other of documents.slice(1)) {
    checkEqual("settings", first.settings, other.settings);
    checkEqual("crawlers", first.crawlers, other.crawlers);
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
    slices: inOrder.flatMap((group) => {
      const own = documents.map(({ slices }) => slices.filter((slice) => slice.group === group));
      return periods.map((period) => sumIn(period, own).plain(group, period));
    }),
  };
}

/** The sum of a period. Of a document whose periods end before it, the stocks at its end count. */
function sumIn(period: string, documents: readonly (readonly CensusSlice[])[]): Slice {
  const sum = new Slice();
  const inForce = documents.flatMap((slices) => slices.findLast((slice) => slice.period <= period) ?? []);
  for (const slice of inForce) if (slice.period !== period) sum.add(slice);
  sum.clearFlows();
  for (const slice of inForce) if (slice.period === period) sum.add(slice);
  return sum;
}

function sumOf(documents: readonly CensusDocument[], countOf: (document: CensusDocument) => number): number {
  return documents.reduce((sum, document) => sum + countOf(document), 0);
}

function listedIn({ groups }: CensusDocument): unknown {
  return groups.map(({ value, listed }) => [value, listed]);
}

function checkEqual(what: string, one: unknown, other: unknown): void {
  if (canonicalTextOf(one) === canonicalTextOf(other)) return;
  throw new AuditError("ERR_DIFFERENT_DOCUMENTS", `the documents were made with different ${what}`);
}

const keyOf = ({ source, shard }: CensusPart): string => `${source} ${shard ?? ""}`;

/** Checks that no two parts are of one source, unless they are different shards of one division. */
function checkDisjoint(parts: readonly CensusPart[]): void {
  for (const [at, part] of parts.entries()) {
    const clash = parts.slice(0, at).find((other) => other.source === part.source && !areDisjoint(other, part));
    if (clash === undefined) continue;
    const [one, other] = [clash, part].map(
      ({ names, shard }) => `${names.join(" ")}${shard === null ? "" : `, shard ${shard}`}`,
    );
    throw new AuditError("ERR_SAME_INPUT_TWICE", `two documents count the same origins: ${one}; ${other}`);
  }
}

function areDisjoint({ shard: one }: CensusPart, { shard: other }: CensusPart): boolean {
  return one !== null && other !== null && one !== other && one.split("/")[1] === other.split("/")[1];
}
