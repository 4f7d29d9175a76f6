// Returns the text of any line of a robots.txt by its number. The numbers are those of the parser (RFC 9309 §2.2).

export interface FileLines {
  /** Number of lines. The text after the last line end is a line too, even when it is empty. */
  readonly count: number;
  /** Returns the text of a line (numbered from 1) without its line end; empty if no such line exists. Invalid UTF-8 becomes U+FFFD. */
  textOf(line: number): string;
}

/** Finds the lines of a file. LF, CR and CRLF end a line. Takes time linear in the number of bytes. */
export function linesOf(bytes: Uint8Array): FileLines {
  const starts = [byteOrderMarkLengthOf(bytes)];
  for (let at = starts[0]!; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x0a || (byte === 0x0d && bytes[at + 1] !== 0x0a)) starts.push(at + 1);
  }
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    count: starts.length,
    textOf(line) {
      const start = starts[line - 1];
      if (start === undefined) return "";
      let end = starts[line] ?? bytes.length;
      if (line < starts.length) {
        end--;
        if (end > start && bytes[end] === 0x0a && bytes[end - 1] === 0x0d) end--;
      }
      return decoder.decode(bytes.subarray(start, end));
    },
  };
}

/** Returns the length of the byte order mark (EF BB BF) or a part of it at the start of the file. The parser skips these bytes. */
function byteOrderMarkLengthOf(bytes: Uint8Array): number {
  const mark = [0xef, 0xbb, 0xbf];
  let length = 0;
  while (length < mark.length && bytes[length] === mark[length] && length < bytes.length) length++;
  return length;
}
