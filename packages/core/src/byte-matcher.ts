// Targets that are pieces of bytes: a matcher → the same decisions without a string made, each by a small number (RFC 9309 §2.2.2).
//
// Who decides millions of targets of thousands of origins waits for memory more than for anything else. So the rules of a
// matcher that is asked often are laid side by side in one array, with the first four bytes of each pattern and the
// characters a match must hold: most rules are passed over without a look at the pattern. Whatever could be slow (many
// rules, many stars, long targets) is left to the matcher itself.
import { textOf } from "./bytes.ts";
import { RulesMatcher, unavailableMatcher, unreachableMatcher } from "./match.ts";
import {
  DISALLOWS,
  HAS_END,
  HAS_STAR,
  NAMES_INDEX,
  folderEndOf,
  gapShift,
  headSize,
  lineAt,
  patternLengthAt,
} from "./rules.ts";
import type { Decision, Matcher } from "./types.ts";

const STAR = 0x2a;
/** Decisions that go over the entries before the rules are laid out. */
const decisionsBeforeLayout = 16;
const mostRules = 192;
// Together they bound what a decision costs: stars × length of target × length of pattern.
const mostStars = 24;
const longestStarred = 64;
const longestTarget = 1024;

/** Columns of a rule: first bytes, which of them count, set of characters, position of the entry, place. */
const columns = 5;

/** Decides targets that are bytes, as its matcher does. */
export interface ByteMatcher {
  /**
   * Decides the target in `bytes` from `start` to `end`: ASCII, as `decideTarget` wants it. Gives the place of the
   * decision: a small number from 0 on, the same for the same Decision object.
   */
  find(bytes: Uint8Array, start: number, end: number): number;
  /** The decision of a place that `find` gave. */
  decisionAt(place: number): Decision;
}

/** The byte matcher of a matcher that `createMatcher` made, or of a constant one: always the same for the same. */
export function byteMatcherOf(matcher: Matcher): ByteMatcher {
  if (!(matcher instanceof RulesMatcher)) return matcher === unreachableMatcher ? unreachable : unavailable;
  matcher.byteMatcher ??= isEasy(matcher) ? new RulesByteMatcher(matcher) : new TextByteMatcher(matcher);
  return matcher.byteMatcher as ByteMatcher;
}

/** Asks a matcher of any kind, by text. */
class TextByteMatcher implements ByteMatcher {
  readonly #matcher: Matcher;
  readonly #decisions: Decision[] = [];
  readonly #places = new Map<Decision, number>();

  constructor(matcher: Matcher) {
    this.#matcher = matcher;
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    const decision = this.#matcher.decideTarget(textOf(bytes, start, end));
    // Most files give one or two decisions.
    if (decision === this.#decisions[0]) return 0;
    const known = this.#places.get(decision);
    if (known !== undefined) return known;
    this.#places.set(decision, this.#decisions.length);
    return this.#decisions.push(decision) - 1;
  }

  decisionAt(place: number): Decision {
    return this.#decisions[place]!;
  }
}

const unavailable = new TextByteMatcher(unavailableMatcher);
const unreachable = new TextByteMatcher(unreachableMatcher);

const none: readonly number[] = [];

/** Tries few rules. What many origins have one of each takes little memory. */
class RulesByteMatcher implements ByteMatcher {
  readonly #matcher: RulesMatcher;
  readonly #entries: Uint8Array;
  /** Positions of the entries that have won, -1 for none of them, by place. */
  #places = none;
  #asked = 0;
  /** The rules side by side, `columns` numbers each. */
  #layout: Int32Array | undefined;
  #hasStars = false;

  constructor(matcher: RulesMatcher) {
    this.#matcher = matcher;
    this.#entries = matcher.rules.entries;
  }

  find(bytes: Uint8Array, start: number, end: number): number {
    if (end - start > longestTarget) return this.#placeOf(this.#entryOf(textOf(bytes, start, end)));
    const layout = this.#layout;
    if (layout !== undefined) return this.#findIn(layout, bytes, start, end);
    if (++this.#asked > decisionsBeforeLayout) this.#layOut();
    return this.#placeOf(this.#search(bytes, start, end));
  }

  decisionAt(place: number): Decision {
    return this.#matcher.decisionAt(this.#places[place]!);
  }

  /** Position of the entry that the matcher itself finds, or -1. */
  #entryOf(target: string): number {
    const decision = this.#matcher.decideTarget(target);
    if (decision.because !== "rule") return -1;
    const { line } = decision.rule;
    let at = 0;
    while (lineAt(this.#entries, at) !== line) at = nextEntry(this.#entries, at);
    return at;
  }

  #findIn(layout: Int32Array, bytes: Uint8Array, start: number, end: number): number {
    const size = end - start;
    let first = size > 0 ? bytes[start]! : 0;
    if (size > 1) first |= bytes[start + 1]! << 8;
    if (size > 2) first |= bytes[start + 2]! << 16;
    if (size > 3) first |= bytes[start + 3]! << 24;
    const missing = this.#hasStars ? ~setOf(bytes, start, end) : 0;
    let best = -1;
    let bestAt = -1;
    let bestDisallows = false;
    for (let at = 0; at < layout.length; at += columns) {
      if ((first & layout[at + 1]!) !== layout[at]! || (missing & layout[at + 2]!) !== 0) continue;
      const entry = layout[at + 3]!;
      const octets = this.#octetsOf(entry, best, bestDisallows, bytes, start, end);
      if (octets < 0) continue;
      best = octets;
      bestAt = at;
      bestDisallows = (this.#entries[entry]! & DISALLOWS) !== 0;
    }
    if (bestAt < 0) return this.#placeOf(-1);
    const place = layout[bestAt + 4]!;
    return place < 0 ? (layout[bestAt + 4] = this.#placeOf(layout[bestAt + 3]!)) : place;
  }

  #placeOf(entry: number): number {
    const place = this.#places.indexOf(entry);
    if (place >= 0) return place;
    // As long as it has to be: an array that grows keeps room for more.
    this.#places = [...this.#places, entry];
    return this.#places.length - 1;
  }

  /** Position of the winning entry, or -1, by going over all. */
  #search(bytes: Uint8Array, start: number, end: number): number {
    const entries = this.#entries;
    let best = -1;
    let bestAt = -1;
    let bestDisallows = false;
    for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
      const octets = this.#octetsOf(at, best, bestDisallows, bytes, start, end);
      if (octets < 0) continue;
      best = octets;
      bestAt = at;
      bestDisallows = (entries[at]! & DISALLOWS) !== 0;
    }
    return bestAt;
  }

