// Checks the names of crawlers that a caller wrote.
import { productTokenOf } from "@robots-stream/agents";
import { optionText } from "../common/caller-words.ts";
import { UsageError } from "../common/errors.ts";
import { shownWordOf } from "../common/text.ts";

/**
 * The names in a list with commas, checked as `checkToken` does. A User-Agent header, which may contain commas, is not split, so that the
 * error message can quote the whole header.
 */
export function tokensIn(value: string, where: string): readonly string[] {
  const names = headerMark.test(value) ? [value] : value.split(",").map((name) => name.trim());
  for (const name of names) checkToken(name, where);
  return names;
}

/** Matches characters, and a first word, that a User-Agent header contains and a product token does not. */
const headerMark = /[/();]|^mozilla\b/i;

/** The wording of errors about a name. */
export interface TokenMessage {
  /** Whether to quote the name. A name from a file is not quoted, because the file may contain anything. */
  readonly isShown?: boolean;
  /** Writes an example in the caller's form: a flag, or an option. */
  readonly write?: (...examples: readonly string[]) => string;
}

/**
 * Checks the name of a crawler. `where` is the beginning of the messages, such as "agents ". Throws a `UsageError` for an empty name, a
 * name of more than 500 characters, "*", a User-Agent header and a name with a comma. Accepts other names that are not product tokens (RFC
 * 9309 §2.2.1), because nearly a quarter of the names in real files are not.
 */
export function checkToken(
  token: string,
  where: string,
  { isShown = true, write = (...examples) => optionText("agents", examples.join(",")) }: TokenMessage = {},
): void {
  const shown = isShown ? `${where}${JSON.stringify(shownWordOf(token, 100))}` : `${where}${token.length} characters`;
  if (token.trim() === "" || token.length > 500) {
    const what = token.trim() === "" ? `${where}must not be empty` : `${shown}: that is too long for a name`;
    throw new UsageError("no-product-token", what, `for example: ${write("bingbot")}`);
  }
  if (token === "*") {
    throw new UsageError(
      "no-product-token",
      `${shown}: "*" means every crawler without a group of its own, and is not a crawler's name`,
      `to use the group for "*", give a name that no robots.txt has, such as ${write("any")}`,
    );
  }
  if (headerMark.test(token)) {
    const guess = isShown ? guessToken(token) : undefined;
    throw new UsageError(
      "no-product-token",
      `${shown}: this is a User-Agent header; robots.txt names crawlers by product token`,
      guess === undefined ? `for example: ${write("bingbot")}` : `probably: ${write(guess)}`,
    );
  }
  if (token.includes(",")) {
    throw new UsageError(
      "no-product-token",
      `${shown}: contains a comma, which no product token may contain`,
      isShown ? `several names: ${write("bingbot", "GPTBot")}` : "several names: one per line",
    );
  }
}

/**
 * The probable name of the crawler in a User-Agent header: a known crawler, else the name after "compatible;", else the first name;
 * undefined when that is "Mozilla" or there is none.
 */
function guessToken(header: string): string | undefined {
  const known = productTokenOf(header);
  if (known !== undefined) return known;
  const name = /compatible;\s*([\w.-]+)/.exec(header)?.[1] ?? /^[\w.-]*/.exec(header)![0];
  return name === "" || name.toLowerCase() === "mozilla" ? undefined : name;
}
