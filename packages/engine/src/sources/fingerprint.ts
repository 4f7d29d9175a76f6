// Some bytes in, their number and checksum out: enough to detect accidental changes.
import { nodeZlib } from "../node-parts.ts";

/** Bytes, told by their number and their CRC-32. No protection against deliberate changes. */
export interface Fingerprint {
  readonly bytes: number;
  readonly crc: number;
}

/** As many bytes as are looked at behind a beginning or before a place. */
export const mostFingerprintBytes: number = 4_096;

/** Of the last bytes before `end`; of none when that is before them all. */
export function fingerprintBefore(bytes: Uint8Array, end: number): Fingerprint {
  return fingerprintOf(bytes.subarray(Math.max(0, end - mostFingerprintBytes), Math.max(0, end)));
}

/** Of all of these bytes. */
export function fingerprintOf(bytes: Uint8Array): Fingerprint {
  return { bytes: bytes.byteLength, crc: nodeZlib().crc32(bytes) };
}
