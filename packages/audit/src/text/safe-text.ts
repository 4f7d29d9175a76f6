// Escapes and cuts texts, so that a terminal shows them and executes no control sequence in them.

/** The hidden characters of `visible.ts` in packages/core, which this package does not import. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** The text with hidden characters as the escapes `\x1b`, `\u202e` and `\u{e0041}`. */
export function safeTextOf(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = character.codePointAt(0)!;
    const hex = code.toString(16);
    if (code > 0xffff) return `\\u{${hex}}`;
    return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
}

/** Shortens a text to at most `width` characters by cutting out its middle. */
export function cutTextOf(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  const head = Math.ceil((width - 1) / 2);
  const tail = Math.floor((width - 1) / 2);
  return `${characters.slice(0, head).join("")}…${tail > 0 ? characters.slice(-tail).join("") : ""}`;
}
