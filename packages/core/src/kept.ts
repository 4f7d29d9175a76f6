// Keeping a file's bytes: given bytes or text → something small that nobody can change, and the same bytes back.
//
// A typed array costs several times what a string of the same size costs to make, and most files are small: so the
// bytes of a small file that is valid UTF-8 are kept as its text.
import { encodeUtf8, strictTextOf, utf8Of } from "./bytes.ts";

/** A file's content as it is kept: text whose UTF-8 bytes are the file, or an own copy of the bytes. */
export type Kept = string | Uint8Array;

const smallSize = 16 * 1024;

/** Keeps a file's content. The bytes may change afterwards. */
export function keep(bytes: Uint8Array): Kept {
  return (bytes.length <= smallSize ? strictTextOf(bytes) : undefined) ?? new Uint8Array(bytes);
}

// Small texts are encoded here: what is read from it is used up before anything else is encoded.
const scratch = new Uint8Array(smallSize * 3);

/** A file's bytes: the first `size` of `bytes`, valid until the next call of {@link bytesOf}. */
export interface FileBytes {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** The bytes of what is kept, or of a text. */
export function bytesOf(kept: Kept): FileBytes {
  if (typeof kept !== "string") return { bytes: kept, size: kept.length };
  if (kept.length <= smallSize) return { bytes: scratch, size: encodeUtf8(kept, scratch) };
  const bytes = utf8Of(kept);
  return { bytes, size: bytes.length };
}
