// Stores the matchers of many origins in an arena and decides targets given as ranges of bytes (RFC 9309 §2.2.2).
//
// Cache misses bound the speed of deciding millions of targets of thousands of origins. Therefore the rules of an origin are one block of
// an arena: the list and the entries that a `RuleTable` has, searched by the same function, and no JavaScript object.
//
// The words of a block: position of the entries in the block, 0 without rules, -1 when a matcher decides for the block · size in words ·
// decision when no rule matches (2 words) · its number in the table · the list of the rules · the entries. A decision begins like a row of a list: strength · value that the user of the table sets.
import { Arena, pageShift, placeMask } from "./arena.ts";
import { headSize, NAMES_INDEX, ruleAt } from "../match/entries.ts";
import { Path } from "../match/path.ts";
import { allowsWith, rowsIn, startAt, strengthAt, strengthOf, valueAt, winningRowIn } from "../match/rule-table.ts";
import { textOf } from "../read/bytes.ts";
import { NO_RULE, RulesMatcher, robotsTxt } from "./match.ts";
import type { Decision, Matcher } from "../read/types.ts";

const sizeAt = 1;
const noRuleAt = 2;
const groundAt = 4;
const blockHead = 5;
/** The words of a decision without a row. */
const decisionSize = 2;
/** In place of the position of the entries. */
const asksMatcher = -1;

/** Blocks do not copy entries of more bytes than this: their matcher decides, whose rules several crawlers may share. */
const mostEntryBytes = 64 * 1024;

/** Rules with more words than this, and longer targets than this, may take long to decide. */
const mostQuickWords = 8 * 1024;
const longestQuickTarget = 1024;

/** The estimated memory of a matcher: this constant, plus `bytesOfEntries` for each byte of its entries (the entry and its index). */
const matcherBytes = 1_000;
const bytesOfEntries = 5;

/** The matcher of a block, and the place (arena address) of each decision that the matcher has returned. */
interface AskedMatcher {
  readonly matcher: RulesMatcher;
  readonly places: Map<Decision, number>;
}

/**
 * The rules of many matchers. A block is the positive address of one matcher's rules; a place is the address of one decision.
 * The table owns a block until the caller frees the block.
 */
export class MatcherTable {
  readonly #arena: Arena;
  /** The decisions without a rule, each at its number, and their numbers by ground and product token. */
  readonly #grounds: Decision[] = [];
  readonly #groundNumbers = new Map<string, number>();
  /** The matchers that decide for a block, by block. */
  readonly #asked = new Map<number, AskedMatcher>();
  readonly #path = new Path();

  /** Other code may allocate in the same arena. */
  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /**
   * Makes a block for a matcher that core made, and returns the block. Copies the rules of the matcher into the block, or keeps the matcher
   * if it does more than find a rule for the path as it is, or if its rules are long.
   */
  add(matcher: Matcher): number {
    if (matcher instanceof RulesMatcher) {
      if (canCopy(matcher)) return this.#addRules(matcher);
      const block = this.#addGround(asksMatcher, matcher.decisionOf(NO_RULE));
      this.#asked.set(block, { matcher: matcher.withoutFile(), places: new Map() });
      return block;
    }
    return this.#addGround(0, matcher.decideTarget("/"));
  }

  /** Makes a block that allows every target on the ground `robots-txt`: the target is `/robots.txt` itself. */
  addRobotsTxt(): number {
    return this.#addGround(0, robotsTxt);
  }

  /** Whether `find` may take long for a target of `size` bytes. */
  isSlow(block: number, size: number): boolean {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const entriesAt = words[at]!;
    if (entriesAt === asksMatcher) return true;
    return entriesAt !== 0 && (size > longestQuickTarget || words[at + sizeAt]! > mostQuickWords);
  }

