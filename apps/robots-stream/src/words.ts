// Bytes in, the same to be read and written four at a time; and what whoever looks at four bytes of text at once compares them with.

/** The same bytes, several at a time. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** How this machine lays out the bytes of a word. */
export const hasLowFirst: boolean = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** One in each byte of a word: a byte that is 0 borrows when these are taken away, and its high bit tells. */
export const ones = 0x01010101;
export const highBits: number = 0x80808080 | 0;
/** The first character that is no control, in each byte. */
export const spaces = 0x20202020;
export const quotes = 0x22222222;
export const backslashes = 0x5c5c5c5c;
