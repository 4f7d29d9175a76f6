// Defines what is kept of a parsed file: its bytes, and a row of four numbers for each line with a known key.
import { ESCAPABLE } from "./bytes.ts";
import type { Dialect } from "./dialect.ts";

/**
 * The columns of a row: kind and marks, line number, range of the value. The kind of an other record is `OTHER` plus the index of the
 * record in `knownRecords`.
 */
export const rowSize = 4;
export const lineColumn = 1;
/** The range of the value in the file's bytes. */
export const startColumn = 2;
export const endColumn = 3;
/** The shift of the byte class ESCAPABLE in the first column. */
export const markShift = 16;
/** Added to a kind when the value may need escaping. */
export const ESCAPABLE_MARK: number = ESCAPABLE << markShift;
/** Added to the kind of a rule that the dialect refuses: the rule ends its run of user-agent lines and matches nothing. */
export const REFUSED_MARK: number = 1 << 18;
const kindMask: number = (1 << markShift) - 1;

/** The parts of a parsed file that matching needs. */
export interface ParsedFile {
  /** The file. */
  readonly bytes: Uint8Array;
  /** All rows of the file, one after another. */
  readonly rows: Int32Array;
  readonly dialect: Dialect;
}

/** The kind in the first column of a row, without the marks. */
export function kindOfRow(column: number): number {
  return column & kindMask;
}
