// Defines the layout of an arena block that holds the rules of one crawler, and writes and searches such blocks (RFC 9309 §2.2.2).
//
// The words of a block: head (number of rules, marks) · size in words · decision when no rule matches (2 words) · starts of the drawers, if
// any · filter of each rule · offset of each rule's entry from the block, two per word · the entries, in file order. The words of an entry:
// bits · value that the user of the table sets · line number · pattern · set of characters, if the pattern has a star. The bits are those
// of the decision (table-decisions.ts), then the marks below, the length of the pattern, and the number of the product token.
//
// Most origins have few records, so a block must cost little to write: the rules are not sorted by strength.
import { setOf, starBit } from "../match/path.ts";
import { matchesPattern } from "../match/pattern.ts";
import { textOf, viewOf } from "../read/bytes.ts";
import {
  DISALLOWS,
  HAS_END,
  HAS_STAR,
  NAMES_INDEX,
  folderEndOf,
  gapShift,
  headSize,
  lineAt,
  nextEntry,
  patternLengthAt,
} from "../match/entries.ts";
import { bitsOf } from "./table-decisions.ts";
import type { Rule } from "../read/types.ts";

const STAR = 0x2a;
/** The maximum size of a block's entries in the layout of rules.ts. So a block has at most 8,192 rules and fewer than 65,536 words. */
export const mostEntryBytes: number = 64 * 1024;

/** The words of a block without rules. */
export const blockHead = 4;
export const sizeAt = 1;
export const noRuleAt = 2;
/** The words of a decision: its bits · a value that the user of the table sets. */
export const decisionSize = 2;
export const valueAtDecision = 1;

/** Marks in the head of a block, in the bits above the number of rules. This one: the compared part of a pattern has a star. */
export const HOLDS_STAR: number = 1 << 16;
/** The block has no rules, and a matcher decides for it. */
export const ASKS_MATCHER: number = 1 << 17;
/** The rules have several product tokens. Otherwise their product token is that of the decision when no rule matches. */
export const MIXES_TOKENS: number = 1 << 18;
const rulesMask = 0xffff;

/** Marks of an entry. This one: the line is a disallow line. Such a line with an empty pattern allows. */
const FORBIDS: number = 1 << 4;
const STARRED: number = 1 << 5;
/** The pattern ends in `$`. */
const TIED: number = 1 << 6;
/** The rule also allows the folder of its index file. */
const FOLDER: number = 1 << 7;
const lengthShift = 8;
const lengthMask = 0xffff;
const tokenShift = 24;
/** Product tokens with this number or above do not fit into an entry. */
export const mostTokens: number = 1 << (32 - tokenShift);
const lineAtEntry = 2;
/** The words before a pattern. */
const entryHead = 3;

/**
 * A filter is either the first four bytes of every match, as a word in the byte order of memory (positive, because patterns are ASCII), or
 * a set: this bit and, for a pattern with a star, the bits of those characters of `a-z?&.-` that every match contains. The entry of a
 * pattern with a star also has this set, because many such patterns begin with the same bytes.
 */
const LISTS: number = 1 << 31;
const listedMask: number = ~(LISTS | starBit);

/**
 * The rules of a block with more than `fewRules` rules are in drawers (buckets). Drawer 0 has the rules whose filter is a set; any other
 * rule is in the drawer of the hash of its filter. The starts of the drawers and the end of the last drawer are stored two per word.
 */
const fewRules = 24;
const drawerBits = 5;
const drawers = 1 + (1 << drawerBits);
const drawerWords = (drawers + 2) >> 1;

const allowed = bitsOf("rule", true, 0);
const disallowed = bitsOf("rule", false, 0);

// Scratch buffers for the block that is being written, indexed by the number of the rule in file order.
const mostRules = mostEntryBytes / headSize;
const filterOf = new Int32Array(mostRules);
const offsetOf = new Int32Array(mostRules);
const drawerEnds = new Int32Array(drawers + 2);

