// Sorts the cells of a table as numbers, and makes its rows one by one.
import type { CellTable } from "../count/cell-table.ts";
import { splitKey } from "../count/keys.ts";
import { type Row, type TableName, compareRows } from "./tables.ts";

/** How the rows of a table are made from its cells. */
export interface RowMaker<Name extends TableName> {
  readonly table: CellTable;
  /** The rooms of the parts of a key, as `splitKey` takes them. */
  readonly rooms: readonly number[];
  /**
   * A number below 2^53 that sorts like the first columns of the row, given the parts of the key. It need not distinguish all rows: rows
   * with equal numbers are compared.
   */
  readonly placeOf: (parts: readonly number[]) => number;
  readonly rowOf: (parts: readonly number[], cell: number) => Row<Name>;
}

/** The rows of a table, sorted. */
export function* rowsOf<Name extends TableName>({
  table,
  rooms,
  placeOf,
  rowOf,
}: RowMaker<Name>): Generator<Row<Name>, void, undefined> {
  const parts = new Array<number>(rooms.length + 1).fill(0);
  const rowAt = (cell: number): Row<Name> => rowOf(splitKey(parts, table.keyOf(cell), rooms), cell);
  const places = new Float64Array(table.count);
  const cells = new Uint32Array(table.count);
  for (let cell = 0; cell < table.count; cell++) {
    places[cell] = placeOf(splitKey(parts, table.keyOf(cell), rooms));
    cells[cell] = cell;
  }
  cells.sort((one, other) => places[one]! - places[other]! || compareRows(rowAt(one), rowAt(other)));
  for (let at = 0; at < cells.length; at++) yield rowAt(cells[at]!);
}
