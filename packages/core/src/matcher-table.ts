// Matchers of many origins and targets that are pieces of bytes in, the same decisions out: by a number each, found in memory
// that holds no object an origin (RFC 9309 §2.2.2).
//
// Who decides millions of targets of thousands of origins waits for memory more than for anything else. So the rules of an
// origin stand side by side in an arena, the strongest first: of each its first four bytes and the characters a match must
// hold, by which nearly all are passed over. Whatever could be slow (many rules, many stars) is left to the matcher itself.
import { Arena, pageShift, placeMask } from "./arena.ts";
import { textOf } from "./bytes.ts";
import { dialectOf } from "./dialect.ts";
import { RulesMatcher, unreachableMatcher } from "./match.ts";
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
import { chosenBy, ruleAt } from "./trace.ts";
import type { Decision, Matcher } from "./types.ts";

export { Arena, pageShift, placeMask } from "./arena.ts";

const STAR = 0x2a;
const mostEntryBytes = 64 * 1024;
// Together they bound what a decision costs: bytes of patterns with a star × length of target.
const mostStarred = 4096;
const longestTarget = 1024;

/**
 * A block: rules it has and marks · its length · the decision of no rule · bytes of its entries · where drawers begin · for each
 * rule what it is passed over by · for each rule the rest · the entries of rules.ts. A decision is two numbers: what it is, and
 * whatever its owner keeps with it.
 */
const blockHead = 5;
const noRuleAt = 2;
const entryBytesAt = 4;
/** First bytes, which of them count, set of characters. */
const filterSize = 3;
/** Mark and length of what is compared · where its entry stands in the block, in bytes · how many are stronger · decision. */
const ruleSize = 5;
const decisionAtRule = 3;

/**
 * Many rules stand in drawers by the second byte of what they match, in each the strongest first; the first one is for those
 * that match any second byte. Two numbers a word: where each drawer begins, and where the last one ends.
 */
const drawers = 33;
const drawerWords = (drawers + 2) >> 1;
const fewRules = 12;

/** Marks of a block, above the number of its rules. */
const HOLDS_STAR = 1 << 16;
const ASKS_MATCHER = 1 << 17;
const HAS_DRAWERS = 1 << 18;
const rulesMask = 0xffff;

/** Marks of a rule, below the length of what is compared. */
const TIED = 1;
/** There is nothing to compare but the first four bytes. */
const SHORT = 2;
/** The folder of an index file; instead of its decision it has the number of the rule it comes from. */
const FOLDER = 4;
const lengthShift = 3;

/** What a decision is: whether it allows, its ground, and above them the number of the product token. */
const ALLOWS = 1;
const groundShift = 1;
const groundMask = 7;
const tokenShift = 4;
const grounds = ["rule", "no-rule", "no-group", "unavailable", "unreachable", "robots-txt"] as const;

/** What a matcher that is asked by text may take besides its rules, and of its rules once it has an index. */
const askedBytes = 1_000;
const askedBytesOfEntries = 5;

/** A matcher that is asked by text, and the places of its decisions. */
interface Asked {
  readonly matcher: Matcher;
  readonly places: Map<Decision, number>;
}

/** Rules of many matchers. Numbers it gives are positive; a block is the table's until it is freed. */
export class MatcherTable {
  readonly #arena: Arena;
  readonly #tokens: string[] = [];
  readonly #asked: (Asked | undefined)[] = [];
  readonly #unasked: number[] = [];

  /** The arena may hold other things. */
  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Takes what a matcher decides by; gives the number of its block. */
  add(matcher: Matcher): number {
    if (!(matcher instanceof RulesMatcher)) {
      const isUnreachable = matcher === unreachableMatcher;
      return this.#addBlock(0, 0, 0, bitsOf(isUnreachable ? "unreachable" : "unavailable", !isUnreachable, 0));
    }
    return isEasy(matcher) ? this.#addRules(matcher) : this.#addAsked(matcher);
  }