/** The number of words before the entries of a block with `count` rules. */
function wordsBeforeEntries(count: number): number {
  return blockHead + (count > fewRules ? drawerWords : 0) + count + ((count + 1) >> 1);
}

/** The number of words of a block for entries of rules.ts. */
export function blockSizeOf(entries: Uint8Array, count: number): number {
  let size = wordsBeforeEntries(count);
  for (let from = 0; from < entries.length; from = nextEntry(entries, from)) {
    size += entryHead + ((patternLengthAt(entries, from) + 3) >> 2) + ((entries[from]! & HAS_STAR) === 0 ? 0 : 1);
  }
  return size;
}

/**
 * Writes the `count` entries of rules.ts into the block at `at`, whose head is written already, and adds the marks and the number of the
 * rules to the head. `tokenOf` returns the number of the product token for a line, below `mostTokens`.
 */
export function writeRules(
  words: Int32Array,
  text: Uint8Array,
  at: number,
  entries: Uint8Array,
  count: number,
  tokenOf?: (line: number) => number,
): void {
  let to = at + wordsBeforeEntries(count);
  for (let from = 0, rule = 0; rule < count; rule++) {
    const mark = entries[from]!;
    const length = patternLengthAt(entries, from);
    const start = from + headSize;
    const end = start + length;
    const line = lineAt(entries, from);
    const pattern = to + entryHead;
    let bits = (mark & DISALLOWS) !== 0 ? FORBIDS | (length > 0 ? disallowed : allowed) : allowed;
    for (let byte = start, copy = pattern * 4; byte < end; byte++) text[copy++] = entries[byte]!;
    let set = LISTS;
    let literalEnd = end;
    if ((mark & (HAS_STAR | HAS_END | NAMES_INDEX)) !== 0) {
      if ((mark & HAS_END) !== 0) {
        bits |= TIED;
        literalEnd--;
      }
      if ((mark & NAMES_INDEX) !== 0) {
        bits |= FOLDER;
        // The rule also matches its folder, which has fewer bytes.
        literalEnd = folderEndOf(entries, end);
      }
      if ((mark & HAS_STAR) !== 0) {
        bits |= STARRED;
        const stop = comparedEndOf(entries, start, end, (mark & HAS_END) !== 0);
        const star = entries.indexOf(STAR, start);
        if (star < stop) words[at]! |= HOLDS_STAR;
        if (star < literalEnd) literalEnd = star;
        if ((mark & NAMES_INDEX) === 0) set |= setOf(entries, start, stop) & listedMask;
      }
    }
    words[to] = bits | (length << lengthShift) | (tokenOf === undefined ? 0 : tokenOf(line) << tokenShift);
    words[to + valueAtDecision] = 0;
    words[to + lineAtEntry] = line;
    // Without drawers, a set rejects more targets than the first bytes, which many patterns with a star share.
    const listed = literalEnd - start < 4 || (count <= fewRules && set !== LISTS);
    filterOf[rule] = listed ? set : words[pattern]!;
    offsetOf[rule] = to - at;
    to = pattern + ((length + 3) >> 2);
    if ((bits & STARRED) !== 0) words[to++] = set;
    from = end + (mark >> gapShift);
  }
  writeRows(words, at, count);
  words[at]! |= count;
}

/** Writes the filters and the offsets of the entries, and the starts of the drawers. */
function writeRows(words: Int32Array, at: number, count: number): void {
  const filters = at + blockHead + (count > fewRules ? drawerWords : 0);
  const offsets = filters + count;
  if (count <= fewRules) {
    for (let rule = 0; rule < count; rule++) words[filters + rule] = filterOf[rule]!;
    for (let rule = 0; rule < count; rule += 2) {
      words[offsets + (rule >> 1)] = offsetOf[rule]! | (rule + 1 < count ? offsetOf[rule + 1]! << 16 : 0);
    }
    return;
  }
  words.fill(0, offsets, offsets + ((count + 1) >> 1));
  drawerEnds.fill(0);
  for (let rule = 0; rule < count; rule++) drawerEnds[drawerOf(filterOf[rule]!) + 1]!++;
  for (let drawer = 1; drawer <= drawers; drawer++) drawerEnds[drawer]! += drawerEnds[drawer - 1]!;
  for (let pair = 0; pair < drawerWords; pair++) {
    words[at + blockHead + pair] = drawerEnds[pair * 2]! | (drawerEnds[pair * 2 + 1]! << 16);
  }
  for (let rule = 0; rule < count; rule++) {
    const filter = filterOf[rule]!;
    const row = drawerEnds[drawerOf(filter)]!++;
    words[filters + row] = filter;
    words[offsets + (row >> 1)]! |= offsetOf[rule]! << ((row & 1) << 4);
  }
}

