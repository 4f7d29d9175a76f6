// Bytes in, views that read and write four at a time out; and the masks that find characters in a word of text.

/** The same bytes, several at a time. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** How this machine lays out the bytes of a word. */
export const hasLowFirst: boolean = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** One in each byte of a word: a byte that is 0 borrows when these are taken away, and its high bit tells. */
export const ones = 0x01010101;
export const highBits: number = 0x80808080 | 0;
const backslashes = 0x5c5c5c5c;

/**
 * What JSON does not hold in a string as it is: the high bit of a byte of four is set where it is a quote, a backslash or a control, and
 * sometimes of one behind the first of these.
 */
export function marksOf(four: number): number {
  // Turned so, a quote is less than the space and "!" are: with the controls it is below 21 (hex).
  const turned = four ^ 0x02020202;
  return ((turned - 0x21212121) | ((four ^ backslashes) - ones)) & ~four & highBits;
}

/** Which of the four bytes, the lowest first, is the first that is marked; some are. */
export function firstMarkOf(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >> 3;
}