  /**
   * Decides the target in `bytes` from `start` to `end`, ASCII as `decideTarget` wants it, by a block. Gives the place of the
   * decision: the same for the same decision, as long as the block stays where it is.
   */
  find(block: number, bytes: Uint8Array, start: number, end: number): number {
    const page = block >>> pageShift;
    const words = this.#arena.words[page]!;
    const at = block & placeMask;
    const head = words[at]!;
    const count = head & rulesMask;
    if ((head & (HOLDS_STAR | ASKS_MATCHER)) !== 0 && ((head & ASKS_MATCHER) !== 0 || end - start > longestTarget)) {
      return this.#ask(block, textOf(bytes, start, end));
    }
    const size = end - start;
    let first = size > 0 ? bytes[start]! : 0;
    if (size > 1) first |= bytes[start + 1]! << 8;
    if (size > 2) first |= bytes[start + 2]! << 16;
    if (size > 3) first |= bytes[start + 3]! << 24;
    const missing = (head & HOLDS_STAR) === 0 ? 0 : ~setOf(bytes, start, end);
    if ((head & HAS_DRAWERS) === 0) {
      const rules = at + blockHead + count * filterSize;
      for (let row = 0; row < count; row++) {
        const filter = at + blockHead + row * filterSize;
        if ((first & words[filter + 1]!) !== words[filter]! || (missing & words[filter + 2]!) !== 0) continue;
        const rule = rules + row * ruleSize;
        if (this.#matches(page, at, rule, bytes, start, end)) return block - at + decisionOf(words, rules, rule);
      }
      return block + noRuleAt;
    }
    const filters = at + blockHead + drawerWords;
    const rules = filters + count * filterSize;
    let best = -1;
    let drawer = 0;
    for (;;) {
      const stop = drawerAt(words, at, drawer + 1);
      for (let row = drawerAt(words, at, drawer); row < stop; row++) {
        const filter = filters + row * filterSize;
        if ((first & words[filter + 1]!) !== words[filter]! || (missing & words[filter + 2]!) !== 0) continue;
        const rule = rules + row * ruleSize;
        if (best >= 0 && words[rule + 2]! > words[best + 2]!) break;
        if (this.#matches(page, at, rule, bytes, start, end)) {
          best = rule;
          break;
        }
      }
      if (drawer > 0 || size < 2) break;
      drawer = drawerOf(bytes[start + 1]!);
    }
    return best < 0 ? block + noRuleAt : block - at + decisionOf(words, rules, best);
  }

  /** Whether a rule matches a target whose first bytes are the rule's. */
  #matches(page: number, at: number, rule: number, bytes: Uint8Array, start: number, end: number): boolean {
    const words = this.#arena.words[page]!;
    const mark = words[rule]!;
    if ((mark & SHORT) !== 0) return true;
    const from = at * 4 + words[rule + 1]! + headSize;
    const stop = from + (mark >>> lengthShift);
    return matches(this.#arena.bytes[page]!, from, stop, (mark & TIED) !== 0, bytes, start, end);
  }

  /** Whether the decision at a place allows. */
  isAllowed(place: number): boolean {
    return (this.#arena.words[place >>> pageShift]![place & placeMask]! & ALLOWS) !== 0;
  }

  /** What is kept with the decision at a place: 0 at first. */
  valueAt(place: number): number {
    return this.#arena.words[place >>> pageShift]![(place & placeMask) + 1]!;
  }

  /** Keeps a number with the decision at a place. */
  setValue(place: number, value: number): void {
    this.#arena.words[place >>> pageShift]![(place & placeMask) + 1] = value;
  }

  /** The decision at a place of a block: equal to the matcher's, and a new object each time. */
  decisionAt(block: number, place: number): Decision {
    const words = this.#arena.words[place >>> pageShift]!;
    const at = place & placeMask;
    const bits = words[at]!;
    const allowed = (bits & ALLOWS) !== 0;
    const because = grounds[(bits >>> groundShift) & groundMask]!;
    const productToken = this.#tokens[bits >>> tokenShift]!;
    const asked = this.#askedAt(block);
    if (asked !== undefined) for (const [decision, known] of asked.places) if (known === place) return decision;
    if (because === "no-rule") return Object.freeze({ allowed: true, because, productToken });
    if (because !== "rule") return Object.freeze({ allowed, because }) as Decision;
    const entry = (block & placeMask) * 4 + words[at - decisionAtRule + 1]!;
    return Object.freeze({
      allowed,
      because,
      rule: ruleAt(this.#arena.bytes[place >>> pageShift]!, entry),
      productToken,
    });
  }

  /** The places of a block's decisions with which something other than 0 is kept. */
  keptPlaces(block: number): number[] {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const asked = this.#askedAt(block);
    const places = asked === undefined ? [block + noRuleAt] : [...asked.places.values()];
    const rules = rulesAt(words[at]!);
    const count = words[at]! & rulesMask;
    for (let rule = rules; rule < rules + count * ruleSize; rule += ruleSize) {
      if ((words[at + rule]! & FOLDER) === 0) places.push(block + rule + decisionAtRule);
    }
    return places.filter((place) => this.valueAt(place) !== 0);
  }

  /** Bytes of memory that a block takes, for one that asks its matcher what it may come to. */
  bytesOf(block: number): number {
    const asked = this.#askedAt(block);
    const own = this.#arena.words[block >>> pageShift]![(block & placeMask) + 1]! * 4;
    if (asked === undefined) return own;
    const size = asked.matcher instanceof RulesMatcher ? asked.matcher.rules.entries.length : 0;
    return own + askedBytes + size * askedBytesOfEntries;
  }

  /** Gives a block another number, so that the memory it stands in can be given up. Its places are others then, too. */
  move(block: number): number {
    const asked = this.#askedAt(block);
    for (const [decision, place] of asked?.places ?? []) asked!.places.set(decision, this.#arena.move(place, 2));
    return this.#arena.move(block, this.#arena.words[block >>> pageShift]![(block & placeMask) + 1]!);
  }

  /** Gives a block up. */
  free(block: number): void {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const asked = this.#askedAt(block);
    if (asked !== undefined) {
      const number = words[at + noRuleAt]!;
      this.#asked[number] = undefined;
      this.#unasked.push(number);
      for (const place of asked.places.values()) this.#arena.free(place, 2);
    }
    this.#arena.free(block, words[at + 1]!);
  }

  #askedAt(block: number): Asked | undefined {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    return (words[at]! & ASKS_MATCHER) === 0 ? undefined : this.#asked[words[at + noRuleAt]!]!;
  }

  /** A block with room for its rules, whose decision of no rule is known. */
  #addBlock(head: number, rules: number, entryBytes: number, noRule: number): number {
    const size = rulesAt(head | rules) + rules * ruleSize + ((entryBytes + 3) >> 2);
    const block = this.#arena.allocate(size);
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    words[at] = head | rules;
    words[at + 1] = size;
    words[at + noRuleAt] = noRule;
    words[at + noRuleAt + 1] = 0;
    words[at + entryBytesAt] = entryBytes;
    return block;
  }

  #addAsked(matcher: Matcher): number {
    const number = this.#unasked.pop() ?? this.#asked.length;
    this.#asked[number] = { matcher, places: new Map() };
    return this.#addBlock(ASKS_MATCHER, 0, 0, number);
  }

  #addRules(matcher: RulesMatcher): number {
    const { entries, ground } = matcher.rules;
    const count = sortRows(entries);
    const token = ground === "none" ? 0 : this.#tokenOf(matcher, 0);
    const noRule = bitsOf(ground === "none" ? "no-group" : "no-rule", true, token);
    const block = this.#addBlock(count > fewRules ? HAS_DRAWERS : 0, count, entries.length, noRule);
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const rules = at + rulesAt(words[at]!);
    const filters = rules - count * filterSize;
    const entriesFrom = (rules + count * ruleSize - at) * 4;
    this.#arena.bytes[block >>> pageShift]!.set(entries, at * 4 + entriesFrom);
    if (count > fewRules) this.#fillDrawers(words, at, entries, count);
    for (let rank = 0; rank < count; rank++) {
      const row = count > fewRules ? placeOfRank[rank]! : rank;
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
      words[rule] = ((stop - start) << lengthShift) | shape | (isFolder ? FOLDER : 0);
      words[rule + 1] = entriesFrom + entry;
      const allows = (entries[entry]! & DISALLOWS) === 0 || end === start;
      words[rule + 2] = rank;
      // The whole pattern is stronger than its folder: it was placed before.
      words[rule + 3] = isFolder
        ? rowOfEntry[entry >> entryShift]!
        : bitsOf("rule", allows, this.#tokenOf(matcher, lineAt(entries, entry)));
      words[rule + 4] = 0;
      if (!isFolder) rowOfEntry[entry >> entryShift] = row;
    }
    return block;
  }

  /** Tells where each drawer begins, and of each rank the row. */
  #fillDrawers(words: Int32Array, at: number, entries: Uint8Array, count: number): void {
    drawerEnds.fill(0);
    for (let rank = 0; rank < count; rank++) drawerEnds[drawerOfEntry(entries, rank) + 1]!++;
    for (let drawer = 1; drawer <= drawers; drawer++) drawerEnds[drawer]! += drawerEnds[drawer - 1]!;
    for (let pair = 0; pair < drawerWords; pair++) {
      words[at + blockHead + pair] = drawerEnds[pair * 2]! | (drawerEnds[pair * 2 + 1]! << 16);
    }
    for (let rank = 0; rank < count; rank++) placeOfRank[rank] = drawerEnds[drawerOfEntry(entries, rank)]!++;
  }

