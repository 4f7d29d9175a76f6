// Lists the tables of a document and their columns, for writing, reading, checking, CSV and the JSON Schema.
import type { ExampleCell } from "../count/examples.ts";
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

/** The columns of all tables, with the type of their values. */
export const columnTypes = {
  time: "time",
  interval: "interval",
  rule: "rule",
  directory: "text",
  parameter: "text",
  operator: "text",
  crawler: "crawler",
  verification: "verification",
  method: "method",
  state: "state",
  direction: "direction",
  proven: "flag",
  disputed: "flag",
  flip: "flip",
  status: "status",
  statusClass: "statusClass",
  requests: "count",
  bytes: "count",
  answers: "count",
  smallest: "count",
  largest: "count",
  first: "time",
  last: "time",
  examples: "examples",
} as const;

/** The name of a column. */
export type ColumnName = keyof typeof columnTypes;

/** The columns of the tables of an origin, in the order of their rows. */
export const tableColumns = {
  times: ["time", "crawler", "verification", "state", "statusClass", "requests", "bytes"],
  decisions: [
    "interval",
    "rule",
    "crawler",
    "verification",
    "state",
    "direction",
    "proven",
    "disputed",
    "status",
    "requests",
    "first",
    "last",
  ],
  directories: ["directory", "crawler", "verification", "state", "statusClass", "requests"],
  crossings: [
    "directory",
    "interval",
    "rule",
    "crawler",
    "verification",
    "state",
    "direction",
    "proven",
    "disputed",
    "requests",
    "first",
    "last",
    "examples",
  ],
  flips: ["directory", "crawler", "verification", "flip", "requests", "examples"],
  parameters: ["parameter", "state", "statusClass", "requests"],
  misses: ["directory", "statusClass", "requests", "examples"],
  answers: ["crawler", "verification", "method", "state", "status", "requests"],
  fetches: ["time", "crawler", "verification", "method", "status", "requests"],
  sizes: ["time", "answers", "smallest", "largest"],
  firstFetches: ["interval", "crawler", "verification", "time"],
  graceMinutes: ["time", "crawler", "verification", "interval", "proven", "disputed", "requests"],
  pace: ["time", "crawler", "verification", "requests"],
  referrals: ["operator", "requests"],
} as const;

/** The name of a table. */
export type TableName = keyof typeof tableColumns;

/** The names of the tables, in their order. */
export const tableNames: readonly TableName[] = Object.keys(tableColumns) as TableName[];

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

type RowOf<Columns extends readonly ColumnName[]> = {
  readonly [Index in keyof Columns]: CellOf[(typeof columnTypes)[Columns[Index]]];
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
