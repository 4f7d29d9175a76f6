// Defines the layout of an arena block that holds the rules of one crawler, and writes and reads such blocks (RFC 9309 §2.2.2).
import { matchesBytes, setOf, starBit } from "./byte-pattern.ts";
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

const STAR = 0x2a;
/**
 * The maximum number of bytes of entries in a block. So a block has at most 8,192 rules, and rank, length and marks of a rule fit in one
 * word.
 */
export const mostEntryBytes: number = 64 * 1024;

/**
 * The words of a block: head (number of rules, marks) · size in words · decision when no rule matches (2 words) · number of
 * bytes of the entries · starts of the drawers, if any · a filter for each rule · a rule record for each rule · the entries
 * as in rules.ts.
 */
export const blockHead = 5;
export const sizeAt = 1;
export const noRuleAt = 2;
export const entryBytesAt = 4;
/** The words of a decision: its bits (table-decisions.ts) · a value that the user of the table sets. */
export const decisionSize = 2;
export const valueAtDecision = 1;
/** The words of a filter: first four bytes of the pattern · mask of the bytes to compare · set of characters in every match. */
export const filterSize = 3;
const maskAtFilter = 1;
const charactersAtFilter = 2;
/** The words of a rule record: marks, compared length and rank · byte offset of the entry in the block · decision (2 words). */
export const ruleSize = 4;
export const entryAtRule = 1;
export const decisionAtRule = 2;

/**
 * If a block has more than `fewRules` rules, they are sorted into drawers (buckets), the strongest rule of a drawer first. The drawer of a
 * rule is a hash of the second to fourth byte of its pattern. Drawer 0 has the rules whose pattern is shorter, or has a star among its
 * first four bytes. The starts of the drawers and the end of the last drawer are stored two per word.
 */
const drawerBits = 5;
const drawers = 1 + (1 << drawerBits);
/** A path of fewer bytes matches only rules of drawer 0. The first of these bytes is not hashed: it is the same in nearly all paths. */
export const drawerBytes = 4;
export const drawerWords: number = (drawers + 2) >> 1;
export const fewRules = 24;

/** Marks in the head of a block, in the bits above the number of rules. */
export const HOLDS_STAR: number = 1 << 16;
export const ASKS_MATCHER: number = 1 << 17;
export const HAS_DRAWERS: number = 1 << 18;
export const rulesMask = 0xffff;

/** Marks of a rule, in the bits below the compared length. This one: the match must end with the path. */
const TIED = 1;
/** The pattern has at most four bytes, so the filter compares all of it. */
const SHORT = 2;
/** The rule is the folder of an index file. In place of a decision, its record contains the row of the rule for the index file. */
const FOLDER = 4;
const lengthShift = 3;
const lengthMask = 0xffff;
export const rankShift = 19;

/** Whether a rule of the block at `at`, whose memory is `words` and `text`, matches a target that passed the rule's filter. */
export function matchesRule(
  words: Int32Array,
  text: Uint8Array,
  at: number,
  rule: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  const mark = words[rule]!;
  if ((mark & SHORT) !== 0) return true;
  const from = at * 4 + words[rule + entryAtRule]! + headSize;
  const stop = from + ((mark >>> lengthShift) & lengthMask);
  return matchesBytes(text, from, stop, (mark & TIED) !== 0, bytes, start, end);
}

/** The offsets of the rules' decisions from the block at `at`, in words. The folder of an index file has no decision of its own. */
export function decisionsOfRules(words: Int32Array, at: number): number[] {
  const decisions: number[] = [];
  const rules = rulesAt(words[at]!);
  const count = words[at]! & rulesMask;
  for (let rule = rules; rule < rules + count * ruleSize; rule += ruleSize) {
    if ((words[at + rule]! & FOLDER) === 0) decisions.push(rule + decisionAtRule);
  }
  return decisions;
}

/** The offset of the entries from the start of the block at `at`, in bytes. */
export function entriesFromIn(words: Int32Array, at: number): number {
  return (rulesAt(words[at]!) + (words[at]! & rulesMask) * ruleSize) * 4;
}

