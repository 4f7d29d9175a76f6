// Encodes bytes as Base32 (RFC 4648 §6), the form of digests in WARC files.

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes without padding, because the 20 bytes of a SHA-1 digest need none. */
export function base32Of(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += digits[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + digits[(value << (5 - bits)) & 31];
}