  /** The octets by which the entry at a position beats the best so far, or -1 when it does not. */
  #octetsOf(at: number, best: number, bestDisallows: boolean, bytes: Uint8Array, start: number, end: number): number {
    const entries = this.#entries;
    const mark = entries[at]!;
    const length = patternLengthAt(entries, at);
    const isAllow = (mark & DISALLOWS) === 0;
    if (length < best || (length === best && (!isAllow || !bestDisallows))) return -1;
    const from = at + headSize;
    const tied = (mark & HAS_END) !== 0;
    if (matches(entries, from, from + length - (tied ? 1 : 0), tied, bytes, start, end)) return length;
    if ((mark & NAMES_INDEX) === 0) return -1;
    const stop = folderEndOf(entries, from + length);
    const octets = stop - from + 1;
    if (octets < best || (octets === best && !bestDisallows)) return -1;
    return matches(entries, from, stop, true, bytes, start, end) ? octets : -1;
  }

  #layOut(): void {
    const entries = this.#entries;
    const layout = new Int32Array(this.#matcher.rules.count * columns);
    let to = 0;
    for (let at = 0; at < entries.length; at = nextEntry(entries, at), to += columns) {
      const mark = entries[at]!;
      const from = at + headSize;
      let stop = from + patternLengthAt(entries, at);
      if ((mark & NAMES_INDEX) !== 0) stop = folderEndOf(entries, stop);
      else if ((mark & HAS_END) !== 0) stop--;
      const star = (mark & HAS_STAR) === 0 ? -1 : entries.indexOf(STAR, from);
      const firstStop = star >= 0 && star < stop ? star : stop;
      for (let byte = 0; byte < 4 && from + byte < firstStop; byte++) {
        layout[to]! |= entries[from + byte]! << (byte * 8);
        layout[to + 1]! |= 0xff << (byte * 8);
      }
      this.#hasStars ||= firstStop < stop;
      if (firstStop < stop) layout[to + 2] = setOf(entries, from, stop) & ~starBit;
      layout[to + 3] = at;
      layout[to + 4] = -1;
    }
    this.#layout = layout;
  }
}

/** Whether rules are so few, and stars so few and short, that all can be tried. */
function isEasy({ rules: { entries, count }, dialect }: RulesMatcher): boolean {
  if (dialect.normalizes || dialect.countsLiteralOctets || count > mostRules) return false;
  let stars = 0;
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    if ((entries[at]! & HAS_STAR) === 0) continue;
    if (++stars > mostStars || patternLengthAt(entries, at) > longestStarred) return false;
  }
  return true;
}

function nextEntry(entries: Uint8Array, at: number): number {
  return at + headSize + patternLengthAt(entries, at) + (entries[at]! >> gapShift);
}

// Each small letter is a bit of its own, so are the signs of queries and file names; the rest share one.
const starBit = 1 << 30;
const otherBit = 1 << 31;
const bitOfByte: Int32Array = new Int32Array(256).fill(otherBit);
const ownBits = "abcdefghijklmnopqrstuvwxyz?&.-";
for (let bit = 0; bit < ownBits.length; bit++) bitOfByte[ownBits.charCodeAt(bit)] = 1 << bit;
bitOfByte[STAR] = starBit;

/** The characters of a range of bytes as bits. */
function setOf(bytes: Uint8Array, start: number, end: number): number {
  let set = 0;
  for (let at = start; at < end; at++) set |= bitOfByte[bytes[at]!]!;
  return set;
}

/** `matchesPattern` of pattern.ts over bytes: patterns are short, so pieces are searched where they stand. */
function matches(
  text: Uint8Array,
  start: number,
  stop: number,
  tied: boolean,
  bytes: Uint8Array,
  pathStart: number,
  pathEnd: number,
): boolean {
  let from = start;
  let at = pathStart;
  for (; from < stop; from++, at++) {
    const byte = text[from]!;
    if (byte === STAR) break;
    if (at >= pathEnd || bytes[at] !== byte) return false;
  }
  if (from === stop) return !tied || at === pathEnd;
  for (;;) {
    while (from < stop && text[from] === STAR) from++;
    if (from === stop) return true;
    let next = from + 1;
    while (next < stop && text[next] !== STAR) next++;
    const last = pathEnd - (next - from);
    if (next === stop && tied) return last >= at && holdsAt(text, from, next, bytes, last);
    while (at <= last && !holdsAt(text, from, next, bytes, at)) at++;
    if (at > last) return false;
    if (next === stop) return true;
    at += next - from;
    from = next;
  }
}

/** Whether the range of a pattern stands in the bytes at a position. */
function holdsAt(text: Uint8Array, start: number, end: number, bytes: Uint8Array, position: number): boolean {
  let at = position;
  for (let from = start; from < end; from++, at++) if (bytes[at] !== text[from]) return false;
  return true;
}
