// Rules of one crawler in, a block of an arena's numbers out: how it is laid out, and the writing of it (RFC 9309 §2.2.2).
import { setOf, starBit } from "./byte-pattern.ts";
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
/** Entries of no more bytes fit into a block: 8,192 rules at most, whose ranks have room above their lengths. */
export const mostEntryBytes: number = 64 * 1024;

/**
 * A block: rules it has and marks · its length · the decision of no rule · bytes of its entries · where drawers begin · for each
 * rule what it is passed over by · for each rule the rest · the entries of rules.ts. A decision is two numbers: what it is, and
 * whatever its owner keeps with it.
 */
export const blockHead = 5;
export const noRuleAt = 2;
export const entryBytesAt = 4;
/** First bytes, which of them count, set of characters. */
export const filterSize = 3;
/** Mark, length of what is compared, how many are stronger · where its entry stands in the block, in bytes · decision. */
export const ruleSize = 4;
export const decisionAtRule = 2;

/**
 * Many rules stand in drawers by the second byte of what they match, in each the strongest first; the first one is for those
 * that match any second byte. Two numbers a word: where each drawer begins, and where the last one ends.
 */
const drawers = 33;
export const drawerWords: number = (drawers + 2) >> 1;
export const fewRules = 24;

/** Marks of a block, above the number of its rules. */
export const HOLDS_STAR: number = 1 << 16;
export const ASKS_MATCHER: number = 1 << 17;
export const HAS_DRAWERS: number = 1 << 18;
export const rulesMask = 0xffff;

/** Marks of a rule, below the length of what is compared. */
export const TIED = 1;
/** There is nothing to compare but the first four bytes. */
export const SHORT = 2;
/** The folder of an index file; instead of its decision it has the number of the rule it comes from. */
export const FOLDER = 4;
export const lengthShift = 3;
export const lengthMask = 0xffff;
export const rankShift = 19;

/**
 * Writes the rules of a block, which stands in `words` at `at` and knows how many they are: those that `sortRows` found in
 * `entries`. `decisionOfLine` gives the first number of the decision of a rule.
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
    // What stars at the end stand for need not be there.
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
    words[filter + 1] = mask;
    words[filter + 2] = firstStop < stop ? setOf(entries, start, stop) & ~starBit : 0;
    if (firstStop < stop) words[at]! |= HOLDS_STAR;
    const shape = isTied ? TIED : firstStop === stop && stop - start <= 4 ? SHORT : 0;
    words[rule] = (rank << rankShift) | ((stop - start) << lengthShift) | shape | (isFolder ? FOLDER : 0);
    words[rule + 1] = entriesFrom + entry;
    const allows = (entries[entry]! & DISALLOWS) === 0 || end === start;
    // The whole pattern is stronger than its folder: it was placed before.
    words[rule + 2] = isFolder ? rowOfEntry[entry >> entryShift]! : decisionOfLine(lineAt(entries, entry), allows);
    words[rule + 3] = 0;
    if (!isFolder) rowOfEntry[entry >> entryShift] = row;
  }
}

/** Tells where each drawer begins, and of each rank the row. */
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

/** Where the rules of a block begin, given its first number. */
export function rulesAt(head: number): number {
  return blockHead + ((head & HAS_DRAWERS) === 0 ? 0 : drawerWords) + (head & rulesMask) * filterSize;
}

/** Where the decision of a rule stands. */
export function decisionOf(words: Int32Array, rules: number, rule: number): number {
  return ((words[rule]! & FOLDER) === 0 ? rule : rules + words[rule + decisionAtRule]! * ruleSize) + decisionAtRule;
}

/** Where the rows of a drawer begin. */
export function drawerAt(words: Int32Array, at: number, drawer: number): number {
  return (words[at + blockHead + (drawer >> 1)]! >>> ((drawer & 1) << 4)) & 0xffff;
}

/** The drawer of rules that have this second byte. */
export function drawerOf(byte: number): number {
  return 1 + (byte & 31);
}

export function nextEntry(entries: Uint8Array, at: number): number {
  return at + headSize + patternLengthAt(entries, at) + (entries[at]! >> gapShift);
}

// The rules of the block that is being made, the strongest first, as one number each: weakness, where the entry stands in the
// file, and whether it is the folder of an index file.
const mostRows = (mostEntryBytes / headSize) * 2;
const rankKeys = new Float64Array(mostRows);
const entryFactor = 2;
const weaknessFactor = mostEntryBytes * entryFactor;
/** The same once they are sorted: where the entry stands, twice, and one more for a folder; its drawer; its row. */
const placeOfRank = new Int32Array(mostRows);
const drawerOfRank = new Uint8Array(mostRows);
const rowOfRank = new Int32Array(mostRows);
/** Of entries: no two begin in the same eight bytes. */
const rowOfEntry = new Int32Array(mostEntryBytes / headSize);
const entryShift = 3;
const drawerEnds = new Int32Array(drawers + 2);
/** Keys that are sorted one after another: they cost less than a call. */
const fewKeys = 24;

/** Fills the keys: one for each entry, and for the folder of an index file one more. Gives how many. */
export function sortRows(entries: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    const length = patternLengthAt(entries, at);
    const mark = entries[at]!;
    // More octets are stronger, and of as many an allow rule, and the first one of the file.
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

/** The drawer of a rule, given its rank. */
function drawerOfEntry(entries: Uint8Array, rank: number): number {
  const entry = entryOfRank(rank);
  const start = entry + headSize;
  const end = isFolderOfRank(rank)
    ? folderEndOf(entries, start + patternLengthAt(entries, entry))
    : start + patternLengthAt(entries, entry) - ((entries[entry]! & HAS_END) === 0 ? 0 : 1);
  const second = entries[start + 1]!;
  return end - start < 2 || entries[start] === STAR || second === STAR ? 0 : drawerOf(second);
}