/**
 * Writes the `count` rules of `entries` into the block at `at` of `words`. The last call of `sortRows` had the same entries, and
 * the head of the block is written already. `decisionOfLine` returns the bits of a rule's decision.
 */
export function writeRules(
  words: Int32Array,
  bytes: Uint8Array,
  at: number,
  entries: Uint8Array,
  count: number,
  decisionOfLine: (line: number, allows: boolean) => number,
): void {
  const rules = at + rulesAt(words[at]!);
  const filters = rules - count * filterSize;
  const entriesFrom = (rules + count * ruleSize - at) * 4;
  bytes.set(entries, at * 4 + entriesFrom);
  if (count > fewRules) fillDrawers(words, at, entries, count);
  for (let rank = 0; rank < count; rank++) {
    const row = count > fewRules ? rowOfRank[rank]! : rank;
    const filter = filters + row * filterSize;
    const rule = rules + row * ruleSize;
    const entry = entryOfRank(rank);
    const isFolder = isFolderOfRank(rank);
    const isTied = isFolder || (entries[entry]! & HAS_END) !== 0;
    const start = entry + headSize;
    const end = start + patternLengthAt(entries, entry);
    let stop = isFolder ? folderEndOf(entries, end) : isTied ? end - 1 : end;
    // Stars at the end of a pattern also match the empty string, so they are not compared.
    if (!isTied) while (stop > start && entries[stop - 1] === STAR) stop--;
    const star = (entries[entry]! & HAS_STAR) === 0 ? -1 : entries.indexOf(STAR, start);
    const firstStop = star >= 0 && star < stop ? star : stop;
    let four = 0;
    let mask = 0;
    for (let byte = 0; byte < 4 && start + byte < firstStop; byte++) {
      four |= entries[start + byte]! << (byte * 8);
      mask |= 0xff << (byte * 8);
    }
    words[filter] = four;
    words[filter + maskAtFilter] = mask;
    words[filter + charactersAtFilter] = firstStop < stop ? setOf(entries, start, stop) & ~starBit : 0;
    if (firstStop < stop) words[at]! |= HOLDS_STAR;
    const shape = isTied ? TIED : firstStop === stop && stop - start <= 4 ? SHORT : 0;
    words[rule] = (rank << rankShift) | ((stop - start) << lengthShift) | shape | (isFolder ? FOLDER : 0);
    words[rule + entryAtRule] = entriesFrom + entry;
    const allows = (entries[entry]! & DISALLOWS) === 0 || end === start;
    // The whole pattern is stronger than its folder, so the row of the whole pattern is known already.
    words[rule + decisionAtRule] = isFolder
      ? rowOfEntry[entry >> entryShift]!
      : decisionOfLine(lineAt(entries, entry), allows);
    words[rule + decisionAtRule + valueAtDecision] = 0;
    if (!isFolder) rowOfEntry[entry >> entryShift] = row;
  }
}

/** Writes the start of each drawer into the block, and the row of each rank into `rowOfRank`. */
function fillDrawers(words: Int32Array, at: number, entries: Uint8Array, count: number): void {
  drawerEnds.fill(0);
  for (let rank = 0; rank < count; rank++) {
    const drawer = drawerOfEntry(entries, rank);
    drawerOfRank[rank] = drawer;
    drawerEnds[drawer + 1]!++;
  }
  for (let drawer = 1; drawer <= drawers; drawer++) drawerEnds[drawer]! += drawerEnds[drawer - 1]!;
  for (let pair = 0; pair < drawerWords; pair++) {
    words[at + blockHead + pair] = drawerEnds[pair * 2]! | (drawerEnds[pair * 2 + 1]! << 16);
  }
  for (let rank = 0; rank < count; rank++) rowOfRank[rank] = drawerEnds[drawerOfRank[rank]!]!++;
}

/** The offset of the rule records in a block with this head. */
export function rulesAt(head: number): number {
  return blockHead + ((head & HAS_DRAWERS) === 0 ? 0 : drawerWords) + (head & rulesMask) * filterSize;
}

