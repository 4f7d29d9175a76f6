// The chunks of one source in, plain text and how to read it out: unpacked, decoded, detected; nothing of it is read yet.
import { extname } from "node:path";
import { type Detected, detect } from "./detect.ts";
import { type Encoding, decodeText } from "./encoding.ts";
import { peek } from "./peek.ts";
import { nameOf } from "./source.ts";
import type { InputFormat } from "./types.ts";
import { type Compression, unpack } from "./unpack.ts";

/** Bytes looked at before anything is decided; empty lines before them do not count, up to `maxBlankBytes`. */
export const beginningBytes: number = 64 * 1_024;
const maxBlankBytes = 1_048_576;

/** A source that is ready to be read. */
export interface Prepared extends Detected {
  readonly compression: Compression | undefined;
  /** What was turned into UTF-8. */
  readonly encoding: Encoding | undefined;
  /** Its first bytes, as text; they mean nothing any more as soon as the chunks are read. */
  readonly beginning: Uint8Array;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** What `--input` and `--url-field` said. */
export interface Named {
  readonly format: InputFormat | undefined;
  readonly urlField: string | undefined;
}

/** Prepares a source. Throws a `UsageError` for what is no text, and what `chunks` throw. */
export async function prepare(path: string, chunks: AsyncIterable<Uint8Array>, named: Named): Promise<Prepared> {
  const unpacked = await unpack(chunks);
  const decoded = await decodeText(unpacked.chunks);
  const { beginning, chunks: text } = await peek(decoded.chunks, createLineSearch());
  const detected = detect(nameOf(path), beginning, named.format, endingOf(path), named.urlField);
  return { ...detected, compression: unpacked.compression, encoding: decoded.encoding, beginning, chunks: text };
}

/** The file's ending, without that of its compression. */
function endingOf(path: string): string {
  return extname(path.replace(/\.(?:gz|zst)$/i, ""));
}

/**
 * Says of chunk after chunk whether a whole line that is not empty has come, or enough of one. A carriage return at the
 * very end may be half of a line end, and tells nothing yet.
 */
function createLineSearch(): (chunk: Uint8Array) => boolean {
  let blank = 0;
  let begun = 0;
  let afterReturn = false;
  return (chunk) => {
    for (const byte of chunk) {
      if (begun === 0 && (byte <= 0x20 || isMark(byte, blank))) {
        blank++;
        continue;
      }
      begun++;
      if (byte === 0x0a || afterReturn) return true;
      afterReturn = byte === 0x0d;
      if (begun >= beginningBytes) return true;
    }
    return blank >= maxBlankBytes;
  };
}

/** Whether a byte at a place is one of UTF-8's byte order mark. */
function isMark(byte: number, at: number): boolean {
  return at < 3 && byte === [0xef, 0xbb, 0xbf][at];
}
