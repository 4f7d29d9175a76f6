// Stores the matchers of many origins in an arena and decides targets given as ranges of bytes (RFC 9309 §2.2.2).
//
// Cache misses bound the speed of deciding millions of targets of thousands of origins. Therefore the rules of an origin are
// one block of an arena, with the strongest rule first. The filter of a rule (its first four bytes and the set of characters
// that a match contains) rejects nearly all rules without reading their patterns. Rule sets that could be slow (many rules,
// many stars) keep their matcher, which decides for them. Other rule sets keep no JavaScript object.
import { Arena, pageShift, placeMask } from "./arena.ts";
import { type AskedMatcher, AskedMatchers, bytesOfAsked } from "./asked-matchers.ts";
import { setOf, starBit } from "./byte-pattern.ts";
import { textOf } from "./bytes.ts";
import { RulesMatcher, unreachableMatcher } from "./match.ts";
import {
  ASKS_MATCHER,
  HAS_DRAWERS,
  blockHead,
  decisionAtRule,
  decisionOf,
  decisionSize,
  decisionsOfRules,
  drawerAt,
  drawerBytes,
  drawerOf,
  drawerWords,
  entryAtRule,
  entryBytesAt,
  fewRules,
  filterSize,
  matchesRule,
  noRuleAt,
  rankShift,
  ruleSize,
  rulesAt,
  rulesMask,
  sizeAt,
  sortRows,
  valueAtDecision,
  writeRules,
} from "./rule-block.ts";
import { UnionMatcher } from "./rule-union.ts";
import { asks, isEasy, winningDecisionOf } from "./slow-rules.ts";
import { ProductTokens, allowsIn, bitsOf, chosenTokenOf, decisionFor, groundIn, tokenIn } from "./table-decisions.ts";
import { chosenBy, ruleAt } from "./trace.ts";
import type { Decision, Matcher } from "./types.ts";

/**
 * The rules of many matchers. A block is the positive address of one matcher's rules; a place is the address of one decision.
 * The table owns a block until the caller frees the block.
 */
export class MatcherTable {
  readonly #arena: Arena;
  readonly #tokens = new ProductTokens();
  readonly #asked = new AskedMatchers();
  /**
   * The set of characters missing from the current target; 0 until the set is computed. A computed set always has the bit of `*`, which no
   * rule needs.
   */
  #missing = 0;

  /** Other code may allocate in the same arena. */
  constructor(arena: Arena) {
    this.#arena = arena;
  }

  /** Copies the rules of a matcher into a new block; returns the block. */
  add(matcher: Matcher): number {
    if (matcher instanceof UnionMatcher) return this.#addAsked(matcher.decider);
    if (!(matcher instanceof RulesMatcher)) {
      const isUnreachable = matcher === unreachableMatcher;
      return this.#addBlock(0, 0, 0, bitsOf(isUnreachable ? "unreachable" : "unavailable", !isUnreachable, 0));
    }
    return isEasy(matcher) ? this.#addRules(matcher) : this.#addAsked(matcher.withoutFile());
  }

  /** Makes a block that allows every target on the ground `robots-txt`: the target is `/robots.txt` itself. */
  addRobotsTxt(): number {
    return this.#addBlock(0, 0, 0, bitsOf("robots-txt", true, 0));
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
    this.#missing = 0;
    return this.#find(block, bytes, start, end);
  }

  /**
   * Decides one target by each block in `blocks[from, to)`, as `find` does. Sets `offsets[index]` to the place of the decision minus
   * `blocks[index]`. For a block with rules this difference stays the same when the block is moved.
   */
  findEach(
    blocks: Int32Array,
    from: number,
    to: number,
    bytes: Uint8Array,
    start: number,
    end: number,
    offsets: Int32Array,
  ): void {
    this.#missing = 0;
    for (let index = from; index < to; index++) {
      const block = blocks[index]!;
      offsets[index] = this.#find(block, bytes, start, end) - block;
    }
  }

