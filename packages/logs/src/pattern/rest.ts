// The text behind the fields of a line in, whether it may be what a client sent with quotes that the server did not escape out.
import { closingQuoteOf } from "../quoted.ts";
import { isDomain } from "./captures.ts";
import type { Field } from "./read.ts";

/**
 * Whether the text behind the last field, of which the User-Agent header is the last that a client chooses, has no part of that header: its
 * quotes are around whole words, and no other domain than the host is where the host would be, behind a closing quote. Linear in the text.
 */
export function isBehindAgent(rest: string, fields: readonly Field[]): boolean {
  const agent = fields.findIndex(({ is }) => is === "userAgent");
  const hostAt = fields.findIndex(({ is }) => is === "host");
  const host = fields[hostAt];
  const isOther = (word: string): boolean => isDomain(word) && word !== host?.text;
  // A host in front of the header was not sent in it.
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