  #tokenOf({ rules, tokens }: RulesMatcher, line: number): number {
    const token = chosenBy(rules, tokens, line);
    // The same few are asked of every file.
    const known = this.#tokens.indexOf(token);
    return known >= 0 ? known : this.#tokens.push(token) - 1;
  }

  /** The place of what the block's matcher decides. */
  #ask(block: number, target: string): number {
    const asked = this.#askedAt(block);
    if (asked === undefined) return this.#askAgain(block, target);
    const decision = asked.matcher.decideTarget(target);
    let place = asked.places.get(decision);
    if (place === undefined) {
      place = this.#arena.allocate(2);
      const words = this.#arena.words[place >>> pageShift]!;
      words[place & placeMask] = bitsOf(decision.because, decision.allowed, 0);
      words[(place & placeMask) + 1] = 0;
      asked.places.set(decision, place);
    }
    return place;
  }

  /** Long targets are left to what takes linear time whatever the rules: a matcher that is made again of the entries. */
  #askAgain(block: number, target: string): number {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const count = words[at]! & rulesMask;
    const rules = rulesAt(words[at]!);
    const from = (rules + count * ruleSize) * 4;
    const start = at * 4 + from;
    const entries = this.#arena.bytes[block >>> pageShift]!.slice(start, start + words[at + entryBytesAt]!);
    const entry = winningEntryOf(entries, target);
    if (entry < 0) return block + noRuleAt;
    for (let rule = rules; ; rule += ruleSize) {
      if (words[at + rule + 1] === from + entry && (words[at + rule]! & FOLDER) === 0) return block + rule + decisionAtRule;
    }
  }
}

