// Converts a text, so that characters that a terminal interprets, and invisible characters, are visible as escapes.

/**
 * Controls, line and paragraph separators, marks of the writing direction, default-ignorable characters (Unicode's
 * Default_Ignorable_Code_Point), interlinear annotations, and lone surrogates. The packages that import no other package repeat this
 * expression; a test of tooling/checks compares them.
 */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Replaces hidden characters, line feeds included, by the escapes `\x1b`, `\u202e` and `\u{e0041}`. */
export function visibleTextOf(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = character.codePointAt(0)!;
    const hex = code.toString(16);
    if (code > 0xffff) return `\\u{${hex}}`;
    return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `\\u${hex.padStart(4, "0")}`;
  });
}

/** Replaces hidden characters in a JSON text by JSON's escapes, so that the data stays the same. Line feeds between members stay. */
export function visibleJsonOf(json: string): string {
  const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return json.replaceAll(hidden, (character) =>
    character === "\n" ? character : character.split("").map(escapeOf).join(""),
  );
}
