// Computes a 64-bit hash of bytes as two 32-bit halves. The hash is equal on every machine, and is not cryptographic.

// Declared here because this package compiles with neither the DOM's types nor Node's.
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
const encoder = new TextEncoder();

const firstMultiplier = 0x9e3779b1;
const secondMultiplier = 0x85ebca77;

/** A 64-bit hash to which bytes are added. Callers reuse one object for many hashes, so that hashing allocates nothing. */
export class Hash64 {
  /** The upper 32 bits, unsigned, after `finish`. */
  high = 0;
  /** The lower 32 bits, unsigned, after `finish`. */
  low = 0;

  /** Starts a hash from the halves of another hash, or from 0. */
  start(high: number, low: number): void {
    this.high = high | 0;
    this.low = low | 0;
  }

  /** Adds the bytes from `start` to `end`, four at a time. */
  add(bytes: Uint8Array, start: number, end: number): void {
    let high = this.high;
    let low = this.low;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      high = Math.imul(high ^ word, firstMultiplier);
      high ^= high >>> 15;
      low = Math.imul(low + word, secondMultiplier);
      low ^= low >>> 13;
    }
    for (; at < end; at++) {
      // 0x100 is added so that a last byte of 0 changes the hash, too.
      const word = bytes[at]! + 0x100;
      high = Math.imul(high ^ word, firstMultiplier);
      high ^= high >>> 15;
      low = Math.imul(low + word, secondMultiplier);
      low ^= low >>> 13;
    }
    this.high = high;
    this.low = low;
  }

  /** Finishes the hash: each half of the result depends on all added bytes. */
  finish(): void {
    const high = mix32(this.high ^ mix32(this.low));
    this.low = mix32(this.low + Math.imul(high, firstMultiplier));
    this.high = high;
  }
}

/** The finalizer of MurmurHash3: each bit of the number affects all bits of the result. The result is unsigned. */
export function mix32(number: number): number {
  let mixed = number | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const hex8 = (number: number): string => number.toString(16).padStart(8, "0");

/** The hash of a text's UTF-8 bytes, as 16 hex digits. These texts sort like the hashes. */
export function hashTextOf(text: string): string {
  const hash = new Hash64();
  const bytes = encoder.encode(text);
  hash.start(0, 0);
  hash.add(bytes, 0, bytes.length);
  hash.finish();
  return hexOf(hash.high, hash.low);
}

/** The two halves as 16 hex digits. */
export function hexOf(high: number, low: number): string {
  return hex8(high >>> 0) + hex8(low >>> 0);
}

/** The UTF-8 bytes of a text. */
export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}
