// A parsed file and product tokens in their order in, the name that chooses the group out (RFC 9309 §2.2.1).
import { names } from "./binding.ts";
import { USER_AGENT } from "./keys.ts";
import { bytesOf } from "./kept.ts";
import { type MatcherOptions, tokenMatchOf } from "./match.ts";
import { type ParsedRobots, checkParsed } from "./parse.ts";
import { kindOfRow, rowSize } from "./rows.ts";
import { integersOf, nameRows } from "./rules.ts";
import { EVERYBODY, NOBODY } from "./token.ts";
import type { RobotsTxt, TokenMatch } from "./types.ts";

/**
 * Which name chooses the group, for crawlers that go by the first of several names: the first of the product tokens that
 * a user-agent line names, else `"*"` where one names everybody, else undefined. A matcher made of that name alone (of
 * `[]` for `"*"`) decides by its group. Throws a `CoreError` for a RobotsTxt that `parseRobotsTxt` did not make
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
