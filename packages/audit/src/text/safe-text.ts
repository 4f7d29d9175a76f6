// Escapes and cuts texts, so that a terminal shows them and executes no control sequence in them.

/** Control characters, line separators, direction marks, invisible characters and lone surrogates. */
const unsafe =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

/** The text with unsafe characters escaped as `\u{…}`. */
export function safeTextOf(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Shortens a text to at most `width` characters by cutting out its middle. */
export function cutTextOf(text: string, width: number): string {
  const characters = Array.from(text);
  if (characters.length <= width) return text;
  const head = Math.ceil((width - 1) / 2);
  const tail = Math.floor((width - 1) / 2);
  return `${characters.slice(0, head).join("")}…${tail > 0 ? characters.slice(-tail).join("") : ""}`;
}