/** Where the entry stands that wins by what `RulesMatcher` says, or -1. */
function winningEntryOf(entries: Uint8Array, target: string): number {
  const rules = { entries, count: 0, ground: "everybody", binding: [] } as const;
  const decision = new RulesMatcher(rules, [], "google", dialectOf("google")).decideTarget(target);
  if (decision.because !== "rule") return -1;
  let at = 0;
  while (lineAt(entries, at) !== decision.rule.line) at = nextEntry(entries, at);
  return at;
}

function bitsOf(because: Decision["because"], allows: boolean, token: number): number {
  return (allows ? ALLOWS : 0) | (grounds.indexOf(because) << groundShift) | (token << tokenShift);
}

/** Where the rules of a block begin, given its first number. */
function rulesAt(head: number): number {
  return blockHead + ((head & HAS_DRAWERS) === 0 ? 0 : drawerWords) + (head & rulesMask) * filterSize;
}

/** Where the decision of a rule stands. */
function decisionOf(words: Int32Array, rules: number, rule: number): number {
  return ((words[rule]! & FOLDER) === 0 ? rule : rules + words[rule + decisionAtRule]! * ruleSize) + decisionAtRule;
}

/** Where the rows of a drawer begin. */
function drawerAt(words: Int32Array, at: number, drawer: number): number {
  return (words[at + blockHead + (drawer >> 1)]! >>> ((drawer & 1) << 4)) & 0xffff;
}

/** The drawer of rules that have this second byte. */
function drawerOf(byte: number): number {
  return 1 + (byte & 31);
}

/** Whether the rules are so few, and those with stars so short, that all can be tried. */
function isEasy({ rules: { entries }, dialect }: RulesMatcher): boolean {
  if (dialect.normalizes || dialect.countsLiteralOctets || entries.length > mostEntryBytes) return false;
  let starred = 0;
  for (let at = 0; at < entries.length; at = nextEntry(entries, at)) {
    if ((entries[at]! & HAS_STAR) !== 0) starred += patternLengthAt(entries, at);
  }
  return starred <= mostStarred;
}

function nextEntry(entries: Uint8Array, at: number): number {
  return at + headSize + patternLengthAt(entries, at) + (entries[at]! >> gapShift);
}

// The rules of the block that is being made, the strongest first, as one number each: weakness, where the entry stands in the
// file, and whether it is the folder of an index file.
const mostRows = (mostEntryBytes / headSize) * 2;
const rankKeys = new Float64Array(mostRows);
const entryFactor = 2;
const weaknessFactor = mostEntryBytes * entryFactor;
const placeOfRank = new Int32Array(mostRows);
/** Of entries: no two begin in the same eight bytes. */
const rowOfEntry = new Int32Array(mostEntryBytes / headSize);
const entryShift = 3;
const drawerEnds = new Int32Array(drawers + 2);
/** Keys that are sorted one after another: they cost less than a call. */
const fewKeys = 24;

/** Fills the keys: one for each entry, and for the folder of an index file one more. Gives how many. */
function sortRows(entries: Uint8Array): number {
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
  return count;
}

function entryOfRank(rank: number): number {
  return Math.floor((rankKeys[rank]! % weaknessFactor) / entryFactor);
}

function isFolderOfRank(rank: number): boolean {
  return rankKeys[rank]! % entryFactor === 1;
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
