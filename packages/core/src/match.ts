// Decides targets by the rules of one crawler, with one frozen Decision for all targets that the same rule decides (RFC 9309 §2.2.2).
import { holdsPathEnd, normalizedTargetOf, pathOf, pathOffsetOf } from "./encode.ts";
import { CoreError, checkOptionNames, shownValueOf } from "./errors.ts";
import { type ParsedRobots, checkParsed } from "./parse.ts";
import { PathTries, matchesPattern } from "./pattern.ts";
import { NO_RANK } from "./pattern-tree.ts";
import { RuleIndex } from "./rule-index.ts";
import {
  type BoundRules,
  DISALLOWS,
  HAS_END,
  HAS_STAR,
  NAMES_INDEX,
  folderEndOf,
  gapShift,
  headSize,
  lineAt,
  octetsOf,
  patternLengthAt,
  rulesFor,
} from "./rules.ts";
import { CUT } from "./star-rules.ts";
import { chosenBy, ruleAt, traceOf } from "./trace.ts";
import { tokensOf } from "./token.ts";
import type { Decision, Matcher, RobotsTxt, RuleDecision, TokenMatch, Trace } from "./types.ts";

/** Options for finding product tokens in a file. */
export interface MatcherOptions {
  /**
   * `"google"` (default) compares, as Google's parser does, the leading `[A-Za-z_-]` bytes of a user-agent value with the whole product
   * token. In the dialect rfc9309, a longer value (`ExampleBot/1.0`) names no crawler. A token with other characters (MJ12bot) is therefore
   * never found. `"whole"` finds a token of any characters: the value equals the token, or begins with the token followed by white space,
   * `/`, `*`, `;` or `(`.
   */
  readonly tokenMatch?: TokenMatch | undefined;
}

/** The option names of {@link MatcherOptions}. */
export const matcherOptionNames: readonly string[] = ["tokenMatch"];

const noGroup: Decision = Object.freeze({ allowed: true, because: "no-group" });
/** The decision for /robots.txt itself in dialects that always allow it. */
export const robotsTxt: Decision = Object.freeze({ allowed: true, because: "robots-txt" });
const unavailable: Decision = Object.freeze({ allowed: true, because: "unavailable" });
const unreachable: Decision = Object.freeze({ allowed: false, because: "unreachable" });

/** A matcher that allows everything, for a robots.txt that is unavailable (RFC 9309 §2.3.1.3). */
export const unavailableMatcher: Matcher = constantMatcher(unavailable);
/** A matcher that disallows everything, for a robots.txt that is unreachable (RFC 9309 §2.3.1.4). */
export const unreachableMatcher: Matcher = constantMatcher(unreachable);

function constantMatcher(decision: Decision): Matcher {
  return Object.freeze({
    decide: () => decision,
    decideTarget: () => decision,
    trace: (urlOrPath: string) => traceOf(pathOf(urlOrPath), decision),
  });
}

/**
 * Makes the matcher of one crawler. Product tokens may be any strings and are compared without regard to ASCII case. If
 * `productTokens` is a single string in the form of a User-Agent header, it stands for the product token in it, unless
 * `tokenMatch` is `"whole"`. Several product tokens mean the union of the groups that name one of them; an empty list means
 * the groups for `*`. The groups for `*` also bind when no user-agent line of the file names one of the tokens. The dialect is
 * that of the parsed file. Throws a {@link CoreError} when the RobotsTxt was not made by `parseRobotsTxt`
 * (`ERR_FOREIGN_ROBOTS`), for a header whose product token is uncertain and for a value that is neither a string nor a list of
 * strings (`ERR_NO_PRODUCT_TOKEN`), for an unknown token match (`ERR_UNKNOWN_TOKEN_MATCH`) and for an unknown option
 * (`ERR_INVALID_OPTION`). Linear in the file; keeps no reference to the bytes of the file.
 */
