// Replaces the references in the text of an element: XML's five predefined entities, and character numbers (XML 1.0, §4.1 and §4.6).
import { byteStringOf } from "../../common/text.ts";

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Matches a reference. The number of digits is limited, but a character number may have some leading zeros. */
const reference = /&(?:#(\d{1,9})|#x([\da-f]{1,8})|(\w{2,4}));/gi;

/** Replaces the references in a text; text and result are bytes. Undefined when the text has an "&" that begins no valid reference. */
export function withoutReferences(text: string): string | undefined {
  if (!text.includes("&")) return text;
  let isDamaged = false;
  const replaced = text.replaceAll(reference, (_all, decimal?: string, hex?: string, name = "") => {
    const code = decimal === undefined ? (hex === undefined ? undefined : parseInt(hex, 16)) : Number(decimal);
    const character = code === undefined ? named[name] : isCharacter(code) ? String.fromCodePoint(code) : undefined;
    isDamaged ||= character === undefined;
    // A reference to "&" becomes a mark that no text contains, so that the check below finds only an "&" of the source.
    return character === undefined ? "" : character === "&" ? ampersand : byteStringOf(character);
  });
  // Bytes are at most FF, so no byte equals the mark.
  return isDamaged || replaced.includes("&") ? undefined : replaced.replaceAll(ampersand, "&");
}

const ampersand = "\u0100";

/** Whether XML 1.0 allows a code point in a text (§2.2). */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}
