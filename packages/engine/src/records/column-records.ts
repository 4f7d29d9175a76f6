// Columns of texts in one buffer in, packed records of the rows that have a URL out.
import { PackedRecords } from "./packed.ts";

/** A column of texts. */
export interface TextColumn {
  /** Whether a row has a value. */
  has(row: number): boolean;
  /** Offset of the row's value in the buffer; that of the next row is its end. */
  at(row: number): number;
}

/** The records, without heads; in the order of their rows. A row without a User-Agent header has an empty one. */
export function packedOfColumns(
  bytes: Buffer,
  rows: number,
  { url, agent }: { readonly url: TextColumn; readonly agent?: TextColumn | undefined },
): PackedRecords {
  const packed = new PackedRecords(Buffer.alloc(0), bytes, rows);
  for (let row = 0; row < rows; row++) {
    if (!url.has(row)) continue;
    packed.push(0, 0, url.at(row), url.at(row + 1));
    if (agent?.has(row) === true) packed.pushAgent(agent.at(row), agent.at(row + 1));
  }
  return packed;
}
