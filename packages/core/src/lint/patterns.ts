// Adds findings about the pattern of a rule: the pattern never matches, a part of it has no effect, or parsers disagree on its meaning.
import { isBlank, textOf, utf8Of } from "../read/bytes.ts";
import type { DirectiveCursor } from "../read/directives.ts";
import { pathOf, patternOf } from "../read/encode.ts";
import { matchesPattern } from "../match/pattern.ts";
import type { FindingsList, Place } from "./findings-list.ts";
import { directiveInside } from "./spelling.ts";

const robotsTxt = utf8Of("/robots.txt");
const STAR = 0x2a;
const SLASH = 0x2f;
const DOLLAR = 0x24;
const PERCENT = 0x25;

/** Adds findings about the pattern of the cursor's line, an allow or disallow line with a value. */
export function checkPattern(list: FindingsList, cursor: DirectiveCursor, isDisallow: boolean): void {
  const { bytes, line, lineStart, valueStart: start, valueEnd: end } = cursor;
  const placeAt = (at: number): Place => ({ line, lineStart, at });
  const pattern = (): string => list.shown(start, end);
  const inside = directiveInside(bytes, start, end);
  if (inside !== undefined) {
    list.add("several-directives", placeAt(inside.at), () => ({ name: inside.name }));
    return;
  }
  const first = bytes[start];
  if (first !== SLASH && first !== STAR) {
    checkBeginning(list, placeAt(start), pattern());
    return;
  }
  checkBlanks(list, cursor, placeAt, pattern);
  checkMeaning(list, cursor, placeAt, pattern());
  checkStars(list, cursor, placeAt, pattern);
  checkDollar(list, cursor, placeAt, pattern);
  if (cursor.escapable) {
    checkEscapes(list, cursor, placeAt);
    checkNonAscii(list, cursor, placeAt, pattern);
  }
  if (isDisallow && matchesRobotsTxt(cursor)) {
    list.add("matches-robots-txt", placeAt(start), () => ({ pattern: pattern() }));
  }
}

/** Checks a pattern that begins with neither `/` nor `*`. */
function checkBeginning(list: FindingsList, place: Place, pattern: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(pattern)) {
    list.add("url-as-pattern", place, () => ({ pattern, meant: pathOf(pattern) }));
    return;
  }
  list.add("pattern-never-matches", place, () => ({ pattern, meant: meantPatternOf(pattern) }));
}

/** The names of files end in other letters than these endings of host names. */
const hostName =
  /^(?:www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+|(?:[a-z0-9-]+\.)+(?:com|net|org|edu|gov|info|biz|example|[a-z]{2}))(?=\/|$)/i;
const fileEndings = /\.(?:js|py|rb|pl|sh|md|gz|cc|ts|so|db|ps|ai|tv|me|id|go|rs|cs|vb|hs|ml)$/i;

/** The path after the name of a host at the beginning of a text; undefined if the text does not begin with one. */
function pathAfterHost(text: string): string | undefined {
  const [host] = hostName.exec(text) ?? [];
  if (host === undefined || (fileEndings.test(host) && !host.startsWith("www."))) return undefined;
  return text.slice(host.length) || "/";
}

/** Adds findings about a path that holds the name of a host, or that is a list of paths. */
function checkMeaning(list: FindingsList, { valueStart }: DirectiveCursor, placeAt: PlaceAt, pattern: string): void {
  const [start] = /^\/+(?:https?:\/+)?/i.exec(pattern) ?? [""];
  const after = pathAfterHost(pattern.slice(start.length));
  // One name of a host without a scheme may be a folder, as in a mirror of other sites; a URL is none.
  if (after !== undefined) list.add("host-in-path", placeAt(valueStart), () => ({ pattern, meant: after }));
  else if (/[,;|](?:\/|https?:\/\/)/i.test(pattern.split("?", 1)[0]!)) {
    const at = pattern.search(/[,;|](?:\/|https?:\/\/)/i);
    list.add("joined-paths", placeAt(valueStart + utf8Of(pattern.slice(0, at)).length), () => ({ pattern }));
  }
}

