// Reads the rows of an origin's table one by one. The rows of a large counted origin are made while they are read.
import type { Row, TableName, Tables } from "./tables.ts";
import type { DocumentOrigin } from "./types.ts";

/** Returns the rows of a table. */
export type RowSource = <Name extends TableName>(name: Name) => Iterable<Row<Name>>;

const sources = new WeakMap<object, RowSource>();

/** Makes `tableRowsOf` read the rows of `origin` from `source`. These rows must equal the rows of the origin's members. */
export function setRowSource(origin: DocumentOrigin, source: RowSource): void {
  sources.set(origin, source);
}

/** The source of the rows of an origin; undefined for a value that has none. */
export function rowSourceOf(origin: object): RowSource | undefined {
  return sources.get(origin);
}

/**
 * The rows of a table, in the order of the member `name`. A loop over these rows holds one row at a time; the member is an array of all
 * rows, which a large counted document makes again when it is read again.
 */
export function tableRowsOf<Name extends TableName>(origin: DocumentOrigin, name: Name): Iterable<Row<Name>> {
  const source = sources.get(origin);
  return source === undefined ? (origin as Tables)[name] : source(name);
}
