// Keeps the bytes of a file as an immutable copy, and returns the same bytes later.
//
// Making a typed array takes several times as long as making a string of the same size, and most files are small. Therefore a
// small file that is valid UTF-8 is kept as a string.
import { encodeUtf8, strictTextOf, utf8Of } from "./bytes.ts";

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
