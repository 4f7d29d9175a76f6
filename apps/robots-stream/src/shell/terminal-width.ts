// The width of a terminal and of the characters on it, in columns.
import { eastAsianWidth } from "get-east-asian-width";

/** A stream that may be a terminal. */
interface Sized {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const most = 10_000;

/** The width that COLUMNS asks for; undefined without a usable one. */
function columnsAskedBy({ COLUMNS = "" }: NodeJS.ProcessEnv): number | undefined {
  const columns = /^\d+$/.test(COLUMNS) ? Number(COLUMNS) : 0;
  return columns > 0 && columns <= most ? columns : undefined;
}

/** The width of a stream: what COLUMNS asks for, else the terminal's; undefined for pipes and files. A terminal of unknown width has 80. */
export function columnsOf(stream: Sized, env: NodeJS.ProcessEnv): number | undefined {
  return columnsAskedBy(env) ?? (stream.isTTY === true ? stream.columns || 80 : undefined);
}

const mark = /\p{M}/u;

/** The columns of a character: none for a combining mark, two for an East Asian one or an emoji. */
export function widthOfCharacter(codePoint: number): number {
  return mark.test(String.fromCodePoint(codePoint)) ? 0 : eastAsianWidth(codePoint);
}
