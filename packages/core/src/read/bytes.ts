// Classifies the bytes of a robots.txt for the tokenizer, folds ASCII case, and decodes ranges of bytes.

/** Byte classes for the tokenizer. Classes below {@link CONTROL} are bits of a mask. */
const ORDINARY = 0;
/** `%` or a byte of 0x80 and above: a pattern with such a byte must be escaped before it is compared. */
export const ESCAPABLE = 2;
export const COLON = 4;
/** A control character below 0x20 other than TAB, LF, CR and NUL. */
export const CONTROL = 8;
export const HASH = 9;
export const NUL = 10;
export const LINE_END = 11;

export const byteClass: Uint8Array = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) byteClass[byte] = byte >= 0x80 ? ESCAPABLE : byte < 0x20 ? CONTROL : ORDINARY;
byteClass[0x09] = ORDINARY;
byteClass[0x25] = ESCAPABLE;
byteClass[0x3a] = COLON;
byteClass[0x23] = HASH;
byteClass[0x00] = NUL;
byteClass[0x0a] = LINE_END;
byteClass[0x0d] = LINE_END;

/** SP, TAB, LF, VT, FF, CR: white space in the C locale, unlike the definitions of JavaScript and Unicode. */
export function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** One of `[A-Za-z_-]`, the bytes of a product token (RFC 9309 §2.2.1). */
export function isTokenByte(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte === 0x2d || byte === 0x5f;
}

/** The lower-case form of an ASCII letter; any other byte is returned unchanged. */
export function lowerByte(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

/** Converts A-Z to lower case and leaves all other characters unchanged: U+212A KELVIN SIGN does not become k. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

// Declared here because this package compiles with neither the DOM's types nor Node's.
declare class TextDecoder {
  constructor(label: string, options: { ignoreBOM: boolean });
  decode(bytes: Uint8Array): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
  encodeInto(text: string, bytes: Uint8Array): { written: number };
}
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Decodes each byte to one character; bytes below 0x80 become the ASCII character of that value. */
const oneByteDecoder = new TextDecoder("latin1", { ignoreBOM: true });
const encoder = new TextEncoder();

/** A DataView of the same memory, which reads and writes several bytes at a time. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** A new array that begins with the elements of `array`. It has twice as many elements, and at least `least`. */
export function grownTo<A extends Uint8Array | Int32Array>(array: A, least: number): A {
  const larger = new (array.constructor as new (size: number) => A)(Math.max(least, array.length * 2));
  larger.set(array);
  return larger;
}

/**
 * Writes a string to `out` as UTF-8, lone surrogates as U+FFFD; returns the number of bytes written. A UTF-16 code unit needs
 * at most three bytes.
 */
export function encodeUtf8(text: string, out: Uint8Array): number {
  return encoder.encodeInto(text, out).written;
}

/** The first `size` bytes, decoded to one character per byte; only bytes below 0x80 keep their value. */
export function oneByteTextOf(bytes: Uint8Array, size: number): string {
  return oneByteDecoder.decode(bytes.subarray(0, size));
}

/** The bytes from `start` to `end` decoded as UTF-8, each invalid sequence as U+FFFD. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return start === end ? "" : decoder.decode(bytes.subarray(start, end));
}

/** UTF-8 bytes of a string, lone surrogates as U+FFFD. */
export function utf8Of(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The bytes from `start` to `end`, one character per byte, with A-Z in lower case. For short ranges. */
export function lowerKeyOf(bytes: Uint8Array, start: number, end: number): string {
  let key = "";
  for (let at = start; at < end; at++) key += String.fromCharCode(lowerByte(bytes[at]!));
  return key;
}