/** The pattern that the author probably meant, for a pattern that begins with neither `/` nor `*`. */
function meantPatternOf(pattern: string): string {
  // Quotation marks of any kind, or brackets, around the path.
  const [, inside] =
    /^["'`\u2018-\u201f\xab\xbb\u2039\u203a[(<{]+([/*][^"'`\u2018-\u201f\xab\xbb\u2039\u203a\])>}]*)["'`\u2018-\u201f\xab\xbb\u2039\u203a\])>}]+$/.exec(
      pattern,
    ) ?? [];
  if (inside !== undefined) return inside;
  const after = pathAfterHost(pattern);
  if (after !== undefined) return after;
  // "./a" as in a shell, ".*" and "^" as in a regular expression.
  if (/^\.{1,2}\//.test(pattern)) return pattern.replace(/^(?:\.{1,2}\/)+/, "/");
  if (/^\^?\.\*\//.test(pattern)) return pattern.replace(/^\^?\./, "");
  if (pattern.startsWith("^/")) return pattern.slice(1);
  // Invisible characters may precede the path.
  if (/^[^ -~]+\//.test(pattern)) return pattern.slice(pattern.indexOf("/"));
  if (/^[?&=.]/.test(pattern)) return `/*${pattern}`;
  return `/${pattern.replaceAll("\\", "/").replace(/^\/+/, "")}`;
}

type PlaceAt = (at: number) => Place;

function checkBlanks(list: FindingsList, cursor: DirectiveCursor, placeAt: PlaceAt, pattern: () => string): void {
  const { bytes, valueStart, valueEnd, lineEnd } = cursor;
  for (let at = valueStart; at < valueEnd; at++) {
    if (!isBlank(bytes[at]!)) continue;
    let next = at;
    while (isBlank(bytes[next]!)) next++;
    const after = bytes[next + 1];
    // "//" after a blank begins a comment of other languages, and "/>" ends a tag.
    const isComment = next + 1 >= valueEnd || after === SLASH || after === 0x3e || isBlank(after!);
    const isPath = bytes[next] === STAR || (bytes[next] === SLASH && (next + 1 >= valueEnd || !isComment));
    list.add(isPath ? "several-paths" : "blank-in-pattern", placeAt(at), () => ({ pattern: pattern() }));
    break;
  }
  checkHash(list, cursor, placeAt, lineEnd);
}

/** Checks for a `#` directly after a value, which turns the rest of the apparent value into a comment. */
export function checkHash(list: FindingsList, cursor: DirectiveCursor, placeAt: PlaceAt, lineEnd: number): void {
  const { bytes, valueStart, valueEnd } = cursor;
  if (valueStart === valueEnd || bytes[valueEnd] !== 0x23 || valueEnd >= lineEnd) return;
  list.add("hash-in-value", placeAt(valueEnd), () => ({
    value: list.shown(valueStart, valueEnd),
    rest: list.shown(valueEnd, lineEnd),
  }));
}

function checkStars(list: FindingsList, cursor: DirectiveCursor, placeAt: PlaceAt, pattern: () => string): void {
  const { bytes, valueStart, valueEnd } = cursor;
  const doubled = indexOfDoubleStar(bytes, valueStart, valueEnd);
  if (doubled >= 0) list.add("double-star", placeAt(doubled), () => ({ pattern: pattern() }));
  const isTied = bytes[valueEnd - 1] === DOLLAR;
  let end = isTied ? valueEnd - 1 : valueEnd;
  if (bytes[end - 1] !== STAR) return;
  while (end > valueStart && bytes[end - 1] === STAR) end--;
  // A pattern of stars alone matches everything; a star after "$" makes the "$" an ordinary character.
  if (end === valueStart || bytes[end - 1] === DOLLAR) return;
  const args = (): { pattern: string; meant: string } => ({ pattern: pattern(), meant: list.shown(valueStart, end) });
  list.add(isTied ? "useless-end" : "useless-star", placeAt(end), args);
}

function indexOfDoubleStar(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start + 1; at < end; at++) if (bytes[at] === STAR && bytes[at - 1] === STAR) return at;
  return -1;
}

function checkDollar(list: FindingsList, cursor: DirectiveCursor, placeAt: PlaceAt, pattern: () => string): void {
  const { bytes, valueStart, valueEnd } = cursor;
  for (let at = valueStart; at < valueEnd - 1; at++) {
    if (bytes[at] !== DOLLAR) continue;
    list.add("dollar-inside", placeAt(at), () => ({ pattern: pattern() }));
    return;
  }
}

/** Checks the escapes; adds each kind of finding at most once per line. */
function checkEscapes(list: FindingsList, { bytes, valueStart, valueEnd }: DirectiveCursor, placeAt: PlaceAt): void {
  let [hasBroken, hasSpecial, hasNeedless, hasLower] = [false, false, false, false];
  for (let at = valueStart; at < valueEnd; at++) {
    if (bytes[at] !== PERCENT) continue;
    const escape = (): string => textOf(bytes, at, Math.min(at + 3, valueEnd));
    const high = hexOf(bytes[at + 1]!);
    const low = hexOf(bytes[at + 2]!);
    if (at + 2 >= valueEnd || high < 0 || low < 0) {
      if (!hasBroken) list.add("broken-escape", placeAt(at), () => ({ escape: escape() }));
      hasBroken = true;
      continue;
    }
    const byte = high * 16 + low;
    const character = String.fromCharCode(byte);
    if (byte === STAR || byte === DOLLAR) {
      if (!hasSpecial) list.add("escaped-special", placeAt(at), () => ({ escape: escape(), character }));
      hasSpecial = true;
    } else if (isUnreserved(byte)) {
      if (!hasNeedless) list.add("needless-escape", placeAt(at), () => ({ escape: escape(), character }));
      hasNeedless = true;
    } else if (bytes[at + 1]! >= 0x61 || bytes[at + 2]! >= 0x61) {
      if (!hasLower) {
        list.add("lower-case-escape", placeAt(at), () => ({ escape: escape(), meant: escape().toUpperCase() }));
      }
      hasLower = true;
    }
    at += 2;
  }
}

/** The value of a byte as a hex digit, or -1. */
function hexOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Whether a byte is an unreserved character (RFC 3986 §2.3). */
function isUnreserved(byte: number): boolean {
  const lower = byte | 0x20;
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x5f ||
    byte === 0x7e
  );
}

