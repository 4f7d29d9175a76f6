// Determines the width of a character on a terminal, in columns.
import { eastAsianWidth } from "get-east-asian-width";

const mark = /\p{M}/u;

/** The number of columns of a character: 0 for a combining mark, 2 for a wide East Asian character or an emoji, 1 for any other. */
export function widthOfCharacter(codePoint: number): number {
  return mark.test(String.fromCodePoint(codePoint)) ? 0 : eastAsianWidth(codePoint);
}
