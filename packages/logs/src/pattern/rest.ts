// Checks whether the text after the fields of a line may be part of a client's header whose quotes the server did not escape.
import { closingQuoteOf } from "../quoted.ts";
import { isDomain } from "./captures.ts";
import type { Field } from "./read.ts";
import { namesHost } from "./steps.ts";

/**
 * Whether the text after the last field contains no part of the User-Agent header, which is the last field that a client chooses. Two signs
 * show such a part: a quote that does not surround a whole word, and a domain other than the line's host after a closing quote, where a log
 * has its host. Linear in the text.
 */
export function isBehindAgent(rest: string, fields: readonly Field[]): boolean {
  const agent = fields.findIndex(({ is }) => is === "userAgent");
  const hostAt = fields.findIndex(({ is }) => namesHost(is));
  const host = fields[hostAt];
  const isOther = (word: string): boolean => isDomain(word) && word !== host?.text;
  // A host that precedes the header in the line cannot be part of the header.
  const isBehind = agent >= 0 && hostAt < agent && host !== undefined ? () => true : (word: string) => !isOther(word);
  let followsQuote = host === undefined || host.isQuoted;
  for (let at = 0; at < rest.length;) {
    const isQuoted = rest[at] === '"';
    const end = isQuoted ? closingQuoteOf(rest, at + 1) : endOfWord(rest, at);
    if (end < 0) return false;
    const word = rest.slice(isQuoted ? at + 1 : at, end);
    if (/(?<!\\)"/.test(word) || (followsQuote && !isBehind(word))) return false;
    followsQuote = isQuoted;
    at = end + (isQuoted ? 2 : 1);
  }
  return true;
}

function endOfWord(text: string, from: number): number {
  const end = text.indexOf(" ", from);
  return end < 0 ? text.length : end;
}
