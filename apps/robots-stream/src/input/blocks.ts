// Chunks of bytes in, blocks of whole lines out: decoding a chunk at once costs a fraction of decoding line by line.

/** Whole lines, each with its line end except perhaps the file's last; or the beginning of one line over the limit. */
export interface Block {
  readonly bytes: Buffer;
  /** The bytes as a Latin-1 string. */
  readonly text: string;
  /** The block is one line that was too long; `text` is its beginning. */
  readonly overlong: boolean;
}

/** A byte order mark before a line and a carriage return behind it are none of it; readers count exactly. */
const slack = 4;

/** Bytes kept of a line over the limit. */
const keptOfOverlong = 1_024;

/**
 * Cuts bytes into blocks. A byte order mark at the beginning is dropped. What follows the limit within a line over
 * the limit is dropped as it comes, so memory is bounded by a chunk and `maxLineBytes`. Chunks must not change after
 * they were given.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  lineEnd: "\n" | "\r",
  maxLineBytes: number,
): AsyncGenerator<Block> {
  const end = lineEnd.charCodeAt(0);
  // The beginning of a line that has not ended yet.
  let begun = Buffer.alloc(0);
  let begunBytes = 0;
  let skipping = false;
  let first = true;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    if (skipping) {
      from = bytes.indexOf(end) + 1;
      if (from === 0) continue;
      skipping = false;
    }
    const after = bytes.lastIndexOf(end) + 1;
    if (after > from) {
      let lines = bytes.subarray(from, after);
      if (begunBytes > 0) {
        lines = Buffer.allocUnsafe(begunBytes + after - from);
        begun.copy(lines, 0, 0, begunBytes);
        bytes.copy(lines, begunBytes, from, after);
        begunBytes = 0;
      }
      yield blockOf(lines, first, false);
      first = false;
      from = after;
    }
    if (from < bytes.length) {
      const size = begunBytes + bytes.length - from;
      if (size > begun.length) {
        const larger = Buffer.allocUnsafe(size * 2);
        begun.copy(larger, 0, 0, begunBytes);
        begun = larger;
      }
      bytes.copy(begun, begunBytes, from);
      begunBytes = size;
    }
    if (begunBytes > maxLineBytes + slack) {
      yield blockOf(Buffer.from(begun.subarray(0, Math.min(begunBytes, keptOfOverlong))), first, true);
      first = false;
      begunBytes = 0;
      skipping = true;
    }
  }
  if (begunBytes > 0) yield blockOf(begun.subarray(0, begunBytes), first, false);
}

function blockOf(bytes: Buffer, first: boolean, overlong: boolean): Block {
  // UTF-8's byte order mark.
  const marked = first && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const own = marked ? bytes.subarray(3) : bytes;
  return { bytes: own, text: own.toString("latin1"), overlong };
}

/** What rejects keep of a text. */
export function beginningOf(text: string): string {
  return text.length > keptOfOverlong ? text.slice(0, keptOfOverlong) : text;
}
