// Finds the name that chooses the group for a list of product tokens in order of preference (RFC 9309 §2.2.1).
import { names } from "../choose/binding.ts";
import { USER_AGENT } from "../read/keys.ts";
import { bytesOf } from "../read/kept.ts";
import { type MatcherOptions, tokenMatchOf } from "./match.ts";
import { type ParsedRobots, checkParsed } from "../read/parse.ts";
import { kindOfRow, rowSize } from "../read/rows.ts";
import { integersOf, nameRows } from "../choose/rules.ts";
import { EVERYBODY, NOBODY, tokensOf } from "../read/token.ts";
import type { RobotsTxt, TokenMatch } from "../read/types.ts";

/**
 * The name that chooses the group of a crawler whose names are given in order of preference: the first of these names that a user-agent
 * line has; else `"*"` if a line has it; else undefined. `createMatcher` with that name alone (with `[]` for `"*"`) decides by that group.
 * Throws a `CoreError` as `createMatcher` does. Linear in the file.
 */
export function groupNameOf(
  robots: RobotsTxt,
  productTokens: readonly string[],
  options?: MatcherOptions,
): string | undefined {
  checkParsed(robots);
  const tokens = tokensOf(productTokens, "whole");
  const index = namedIndexOf(robots, tokens, tokenMatchOf(options));
  return tokens[index] ?? (index === EVERYBODY ? "*" : undefined);
}

/** The smallest index of a product token that a user-agent line names; else EVERYBODY if a line has `*`; else NOBODY. */
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
