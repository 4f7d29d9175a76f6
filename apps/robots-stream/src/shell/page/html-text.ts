// The bytes of a page in, its text out: UTF-8, or UTF-16 with a byte order mark (HTML standard §13.2.3.1).

/** The text of a page. */
export function htmlTextOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.toString("utf8");
}
