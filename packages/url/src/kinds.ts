// A byte of a URL, or two neighbours at once → their kinds, as the scanners of bytes need them.
import { tableOf } from "./characters.ts";
import { plainTarget } from "./encode.ts";

/** Characters of a host, upper case among them, that is its own serialization but for that case, unless it is a number. */
export const inHost = 1;
/** Characters of a target that stay as they are; all those of a host are among them. */
export const inTarget = 2;
/** Characters that lower case leaves alone. */
export const lower = 4;
/** Characters that may occur in an authority, with any meaning. */
export const inAuthority = 8;

/** What a byte is: nothing, for those beyond ASCII. */
export const kindOf: Uint8Array = new Uint8Array(256);
/** What two neighbours have in common, by the number they are together: the order of the bytes in it does not matter. */
export const kindOfPair: Uint8Array = new Uint8Array(65_536);

const hostCharacters = tableOf("-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
/** What an authority ends at. */
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
// Kinds are few, so most rows of the table are copies of another: importing this module must not take 65,536 steps.
const rows = new Map<number, Uint8Array>();
for (let second = 0; second < 256; second++) {
  const kinds = kindOf[second]!;
  let row = rows.get(kinds);
  if (row === undefined) rows.set(kinds, (row = kindOf.map((first) => first & kinds)));
  kindOfPair.set(row, second << 8);
}