  /**
   * Decides the target in `bytes` from `start` to `end`, ASCII as for `decideTarget`, by the rules of a block. Returns the place
   * of the decision: the same place for the same decision until the block is moved or freed.
   */
  find(block: number, bytes: Uint8Array, start: number, end: number): number {
    const page = block >>> pageShift;
    const words = this.#arena.words[page]!;
    const at = block & placeMask;
    const entriesAt = words[at]!;
    if (entriesAt === asksMatcher) return this.#ask(block, textOf(bytes, start, end));
    if (entriesAt === 0) return block + noRuleAt;
    const path = this.#path;
    path.readBytes(bytes, start, end);
    const list = at + blockHead;
    const text = this.#arena.bytes[page]!;
    const base = (at + entriesAt) * 4;
    let row = winningRowIn(words, list, text, base, path, -1);
    path.release();
    if (row < 0) return block + noRuleAt;
    const entry = words[row + startAt]! - headSize;
    if ((text[base + entry]! & NAMES_INDEX) !== 0) row = firstRowOf(words, list, entry);
    return block - at + row;
  }

  /** Whether the decision at a place allows. */
  isAllowed(place: number): boolean {
    return allowsWith(this.#arena.words[place >>> pageShift]![(place & placeMask) + strengthAt]!);
  }

  /** The caller's number stored with the decision at a place; 0 until `setValue`. */
  valueAt(place: number): number {
    return this.#arena.words[place >>> pageShift]![(place & placeMask) + valueAt]!;
  }

  /** Stores a number of the caller with the decision at a place. */
  setValue(place: number, value: number): void {
    this.#arena.words[place >>> pageShift]![(place & placeMask) + valueAt] = value;
  }

  /**
   * The decision at a place of a block: equal to the decision of the matcher. When matchers of several product tokens share
   * the block (`rulesIdentityOf`), `chosenToken` is the result of `chosenTokenOf` for the matcher in question.
   */
  decisionAt(block: number, place: number, chosenToken?: string): Decision {
    for (const [decision, known] of this.#asked.get(block)?.places ?? []) {
      if (known === place) return decisionFor(decision, chosenToken);
    }
    const page = block >>> pageShift;
    const words = this.#arena.words[page]!;
    const at = block & placeMask;
    const otherwise = decisionFor(this.#grounds[words[at + groundAt]!]!, chosenToken);
    if (otherwise.because !== "no-rule" || place === block + noRuleAt) return otherwise;
    const base = (at + words[at]!) * 4;
    const entry = words[(place & placeMask) + startAt]! - headSize;
    const rule = ruleAt(this.#arena.bytes[page]!, base + entry);
    const { productToken } = otherwise;
    return Object.freeze({ allowed: this.isAllowed(place), because: "rule", rule, productToken });
  }

  /** The places of a block's decisions whose value is not 0. */
  keptPlaces(block: number): number[] {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const asked = this.#asked.get(block);
    const places = asked === undefined ? [block + noRuleAt] : [...asked.places.values()];
    const kept = places.filter((place) => this.valueAt(place) !== 0);
    if (words[at]! <= 0) return kept;
    for (const row of rowsIn(words, at + blockHead)) if (words[row + valueAt] !== 0) kept.push(block - at + row);
    return kept;
  }

  /** The memory of a block in bytes; an estimate when a matcher decides for the block. */
  bytesOf(block: number): number {
    const own = this.#arena.words[block >>> pageShift]![(block & placeMask) + sizeAt]! * 4;
    const asked = this.#asked.get(block);
    return asked === undefined ? own : own + matcherBytes + asked.matcher.rules.ownBytes * bytesOfEntries;
  }

  /** Moves a block to a new address, so that its page can be reused; returns the new block. All places of the block change. */
  move(block: number): number {
    const asked = this.#asked.get(block);
    const moved = this.#arena.move(block, this.#arena.words[block >>> pageShift]![(block & placeMask) + sizeAt]!);
    if (asked === undefined) return moved;
    for (const [decision, place] of asked.places) asked.places.set(decision, this.#arena.move(place, decisionSize));
    this.#asked.delete(block);
    this.#asked.set(moved, asked);
    return moved;
  }

  /** Frees a block and its places. */
  free(block: number): void {
    for (const place of this.#asked.get(block)?.places.values() ?? []) this.#arena.free(place, decisionSize);
    this.#asked.delete(block);
    this.#arena.free(block, this.#arena.words[block >>> pageShift]![(block & placeMask) + sizeAt]!);
  }

  /**
   * Allocates a block of `size` words and writes its head: the position of the entries, and the decision when no rule matches.
   */
  #addGround(entriesAt: number, otherwise: Decision, size: number = blockHead): number {
    const block = this.#arena.allocate(size);
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    words[at] = entriesAt;
    words[at + sizeAt] = size;
    this.#writeDecision(block + noRuleAt, otherwise);
    words[at + groundAt] = this.#numberOf(otherwise);
    return block;
  }

  /** Writes a decision without a row, and the value 0. */
  #writeDecision(place: number, { allowed }: Decision): void {
    this.#arena.words[place >>> pageShift]![(place & placeMask) + strengthAt] = strengthOf(1, allowed);
    this.setValue(place, 0);
  }

  #numberOf(decision: Decision): number {
    const key = "productToken" in decision ? `${decision.because} ${decision.productToken}` : decision.because;
    let number = this.#groundNumbers.get(key);
    if (number === undefined) this.#groundNumbers.set(key, (number = this.#grounds.push(decision) - 1));
    return number;
  }

  #addRules(matcher: RulesMatcher): number {
    const { words, listSize, count } = matcher.rules.tables[0]!;
    const otherwise = matcher.decisionOf(NO_RULE);
    if (count === 0) return this.#addGround(0, otherwise);
    const block = this.#addGround(blockHead + listSize, otherwise, blockHead + words.length);
    this.#arena.words[block >>> pageShift]!.set(words, (block & placeMask) + blockHead);
    return block;
  }

  /** Has the block's matcher decide a target; returns the place of the decision. */
  #ask(block: number, target: string): number {
    const asked = this.#asked.get(block)!;
    const decision = asked.matcher.decideTarget(target);
    let place = asked.places.get(decision);
    if (place === undefined) {
      place = this.#arena.allocate(decisionSize);
      this.#writeDecision(place, decision);
      asked.places.set(decision, place);
    }
    return place;
  }
}

