// Stores the matchers of many origins in an arena and decides targets given as ranges of bytes (RFC 9309 §2.2.2).
//
// Cache misses bound the speed of deciding millions of targets of thousands of origins. Therefore the rules of an origin are one block of
// an arena. The filters of the rules (the first four bytes of a rule, or the set of characters that a match contains) reject nearly all
// rules without reading their patterns. Rule sets that could be slow (many rules, many stars, many short patterns) keep their matcher,
// which decides for them. Other rule sets keep no JavaScript object.
import { Arena, pageShift, placeMask } from "./arena.ts";
import { type AskedMatcher, AskedMatchers, bytesOfAsked } from "./asked-matchers.ts";
import { textOf } from "../read/bytes.ts";
import { RulesMatcher, unreachableMatcher } from "./match.ts";
import {
  ASKS_MATCHER,
  MIXES_TOKENS,
  type Missing,
  blockHead,
  blockSizeOf,
  decisionSize,
  firstEntryIn,
  mostTokens,
  nextInBlock,
  noRuleAt,
  ruleIn,
  sizeAt,
  tokenAt,
  valueAtDecision,
  winningEntryIn,
  writeRules,
} from "./rule-block.ts";
import { asks, isEasy, winningOffsetOf } from "./slow-rules.ts";
import { ProductTokens, allowsIn, bitsOf, chosenTokenOf, decisionFor, groundIn, tokenIn } from "./table-decisions.ts";
import { chosenBy } from "./trace.ts";
import type { Decision, Matcher } from "../read/types.ts";

/**
 * The rules of many matchers. A block is the positive address of one matcher's rules; a place is the address of one decision.
 * The table owns a block until the caller frees the block.
 */
export class MatcherTable {
  readonly #arena: Arena;
  readonly #tokens = new ProductTokens();
  readonly #asked = new AskedMatchers();
  readonly #target: Missing = { missing: 0 };

  /** Other code may allocate in the same arena. */
  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /**
   * Makes a block for a matcher that core made, and returns the block. Copies the rules of the matcher into the block, or keeps the matcher
   * if its rules could be slow.
   */
  add(matcher: Matcher): number {
    if (!(matcher instanceof RulesMatcher)) {
      const isUnreachable = matcher === unreachableMatcher;
      return this.#addBlock(0, blockHead, bitsOf(isUnreachable ? "unreachable" : "unavailable", !isUnreachable, 0));
    }
    return isEasy(matcher) ? this.#addRules(matcher) : this.#addAsked(matcher.withoutFile());
  }

  /** Makes a block that allows every target on the ground `robots-txt`: the target is `/robots.txt` itself. */
  addRobotsTxt(): number {
    return this.#addBlock(0, blockHead, bitsOf("robots-txt", true, 0));
  }

