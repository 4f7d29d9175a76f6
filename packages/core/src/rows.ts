// The rows a parsed file keeps: four numbers for each line that means something, and the file they belong to.
import { ESCAPABLE, STAR } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";
import type { Kept } from "./kept.ts";

/** Columns of a row: kind and marks, line number, range of the value. Other records have kind `OTHER + row in their table`. */
export const rowSize = 4;
export const lineColumn = 1;
/** The range of the value in the file's bytes. */
export const startColumn = 2;
export const endColumn = 3;
/** How far left in the first column the classes of a line's bytes stand, as far as they are marks. */
export const markShift = 16;
/** Added to a kind when the line holds a `*`. */
export const STAR_MARK: number = STAR << markShift;
/** Added to a kind when the value may need escaping. */
export const ESCAPABLE_MARK: number = ESCAPABLE << markShift;
/** Added to the kind of a rule that the dialect refuses: it ends its run of user-agent lines and matches nothing. */
export const REFUSED_MARK: number = 1 << 18;
const kindMask: number = STAR_MARK - 1;

/** The most numbers that the rows of a small file are: these are no typed array, which would take more memory. */
export const smallRowsLength: number = 512 * rowSize;

/** Rows one after another. */
export type Rows = Int32Array | readonly number[];

/** A file as far as matching needs it. */
export interface ParsedFile {
  readonly content: Kept;
  readonly rows: Rows;
  readonly dialect: Dialect;
}

/** The kind in a row's first column without its marks. */
export function kindOfRow(column: number): number {
  return column & kindMask;
}
