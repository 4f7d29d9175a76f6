// Detects formats other than robots.txt from the first bytes of a file.

const looksAtBytes = 1024;

/** Whether the file is UTF-16: it begins with a UTF-16 byte order mark, or nearly every second byte is NUL. */
export function isUtf16(bytes: Uint8Array): boolean {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  const end = Math.min(bytes.length, looksAtBytes) & ~1;
  if (end < 8) return false;
  const nuls = [0, 0];
  for (let at = 0; at < end; at++) if (bytes[at] === 0) nuls[at & 1]!++;
  const half = end / 2;
  return nuls.some((count, side) => count >= half * 0.8 && nuls[1 - side]! <= half * 0.1);
}

const signatures: readonly (readonly [string, readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["PDF", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["PNG", [0x89, 0x50, 0x4e, 0x47]],
  ["JPEG", [0xff, 0xd8, 0xff]],
  ["GIF", [0x47, 0x49, 0x46, 0x38]],
  ["ZIP", [0x50, 0x4b, 0x03, 0x04]],
];

/** The name of the file's format when the file is clearly not a robots.txt, else undefined. */
export function foreignFormatOf(bytes: Uint8Array): string | undefined {
  for (const [name, signature] of signatures) {
    if (signature.every((byte, at) => bytes[at] === byte)) return name;
  }
  const start = textStartOf(bytes);
  const next = bytes[start + 1] ?? 0;
  const first = bytes[start];
  if (first === 0x3c) {
    if (next === 0x3f) return "XML";
    if (next === 0x21 || isLetter(next)) return "HTML";
  }
  if (first === 0x7b) return next === 0x5c ? "RTF" : "JSON";
  if (first === 0x5b) return "JSON";
  return isBinary(bytes) ? "binary data" : undefined;
}

/** Whether a file begins with an HTML comment. */
export function beginsWithComment(bytes: Uint8Array): boolean {
  const start = textStartOf(bytes);
  return [0x3c, 0x21, 0x2d, 0x2d].every((byte, at) => bytes[start + at] === byte);
}

/** The offset of the first byte after a byte order mark and white space. */
function textStartOf(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (at < bytes.length && (bytes[at] === 0x20 || (bytes[at]! >= 0x09 && bytes[at]! <= 0x0d))) at++;
  return at;
}

function isLetter(byte: number): boolean {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

/**
 * Whether more than a tenth of the first 1,024 bytes are control characters that do not occur in text files; false for fewer than 16 bytes.
 */
function isBinary(bytes: Uint8Array): boolean {
  const end = Math.min(bytes.length, looksAtBytes);
  let controls = 0;
  for (let at = 0; at < end; at++) {
    const byte = bytes[at]!;
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) controls++;
  }
  return end >= 16 && controls * 10 > end;
}
