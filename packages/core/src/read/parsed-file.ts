// Defines what is kept of a parsed file: an immutable copy of its bytes, and a row of four numbers for each line with a known key.
import { encodeUtf8, ESCAPABLE, STAR, strictTextOf, utf8Of } from "./bytes.ts";
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
/** The shift of the byte classes STAR and ESCAPABLE in the first column. */
export const markShift = 16;
/** Added to a kind when the value may contain a `*`. */
export const STAR_MARK: number = STAR << markShift;
/** Added to a kind when the value may need escaping. */
export const ESCAPABLE_MARK: number = ESCAPABLE << markShift;
/** Added to the kind of a rule that the dialect refuses: the rule ends its run of user-agent lines and matches nothing. */
export const REFUSED_MARK: number = 1 << 18;
const kindMask: number = STAR_MARK - 1;

/** Rows of at most this many numbers are a plain array, which takes less memory than a small typed array. */
export const smallRowsLength: number = 512 * rowSize;

/** All rows of a file, one after another. */
export type Rows = Int32Array | readonly number[];

/** The parts of a parsed file that matching needs. */
export interface ParsedFile {
  readonly content: Kept;
  readonly rows: Rows;
  readonly dialect: Dialect;
}

/** The kind in the first column of a row, without the marks. */
export function kindOfRow(column: number): number {
  return column & kindMask;
}

/** The content of a file: a string whose UTF-8 encoding is the file, or a copy of the bytes. */
export type Kept = string | Uint8Array;

const smallSize = 16 * 1024;

/** Returns a copy of the bytes of a file. The caller may change `bytes` afterwards. */
export function keep(bytes: Uint8Array): Kept {
  return (bytes.length <= smallSize ? strictTextOf(bytes) : undefined) ?? new Uint8Array(bytes);
}

// Small strings are encoded into this shared buffer. Callers must not use its bytes after the next call of `bytesOf`.
const scratch = new Uint8Array(smallSize * 3);

/** The bytes of a file: the first `size` elements of `bytes`, valid until the next call of {@link bytesOf}. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** The bytes of a kept file. */
export function bytesOf(kept: Kept): FileBytes {
  if (typeof kept !== "string") return { bytes: kept, size: kept.length };
  if (kept.length <= smallSize) return { bytes: scratch, size: encodeUtf8(kept, scratch) };
  const bytes = utf8Of(kept);
  return { bytes, size: bytes.length };
}