  /**
   * Decides the current target.
   *
   * Invariant of the loop: the rules of a drawer are sorted by strength, so the first match in a drawer is its strongest;
   * `best` is the strongest match in the previous drawers.
   */
  #find(block: number, bytes: Uint8Array, start: number, end: number): number {
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
    let missing = this.#missing;
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
        if (needed !== 0 && ((missing ||= this.#missing = ~setOf(bytes, start, end) | starBit) & needed) !== 0)
          continue;
        const rule = rules + row * ruleSize;
        if (best >= 0 && words[rule]! >>> rankShift > words[best]! >>> rankShift) break;
        if (matchesRule(words, this.#arena.bytes[page]!, at, rule, bytes, start, end)) {
          best = rule;
          break;
        }
      }
      if (!hasDrawers || drawer > 0 || size < drawerBytes) break;
      drawer = drawerOf(first);
      row = drawerAt(words, at, drawer);
      stop = drawerAt(words, at, drawer + 1);
    }
    return best < 0 ? block + noRuleAt : block - at + decisionOf(words, rules, best);
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
    const productToken = chosenToken ?? this.#tokens.at(tokenIn(bits));
    const asked = this.#askedAt(block);
    if (asked !== undefined) {
      for (const [decision, known] of asked.places) if (known === place) return decisionFor(decision, chosenToken);
    }
    if (because === "no-rule") return Object.freeze({ allowed: true, because, productToken });
    if (because !== "rule") return Object.freeze({ allowed, because }) as Decision;
    const entry = (block & placeMask) * 4 + words[at - decisionAtRule + entryAtRule]!;
    return Object.freeze({
      allowed,
      because,
      rule: ruleAt(this.#arena.bytes[place >>> pageShift]!, entry),
      productToken,
    });
  }

  /** The places of a block's decisions whose value is not 0. */
  keptPlaces(block: number): number[] {
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    const asked = this.#askedAt(block);
    const places = asked === undefined ? [block + noRuleAt] : [...asked.places.values()];
    for (const decision of decisionsOfRules(words, at)) places.push(block + decision);
    return places.filter((place) => this.valueAt(place) !== 0);
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
   * Allocates a block for `rules` rules and `entryBytes` bytes of entries and writes its head. `noRule` is the bits of the decision when no
   * rule matches, or the number of the matcher in `#asked`.
   */
  #addBlock(head: number, rules: number, entryBytes: number, noRule: number): number {
    const size = rulesAt(head | rules) + rules * ruleSize + ((entryBytes + 3) >> 2);
    const block = this.#arena.allocate(size);
    const words = this.#arena.words[block >>> pageShift]!;
    const at = block & placeMask;
    words[at] = head | rules;
    words[at + sizeAt] = size;
    words[at + noRuleAt] = noRule;
    words[at + noRuleAt + valueAtDecision] = 0;
    words[at + entryBytesAt] = entryBytes;
    return block;
  }

  #addAsked(matcher: AskedMatcher["matcher"]): number {
    return this.#addBlock(ASKS_MATCHER, 0, 0, this.#asked.add(matcher));
  }

  #addRules(matcher: RulesMatcher): number {
    const { entries, ground } = matcher.rules;
    const count = sortRows(entries);
    const token = ground === "none" ? 0 : this.#tokenOf(matcher, 0);
    const noRule = bitsOf(ground === "none" ? "no-group" : "no-rule", true, token);
    const block = this.#addBlock(count > fewRules ? HAS_DRAWERS : 0, count, entries.length, noRule);
    const page = block >>> pageShift;
    const words = this.#arena.words[page]!;
    writeRules(words, this.#arena.bytes[page]!, block & placeMask, entries, count, this.#ruleBitsOf(matcher, token));
    return block;
  }

  /** Returns a function that makes the bits of a rule's decision. Nearly always all rules have the same product token, number `token`. */
  #ruleBitsOf(matcher: RulesMatcher, token: number): (line: number, allows: boolean) => number {
    if (chosenTokenOf(matcher) === undefined)
      return (line, allows) => bitsOf("rule", allows, this.#tokenOf(matcher, line));
    const [allowed, disallowed] = [bitsOf("rule", true, token), bitsOf("rule", false, token)];
    return (_line, allows) => (allows ? allowed : disallowed);
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
    const decision = winningDecisionOf(this.#arena.words[page]!, this.#arena.bytes[page]!, block & placeMask, target);
    return decision < 0 ? block + noRuleAt : block + decision;
  }
}
