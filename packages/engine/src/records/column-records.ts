// Makes packed records from columns of texts in one buffer: one record for each row with a URL.
import { type AskedField, PackedRecords } from "./packed.ts";

/** A column of texts. */
interface TextColumn {
  /** Whether a row has a value. */
  has(row: number): boolean;
  /** Offset of the row's value in the buffer; that of the next row is its end. */
  at(row: number): number;
}

/** The columns of records; those of fields have the names of fields. */
export type RecordColumns = { readonly url: TextColumn } & { readonly [field in AskedField]?: TextColumn | undefined };

/**
 * The records of the rows from `from` to `to` (default: of all), without heads; in the order of their rows. A field that a row does not
 * have is empty.
 */
export function packedOfColumns(
  bytes: Buffer,
  rows: number,
  { url, ...others }: RecordColumns,
  { from, to }: { readonly from: number; readonly to: number } = { from: 0, to: rows },
): PackedRecords {
  const packed = new PackedRecords(Buffer.alloc(0), bytes, to - from);
  const fields = (Object.entries(others) as [AskedField, TextColumn | undefined][]).filter(
    (entry): entry is [AskedField, TextColumn] => entry[1] !== undefined,
  );
  for (let row = from; row < to; row++) {
    if (!url.has(row)) continue;
    packed.push(0, 0, url.at(row), url.at(row + 1));
    for (const [field, column] of fields) {
      if (column.has(row)) packed.pushField(field, column.at(row), column.at(row + 1));
    }
  }
  return packed;
}