export function createMatcher(
  robots: RobotsTxt,
  productTokens: string | readonly string[],
  options?: MatcherOptions,
): Matcher {
  checkParsed(robots);
  const tokenMatch = tokenMatchOf(options);
  const tokens = tokensOf(productTokens, tokenMatch);
  return new RulesMatcher(rulesFor(robots, tokens, tokenMatch), tokens, tokenMatch, robots.dialect);
}

/** The token match in the options; reads the option once. Throws a {@link CoreError} as {@link createMatcher} does. */
export function tokenMatchOf(options: MatcherOptions | undefined): TokenMatch {
  checkOptionNames(options, matcherOptionNames);
  const tokenMatch = options?.tokenMatch ?? "google";
  if (tokenMatch === "google" || tokenMatch === "whole") return tokenMatch;
  throw new CoreError("ERR_UNKNOWN_TOKEN_MATCH", `${shownValueOf(tokenMatch)} is not a token match: google, whole.`);
}

// A matcher compares its first targets with every rule. After this many decisions, it makes an index.
const decisionsBeforeIndex = 16;

// All matchers share this object, since decisions are synchronous.
const tries = new PathTries();

/** An index that several matchers of the same rules share. `made` is undefined until one of the matchers builds the index. */
export interface SharedIndex {
  made: RuleIndex | undefined;
}

/** A matcher that decides by the rules of a file. */
export class RulesMatcher implements Matcher {
  readonly rules: BoundRules;
  readonly tokens: readonly string[];
  readonly #tokenMatch: TokenMatch;
  readonly dialect: ParsedRobots["dialect"];
  readonly #normalizes: boolean;
  /** The cached decisions: one per line whose rule has won so far, and in `#otherwise` the decision when no rule matches. */
  #decisions: Map<number, RuleDecision> | undefined;
  #otherwise: Decision | undefined;
  #decisionsByRank: (Decision | undefined)[] | undefined;
  #index: RuleIndex | undefined;
  readonly #shared: SharedIndex | undefined;
  #asked = 0;

  constructor(
    rules: BoundRules,
    tokens: readonly string[],
    tokenMatch: TokenMatch,
    dialect: ParsedRobots["dialect"],
    shared?: SharedIndex,
  ) {
    this.rules = rules;
    this.tokens = tokens;
    this.#tokenMatch = tokenMatch;
    this.dialect = dialect;
    this.#normalizes = dialect.normalizes;
    this.#shared = shared;
  }

