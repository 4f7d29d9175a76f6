// Makes packed records from columns of texts in one buffer: one record for each row with a URL.
import { PackedRecords } from "@robots-stream/engine/internal";

type AskedField = Parameters<PackedRecords["pushField"]>[0];

/** A column of texts. */
interface TextColumn {
  /** Whether the column has a value in a row. */
  has(row: number): boolean;
  /** Offset in the buffer where the value of a row begins. The value ends where the value of the next row begins. */
  at(row: number): number;
}

/** The columns of records: the URLs, and the requested fields by the name of the field. */
export type RecordColumns = { readonly url: TextColumn } & { readonly [field in AskedField]?: TextColumn | undefined };

/**
 * The records of the rows `[from, to)`, by default of all rows, in the order of the rows. Rows without a URL are left out. Records have
 * empty heads. A field without a value in a row is empty.
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
