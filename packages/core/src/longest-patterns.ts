// Finds the path patterns of a list that match a target with the most octets; patterns with equal octets all win (RFC 9309 §2.2.2).
import { textOf } from "./bytes.ts";
import { normalizedTargetOf, writePattern } from "./encode.ts";
import { checkParsed } from "./parse.ts";
import type { Dialect } from "./dialect.ts";
import { PathTries, matchesPattern } from "./pattern.ts";
import { octetsOf } from "./rules.ts";
import type { RobotsTxt } from "./types.ts";

const DOLLAR = 0x24;

interface CompiledPattern {
  /** The position in the caller's list. */
  readonly index: number;
  readonly text: Uint8Array;
  /** The end of the pattern in `text`, before a final `$`. */
  readonly stop: number;
  readonly isTied: boolean;
  readonly octets: number;
  /** The result of `winnersOf` when only this pattern wins. */
  readonly alone: readonly number[];
}

const nothing: readonly number[] = [];

/** Patterns in the form that a file's dialect compares. */
export class LongestPatterns {
  readonly #dialect: Dialect;
  /** The pattern with the most octets first; patterns with equal octets in the caller's order. */
  readonly #patterns: readonly CompiledPattern[];
  readonly #tries = new PathTries();

  /** Compiles patterns as the file's dialect compares its rules. An empty pattern matches every target, with 0 octets. */
  constructor(robots: RobotsTxt, patterns: readonly Uint8Array[]) {
    checkParsed(robots);
    const dialect = (this.#dialect = robots.dialect);
    const all = patterns.map((pattern, index) => compiled(pattern, index, dialect));
    this.#patterns = all.toSorted((one, other) => other.octets - one.octets || one.index - other.index);
  }

  /** All patterns in the form that is compared, in the caller's order. */
  texts(): readonly string[] {
    const texts: string[] = [];
    for (const { index, text } of this.#patterns) texts[index] = textOf(text, 0, text.length);
    return texts;
  }

  /**
   * The positions of all patterns that match a target with the most octets, ascending; empty when none matches. The target begins with `/`, as
   * for `Matcher.decideTarget`. Linear in the patterns and the target.
   */
  winnersOf(target: string): readonly number[] {
    if (this.#patterns.length === 0) return nothing;
    const path = this.#dialect.normalizes ? normalizedTargetOf(target) : target;
    const tries = this.#tries;
    let first: CompiledPattern | undefined;
    let winners: number[] | undefined;
    tries.begin();
    for (const pattern of this.#patterns) {
      const { index, text, stop, isTied, octets } = pattern;
      if (first !== undefined && octets < first.octets) break;
      if (!matchesPattern(text, 0, stop, isTied, path, 0, tries.indexFor(text.length, path, 0))) continue;
      if (first === undefined) first = pattern;
      else (winners ??= [first.index]).push(index);
    }
    tries.begin();
    return winners ?? first?.alone ?? nothing;
  }
}

function compiled(pattern: Uint8Array, index: number, dialect: Dialect): CompiledPattern {
  const out = new Uint8Array(pattern.length * 3);
  const text = out.slice(0, writePattern(pattern, 0, pattern.length, dialect, out, 0));
  const end = text.length;
  const isTied = end > 0 && text[end - 1] === DOLLAR;
  const octets = octetsOf(text, 0, end, dialect.countsLiteralOctets);
  return { index, text, stop: isTied ? end - 1 : end, isTied, octets, alone: [index] };
}
