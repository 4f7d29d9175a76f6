// Reads an allow or disallow line as a rule, in the form that is compared with other rules (RFC 9309 §2.2.2).
import type { DirectiveCursor } from "../read/directives.ts";
import { patternOf, writeCompared } from "../read/encode.ts";
import type { FindingsList, Place } from "./findings-list.ts";

/** A rule of a group. */
export interface LintRule {
  readonly isAllow: boolean;
  /** The pattern in the form that is compared with paths; empty for an empty rule. */
  readonly pattern: string;
  /**
   * The same string for all patterns that are known to match the same paths; undefined for an empty pattern and for a pattern that matches
   * nothing.
   */
  readonly canonical: string | undefined;
  readonly place: Place;
  readonly valueEnd: number;
}

/** The rule of the cursor's line, which must be an allow or disallow line. */
export function ruleOf(cursor: DirectiveCursor, isAllow: boolean): LintRule {
  const { bytes, line, lineStart, valueStart, valueEnd, dialect } = cursor;
  // Most patterns are short, and TextDecoder is slow for short strings.
  const isShort = valueEnd - valueStart <= shortLength;
  const pattern = isShort
    ? asciiOf(short, 0, writeCompared(bytes, valueStart, valueEnd, short, 0, dialect.normalizes, true))
    : patternOf(bytes, valueStart, valueEnd, dialect);
  const canonical = canonicalOf(pattern);
  return { isAllow, pattern, canonical, place: { line, lineStart, at: valueStart }, valueEnd };
}

const shortLength = 32;
const short = new Uint8Array(shortLength * 3);

function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}

export const nameOfType = (isAllow: boolean): string => (isAllow ? "allow" : "disallow");

/**
 * Returns the same pattern for all patterns that are known to match the same paths; undefined for an empty pattern and for a pattern that
 * matches nothing. `/a*`, `/a**` and `/a*$` become `/a`. `*` becomes `/`, because every path begins with `/`.
 */
function canonicalOf(pattern: string): string | undefined {
  if (!pattern.startsWith("/") && !pattern.startsWith("*")) return undefined;
  if (!pattern.includes("*")) return pattern;
  let canonical = pattern.replaceAll(/\*\*+/g, "*");
  if (canonical.endsWith("*$")) canonical = canonical.slice(0, -1);
  // A star after "$" makes the "$" an ordinary character.
  if (canonical.endsWith("*") && !canonical.endsWith("$*")) canonical = canonical.slice(0, -1);
  return canonical === "" ? "/" : canonical;
}

/** Google-only: whether the last segment of the rule's pattern begins with `index.htm`. */
export function namesIndex({ pattern }: LintRule): boolean {
  return pattern.startsWith("/index.htm", pattern.lastIndexOf("/"));
}

/** A rule's pattern as written. */
export function shownPattern(list: FindingsList, { place, valueEnd }: LintRule): string {
  return list.shown(place.at, valueEnd);
}
