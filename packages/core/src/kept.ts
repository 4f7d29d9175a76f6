// The bytes of a file → an immutable copy, and the same bytes again.
//
// A typed array takes several times as long to make as a string of the same size, and most files are small: so a small file
// that is valid UTF-8 is kept as a string.
import { encodeUtf8, strictTextOf, utf8Of } from "./bytes.ts";

/** A file's content: a string whose UTF-8 bytes are the file, or a copy of the bytes. */
export type Kept = string | Uint8Array;

const smallSize = 16 * 1024;

/** Copies a file's content. The given bytes may change afterwards. */
export function keep(bytes: Uint8Array): Kept {
  return (bytes.length <= smallSize ? strictTextOf(bytes) : undefined) ?? new Uint8Array(bytes);
}

// Small strings are encoded into this buffer; a caller is done with the bytes before the next string is encoded.
const scratch = new Uint8Array(smallSize * 3);

/** A file's bytes: the first `size` of `bytes`, valid until the next call of {@link bytesOf}. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** The bytes of a file's content. */
export function bytesOf(kept: Kept): FileBytes {
  if (typeof kept !== "string") return { bytes: kept, size: kept.length };
  if (kept.length <= smallSize) return { bytes: scratch, size: encodeUtf8(kept, scratch) };
  const bytes = utf8Of(kept);
  return { bytes, size: bytes.length };
}
