// Removes the NUL bytes with which a line begins. A file has them if it was truncated while its writer kept its offset (copytruncate of
// logrotate), or if the machine stopped before the text was on the disk.

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Matches the NUL bytes at the beginnings of lines, for texts that are examined as a whole. */
export const nulsOfLines: RegExp = /(^|[\n\r])\0+/g;

/** Removes NUL bytes from the text of one source. */
export class Nuls {
  /** The number of bytes that were removed so far. */
  count = 0;
  readonly #onFirst: (() => void) | undefined;
  readonly #most: number;
  #isOver = false;

  /**
   * `onFirst`: called when it is known that bytes are removed. `most`: the number of bytes that are removed at most; those after them are
   * text.
   */
  constructor(onFirst?: () => void, most: number = Infinity) {
    this.#onFirst = onFirst;
    this.#most = most;
  }

  /** The text without NUL bytes at its beginning. */
  async *withoutFirst(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    let skipped = 0;
    for await (const chunk of chunks) {
      const from = !isFirst || (skipped === 0 && isUtf16(chunk)) ? 0 : nulsBefore(chunk);
      skipped += from;
      if (from < chunk.length) {
        if (isFirst) this.#remove(skipped);
        isFirst = false;
        yield from === 0 ? chunk : chunk.subarray(from);
      } else if (skipped > this.#most) {
        isFirst = false;
        this.#isOver = true;
      }
    }
    if (isFirst) this.#remove(skipped);
  }

  /** The text without NUL bytes at the beginnings of its lines. */
  async *withoutThoseOfLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let isLineStart = true;
    for await (const chunk of chunks) {
      // A search for the byte costs a fraction of a loop, and hardly any chunk has one.
      if (this.#isOver || !chunk.includes(0)) {
        if (chunk.length > 0) isLineStart = isLineEnd(chunk.at(-1)!);
        yield chunk;
        continue;
      }
      const kept = Buffer.allocUnsafe(chunk.length);
      let to = 0;
      for (const byte of chunk) {
        if (byte === 0 && isLineStart) continue;
        isLineStart = isLineEnd(byte);
        kept[to++] = byte;
      }
      this.#remove(chunk.length - to);
      if (to > 0) yield kept.subarray(0, to);
    }
  }

  #remove(bytes: number): void {
    if (bytes > 0 && this.count === 0) this.#onFirst?.();
    this.count += bytes;
    this.#isOver ||= this.count > this.#most;
  }
}

const zeros = Buffer.alloc(65_536);

/** The number of NUL bytes with which a chunk begins. Whole pieces are compared at once, because a file may begin with gigabytes of them. */
function nulsBefore(chunk: Uint8Array): number {
  let at = 0;
  while (at < chunk.length) {
    const piece = chunk.subarray(at, at + zeros.length);
    if (!zeros.subarray(0, piece.length).equals(piece)) break;
    at += piece.length;
  }
  while (at < chunk.length && chunk[at] === 0) at++;
  return at;
}

function isLineEnd(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

/** Whether a beginning may be UTF-16 without its mark: a NUL byte before each character. Such a source is refused. */
function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0 && bytes[3] !== 0;
}
