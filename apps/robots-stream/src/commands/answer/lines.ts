// Completes the CSV lines of an answer: adds lines with empty fields for the rows that have no URL.
import type { Column } from "./frames.ts";

const lineFeed = 0x0a;

/** Counts the CSV lines by their line feeds. No field contains a line feed, because rules and names come from single robots.txt lines. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/**
 * Inserts `each` copies of `empty` into `lines` for each row without a URL, and returns the result. `lines` has `each` lines for each row
 * with a URL. `rows`: number of rows of the frame.
 */
export function withEmptyLines(lines: Buffer, urls: Column, rows: number, each: number, empty: string): Buffer {
  const blank = Buffer.from(empty.repeat(each));
  const pieces: Buffer[] = [];
  let from = 0;
  let to = 0;
  for (let row = 0; row < rows; row++) {
    if (urls.has(row)) {
      for (let line = 0; line < each; line++) to = lines.indexOf(lineFeed, to) + 1;
      continue;
    }
    if (to > from) pieces.push(lines.subarray(from, to));
    pieces.push(blank);
    from = to;
  }
  pieces.push(lines.subarray(from));
  return Buffer.concat(pieces);
}
