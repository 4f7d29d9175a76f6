// Lookup tables for the kinds of bytes in a URL, for one byte or for two adjacent bytes at once.
import { tableOf } from "./characters.ts";
import { plainTarget } from "./encode.ts";

/** A host of these characters alone needs no change in the origin except lower case, unless the host is a number. */
export const inHost = 1;
/** The characters that `targetOf` does not change; includes all characters of `inHost`. */
export const inTarget = 2;
/** The ASCII characters that are not upper-case letters. */
export const lower = 4;
/** The characters that may occur anywhere in an authority. */
export const inAuthority = 8;

/** The kinds of each byte as bits; 0 for bytes of 0x80 and above. */
export const kindOf: Uint8Array = new Uint8Array(256);
/** The kinds that two adjacent bytes share, indexed by the bytes as a 16-bit number in either byte order. */
export const kindOfPair: Uint8Array = new Uint8Array(65_536);

const hostCharacters = tableOf("-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
/** The characters that end an authority. */
export const endsAuthority: Uint8Array = tableOf("/?#\\");
for (let code = 0; code < 128; code++) {
  const isUpper = code >= 0x41 && code <= 0x5a;
  const isInAuthority = code > 0x20 && code < 0x7f && endsAuthority[code] === 0;
  kindOf[code] =
    hostCharacters[code]! * inHost +
    plainTarget[code]! * inTarget +
    (isUpper ? 0 : lower) +
    (isInAuthority ? inAuthority : 0);
}
// Few combinations of kinds occur, so most rows of the table are copies of another row: the import of this module must not take 65,536
// steps.
const rows = new Map<number, Uint8Array>();
for (let second = 0; second < 256; second++) {
  const kinds = kindOf[second]!;
  let row = rows.get(kinds);
  if (row === undefined) rows.set(kinds, (row = kindOf.map((first) => first & kinds)));
  kindOfPair.set(row, second << 8);
}
