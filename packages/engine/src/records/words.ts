// Bytes in, views that read and write four bytes at a time out; and masks that find characters in a word of text.

/** A view of the same bytes, for access to several bytes at a time. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** Whether this machine is little-endian. */
export const hasLowFirst: boolean = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Bytes that `copyEights` may read and write after the end. */
export const eightsOverrun = 7;

/**
 * Copies `[start, end)` of `from` to offset `at` of `to`, eight bytes at a time. Up to `eightsOverrun` bytes after the copy are overwritten;
 * both sides must be so much longer.
 */
export function copyEights(from: DataView, start: number, end: number, to: DataView, at: number): void {
  // BigInt values that are only copied stay in registers.
  for (let offset = start, target = at; offset < end; offset += 8, target += 8) {
    to.setBigInt64(target, from.getBigInt64(offset, true), true);
  }
}

/** 1 in each byte. Subtracting it makes a byte 0 borrow, which sets the byte's high bit. */
export const ones = 0x01010101;
export const highBits: number = 0x80808080 | 0;
const backslashes = 0x5c5c5c5c;

/**
 * Marks bytes that JSON strings cannot contain unescaped: sets the high bit of each of the four bytes that is a quote, a
 * backslash or a control character. Bytes after the first marked one may be marked wrongly.
 */
export function marksOf(four: number): number {
  // After this xor, the quote and the controls are below 0x21, and the space and "!" are above it.
  const turned = four ^ 0x02020202;
  return ((turned - 0x21212121) | ((four ^ backslashes) - ones)) & ~four & highBits;
}

/** Like `marksOf`, without backslashes: marks quotes and control characters, at about half the cost. */
export function endMarksOf(four: number): number {
  return ((four ^ 0x02020202) - 0x21212121) & ~four & highBits;
}

/** Index of the first marked byte, lowest first. At least one byte must be marked. */
export function firstMarkOf(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >> 3;
}
