// Chooses the rules that bind one crawler from a parsed file (RFC 9309 §2.2.1).
import { type Binding, bindingOf } from "./binding.ts";
import { lowerAscii, utf8Of } from "../read/bytes.ts";
import { entriesOf } from "../match/entries.ts";
import { ALLOW, DISALLOW, USER_AGENT } from "../read/keys.ts";
import { type ParsedFile, endColumn, kindOfRow, REFUSED_MARK, rowSize, startColumn } from "../read/parsed-file.ts";
import { RuleTable } from "../match/rule-table.ts";
import { beginsWith, EVERYBODY, namesWhole, NOBODY, tokenLengthOf } from "../read/token.ts";
import type { Ground, TokenMatch } from "../read/types.ts";

/** The rules that bind a crawler, and how they were chosen. */
export interface BoundRules {
  /** The rules, in file order: one table, or one for each group when crawlers of other groups share it. */
  readonly tables: readonly RuleTable[];
  /** The bytes of the entries in those tables that no other crawler had before. */
  readonly ownBytes: number;
  /** Which groups apply: the groups that name a product token, the groups for `*`, or none. */
  readonly ground: Ground;
  /** The user-agent lines that chose the groups, as `bindingOf` writes them, or a function that computes them on demand. */
  readonly binding: Binding | (() => Binding);
}

const fewKept = 16 * 1024;
// All calls share these buffers, since choosing is synchronous and the results are copied.
// The positions of the rows of the binding rules.
const chosen: number[] = [];
// The caller's product tokens, and their bytes in lower case. Callers usually ask many files about the same tokens.
const wanted: { readonly token: string; readonly bytes: Uint8Array }[] = [];
// One row of each run of user-agent lines whose rules bind.
const runs: number[] = [];
/** The result of the last call of {@link nameRows}: one number for each row of the file. */
export const names: number[] = [];

/** The rules for a list of product tokens: the groups that name one of them, else the groups for `*`. Linear in the rows. */
export function rulesFor(
  file: ParsedFile,
  tokens: readonly string[],
  tokenMatch: TokenMatch,
): BoundRules & { readonly binding: Binding } {
  const { rows, bytes } = file;
  nameRows(file, tokens, tokenMatch);
  const ground = chooseRows(rows);
  const entries = entriesOf(rows, file.dialect, bytes, chosen);
  const bound = {
    binding: bindingOf(rows, bytes, names, runs),
    tables: [new RuleTable(entries, chosen.length, file.dialect.countsLiteralOctets)],
    ownBytes: entries.length,
    ground,
  };
  if (names.length > fewKept) names.length = 0;
  chosen.length = 0;
  return bound;
}

/**
 * Fills `chosen` and `runs` from the `names` that `nameRows` wrote. The loop is a function that touches no short-lived
 * objects: V8 discards optimized code that depends on an object's shape when the last object of this shape is collected.
 */
function chooseRows(rows: Int32Array): Ground {
  let sawNamed = false;
  let forEverybody = false;
  let isNamed = false;
  let sawRule = false;
  chosen.length = runs.length = 0;
  for (let at = 0; at < rows.length; at += rowSize) {
    const kind = kindOfRow(rows[at]!);
    if (kind === USER_AGENT) {
      // Only a rule ends a run of user-agent lines.
      if (sawRule) forEverybody = isNamed = sawRule = false;
      const name = names[at / rowSize]!;
      if (name === EVERYBODY) {
        if (!forEverybody && !sawNamed) runs.push(at);
        forEverybody = true;
      } else if (!isNamed && name >= 0) {
        isNamed = true;
        // The rules for `*` do not bind a crawler that the file names.
        if (!sawNamed) chosen.length = runs.length = 0;
        sawNamed = true;
        runs.push(at);
      }
    } else if ((kind === ALLOW || kind === DISALLOW) && (isNamed || forEverybody)) {
      sawRule = true;
      if ((isNamed || !sawNamed) && (rows[at]! & REFUSED_MARK) === 0) chosen.push(at);
    }
  }
  if (sawNamed) return "named";
  return runs.length > 0 ? "everybody" : "none";
}

/**
 * Writes a number for each row of a file to {@link names}. The number of a user-agent line with one of the product tokens is the token's
 * index; of a line with `*` it is {@link EVERYBODY}; of every other row it is {@link NOBODY}. Time: O(rows × tokens).
 */
export function nameRows(
  { rows, bytes, dialect }: ParsedFile,
  tokens: readonly string[],
  tokenMatch: TokenMatch | undefined,
): void {
  for (const [index, token] of tokens.entries()) {
    if (wanted[index]?.token !== token) wanted[index] = { token, bytes: utf8Of(lowerAscii(token)) };
  }
  for (let at = 0; at < rows.length; at += rowSize) {
    let name = NOBODY;
    if (kindOfRow(rows[at]!) === USER_AGENT) {
      const start = rows[at + startColumn]!;
      const end = rows[at + endColumn]!;
      const length = tokenLengthOf(bytes, start, end, dialect);
      if (length === EVERYBODY) name = EVERYBODY;
      for (let index = 0; index < tokens.length && name === NOBODY; index++) {
        const token = wanted[index]!.bytes;
        if (
          tokenMatch === "whole"
            ? namesWhole(bytes, start, end, token)
            : token.length === length && beginsWith(bytes, start, token)
        )
          name = index;
      }
    }
    names[at / rowSize] = name;
  }
}
