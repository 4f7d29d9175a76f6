// Describes the tables of counts from which a document's tables are made: the parts of a key, their rooms, and the values of a cell.
import type { CellTable, FoldingTable } from "../count/cell-table.ts";
import type { Directories } from "../count/directories.ts";
import type { Examples } from "../count/examples.ts";
import { actorRoom, classRoom, flipRoom, methodRoom, outcomeRoom, stateRoom, statusRoom } from "../count/keys.ts";
import type { OriginCounts } from "../count/origin-counts.ts";

/**
 * The parts of the keys of each table, from the first. They give the first columns of a row; its other columns are the values of the cell,
 * in their order, and its examples.
 */
export const keyParts = {
  times: ["bucket", "actor", "state", "answer"],
  decisions: ["outcome", "actor", "status"],
  directories: ["name", "actor", "state", "answer"],
  crossings: ["name", "outcome", "actor"],
  flips: ["name", "actor", "flip"],
  parameters: ["name", "state", "answer"],
  misses: ["name", "answer"],
  answers: ["actor", "method", "state", "status"],
  fetches: ["bucket", "actor", "method", "status"],
  sizes: ["day"],
  firstFetches: ["interval", "actor"],
} as const;

/** The name of a table that is made from a table of cells. */
export type CellTableName = keyof typeof keyParts;

/** The name of a part of a key. */
export type PartName = (typeof keyParts)[CellTableName][number];

const rooms: Readonly<Partial<Record<PartName, number>>> = {
  actor: actorRoom,
  state: stateRoom,
  answer: classRoom,
  method: methodRoom,
  status: statusRoom,
  flip: flipRoom,
  outcome: outcomeRoom,
};

/** The rooms of the parts of a key except the first, which needs none, from the second to the last. */
export function roomsOf(table: CellTableName): readonly number[] {
  return keyParts[table].slice(1).map((part) => rooms[part]!);
}

/** A table of cells, with the names in its keys and the examples of its cells. */
export interface KeyedTable {
  readonly table: CellTable | FoldingTable;
  readonly named?: Pick<Directories, "names" | "numberOf" | "keepWithinLimits">;
  readonly examples?: Examples | undefined;
}

/** The table of cells with the counts of a table. */
export function keyedTableOf(counts: OriginCounts, name: CellTableName): KeyedTable {
  const { directories, parameters } = counts;
  if (name === "parameters") return { table: parameters.tables.requests.cells, named: parameters };
  if (name !== "directories" && name !== "crossings" && name !== "flips" && name !== "misses") {
    return { table: counts[name] };
  }
  const { cells, examples } = directories.tables[name === "directories" ? "requests" : name];
  return { table: cells, named: directories, examples };
}