/** Whether a block can have the rules of a matcher: one table, paths compared as they are, and one product token. */
function canCopy(matcher: RulesMatcher): boolean {
  const { rules, dialect } = matcher;
  if (rules.tables.length > 1 || dialect.normalizes || dialect.countsLiteralOctets) return false;
  return (
    rules.ground === "none" ||
    (chosenTokenOf(matcher) !== undefined && rules.tables[0]!.entries.length <= mostEntryBytes)
  );
}

/** The first row of an entry: a rule for an index file has two, for one decision. */
function firstRowOf(words: Int32Array, list: number, entry: number): number {
  for (const row of rowsIn(words, list)) if (words[row + startAt] === entry + headSize) return row;
  return -1;
}

/**
 * An object that is the same for all matchers that can share one block of a table: matchers made by one `CrawlerGroups` for
 * crawlers bound by the same groups. Their decisions differ only in the product token.
 */
export function rulesIdentityOf(matcher: Matcher): object {
  return matcher instanceof RulesMatcher && matcher.tokens.length === 1 ? matcher.rules.tables : matcher;
}

/** The product token, or `*`, in all decisions of a matcher; undefined when the token depends on the rule, or no decision has a token. */
export function chosenTokenOf(matcher: Matcher): string | undefined {
  if (!(matcher instanceof RulesMatcher) || matcher.rules.ground === "none") return undefined;
  if (matcher.rules.ground === "everybody") return "*";
  return matcher.tokens.length === 1 ? matcher.tokens[0] : undefined;
}

/** A copy of a decision with another product token; the decision itself when it has no product token or `productToken` is undefined. */
function decisionFor(decision: Decision, productToken: string | undefined): Decision {
  if (productToken === undefined || (decision.because !== "rule" && decision.because !== "no-rule")) return decision;
  return Object.freeze({ ...decision, productToken });
}
