// Decodes the bytes of a page as UTF-8, or as UTF-16 if it begins with the byte order mark of UTF-16 (HTML standard §13.2.3.1).

export function htmlTextOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return bytes.toString("utf8");
}