/** The position of a rule's decision. The folder of an index file has the decision of the rule for the index file. */
export function decisionOf(words: Int32Array, rules: number, rule: number): number {
  return ((words[rule]! & FOLDER) === 0 ? rule : rules + words[rule + decisionAtRule]! * ruleSize) + decisionAtRule;
}

/** The first row of a drawer in the block at `at`. */
export function drawerAt(words: Int32Array, at: number, drawer: number): number {
  return (words[at + blockHead + (drawer >> 1)]! >>> ((drawer & 1) << 4)) & 0xffff;
}

/** The drawer for the four bytes at the start of a path or a pattern. The lowest bits of `first` are the first byte. */
export function drawerOf(first: number): number {
  return 1 + (Math.imul(first >>> 8, 0x9e3779b1) >>> (32 - drawerBits));
}

export function nextEntry(entries: Uint8Array, at: number): number {
  return at + headSize + patternLengthAt(entries, at) + (entries[at]! >> gapShift);
}

// Scratch buffers for the block that is being made. The sort key of a rule is one number, which combines its weakness, the
// position of its entry, and whether it is the folder of an index file. The strongest rule has the smallest key.
const mostRows = (mostEntryBytes / headSize) * 2;
const rankKeys = new Float64Array(mostRows);
const entryFactor = 2;
const weaknessFactor = mostEntryBytes * entryFactor;
/** Tables by rank, filled after the keys are sorted. This table: twice the position of the entry, plus 1 for a folder. */
const placeOfRank = new Int32Array(mostRows);
const drawerOfRank = new Uint8Array(mostRows);
const rowOfRank = new Int32Array(mostRows);
/** The row of each entry, indexed by the entry's position / 8: an entry has at least eight bytes. */
const rowOfEntry = new Int32Array(mostEntryBytes / headSize);
const entryShift = 3;
const drawerEnds = new Int32Array(drawers + 2);
/** For up to this many keys an insertion sort is faster than `sort`. */
const fewKeys = 24;

/** Ranks the rules in `entries`, with the folder of an index file as a separate rule; returns the number of rules. */
export function sortRows(entries: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    const length = patternLengthAt(entries, at);
    const mark = entries[at]!;
    // More octets are stronger. With equal octets allow is stronger than disallow. Of equal types the earlier rule is stronger.
    rankKeys[count++] = ((mostEntryBytes - length) * 2 + (mark & DISALLOWS)) * weaknessFactor + at * entryFactor;
    if ((mark & NAMES_INDEX) === 0) continue;
    const octets = folderEndOf(entries, at + headSize + length) - at - headSize + 1;
    rankKeys[count++] = (mostEntryBytes - octets) * 2 * weaknessFactor + at * entryFactor + 1;
  }
  if (count > fewKeys) rankKeys.subarray(0, count).sort();
  else {
    for (let rank = 1; rank < count; rank++) {
      const key = rankKeys[rank]!;
      let to = rank;
      for (; to > 0 && rankKeys[to - 1]! > key; to--) rankKeys[to] = rankKeys[to - 1]!;
      rankKeys[to] = key;
    }
  }
  for (let rank = 0; rank < count; rank++) {
    const key = rankKeys[rank]!;
    placeOfRank[rank] = key - Math.floor(key / weaknessFactor) * weaknessFactor;
  }
  return count;
}

function entryOfRank(rank: number): number {
  return placeOfRank[rank]! >> 1;
}

function isFolderOfRank(rank: number): boolean {
  return (placeOfRank[rank]! & 1) === 1;
}

/** The drawer of the rule with a rank. */
function drawerOfEntry(entries: Uint8Array, rank: number): number {
  const entry = entryOfRank(rank);
  const start = entry + headSize;
  const end = isFolderOfRank(rank)
    ? folderEndOf(entries, start + patternLengthAt(entries, entry))
    : start + patternLengthAt(entries, entry) - ((entries[entry]! & HAS_END) === 0 ? 0 : 1);
  if (end - start < drawerBytes) return 0;
  let first = 0;
  for (let at = 0; at < drawerBytes; at++) {
    const byte = entries[start + at]!;
    if (byte === STAR) return 0;
    first |= byte << (at * 8);
  }
  return drawerOf(first);
}
