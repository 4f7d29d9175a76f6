// Chunks of bytes in, blocks of whole lines out: decoding a chunk at once costs a fraction of decoding line by line.
import { fingerprintBefore } from "./fingerprint.ts";
import type { Place, ReaderKnowledge } from "./types.ts";

/** Whole lines, each with its line end except perhaps the file's last; or the beginning of one line over the limit. */
export interface Block {
  readonly bytes: Buffer;
  /** The bytes as a Latin-1 string, made when somebody asks for it. */
  readonly text: string;
  /** The block is one line that was too long; `text` is its beginning. */
  readonly overlong: boolean;
  /** Bytes of the whole text up to the block's end; means nothing for a line that was too long. */
  readonly end: number;
}

/** A byte order mark before a line and a carriage return behind it are none of it; readers count exactly. */
const slack = 4;

/** Bytes kept of a line over the limit. */
const keptOfOverlong = 1_024;

/**
 * Cuts bytes into blocks. A byte order mark at the beginning is dropped. What follows the limit within a line over
 * the limit is dropped as it comes, so memory is bounded by a chunk and `maxLineBytes`. Chunks must not change after
 * they were given. `from` is how many bytes of the text came before the first chunk.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  lineEnd: "\n" | "\r",
  maxLineBytes: number,
  from = 0,
): AsyncGenerator<Block> {
  const end = lineEnd.charCodeAt(0);
  // The beginning of a line that has not ended yet.
  let begun = Buffer.alloc(0);
  let begunBytes = 0;
  let skipping = false;
  let first = from === 0;
  // Bytes of the text before the chunk.
  let before = from;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const chunkAt = before;
    before += bytes.length;
    let start = 0;
    if (skipping) {
      start = bytes.indexOf(end) + 1;
      if (start === 0) continue;
      skipping = false;
    }
    const after = bytes.lastIndexOf(end) + 1;
    if (after > start) {
      let lines = bytes.subarray(start, after);
      if (begunBytes > 0) {
        lines = Buffer.allocUnsafe(begunBytes + after - start);
        begun.copy(lines, 0, 0, begunBytes);
        bytes.copy(lines, begunBytes, start, after);
        begunBytes = 0;
      }
      yield blockOf(lines, first, false, chunkAt + after);
      first = false;
      start = after;
    }
    if (start < bytes.length) {
      const size = begunBytes + bytes.length - start;
      if (size > begun.length) {
        const larger = Buffer.allocUnsafe(size * 2);
        begun.copy(larger, 0, 0, begunBytes);
        begun = larger;
      }
      bytes.copy(begun, begunBytes, start);
      begunBytes = size;
    }
    if (begunBytes > maxLineBytes + slack) {
      // As much of it as `beginningOf` keeps, however it came.
      const kept = Math.min(keptOfOverlong, maxLineBytes) + (first ? slack : 0);
      yield blockOf(Buffer.from(begun.subarray(0, Math.min(begunBytes, kept))), first, true, before);
      first = false;
      begunBytes = 0;
      skipping = true;
    }
  }
  if (begunBytes > 0) yield blockOf(begun.subarray(0, begunBytes), first, false, before);
}

function blockOf(bytes: Buffer, first: boolean, overlong: boolean, end: number): Block {
  // UTF-8's byte order mark.
  const marked = first && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const own = marked ? bytes.subarray(3) : bytes;
  return new ByteBlock(own, overlong, end);
}

class ByteBlock implements Block {
  readonly bytes: Buffer;
  readonly overlong: boolean;
  readonly end: number;
  #text: string | undefined;

  constructor(bytes: Buffer, overlong: boolean, end: number) {
    this.bytes = bytes;
    this.overlong = overlong;
    this.end = end;
  }

  get text(): string {
    return (this.#text ??= this.bytes.toString("latin1"));
  }
}

/** What rejects keep of a text: nothing that depends on how it came, in one piece or in several. */
export function beginningOf(text: string, maxLineBytes: number): string {
  return text.slice(0, Math.min(keptOfOverlong, maxLineBytes));
}

/** The place that is `unread` bytes before the end of a block. */
export function placeIn({ bytes, end }: Block, unread: number, line: number, known: ReaderKnowledge): Place {
  return { offset: end - unread, line, before: fingerprintBefore(bytes, bytes.length - unread), known };
}