  /** Returns a matcher with the same decisions but without a reference to the parsed file. Only `trace` may need the file. */
  withoutFile(): RulesMatcher {
    const { rules } = this;
    if (typeof rules.binding !== "function") return this;
    return new RulesMatcher({ ...rules, binding: [] }, this.tokens, this.#tokenMatch, this.dialect, this.#shared);
  }

  decide(urlOrPath: string): Decision {
    const offset = pathOffsetOf(urlOrPath);
    if (offset >= 0 && this.#index !== undefined && !this.#normalizes) {
      const rank = this.#index.find(urlOrPath, offset, true);
      if (rank !== CUT) return this.#decideRank(this.#index, rank);
    }
    if (offset < 0 || holdsPathEnd(urlOrPath)) return this.#decideFrom(pathOf(urlOrPath), 0);
    return this.#decideFrom(urlOrPath, offset);
  }

  decideTarget(target: string): Decision {
    return this.#decideFrom(target, 0);
  }

  trace(urlOrPath: string): Trace {
    const path = pathOf(urlOrPath);
    const bound = {
      rules: this.rules,
      tokens: this.tokens,
      tokenMatch: this.#tokenMatch,
      dialect: this.dialect,
    };
    return traceOf(this.#normalizes ? normalizedTargetOf(path) : path, this.#decideFrom(path, 0), bound);
  }

  /** Decides the path in `text` from `offset` to its end. */
  #decideFrom(text: string, offset: number): Decision {
    let path = text;
    let start = offset;
    if (this.#normalizes) {
      path = normalizedTargetOf(text.slice(offset));
      start = 0;
      if (this.dialect.allowsRobotsTxt && path === "/robots.txt") return robotsTxt;
    }
    if (this.#index === undefined && ++this.#asked > decisionsBeforeIndex) this.#makeIndex();
    const index = this.#index;
    if (index !== undefined) return this.#decideRank(index, index.find(path, start, false));
    return this.decisionAt(winningEntryOf(this.rules.entries, path, start, this.dialect.countsLiteralOctets));
  }

  #decideRank(index: RuleIndex, rank: number): Decision {
    if (rank === NO_RANK) return this.decisionAt(-1);
    return (this.#decisionsByRank![rank] ??= this.decisionAt(index.rules.entries[rank]!));
  }

  /** Makes the index, or takes the shared one; does nothing when there are no rules. */
  #makeIndex(): void {
    const { entries, count } = this.rules;
    if (count === 0) return;
    this.#index = this.#shared?.made ?? new RuleIndex(entries, count, this.dialect.countsLiteralOctets);
    if (this.#shared !== undefined) this.#shared.made = this.#index;
    this.#decisionsByRank = new Array<undefined>(this.#index.rules.count);
  }

  /** The decision for the winning entry at `at`; for -1, the decision when no rule matches. */
  decisionAt(at: number): Decision {
    if (at < 0) return (this.#otherwise ??= this.#decideOtherwise());
    const line = lineAt(this.rules.entries, at);
    return this.#decisions?.get(line) ?? this.#decide(at);
  }

  #decideOtherwise(): Decision {
    if (this.rules.ground === "none") return noGroup;
    return Object.freeze({ allowed: true, because: "no-rule", productToken: chosenBy(this.rules, this.tokens, 0) });
  }

  #decide(at: number): RuleDecision {
    const rule = ruleAt(this.rules.entries, at);
    const decision: RuleDecision = Object.freeze({
      allowed: rule.type === "allow" || rule.pattern === "",
      because: "rule",
      rule,
      productToken: chosenBy(this.rules, this.tokens, rule.line),
    });
    (this.#decisions ??= new Map()).set(rule.line, decision);
    return decision;
  }
}

/** The position of the winning entry, or -1. Compares the path from `offset` on with every entry that could still win. */
function winningEntryOf(entries: Uint8Array, path: string, offset: number, countsLiterals: boolean): number {
  let best = -1;
  let bestAt = -1;
  let bestDisallows = false;
  tries.begin();
  let next = 0;
  for (let at = 0; at < entries.length; at = next) {
    const mark = entries[at]!;
    const length = patternLengthAt(entries, at);
    const start = at + headSize;
    const end = start + length;
    next = end + (mark >> gapShift);
    // An entry beats the best so far with more octets, or with equal octets when it allows and the best so far disallows.
    if (length < best || (length === best && ((mark & DISALLOWS) !== 0 || !bestDisallows))) continue;
    let octets = length;
    if ((mark & (HAS_STAR | HAS_END)) !== 0) {
      const pathIndex = tries.indexFor(length, path, offset);
      const tied = (mark & HAS_END) !== 0;
      if (!matchesPattern(entries, start, tied ? end - 1 : end, tied, path, offset, pathIndex)) octets = -1;
    } else {
      let from = 0;
      if (length > path.length - offset) octets = -1;
      else while (from < length && path.charCodeAt(offset + from) === entries[start + from]) from++;
      if (from < length) octets = -1;
    }
    if (octets < 0) {
      if ((mark & NAMES_INDEX) === 0) continue;
      const stop = folderEndOf(entries, end);
      if (!matchesPattern(entries, start, stop, true, path, offset, tries.indexFor(length, path, offset))) continue;
      octets = stop - start + 1;
    } else octets = octetsOf(entries, start, end, countsLiterals);
    if (octets > best || (octets === best && bestDisallows && (mark & DISALLOWS) === 0)) {
      best = octets;
      bestAt = at;
      bestDisallows = (mark & DISALLOWS) !== 0;
    }
  }
  tries.begin();
  return bestAt;
}
