// Computes the number and the checksum of bytes, which are enough to detect accidental changes.
import { readSync } from "node:fs";

/** The number and the CRC-32 of some bytes. They do not protect against deliberate changes. */
export interface Fingerprint {
  readonly bytes: number;
  readonly crc: number;
}

/** Maximum number of bytes that a fingerprint of a beginning, or of the text before a position, covers. */
export const mostFingerprintBytes: number = 4_096;

/** The fingerprint of the last bytes before the index `end`; of no bytes when `end` is not positive. */
export function fingerprintBefore(bytes: Uint8Array, end: number): Fingerprint {
  return fingerprintOf(bytes.subarray(Math.max(0, end - mostFingerprintBytes), Math.max(0, end)));
}

/** The fingerprint of all bytes. */
export function fingerprintOf(bytes: Uint8Array): Fingerprint {
  return { bytes: bytes.byteLength, crc: process.getBuiltinModule("node:zlib").crc32(bytes) };
}

/** The fingerprint of the last bytes of an open file before the offset `end`. */
export function fingerprintAt(fd: number, end: number): Fingerprint {
  const bytes = Buffer.alloc(Math.min(end, mostFingerprintBytes));
  return fingerprintOf(bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, end - bytes.length)));
}
