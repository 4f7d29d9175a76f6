// Matchers of many origins and targets that are pieces of bytes in, the same decisions out: by a number each, found in memory
// that holds no object an origin (RFC 9309 §2.2.2).
//
// Who decides millions of targets of thousands of origins waits for memory more than for anything else. So the rules of an
// origin stand side by side in an arena, the strongest first: of each its first four bytes and the characters a match must
// hold, by which nearly all are passed over. Whatever could be slow (many rules, many stars) is left to the matcher itself.
import { Arena, pageShift, placeMask } from "./arena.ts";
import { matchesBytes, setOf, starBit } from "./byte-pattern.ts";
import { textOf } from "./bytes.ts";
import { dialectOf } from "./dialect.ts";
import { RulesMatcher, unreachableMatcher } from "./match.ts";
import {
  ASKS_MATCHER,
  FOLDER,
  HAS_DRAWERS,
  HOLDS_STAR,
  SHORT,
  TIED,
  blockHead,
  decisionAtRule,
  decisionOf,
  drawerAt,
  drawerOf,
  drawerWords,
  entryBytesAt,
  fewRules,
  filterSize,
  lengthMask,
  lengthShift,
  mostEntryBytes,
  nextEntry,
  noRuleAt,
  rankShift,
  ruleSize,
  rulesAt,
  rulesMask,
  sortRows,
  writeRules,
} from "./rule-block.ts";
import { HAS_STAR, headSize, lineAt, patternLengthAt } from "./rules.ts";
import { chosenBy, ruleAt } from "./trace.ts";
import type { Decision, Matcher } from "./types.ts";

