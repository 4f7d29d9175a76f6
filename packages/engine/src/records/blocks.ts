// Chunks of bytes in, blocks of whole lines out: decoding a chunk at once costs a fraction of decoding line by line.
import { fingerprintBefore } from "../sources/fingerprint.ts";
import type { ResumePoint, ReaderKnowledge, Reject, RejectCode } from "./batch.ts";

/** Whole lines, each with its line end (the file's last line may have none); or the beginning of one line over the limit. */
export interface Block {
  readonly bytes: Buffer;
  /** The memory from the block's first byte on. The bytes after the block may be overwritten until `recycle`. */
  readonly memory: Buffer;
  /** The bytes as a Latin-1 string, decoded on first use. */
  readonly text: string;
  /** The block is the beginning of one line over the limit. */
  readonly overlong: boolean;
  /** Offset of the block's end in the whole text; meaningless for a line over the limit. */
  readonly end: number;
  /** To be called once, after the last read of the bytes: their memory is reused for a later block. */
  recycle(): void;
}

/**
 * A line may be preceded by a byte order mark and followed by a carriage return. Both are outside its length limit, which
 * readers check exactly.
 */
const slack = 4;

/** Number of bytes kept of a line over the limit. */
const keptOfOverlong = 1_024;

/** Most buffers kept for reuse, and the largest size that is kept. */
const mostSpare = 4;
const mostSpareBytes = 1_048_576;

/** Reuses the memory of blocks: allocating a buffer for each block would cost mapping, zeroing and collection. */
class BlockMemory {
  readonly #spare: Buffer[] = [];

  /** A buffer of at least `bytes` bytes. */
  take(bytes: number): Buffer {
    // A buffer that is too small is dropped: larger chunks or longer lines need larger buffers.
    for (let spare = this.#spare.pop(); spare !== undefined; spare = this.#spare.pop()) {
      if (spare.length >= bytes) return spare;
    }
    return Buffer.allocUnsafeSlow(Math.ceil((bytes * 1.25) / 4_096) * 4_096);
  }

  /** Returns a buffer that is no longer read. */
  giveBack(memory: Buffer): void {
    if (memory.length <= mostSpareBytes && this.#spare.length < mostSpare) this.#spare.push(memory);
  }
}

/**
 * Cuts bytes into blocks. A byte order mark at the beginning is dropped. Of a line over the limit, the bytes after the limit
 * are dropped on arrival, so memory is bounded by a chunk and `maxLineBytes`. Chunks are copied, so a chunk may change when the
 * next one is requested. `from` is the number of bytes of the text before the first chunk.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  lineEnd: "\n" | "\r",
  maxLineBytes: number,
  from = 0,
): AsyncGenerator<Block> {
  const end = lineEnd.charCodeAt(0);
  const memory = new BlockMemory();
  // The beginning of an incomplete line: the first `begunBytes` bytes.
  let begun = Buffer.alloc(0);
  let begunBytes = 0;
  let skipping = false;
  let first = from === 0;
  // Offset of the chunk in the text.
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
      const size = begunBytes + after - start;
      const lines = memory.take(size);
      begun.copy(lines, 0, 0, begunBytes);
      bytes.copy(lines, begunBytes, start, after);
      begunBytes = 0;
      yield blockOf(lines, size, first, false, chunkAt + after, memory);
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
      // The length that `keptOf` keeps, so that the reject does not depend on the chunks.
      const kept = Math.min(keptOfOverlong, maxLineBytes) + (first ? slack : 0);
      const beginning = Buffer.from(begun.subarray(0, Math.min(begunBytes, kept)));
      yield blockOf(beginning, beginning.length, first, true, before, memory);
      first = false;
      begunBytes = 0;
      skipping = true;
    }
  }
  if (begunBytes > 0) yield blockOf(begun, begunBytes, first, false, before, memory);
}

function blockOf(
  memory: Buffer,
  size: number,
  first: boolean,
  overlong: boolean,
  end: number,
  owner: BlockMemory,
): Block {
  // UTF-8's byte order mark.
  const marked = first && size >= 3 && memory[0] === 0xef && memory[1] === 0xbb && memory[2] === 0xbf;
  return new ByteBlock(memory, marked ? 3 : 0, size, overlong, end, owner);
}

class ByteBlock implements Block {
  readonly bytes: Buffer;
  readonly memory: Buffer;
  readonly overlong: boolean;
  readonly end: number;
  readonly #whole: Buffer;
  readonly #owner: BlockMemory;
  #text: string | undefined;

  constructor(memory: Buffer, start: number, size: number, overlong: boolean, end: number, owner: BlockMemory) {
    this.bytes = memory.subarray(start, size);
    this.overlong = overlong;
    this.end = end;
    this.memory = start === 0 ? memory : memory.subarray(start);
    this.#whole = memory;
    this.#owner = owner;
  }

  get text(): string {
    return (this.#text ??= this.bytes.toString("latin1"));
  }

  recycle(): void {
    this.#owner.giveBack(this.#whole);
  }
}

/** Most rejects in one batch: tens of thousands of objects at once keep the garbage collector busy. */
export const mostRejectsAtOnce = 1_024;

/** Length up to which a reject keeps its whole line: the default limit. */
const mostKept = 1_048_576;

/** The part of a line that its reject keeps: the whole line, or the beginning of a line that is over the limit or very long. */
export function keptOf(code: RejectCode, line: string, maxLineBytes: number): Pick<Reject, "text" | "bytes"> {
  if (code !== "too-long" && line.length <= mostKept) return { text: line };
  const text = line.slice(0, Math.min(keptOfOverlong, maxLineBytes));
  return code === "too-long" ? { text } : { text, bytes: line.length };
}

/** The position `unread` bytes before the end of a block. */
export function placeIn({ bytes, end }: Block, unread: number, line: number, known: ReaderKnowledge): ResumePoint {
  return { offset: end - unread, line, before: fingerprintBefore(bytes, bytes.length - unread), known };
}