  /** Whether `find` calls a matcher, which may be slow, for a target of `size` bytes, instead of reading the rules in the block. */
  isAsked(block: number, size: number): boolean {
    return asks(this.#arena.words[block >>> pageShift]![block & placeMask]!, size);
  }

  /**
   * Decides the target in `bytes` from `start` to `end`, ASCII as for `decideTarget`, by the rules of a block. Returns the place
   * of the decision: the same place for the same decision until the block is moved or freed.
   */
  find(block: number, bytes: Uint8Array, start: number, end: number): number {
    this.#target.missing = 0;
    const page = block >>> pageShift;
    const words = this.#arena.words[page]!;
    const at = block & placeMask;
    const head = words[at]!;
    if (asks(head, end - start)) return this.#ask(block, textOf(bytes, start, end));
    const entry = winningEntryIn(words, this.#arena.bytes[page]!, at, bytes, start, end, this.#target);
    return entry < 0 ? block + noRuleAt : block - at + entry;
  }

  /** Whether the decision at a place allows. */
  isAllowed(place: number): boolean {
    return allowsIn(this.#arena.words[place >>> pageShift]![place & placeMask]!);
  }

  /** The caller's number stored with the decision at a place; 0 until `setValue`. */
  valueAt(place: number): number {
    return this.#arena.words[place >>> pageShift]![(place & placeMask) + valueAtDecision]!;
  }

  /** Stores a number of the caller with the decision at a place. */
  setValue(place: number, value: number): void {
    this.#arena.words[place >>> pageShift]![(place & placeMask) + valueAtDecision] = value;
  }

  /**
   * The decision at a place of a block: equal to the decision of the matcher. When matchers of several product tokens share
   * the block (`rulesIdentityOf`), `chosenToken` is the result of `chosenTokenOf` for the matcher in question.
   */
  decisionAt(block: number, place: number, chosenToken?: string): Decision {
    const words = this.#arena.words[place >>> pageShift]!;
    const at = place & placeMask;
    const bits = words[at]!;
    const allowed = allowsIn(bits);
    const because = groundIn(bits);
    const head = this.#arena.words[block >>> pageShift]![block & placeMask]!;
    const noRule = this.#arena.words[block >>> pageShift]![(block & placeMask) + noRuleAt]!;
    const token = because === "rule" && (head & MIXES_TOKENS) !== 0 ? tokenAt(words, at) : tokenIn(noRule);
    const asked = this.#askedAt(block);
    if (asked !== undefined) {
      for (const [decision, known] of asked.places) if (known === place) return decisionFor(decision, chosenToken);
    }
    if (because !== "rule" && because !== "no-rule") return Object.freeze({ allowed, because }) as Decision;
    const productToken = chosenToken ?? this.#tokens.at(token);
    if (because === "no-rule") return Object.freeze({ allowed: true, because, productToken });
    return Object.freeze({
      allowed,
      because,
      rule: ruleIn(words, this.#arena.bytes[place >>> pageShift]!, at),
      productToken,
    });
  }

  /** The places of a block's decisions whose value is not 0. */
  keptPlaces(block: number): number[] {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const asked = this.#askedAt(block);
    const places = asked === undefined ? [block + noRuleAt] : [...asked.places.values()];
    const kept = places.filter((place) => this.valueAt(place) !== 0);
    const stop = at + words[at + sizeAt]!;
    for (let entry = firstEntryIn(words, at); entry < stop; entry = nextInBlock(words, entry)) {
      if (words[entry + valueAtDecision] !== 0) kept.push(block - at + entry);
    }
    return kept;
  }

  /** The memory of a block in bytes; an estimate when a matcher decides for the block. */
  bytesOf(block: number): number {
    const asked = this.#askedAt(block);
    const own = this.#arena.words[block >>> pageShift]![(block & placeMask) + sizeAt]! * 4;
    return asked === undefined ? own : own + bytesOfAsked(asked);
  }

  /** Moves a block to a new address, so that its page can be reused; returns the new block. All places of the block change. */
  move(block: number): number {
    const asked = this.#askedAt(block);
    for (const [decision, place] of asked?.places ?? [])
      asked!.places.set(decision, this.#arena.move(place, decisionSize));
    return this.#arena.move(block, this.#arena.words[block >>> pageShift]![(block & placeMask) + sizeAt]!);
  }

  /** Frees a block and its places. */
  free(block: number): void {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const asked = this.#askedAt(block);
    if (asked !== undefined) {
      this.#asked.remove(words[at + noRuleAt]!);
      for (const place of asked.places.values()) this.#arena.free(place, decisionSize);
    }
    this.#arena.free(block, words[at + sizeAt]!);
  }

  #askedAt(block: number): AskedMatcher | undefined {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    return (words[at]! & ASKS_MATCHER) === 0 ? undefined : this.#asked.at(words[at + noRuleAt]!);
  }

  /**
   * Allocates a block of `size` words and writes its head. `noRule` is the bits of the decision when no rule matches, or the number of the
   * matcher in `#asked`.
   */
  #addBlock(head: number, size: number, noRule: number): number {
    const block = this.#arena.allocate(size);
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    words[at] = head;
    words[at + sizeAt] = size;
    words[at + noRuleAt] = noRule;
    words[at + noRuleAt + valueAtDecision] = 0;
    return block;
  }

  #addAsked(matcher: AskedMatcher["matcher"]): number {
    return this.#addBlock(ASKS_MATCHER, blockHead, this.#asked.add(matcher));
  }

  #addRules(matcher: RulesMatcher): number {
    const { tables, ground } = matcher.rules;
    const { entries, count } = tables[0]!;
    const token = ground === "none" ? 0 : this.#tokenOf(matcher, 0);
    const noRule = bitsOf(ground === "none" ? "no-group" : "no-rule", true, token);
    const mixes = chosenTokenOf(matcher) === undefined && entries.length > 0;
    // An entry has few bits for the number of its product token.
    if (mixes && matcher.tokens.some((name) => this.#tokens.numberOf(name) >= mostTokens)) {
      return this.#addAsked(matcher.withoutFile());
    }
    const block = this.#addBlock(mixes ? MIXES_TOKENS : 0, blockSizeOf(entries, count), noRule);
    const tokenOf = mixes ? (line: number) => this.#tokenOf(matcher, line) : undefined;
    const page = block >>> pageShift;
    writeRules(this.#arena.words[page]!, this.#arena.bytes[page]!, block & placeMask, entries, count, tokenOf);
    return block;
  }

  #tokenOf({ rules, tokens }: RulesMatcher, line: number): number {
    return this.#tokens.numberOf(chosenBy(rules, tokens, line));
  }

  /** Has the block's matcher decide a target; returns the place of the decision. */
  #ask(block: number, target: string): number {
    const asked = this.#askedAt(block);
    if (asked === undefined) return this.#askAgain(block, target);
    const decision = asked.matcher.decideTarget(target);
    let place = asked.places.get(decision);
    if (place === undefined) {
      place = this.#arena.allocate(decisionSize);
      this.#arena.words[place >>> pageShift]![place & placeMask] = bitsOf(decision.because, decision.allowed, 0);
      this.setValue(place, 0);
      asked.places.set(decision, place);
    }
    return place;
  }

  /** Decides a long target with a temporary matcher made from the block's entries, which takes linear time for any rules. */
  #askAgain(block: number, target: string): number {
    const page = block >>> pageShift;
    const offset = winningOffsetOf(this.#arena.words[page]!, this.#arena.bytes[page]!, block & placeMask, target);
    return offset < 0 ? block + noRuleAt : block + offset;
  }
}
