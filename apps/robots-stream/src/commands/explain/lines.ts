// The bytes of a robots.txt in, the text of any of its lines out, numbered as the parser numbers them (RFC 9309 §2.2).

/** The lines of a file. */
export interface FileLines {
  /** How many lines there are; the text after the last line end is one, even when it is empty. */
  readonly count: number;
  /** The text of a line, counted from 1, without its end; invalid UTF-8 as U+FFFD. Empty for a line that does not exist. */
  textOf(line: number): string;
}

/** Finds the lines of a file: LF, CR and CRLF end one. Linear in the bytes. */
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

/** The parser drops as much of EF BB BF as there is. */
function byteOrderMarkLengthOf(bytes: Uint8Array): number {
  const mark = [0xef, 0xbb, 0xbf];
  let length = 0;
  while (length < mark.length && bytes[length] === mark[length] && length < bytes.length) length++;
  return length;
}
