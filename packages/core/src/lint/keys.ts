// Adds findings about the key of a line: misspellings, colons, lines that are not directives (RFC 9309 §2.2).
import { lowerKeyOf } from "../read/bytes.ts";
import type { DirectiveCursor } from "../read/directives.ts";
import { ALLOW, DISALLOW, NONE, OTHER, recordRowOf, SITEMAP, USER_AGENT } from "../read/keys.ts";
import { contentOf } from "./characters.ts";
import type { FindingsList, Place } from "./findings-list.ts";
import { type Speller, directiveAtStartOf } from "./spelling.ts";

const nameOfKind = new Map<number, string>([
  [USER_AGENT, "user-agent"],
  [ALLOW, "allow"],
  [DISALLOW, "disallow"],
  [SITEMAP, "sitemap"],
]);

/** The lengths of the shortest forgiven typo and of the forgiven typo with a blank. */
const shortestTypo = "disalow".length;
const spacedTypo = "user agent".length;

/**
 * The kind of a line for `GroupReader`: its key in lower case, or one of the constants `BLANK`, `COMMENT` and `TEXT`, which cannot be keys.
 */
export type LineName = string;
export const BLANK = "#blank";
export const COMMENT = "#comment";
/** Text that is not a directive. */
export const TEXT = "#text";

/** Adds findings about the key of the cursor's line; returns the line's name. `holdsInvisible`: the line has invisible characters. */
export function checkKey(
  list: FindingsList,
  cursor: DirectiveCursor,
  speller: Speller,
  holdsInvisible: boolean,
): LineName {
  const { kind, line, lineStart, keyStart: at } = cursor;
  if (kind === NONE) return checkText(list, cursor, holdsInvisible);
  const place: Place = { line, lineStart, at };
  if (kind !== OTHER) {
    const name = nameOfKind.get(kind)!;
    checkKnownKey(list, cursor, place, name);
    return name;
  }
  return checkOtherKey(list, cursor, place, speller, holdsInvisible);
}

function checkKnownKey(list: FindingsList, cursor: DirectiveCursor, place: Place, name: string): void {
  const { bytes, keyStart, keyEnd, valueStart, valueEnd, typo } = cursor;
  if (!typo && !cursor.missingColon && keyEnd - keyStart === name.length) return;
  const spelled = typo ? (bytes[keyStart + 4] === 0x20 ? spacedTypo : shortestTypo) : name.length;
  for (let at = keyStart + spelled; at < keyEnd; at++) {
    if (isWordByte(bytes[at]!)) continue;
    const value = list.shown(valueStart, valueEnd);
    list.add("misplaced-colon", { ...place, at }, () => ({ name, value }));
    return;
  }
  const key = (): string => list.shown(keyStart, keyEnd);
  if (typo) list.add("forgiven-typo", place, () => ({ key: key(), meant: name }));
  else if (keyEnd - keyStart > name.length) list.add("prefix-key", place, () => ({ key: key(), meant: name }));
  if (cursor.missingColon) list.add("forgiven-colon", { ...place, at: keyEnd }, () => ({ name }));
}

function isWordByte(byte: number): boolean {
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f;
}

/** The maximum number of bytes of a text that are searched for the name of a directive; no name is longer. */
const longestStart = 24;
/** The maximum number of bytes of a key that are compared with known names. Longer keys are not checked for misspellings. */
const longestKey = 64;

function checkOtherKey(
  list: FindingsList,
  cursor: DirectiveCursor,
  place: Place,
  speller: Speller,
  holdsInvisible: boolean,
): LineName {
  const { bytes, keyStart, keyEnd, valueStart } = cursor;
  const lower = lowerKeyOf(bytes, keyStart, Math.min(keyEnd, keyStart + longestKey));
  if (keyEnd - keyStart <= longestKey && recordRowOf(lower) >= 0) {
    if (cursor.missingColon) list.add("forgiven-colon", { ...place, at: keyEnd }, () => ({ name: lower }));
    return lower;
  }
  // The invisible characters make the key unknown, and there is already a finding about them.
  if (holdsInvisible) return lower;
  if (bytes[keyStart] === 0x3c) {
    list.add("html-line", place, () => ({ text: shownContent(list, cursor) }));
    return TEXT;
  }
  const meant = keyEnd - keyStart > longestKey ? undefined : speller.meantBy(lower);
  if (meant !== undefined) {
    list.add("misspelled-directive", place, () => ({ key: list.shown(keyStart, keyEnd), meant }));
    return lower;
  }
  const isUrl = bytes[valueStart] === 0x2f && bytes[valueStart + 1] === 0x2f && /^(?:https?|ftp)$/.test(lower);
  if (cursor.missingColon || isUrl) {
    list.add("not-a-directive", place, () => ({ text: shownContent(list, cursor) }));
    return TEXT;
  }
  list.add("unknown-directive", place, () => ({ key: list.shown(keyStart, keyEnd) }));
  return lower;
}

/** Checks a line that is not a directive: blank, a comment, or text. */
function checkText(list: FindingsList, cursor: DirectiveCursor, holdsInvisible: boolean): LineName {
  const { start, end } = contentOf(cursor);
  const { bytes, line, lineStart } = cursor;
  if (start === end) return cursor.hasComment ? COMMENT : BLANK;
  if (holdsInvisible) return TEXT;
  const place = { line, lineStart, at: start };
  const text = (): string => list.shown(start, end);
  if (bytes[start] === 0x3c) list.add("html-line", place, () => ({ text: text() }));
  else {
    const name = directiveAtStartOf(lowerKeyOf(bytes, start, Math.min(end, start + longestStart)));
    if (name === undefined) list.add("not-a-directive", place, () => ({ text: text() }));
    else list.add("missing-colon", place, () => ({ name, text: text() }));
  }
  return TEXT;
}

function shownContent(list: FindingsList, cursor: DirectiveCursor): string {
  const { start, end } = contentOf(cursor);
  return list.shown(start, end);
}
