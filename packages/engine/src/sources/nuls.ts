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

  /** `onFirst` is called before the first byte is removed. */
  constructor(onFirst?: () => void) {
    this.#onFirst = onFirst;
  }

  /** The text without NUL bytes at its beginning. */
  async *withoutFirst(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    for await (const chunk of chunks) {
      let from = 0;
      while (isFirst && from < chunk.length && chunk[from] === 0) from++;
      if (from > 0 && !(this.count === 0 && isUtf16(chunk))) this.#remove(from);
      else from = 0;
      if (from < chunk.length) {
        isFirst = false;
        yield from === 0 ? chunk : chunk.subarray(from);
      }
    }
  }

  /** The text without NUL bytes at the beginnings of its lines. */
  async *withoutThoseOfLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let isLineStart = true;
    for await (const chunk of chunks) {
      // A search for the byte costs a fraction of a loop, and hardly any chunk has one.
      if (!chunk.includes(0)) {
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
  }
}

function isLineEnd(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn;
}

/** Whether a beginning may be UTF-16 without its mark: a NUL byte before each character. Such a source is refused. */
function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0 && bytes[3] !== 0;
}
