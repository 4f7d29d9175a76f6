// Prints one table of a census as CSV (RFC 4180): a line for each period, group and key, with the number of origins and of how many.
import { csvFieldOf } from "@robots-stream/audit/internal";
import type { CensusDocument } from "./document.ts";
import { groupTextOf, lastDayOf, wholeOf } from "./report.ts";
import { type TableName, tables } from "./tables.ts";

/**
 * The text of a table: the heading, then a piece for each slice. `isSafe`: whether to put `'` before fields that a spreadsheet would run as a
 * formula.
 */
export function* csvPiecesOf(
  { slices, groups }: CensusDocument,
  table: TableName,
  { isSafe = false }: { readonly isSafe?: boolean | undefined } = {},
): Generator<string, void, undefined> {
  const lineOf = (fields: readonly (string | number)[]): string =>
    `${fields.map((field) => csvFieldOf(String(field), isSafe)).join(",")}\r\n`;
  const { columns } = tables[table];
  yield lineOf(["period", "lastCapture", ...(groups.length > 0 ? ["group"] : []), ...columns, "origins", "of"]);
  for (const slice of slices) {
    const place = [slice.period, lastDayOf(slice), ...(groups.length > 0 ? [groupTextOf(slice.group)] : [])];
    const { rows, other } = table === "totals" ? { rows: Object.entries(slice.totals), other: 0 } : slice.tables[table];
    const folded = other === 0 ? [] : [[...columns.map(() => "…"), other]];
    yield [...rows, ...folded].map((row) => lineOf([...place, ...row, wholeOf(slice, table)])).join("");
  }
}
