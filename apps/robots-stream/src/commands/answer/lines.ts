// Adds the lines of rows without a URL, which have empty fields, to the lines of the other rows of a frame.
import type { Column } from "./frames.ts";

const lineFeed = 0x0a;

/** The number of lines. No field contains a line feed, because rules and names come from single lines of a robots.txt. */
export function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) count++;
  return count;
}

/** Inserts `empty` for each row without a value, `each` times per row. */
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
