// Completes the CSV lines of an answer: adds lines with empty fields for the rows that have no URL.
import type { Column } from "./frames.ts";

const lineFeed = 0x0a;

/** Approximate size of the parts of an answer, in bytes. */
const partBytes = 524_288;

/** Counts the CSV lines by their line feeds. No field contains a line feed, because rules and names come from single robots.txt lines. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/** An answer to a frame: its head, and its lines without those of rows that have no URL. */
export interface AnswerLines {
  readonly head: Buffer;
  /** Buffers of whole lines. They are removed when their lines are yielded. */
  readonly pieces: Buffer[];
  /** The rows of the frame: their URLs, and their number. */
  readonly urls: Column;
  readonly rows: number;
  /** Number of lines of a row with a URL. */
  readonly each: number;
  /** The lines of a row without a URL. */
  readonly blank: Buffer;
}

/** Yields the bytes of an answer in parts, and adds the lines of rows without a URL. */
export function* partsOf({ head, pieces, urls, rows, each, blank }: AnswerLines): Generator<Buffer> {
  let part = [head];
  let bytes = 0;
  let from = 0;
  let to = 0;
  const take = (end: number): void => {
    if (end > from) part.push(pieces[0]!.subarray(from, end));
    bytes += end - from;
    from = end;
  };
  for (let row = 0; row < rows; row++) {
    if (urls.has(row)) {
      for (let line = 0; line < each; line++) {
        if (to === pieces[0]!.length) {
          take(to);
          pieces.shift();
          from = to = 0;
        }
        to = pieces[0]!.indexOf(lineFeed, to) + 1;
      }
    } else {
      take(to);
      part.push(blank);
      bytes += blank.length;
    }
    if (bytes + to - from < partBytes) continue;
    take(to);
    yield Buffer.concat(part);
    part = [];
    bytes = 0;
  }
  take(to);
  yield Buffer.concat(part);
}