/** The drawer for a filter, or for the first four bytes of a target. */
function drawerOf(filter: number): number {
  return filter < 0 ? 0 : 1 + (Math.imul(filter, 0x9e3779b1) >>> (32 - drawerBits));
}

/** The first row of a drawer in the block at `at`. */
function drawerAt(words: Int32Array, at: number, drawer: number): number {
  return (words[at + blockHead + (drawer >> 1)]! >>> ((drawer & 1) << 4)) & 0xffff;
}

/** The end of the compared part of a pattern. Stars at the end also match the empty string, so they are not compared. */
function comparedEndOf(text: Uint8Array, start: number, end: number, isTied: boolean): number {
  if (isTied) return end - 1;
  let stop = end;
  while (stop > start && text[stop - 1] === STAR) stop--;
  return stop;
}

function lengthIn(bits: number): number {
  return (bits >>> lengthShift) & lengthMask;
}

/** The number of rules of the block at `at`. */
export function rulesIn(words: Int32Array, at: number): number {
  return words[at]! & rulesMask;
}

/** The position of the first entry of the block at `at`. */
export function firstEntryIn(words: Int32Array, at: number): number {
  return at + wordsBeforeEntries(words[at]! & rulesMask);
}

/** The position after an entry of a block. */
export function nextInBlock(words: Int32Array, entry: number): number {
  const bits = words[entry]!;
  return entry + entryHead + ((lengthIn(bits) + 3) >> 2) + ((bits & STARRED) === 0 ? 0 : 1);
}

/** The set of characters missing from the current target. */
export interface Missing {
  /** 0 until the set is computed. A computed set always has the bit of `*`, which no rule needs. */
  missing: number;
}

/** The position of the entry in the block at `at` that wins for the target in `target[start, end)`, or -1. */
export function winningEntryIn(
  words: Int32Array,
  text: Uint8Array,
  at: number,
  target: Uint8Array,
  start: number,
  end: number,
  known: Missing,
): number {
  const size = end - start;
  const first = firstWordOf(target, start, size);
  const count = words[at]! & rulesMask;
  const hasDrawers = count > fewRules;
  const filters = at + blockHead + (hasDrawers ? drawerWords : 0);
  const offsets = filters + count;
  let { missing } = known;
  let best = -1;
  let bestLength = -1;
  let bestForbids = false;
  let row = 0;
  let stop = hasDrawers ? drawerAt(words, at, 1) : count;
  for (let isLast = !hasDrawers; ; isLast = true) {
    for (; row < stop; row++) {
      const filter = words[filters + row]!;
      if (filter >= 0) {
        // Patterns have no NUL, so they do not equal the bytes after the end of a short target.
        if (filter !== first) continue;
      } else if (filter !== LISTS) {
        missing ||= known.missing = ~setOf(target, start, end) | starBit;
        if ((missing & filter & listedMask) !== 0) continue;
      }
      const entry = at + ((words[offsets + (row >> 1)]! >>> ((row & 1) << 4)) & 0xffff);
      const bits = words[entry]!;
      let octets = (bits >>> lengthShift) & lengthMask;
      const forbids = (bits & FORBIDS) !== 0;
      // More octets are stronger. With equal octets allow is stronger than disallow. Of equal types the earlier rule is stronger.
      if (octets < bestLength) continue;
      if (octets === bestLength && (forbids === bestForbids ? entry > best : forbids)) continue;
      if (filter >= 0 && (bits & STARRED) !== 0) {
        missing ||= known.missing = ~setOf(target, start, end) | starBit;
        if ((missing & words[entry + entryHead + ((octets + 3) >> 2)]! & listedMask) !== 0) continue;
      }
      const from = (entry + entryHead) * 4;
      const length = octets;
      if (!matchesEntry(bits, text, from, length, target, start, end)) {
        if ((bits & FOLDER) === 0) continue;
        const folderEnd = folderEndOf(text, from + length);
        octets = folderEnd - from + 1;
        if (octets < bestLength || (octets === bestLength && !bestForbids && entry > best)) continue;
        if (!matchesPattern(text, from, folderEnd, true, target, start, end)) continue;
      }
      best = entry;
      bestLength = octets;
      bestForbids = forbids;
    }
    // A shorter target matches only rules of drawer 0.
    if (isLast || size < 4) return best;
    const drawer = drawerOf(first);
    row = drawerAt(words, at, drawer);
    stop = drawerAt(words, at, drawer + 1);
  }
}

