// Cuts chunks of bytes into blocks of whole lines. Decoding a block at once costs a fraction of decoding line by line.
import { optionMark } from "../common/caller-words.ts";
import { fingerprintBefore, type ReaderKnowledge, type Reject, type RejectCode, type ResumePoint } from "./batch.ts";

/**
 * Number of bytes allowed for a byte order mark before a line and a carriage return after the line. The length limit does not include them;
 * readers check the limit exactly.
 */
const slack = 4;

/** Number of bytes kept of a line over the limit. */
const keptOfOverlong = 1_024;

/** Maximum number of buffers that are kept for reuse, and their maximum size in bytes. */
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

  /** Takes back a buffer that is no longer read. */
  giveBack(memory: Buffer): void {
    if (memory.length <= mostSpareBytes && this.#spare.length < mostSpare) this.#spare.push(memory);
  }
}

/**
 * Cuts bytes into blocks. A byte order mark at the beginning is dropped. Bytes of a line beyond the limit are dropped when they arrive, so
 * memory is bounded by a chunk and `maxLineBytes`. Bytes of chunks are copied, so a chunk may change when the next one is requested. `from`
 * is the offset of the first chunk in the text of the source.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  lineEnd: "\n" | "\r",
  maxLineBytes: number,
  from = 0,
): AsyncGenerator<Block> {
  const end = lineEnd.charCodeAt(0);
  const memory = new BlockMemory();
  // The first `begunBytes` bytes of `begun` are the beginning of an incomplete line.
  let begun = Buffer.alloc(0);
  let begunBytes = 0;
  let skipping = false;
  let first = from === 0;
  // Offset of the next chunk in the text of the source.
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
      yield new Block(lines, size, first, false, chunkAt + after, memory);
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
      // The block has as many bytes as `keptOf` keeps, so that the reject does not depend on how the text is divided into chunks.
      const kept = Math.min(keptOfOverlong, maxLineBytes) + (first ? slack : 0);
      const beginning = Buffer.from(begun.subarray(0, Math.min(begunBytes, kept)));
      yield new Block(beginning, beginning.length, first, true, before, memory);
      first = false;
      begunBytes = 0;
      skipping = true;
    }
  }
  if (begunBytes > 0) yield new Block(begun, begunBytes, first, false, before, memory);
}

/**
 * Whole lines, each with its line end (the last line of a file may have none); or the beginning of one line that is longer than the limit.
 */
export class Block {
  readonly bytes: Buffer;
  /** Whether the block is the beginning of one line that is longer than the limit. */
  readonly overlong: boolean;
  /** Offset of the block's end in the text of the source; not meaningful for a block that is the beginning of one overlong line. */
  readonly end: number;
  readonly #memory: Buffer;
  readonly #owner: BlockMemory;
  #text: string | undefined;

  /** The first `size` bytes of `memory`; of the first block of a source, without a byte order mark. */
  constructor(memory: Buffer, size: number, first: boolean, overlong: boolean, end: number, owner: BlockMemory) {
    // UTF-8's byte order mark.
    const marked = first && size >= 3 && memory[0] === 0xef && memory[1] === 0xbb && memory[2] === 0xbf;
    this.bytes = memory.subarray(marked ? 3 : 0, size);
    this.overlong = overlong;
    this.end = end;
    this.#memory = memory;
    this.#owner = owner;
  }

  /** `bytes` as a Latin-1 string, decoded on first use. */
  get text(): string {
    return (this.#text ??= this.bytes.toString("latin1"));
  }

  /** Call once, after the last use of `bytes` and `text`. A later block may then reuse the memory. */
  recycle(): void {
    this.#owner.giveBack(this.#memory);
  }
}

/** Maximum number of rejects in one batch: tens of thousands of objects at once keep the garbage collector busy. */
export const mostRejectsAtOnce = 1_024;

/** Maximum length of a line that its reject contains as a whole, in bytes: the default of `maxLineBytes`. */
const mostKept = 1_048_576;

/**
 * The part of a line that its reject contains: the whole line; or the beginning, if the code is "too-long" or the line is longer than
 * `mostKept`.
 */
export function keptOf(code: RejectCode, line: string, maxLineBytes: number): Pick<Reject, "text" | "bytes"> {
  if (code !== "too-long" && line.length <= mostKept) return { text: line };
  const text = line.slice(0, Math.min(keptOfOverlong, maxLineBytes));
  return code === "too-long" ? { text } : { text, bytes: line.length };
}

/** The message of the reject for a line or record that is longer than the limit. */
export function tooLong(maxLineBytes: number): string {
  return `is longer than ${maxLineBytes} bytes${optionMark("maxLineBytes")}`;
}

/** The resume point that is `unread` bytes before the end of a block. `line` and `known` are members of the point. */
export function placeIn(
  { bytes, end }: Pick<Block, "bytes" | "end">,
  unread: number,
  line: number,
  known: ReaderKnowledge,
): ResumePoint {
  return { offset: end - unread, line, before: fingerprintBefore(bytes, bytes.length - unread), known };
}