// Together they bound what a decision costs: bytes of patterns with a star × length of target.
const mostStarred = 4096;
const longestTarget = 1024;

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
  readonly #tokenNumbers = new Map<string, number>();
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

  /** Whether the matcher itself is asked about a target of so many bytes: that may take long. */
  isAsked(block: number, size: number): boolean {
    return asks(this.#arena.words[block >>> pageShift]![block & placeMask]!, size);
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
    const size = end - start;
    if (asks(head, size)) return this.#ask(block, textOf(bytes, start, end));
    let first = size > 0 ? bytes[start]! : 0;
    if (size > 1) first |= bytes[start + 1]! << 8;
    if (size > 2) first |= bytes[start + 2]! << 16;
    if (size > 3) first |= bytes[start + 3]! << 24;
    // The characters that the target lacks, 0 until a rule asks for them. None asks for `*`, whose bit says that they are known.
    let missing = 0;
    const hasDrawers = (head & HAS_DRAWERS) !== 0;
    const filters = at + blockHead + (hasDrawers ? drawerWords : 0);
    const rules = filters + count * filterSize;
    let best = -1;
    let row = 0;
    let stop = hasDrawers ? drawerAt(words, at, 1) : count;
    for (let drawer = 0; ;) {
      for (; row < stop; row++) {
        const filter = filters + row * filterSize;
        if ((first & words[filter + 1]!) !== words[filter]!) continue;
        const needed = words[filter + 2]!;
        if (needed !== 0 && ((missing ||= ~setOf(bytes, start, end) | starBit) & needed) !== 0) continue;
        const rule = rules + row * ruleSize;
        if (best >= 0 && words[rule]! >>> rankShift > words[best]! >>> rankShift) break;
        if (this.#matches(page, at, rule, bytes, start, end)) {
          best = rule;
          break;
        }
      }
      if (!hasDrawers || drawer > 0 || size < 2) break;
      drawer = drawerOf(bytes[start + 1]!);
      row = drawerAt(words, at, drawer);
      stop = drawerAt(words, at, drawer + 1);
    }
    return best < 0 ? block + noRuleAt : block - at + decisionOf(words, rules, best);
  }

  /** Whether a rule matches a target whose first bytes are the rule's. */
  #matches(page: number, at: number, rule: number, bytes: Uint8Array, start: number, end: number): boolean {
    const words = this.#arena.words[page]!;
    const mark = words[rule]!;
    if ((mark & SHORT) !== 0) return true;
    const from = at * 4 + words[rule + 1]! + headSize;
    const stop = from + ((mark >>> lengthShift) & lengthMask);
    return matchesBytes(this.#arena.bytes[page]!, from, stop, (mark & TIED) !== 0, bytes, start, end);
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

  /**
   * The decision at a place of a block: equal to the matcher's, and a new object each time. Where matchers of several product
   * tokens share the block, see {@link rulesIdentityOf}, `chosenBy` is the one of the matcher that is meant.
   */
  decisionAt(block: number, place: number, chosenBy?: string): Decision {
    const words = this.#arena.words[place >>> pageShift]!;
    const at = place & placeMask;
    const bits = words[at]!;
    const allowed = (bits & ALLOWS) !== 0;
    const because = grounds[(bits >>> groundShift) & groundMask]!;
    const productToken = chosenBy ?? this.#tokens[bits >>> tokenShift]!;
    const asked = this.#askedAt(block);
    if (asked !== undefined) {
      for (const [decision, known] of asked.places) if (known === place) return decisionFor(decision, chosenBy);
    }
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
    this.#asked[number] = { matcher: matcher instanceof RulesMatcher ? matcher.withoutFile() : matcher, places: new Map() };
    return this.#addBlock(ASKS_MATCHER, 0, 0, number);
  }

  #addRules(matcher: RulesMatcher): number {
    const { entries, ground } = matcher.rules;
    const count = sortRows(entries);
    const token = ground === "none" ? 0 : this.#tokenOf(matcher, 0);
    const noRule = bitsOf(ground === "none" ? "no-group" : "no-rule", true, token);
    const block = this.#addBlock(count > fewRules ? HAS_DRAWERS : 0, count, entries.length, noRule);
    const page = block >>> pageShift;
    writeRules(this.#arena.words[page]!, this.#arena.bytes[page]!, block & placeMask, entries, count, (line, allows) =>
      bitsOf("rule", allows, this.#tokenOf(matcher, line)),
    );
    return block;
  }

  #tokenOf({ rules, tokens }: RulesMatcher, line: number): number {
    const token = chosenBy(rules, tokens, line);
    let number = this.#tokenNumbers.get(token);
    if (number === undefined) {
      number = this.#tokens.push(token) - 1;
      this.#tokenNumbers.set(token, number);
    }
    return number;
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
      if (words[at + rule + 1] === from + entry && (words[at + rule]! & FOLDER) === 0)
        return block + rule + decisionAtRule;
    }
  }
}

/**
 * The same object for matchers that decide alike but for the product token that their decisions name, and that one block of a
 * table can serve: those of one `CrawlerGroups` whose crawlers the same groups bind.
 */
export function rulesIdentityOf(matcher: Matcher): object {
  return matcher instanceof RulesMatcher && matcher.tokens.length === 1 ? matcher.rules.entries : matcher;
}

/** The product token that the decisions of a matcher name, where that is the same for all: `*`, or the only token; else undefined. */
export function chosenTokenOf(matcher: Matcher): string | undefined {
  if (!(matcher instanceof RulesMatcher) || matcher.rules.ground === "none") return undefined;
  if (matcher.rules.ground === "everybody") return "*";
  return matcher.tokens.length === 1 ? matcher.tokens[0] : undefined;
}

/** A decision as it is for the crawler that goes by another product token. */
function decisionFor(decision: Decision, productToken: string | undefined): Decision {
  if (productToken === undefined || (decision.because !== "rule" && decision.because !== "no-rule")) return decision;
  return Object.freeze({ ...decision, productToken });
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

/** Whether a target of so many bytes is for the matcher itself, by the head of its block. */
function asks(head: number, size: number): boolean {
  return (head & (HOLDS_STAR | ASKS_MATCHER)) !== 0 && ((head & ASKS_MATCHER) !== 0 || size > longestTarget);
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
