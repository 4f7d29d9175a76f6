// Makes packed records from columns of texts in one buffer: one record for each row with a URL.
import { PackedRecords } from "@robots-stream/engine/internal";
import type { Column, Frame } from "./frames.ts";

/**
 * The records of a frame's rows, in their order: the first column has the URLs, the second, if any, the User-Agent headers. Rows without a
 * URL are left out. Records have empty heads. A row without a header has an empty field.
 */
export function packedOf({ bytes, rows, columns }: Frame): PackedRecords {
  const [urls, agents] = columns as readonly [Column, Column?];
  const packed = new PackedRecords(Buffer.alloc(0), bytes, rows);
  for (let row = 0; row < rows; row++) {
    if (!urls.has(row)) continue;
    packed.push(0, 0, urls.at(row), urls.at(row + 1));
    if (agents?.has(row) === true) packed.pushField("agent", agents.at(row), agents.at(row + 1));
  }
  return packed;
}
