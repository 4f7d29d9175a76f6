// Reads and writes bytes four or eight at a time, and finds characters in a word (four bytes) with masks.

/** A view of the same bytes, for access to several bytes at a time. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Whether a byte is white space of JSON: a space, a tab, a line feed or a carriage return. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

/** Whether a byte is a digit. */
export function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** Number of bytes that `putBytes` may read and write beyond the end of a range. */
export const eightsOverrun = 7;

/** 1 in each byte. Subtracting this word makes every byte with the value 0 borrow, which sets the high bit of that byte. */
export const ones = 0x01010101;

/**
 * The first offset, from `start` on, of one of these bytes: a byte that JSON strings cannot contain unescaped (a quote, a backslash or a
 * control character), 7F, or the byte in `stops` (a word that repeats one byte four times). Examines only whole words before the last seven
 * bytes of the view, so that `putBytes` can copy up to the result; returns -1 when these words have no such byte. The byte after a byte FF
 * may be found although it is none of these.
 */
export function markedAt(view: DataView, start: number, stops: number): number {
  const lastWord = view.byteLength - 11;
  for (let at = start; at <= lastWord; at += 4) {
    const four = view.getInt32(at, true);
    // After this xor, the quote and the controls are below 0x21, and the space and "!" are above it. The masks are literals, because the
    // compiler treats constants of a bundled module as variables, which are read and checked for each word.
    const turned = four ^ 0x02020202;
    const odd = (turned - 0x21212121) | ((four ^ 0x5c5c5c5c) - 0x01010101) | (four + 0x01010101);
    const marks = (odd | ((four ^ stops) - 0x01010101)) & ~four & 0x80808080;
    if (marks !== 0) return at + ((31 - Math.clz32(marks & -marks)) >> 3);
  }
  return -1;
}

/**
 * The first offset, from `start` on, of the byte that `stops` repeats four times; `end` when no such byte is before `end`. Reads up to three
 * bytes from `end` on, which must exist.
 */
export function firstPlaceOf(stops: number, view: DataView, start: number, end: number): number {
  for (let at = start; at < end; at += 4) {
    const four = view.getInt32(at, true) ^ stops;
    const marks = (four - 0x01010101) & ~four & 0x80808080;
    if (marks !== 0) return Math.min(at + firstMarkOf(marks), end);
  }
  return end;
}

/**
 * Marks the bytes at which the scan of a JSON string stops: sets the high bit of each of the four bytes that is a quote, a backslash or a
 * control character. Bytes after the first marked one may be marked wrongly.
 */
export function endMarksOf(four: number): number {
  return (((four ^ 0x02020202) - 0x21212121) | ((four ^ 0x5c5c5c5c) - 0x01010101)) & ~four & 0x80808080;
}

/** Index (0 to 3) of the first marked byte, counted from the lowest byte of the word. At least one byte must be marked. */
export function firstMarkOf(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >> 3;
}

/** Bytes that are written often. */
export interface Words {
  /** The bytes, and `eightsOverrun` bytes after them. */
  readonly view: DataView;
  /** The number of bytes without those after them. */
  readonly length: number;
}

/** The bytes of a Latin-1 string as words. */
export function wordsOf(text: string): Words {
  const bytes = Buffer.alloc(text.length + eightsOverrun);
  bytes.write(text, "latin1");
  return { view: viewOf(bytes), length: text.length };
}

/** Writes the `length` bytes at `to`, and up to `eightsOverrun` bytes after them; returns the offset after the `length` bytes. */
export function putWords({ view, length }: Words, out: DataView, to: number): number {
  return putBytes(view, 0, length, out, to);
}

/**
 * Copies `from[start, end)` to `to`, in steps of eight bytes; returns the offset after the copy. Reads up to `eightsOverrun` bytes after
 * the range, and writes as many after the copy: these bytes must exist. The compiled code allocates no BigInt.
 */
export function putBytes(from: DataView, start: number, end: number, out: DataView, to: number): number {
  const ahead = to - start;
  let at = start;
  for (; at < end - 8; at += 16) {
    out.setBigInt64(at + ahead, from.getBigInt64(at, true), true);
    out.setBigInt64(at + 8 + ahead, from.getBigInt64(at + 8, true), true);
  }
  if (at < end) out.setBigInt64(at + ahead, from.getBigInt64(at, true), true);
  return end + ahead;
}

/**
 * A view of the same bytes and of up to 12 bytes after them in the same buffer, because `markedAt` and `putBytes` read beyond a field. The
 * content of these bytes does not matter.
 */
export function viewBeyond({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, Math.min(byteLength + 12, buffer.byteLength - byteOffset));
}
