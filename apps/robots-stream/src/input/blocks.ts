// Chunks of bytes in, blocks of whole lines out: decoding a chunk at once costs a fraction of decoding line by line.

/** Whole lines, each with its line end except perhaps the file's last; or the beginning of one line over the limit. */
export interface Block {
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
 * the limit is dropped as it comes, so memory is bounded by a chunk and `maxLineBytes`.
 */
export async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
  lineEnd: "\n" | "\r",
  maxLineBytes: number,
): AsyncGenerator<Block> {
  const end = lineEnd.charCodeAt(0);
  let begun: string[] = [];
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
      const lines = bytes.toString("latin1", from, after);
      const text = begunBytes === 0 ? lines : begun.join("") + lines;
      yield { text: first ? withoutMark(text) : text, overlong: false };
      first = false;
      begun = [];
      begunBytes = 0;
      from = after;
    }
    if (from < bytes.length) {
      begun.push(bytes.toString("latin1", from));
      begunBytes += bytes.length - from;
    }
    if (begunBytes > maxLineBytes + slack) {
      const text = begun.join("").slice(0, keptOfOverlong);
      yield { text: first ? withoutMark(text) : text, overlong: true };
      first = false;
      begun = [];
      begunBytes = 0;
      skipping = true;
    }
  }
  if (begunBytes > 0) {
    const text = begun.join("");
    yield { text: first ? withoutMark(text) : text, overlong: false };
  }
}

/** UTF-8's byte order mark, as Latin-1. */
const mark = "\u00ef\u00bb\u00bf";

function withoutMark(text: string): string {
  return text.startsWith(mark) ? text.slice(mark.length) : text;
}

/** What rejects keep of a text. */
export function beginningOf(text: string): string {
  return text.length > keptOfOverlong ? text.slice(0, keptOfOverlong) : text;
}
