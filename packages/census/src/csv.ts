// Prints one table of a census as CSV (RFC 4180): a line for each period, group and key, with the number of origins and of how many.
import { csvFieldOf } from "@robots-stream/audit/internal";
import type { CensusDocument, CensusSlice, CountRow } from "./document.ts";
import { comparedOf, groupTextOf, knownOf } from "./report.ts";
import { type TableName, tableNames, tables } from "./tables.ts";

/** The name of a table of the CSV output. */
export type CsvTableName = "crawlers" | "changes" | "totals" | TableName;

/** The tables of the CSV output. */
export const csvTableNames: readonly CsvTableName[] = ["crawlers", "changes", "totals", ...tableNames];

/** The options of `csvPiecesOf`. */
export interface CsvOptions {
  /** Whether to put `'` before fields that a spreadsheet would run as a formula. Default: false. */
  readonly isSafe?: boolean | undefined;
}

/** The text of a table: the heading, then a piece for each slice. */
export function* csvPiecesOf(
  { slices, groups }: CensusDocument,
  table: CsvTableName,
  { isSafe = false }: CsvOptions = {},
): Generator<string, void, undefined> {
  const lineOf = (fields: readonly (string | number)[]): string =>
    `${fields.map((field) => csvFieldOf(String(field), isSafe)).join(",")}\r\n`;
  const hasGroups = groups.length > 0;
  yield lineOf(["period", ...(hasGroups ? ["group"] : []), ...columnsOf(table), "origins", "of"]);
  for (const slice of slices) {
    const of = wholeOf(slice, table);
    const place = [slice.period, ...(hasGroups ? [groupTextOf(slice.group)] : [])];
    const { rows, other } = rowsOf(slice, table);
    const folded = other === 0 ? [] : [[...columnsOf(table).map(() => "…"), other]];
    yield [...rows, ...folded].map((row) => lineOf([...place, ...row, of])).join("");
  }
}

function columnsOf(table: CsvTableName): readonly string[] {
  if (table === "crawlers") return ["crawler", "state", "ground"];
  if (table === "changes") return ["crawler", "change"];
  return table === "totals" ? ["total"] : tables[table].columns;
}

function rowsOf(
  slice: CensusSlice,
  table: CsvTableName,
): { readonly rows: readonly CountRow[]; readonly other: number } {
  if (table === "totals") return { rows: Object.entries(slice.totals), other: 0 };
  return table === "crawlers" || table === "changes" ? { rows: slice[table], other: 0 } : slice.tables[table];
}

/** The number of origins of which the rows of a table are a share. */
export function wholeOf(slice: CensusSlice, table: CsvTableName): number {
  const { totals } = slice;
  if (table === "changes") return comparedOf(slice);
  if (table === "crawlers" || table === "totals") return knownOf(slice);
  const isOfFiles = table === "sizes" || table === "lines" || table === "encodings" || table === "no-robots-txt";
  return totals["robots-txt"] + (isOfFiles ? totals["no-robots-txt"] : 0);
}
