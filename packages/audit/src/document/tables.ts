// Lists the tables of a document and their columns, for writing, reading, checking, CSV and the JSON Schema.
import { methodNames, stateCodes, statusClasses, verifications, directions } from "../states/states.ts";

/** The type of a column's values. */
export type ColumnType =
  | "time"
  | "crawler"
  | "verification"
  | "state"
  | "statusClass"
  | "method"
  | "direction"
  | "flip"
  | "flag"
  | "interval"
  | "rule"
  | "status"
  | "text"
  | "count"
  | "examples";

/** A column: its name and the type of its values. */
export type Column = readonly [name: string, type: ColumnType];

/** The changes of decisions by a candidate file. */
export const flips = ["newly-disallowed", "newly-allowed"] as const;

/** The closed lists of values, by type of column. */
export const closedLists: Readonly<Partial<Record<ColumnType, readonly string[]>>> = {
  verification: verifications,
  state: stateCodes,
  statusClass: statusClasses,
  method: methodNames,
  direction: directions,
  flip: flips,
};

/** The columns of the tables of an origin, in the order of their rows. */
export const tableColumns = {
  times: [
    ["time", "time"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["state", "state"],
    ["statusClass", "statusClass"],
    ["requests", "count"],
    ["bytes", "count"],
  ],
  decisions: [
    ["interval", "interval"],
    ["rule", "rule"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["state", "state"],
    ["direction", "direction"],
    ["proven", "flag"],
    ["disputed", "flag"],
    ["status", "status"],
    ["requests", "count"],
    ["first", "time"],
    ["last", "time"],
  ],
  directories: [
    ["directory", "text"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["state", "state"],
    ["statusClass", "statusClass"],
    ["requests", "count"],
  ],
  crossings: [
    ["directory", "text"],
    ["interval", "interval"],
    ["rule", "rule"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["state", "state"],
    ["direction", "direction"],
    ["proven", "flag"],
    ["disputed", "flag"],
    ["requests", "count"],
    ["first", "time"],
    ["last", "time"],
    ["examples", "examples"],
  ],
  flips: [
    ["directory", "text"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["flip", "flip"],
    ["requests", "count"],
    ["examples", "examples"],
  ],
  parameters: [
    ["parameter", "text"],
    ["state", "state"],
    ["statusClass", "statusClass"],
    ["requests", "count"],
  ],
  misses: [
    ["directory", "text"],
    ["statusClass", "statusClass"],
    ["requests", "count"],
    ["examples", "examples"],
  ],
  answers: [
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["method", "method"],
    ["state", "state"],
    ["status", "status"],
    ["requests", "count"],
  ],
  fetches: [
    ["time", "time"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["method", "method"],
    ["status", "status"],
    ["requests", "count"],
  ],
  sizes: [
    ["time", "time"],
    ["answers", "count"],
    ["smallest", "count"],
    ["largest", "count"],
  ],
  firstFetches: [
    ["interval", "interval"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["time", "time"],
  ],
  graceMinutes: [
    ["time", "time"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["interval", "interval"],
    ["proven", "flag"],
    ["disputed", "flag"],
    ["requests", "count"],
  ],
  pace: [
    ["time", "time"],
    ["crawler", "crawler"],
    ["verification", "verification"],
    ["requests", "count"],
  ],
  referrals: [
    ["operator", "text"],
    ["requests", "count"],
  ],
} as const;

/** The name of a table. */
export type TableName = keyof typeof tableColumns;

/** The names of the tables, in their order. */
export const tableNames: readonly TableName[] = Object.keys(tableColumns) as TableName[];

/** An example: the hash of origin and target in hex, and the target. */
export type ExampleCell = readonly [hash: string, target: string];

/** The TypeScript type of the values of each type of column. */
interface CellOf {
  readonly time: number | null;
  readonly crawler: string;
  readonly verification: (typeof verifications)[number];
  readonly state: (typeof stateCodes)[number];
  readonly statusClass: (typeof statusClasses)[number];
  readonly method: (typeof methodNames)[number];
  readonly direction: (typeof directions)[number];
  readonly flip: (typeof flips)[number];
  readonly flag: boolean;
  readonly interval: number;
  readonly rule: number;
  readonly status: number;
  readonly text: string;
  readonly count: number;
  readonly examples: readonly ExampleCell[];
}

type RowOf<Columns extends readonly Column[]> = {
  readonly [Index in keyof Columns]: Columns[Index] extends readonly [string, infer Type extends ColumnType]
    ? CellOf[Type]
    : never;
};

/** A row of a table. */
export type Row<Name extends TableName> = RowOf<(typeof tableColumns)[Name]>;

/** All tables of an origin. */
export type Tables = { readonly [Name in TableName]: readonly Row<Name>[] };

/** Any value of a row. */
export type Cell = null | number | string | boolean | readonly ExampleCell[];

/** Compares two rows by the first column in which they differ. The order is null, false, true, numbers, texts by code units. */
export function compareRows(one: readonly Cell[], other: readonly Cell[]): number {
  for (let at = 0; at < one.length; at++) {
    const [a, b] = [one[at]!, other[at]!];
    if (a === b) continue;
    if (a === null) return -1;
    if (b === null) return 1;
    return a < b ? -1 : 1;
  }
  return 0;
}
