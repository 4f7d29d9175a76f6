// Finds the path patterns of a list that match a target with the most octets; patterns with equal octets all win (RFC 9309 §2.2.2).
import { textOf } from "../read/bytes.ts";
import type { Dialect } from "../read/dialect.ts";
import { entriesOf, headSize, nextEntry, patternLengthAt } from "../match/entries.ts";
import { DISALLOW } from "../read/keys.ts";
import { checkParsed } from "../read/parse.ts";
import { Path } from "../match/path.ts";
import { ESCAPABLE_MARK } from "../read/parsed-file.ts";
import { RuleTable, rowsOf } from "../match/rule-table.ts";
import type { RobotsTxt } from "../read/types.ts";

const path = new Path();

/** Patterns in the form that a file's dialect compares. */
export class LongestPatterns {
  readonly #dialect: Dialect;
  /** A disallow rule for each pattern; its line number is the position in the caller's list. */
  readonly #table: RuleTable;

  /** Compiles patterns as the file's dialect compares its rules. An empty pattern matches every target, with 0 octets. */
  constructor(robots: RobotsTxt, patterns: readonly Uint8Array[]) {
    checkParsed(robots);
    const dialect = (this.#dialect = robots.dialect);
    const entries = entriesOfPatterns(patterns, dialect);
    this.#table = new RuleTable(entries, patterns.length, dialect.countsLiteralOctets);
  }

  /** All patterns in the form that is compared, in the caller's order. */
  texts(): readonly string[] {
    const { entries } = this.#table;
    const texts: string[] = [];
    for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
      texts.push(textOf(entries, at + headSize, at + headSize + patternLengthAt(entries, at)));
    }
    return texts;
  }

  /**
   * The positions of all patterns that match a target with the most octets, ascending; empty when none matches. The target begins with `/`, as
   * for `Matcher.decideTarget`. Linear in the patterns and the target.
   */
  winnersOf(target: string): readonly number[] {
    path.readTarget(target);
    const matching = rowsOf([this.#table], this.#dialect.normalizes ? path.normalized : path);
    path.release();
    return matching.filter(({ strength }) => strength === matching[0]!.strength).map(({ line }) => line);
  }
}

function entriesOfPatterns(patterns: readonly Uint8Array[], dialect: Dialect): Uint8Array {
  const bytes = new Uint8Array(patterns.reduce((size, pattern) => size + pattern.length, 0));
  const rows: number[] = [];
  const starts: number[] = [];
  let size = 0;
  for (const [index, pattern] of patterns.entries()) {
    bytes.set(pattern, size);
    starts.push(rows.length);
    rows.push(DISALLOW | ESCAPABLE_MARK, index, size, (size += pattern.length));
  }
  return entriesOf(Int32Array.from(rows), dialect, bytes, starts);
}
