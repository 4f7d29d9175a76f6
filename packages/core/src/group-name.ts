// A parsed file and product tokens in their order in, the name that chooses the group out (RFC 9309 §2.2.1).
import { names } from "./binding.ts";
import { lowerAscii, lowerByte, utf8Of } from "./bytes.ts";
import { USER_AGENT } from "./keys.ts";
import { bytesOf } from "./kept.ts";
import { type MatcherOptions, tokenMatchOf } from "./match.ts";
import { type ParsedRobots, checkParsed } from "./parse.ts";
import { kindOfRow, rowSize } from "./rows.ts";
import { integersOf, nameRows } from "./rules.ts";
import { EVERYBODY, NOBODY, endsName, tokenLengthOf } from "./token.ts";
import type { RobotsTxt, TokenMatch } from "./types.ts";

/**
 * Which name chooses the group, for crawlers that go by the first of several names: the first of the product tokens that
 * a user-agent line names, else `"*"` where one names everybody, else undefined. A matcher made of that name alone (of
 * `[]` for `"*"`) decides by its group. Throws a `UsageError` for a RobotsTxt that `parseRobotsTxt` did not make
 * (`ERR_FOREIGN_ROBOTS`) and for an unknown token match
 * (`ERR_UNKNOWN_TOKEN_MATCH`). Linear in the file.
 */
export function groupNameOf(
  robots: RobotsTxt,
  productTokens: readonly string[],
  options?: MatcherOptions,
): string | undefined {
  checkParsed(robots);
  const index = namedIndexOf(robots, productTokens, tokenMatchOf(options));
  return productTokens[index] ?? (index === EVERYBODY ? "*" : undefined);
}

/** The least index of a product token that a user-agent line names, else EVERYBODY where one names everybody, else NOBODY. */
function namedIndexOf(robots: ParsedRobots, productTokens: readonly string[], tokenMatch: TokenMatch): number {
  const { bytes } = bytesOf(robots.content);
  const rows = integersOf(robots.rows);
  nameRows(rows, robots.dialect, bytes, productTokens, tokenMatch);
  let first = productTokens.length;
  let forEverybody = false;
  for (let at = 0; at < rows.length; at += rowSize) {
    if (kindOfRow(rows[at]!) !== USER_AGENT) continue;
    const index = names[at / rowSize]!;
    if (index === EVERYBODY) forEverybody = true;
    else if (index >= 0 && index < first) first = index;
  }
  if (first < productTokens.length) return first;
  return forEverybody ? EVERYBODY : NOBODY;
}

/**
 * `groupNameOf` for many crawlers and one file: given the names of each, it tells the same. Making it is linear in the file, and
 * asking it in the names; it looks into the file again only for names that hold white space or one of `/*;(`.
 */
export function createGroupNames(
  robots: RobotsTxt,
  options?: MatcherOptions,
): (productTokens: readonly string[]) => string | undefined {
  checkParsed(robots);
  const tokenMatch = tokenMatchOf(options);
  const isWhole = tokenMatch === "whole";
  const { bytes } = bytesOf(robots.content);
  const rows = integersOf(robots.rows);
  const named = new Set<string>();
  let forEverybody = false;
  for (let at = 0; at < rows.length; at += rowSize) {
    if (kindOfRow(rows[at]!) !== USER_AGENT) continue;
    const start = rows[at + 2]!;
    const end = rows[at + 3]!;
    const length = tokenLengthOf(bytes, start, end, robots.dialect);
    if (length === EVERYBODY) forEverybody = true;
    else if (isWhole) named.add(keyAt(bytes, start, endOfName(bytes, start, end)));
    else if (length >= 0) named.add(keyAt(bytes, start, start + length));
  }
  const isNamed = (token: string): boolean => {
    if (!isWhole) return named.has(keyOf(token));
    if (/[\s/*;(]/.test(token)) return namedIndexOf(robots, [token], tokenMatch) === 0;
    return token !== "" && named.has(keyOf(token));
  };
  return (productTokens) => productTokens.find(isNamed) ?? (forEverybody ? "*" : undefined);
}

/** Where the whole name ends that a user-agent value begins with. */
function endOfName(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && !endsName(bytes[at]!)) at++;
  return at;
}

/** The lower-case bytes of a name, a character each. */
function keyAt(bytes: Uint8Array, start: number, end: number): string {
  let key = "";
  for (let at = start; at < end; at++) key += String.fromCharCode(lowerByte(bytes[at]!));
  return key;
}

function keyOf(name: string): string {
  if (!/[^\0-\x7f]/.test(name)) return lowerAscii(name);
  const bytes = utf8Of(name);
  return keyAt(bytes, 0, bytes.length);
}