function checkNonAscii(list: FindingsList, cursor: DirectiveCursor, placeAt: PlaceAt, pattern: () => string): void {
  const { bytes, valueStart, valueEnd } = cursor;
  let at = valueStart;
  while (at < valueEnd && bytes[at]! < 0x80) at++;
  if (at === valueEnd) return;
  list.add("raw-non-ascii", placeAt(at), () => {
    const end = Math.min(valueEnd, valueStart + 200);
    const meant = patternOf(bytes, valueStart, end);
    return { pattern: pattern(), meant: end < valueEnd ? `${meant}…` : meant };
  });
}

/** Whether a pattern contains `.txt` and matches /robots.txt. */
function matchesRobotsTxt({ bytes, valueStart, valueEnd }: DirectiveCursor): boolean {
  let at = valueStart;
  while (at < valueEnd && !isTxtAt(bytes, at)) at++;
  if (at + 4 > valueEnd) return false;
  const isTied = bytes[valueEnd - 1] === DOLLAR;
  return matchesPattern(bytes, valueStart, isTied ? valueEnd - 1 : valueEnd, isTied, robotsTxt, 0, robotsTxt.length);
}

function isTxtAt(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x2e && bytes[at + 1] === 0x74 && bytes[at + 2] === 0x78 && bytes[at + 3] === 0x74;
}
