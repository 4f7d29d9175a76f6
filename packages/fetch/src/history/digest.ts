// Hashes a text to 128 bits, so that equal texts can be recognized. The hash is the same on every machine, and is not cryptographic.

/** The seeds of four hashes of 32 bits. */
const seeds = [0x811c9dc5, 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;
const factors = [0x01000193, 0x27d4eb2f, 0x165667b1, 0x9e3779b1] as const;

/** The digest of a text as 32 hex digits. */
export function digestOf(text: string): string {
  return seeds.map((seed, at) => hashOf(text, seed, factors[at]!).toString(16).padStart(8, "0")).join("");
}

/** FNV-1a over UTF-16 code units, with the finalizer of MurmurHash3. */
function hashOf(text: string, seed: number, factor: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), factor);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
