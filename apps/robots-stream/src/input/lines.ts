// Plain lines in, one URL a line.
import { urlTextOf } from "../text.ts";
import { beginningOf, blocksOf } from "./blocks.ts";
import type { Batch, InputFormat, ReadOptions, Reject } from "./types.ts";

/** A list of URLs. */
export const lines: InputFormat = {
  name: "lines",
  about: "one URL a line",
  endings: [".txt", ".urls", ".list"],
  read,
};

const names = ["url"];

async function* read(chunks: AsyncIterable<Uint8Array>, options: ReadOptions): AsyncGenerator<Batch> {
  const { source, lineEnd, maxLineBytes, writer } = options;
  // Rows made of one URL are never passed on as they are: it may hold the delimiter.
  writer.startRows(names, undefined);
  let line = 0;
  for await (const { text, overlong } of blocksOf(chunks, lineEnd, maxLineBytes)) {
    const heads: string[] = [];
    const urls: string[] = [];
    const rejects: Reject[] = [];
    let next = 0;
    while (next < text.length) {
      line++;
      const start = next;
      const lineEndAt = text.indexOf(lineEnd, next);
      const end = lineEndAt < 0 ? text.length : lineEndAt;
      next = end + 1;
      if (overlong || end - start > maxLineBytes) {
        const message = `is longer than ${maxLineBytes} bytes (--max-line-bytes)`;
        rejects.push({ source, line, code: "too-long", message, text: beginningOf(text.slice(start, end)) });
        if (overlong) break;
        continue;
      }
      const url = trimmed(text, start, end);
      if (url === "") continue;
      heads.push(writer.headOfFields(names, [url]));
      urls.push(urlTextOf(url));
    }
    if (heads.length > 0 || rejects.length > 0) yield { heads, urls, rejects };
  }
}

/** Without the spaces, tabs and carriage returns around it. Not trim(): that takes the byte A0 of a letter for a space. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (start < end && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}