const isLittleEndian = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

/** The first four bytes of a target as a word of the arena would hold them; 0 in place of bytes beyond the end. */
function firstWordOf(target: Uint8Array, start: number, size: number): number {
  let first = 0;
  for (let byte = 0; byte < 4 && byte < size; byte++) {
    first |= target[start + byte]! << ((isLittleEndian ? byte : 3 - byte) * 8);
  }
  return first;
}

/** Whether the pattern of an entry, which is in `text` from `from` on, matches a target. */
function matchesEntry(
  bits: number,
  text: Uint8Array,
  from: number,
  length: number,
  target: Uint8Array,
  start: number,
  end: number,
): boolean {
  const isTied = (bits & TIED) !== 0;
  const stop = (bits & (STARRED | TIED)) === 0 ? from + length : comparedEndOf(text, from, from + length, isTied);
  return matchesPattern(text, from, stop, isTied, target, start, end);
}

/** The number of a rule's product token in a block that mixes product tokens. */
export function tokenAt(words: Int32Array, entry: number): number {
  return words[entry]! >>> tokenShift;
}

/** The rule of an entry, as a frozen object. */
export function ruleIn(words: Int32Array, text: Uint8Array, entry: number): Rule {
  const bits = words[entry]!;
  const start = (entry + entryHead) * 4;
  return Object.freeze({
    type: (bits & FORBIDS) === 0 ? "allow" : "disallow",
    pattern: textOf(text, start, start + lengthIn(bits)),
    line: words[entry + lineAtEntry]!,
  });
}

/** The entries of a block in the layout of rules.ts. In place of its line number, each entry has its offset from the block. */
export function entriesIn(words: Int32Array, text: Uint8Array, at: number): Uint8Array {
  const stop = at + words[at + sizeAt]!;
  let size = 0;
  for (let entry = firstEntryIn(words, at); entry < stop; entry = nextInBlock(words, entry)) {
    size += headSize + lengthIn(words[entry]!);
  }
  const entries = new Uint8Array(size);
  const view = viewOf(entries);
  for (let entry = firstEntryIn(words, at), to = 0; entry < stop; entry = nextInBlock(words, entry)) {
    const bits = words[entry]!;
    const length = lengthIn(bits);
    const start = (entry + entryHead) * 4;
    const mark =
      ((bits & FORBIDS) === 0 ? 0 : DISALLOWS) |
      ((bits & STARRED) === 0 ? 0 : HAS_STAR) |
      ((bits & TIED) === 0 ? 0 : HAS_END) |
      ((bits & FOLDER) === 0 ? 0 : NAMES_INDEX);
    view.setInt32(to, (mark << 24) | length);
    view.setInt32(to + 4, entry - at);
    entries.set(text.subarray(start, start + length), to + headSize);
    to += headSize + length;
  }
  return entries;
}
