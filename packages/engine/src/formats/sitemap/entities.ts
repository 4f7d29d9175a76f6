// Replaces the references in the text of an element: the five names of XML, and numbers (XML 1.0, §4.1 and §4.6).
import { byteStringOf } from "../../text.ts";

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Longer texts are not references; the longest reference is that of a number with some leading zeros. */
const reference = /&(?:#(\d{1,9})|#x([\da-f]{1,8})|(\w{2,4}));/gi;

/** Replaces the references in a text; text and result are bytes. Undefined when an "&" begins no reference. */
export function withoutReferences(text: string): string | undefined {
  if (!text.includes("&")) return text;
  let isDamaged = false;
  const replaced = text.replaceAll(reference, (_all, decimal?: string, hex?: string, name = "") => {
    const code = decimal === undefined ? (hex === undefined ? undefined : parseInt(hex, 16)) : Number(decimal);
    const character = code === undefined ? named[name] : isCharacter(code) ? String.fromCodePoint(code) : undefined;
    isDamaged ||= character === undefined;
    // A mark that no text contains, so that replaced text is not taken for a reference.
    return character === undefined ? "" : character === "&" ? ampersand : byteStringOf(character);
  });
  // Bytes are at most FF, so no byte equals the mark.
  return isDamaged || replaced.includes("&") ? undefined : replaced.replaceAll(ampersand, "&");
}

const ampersand = "\u0100";

/** XML 1.0, §2.2. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x9 || code === 0xa || code === 0xd;
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe) || (code > 0xffff && code <= 0x10ffff);
}
