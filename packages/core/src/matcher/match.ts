// Decides targets by the rules of one crawler, with one frozen Decision for all targets that the same rule decides (RFC 9309 §2.2.2).
import { ruleAt } from "../match/entries.ts";
import { pathOf } from "../read/encode.ts";
import { checkOptionNames, checkText, CoreError, shownValueOf } from "../read/errors.ts";
import { type ParsedRobots, checkParsed, parseRobotsTxt } from "../read/parse.ts";
import { type ParseOptions, parseOptionNames } from "../read/dialect.ts";
import { Path, isRobotsTxt } from "../match/path.ts";
import { type BoundRules, rulesFor } from "../choose/rules.ts";
import { chosenBy, traceOf } from "./trace.ts";
import { tokensOf } from "../read/token.ts";
import type { Decision, Matcher, RobotsTxt, TokenMatch, Trace } from "../read/types.ts";

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
const matcherOptionNames: readonly string[] = ["tokenMatch"];

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

// All matchers share this object, since decisions are synchronous.
const shared = new Path();

/** Answers of {@link RulesMatcher.find}: no rule matches; the dialect allows `/robots.txt`. */
export const NO_RULE = -1;
const ROBOTS_TXT = -2;

/** A matcher that decides by the rules of a file. */
export class RulesMatcher implements Matcher {
  readonly rules: BoundRules;
  readonly tokens: readonly string[];
  readonly #tokenMatch: TokenMatch;
  readonly dialect: ParsedRobots["dialect"];
  /** The decisions made so far: by answer of `find`, one for each rule that has won, and in `#otherwise` the decision when no rule matches. */
  #decisions: Map<number, Decision> | undefined;
  #otherwise: Decision | undefined;

  constructor(rules: BoundRules, tokens: readonly string[], tokenMatch: TokenMatch, dialect: ParsedRobots["dialect"]) {
    this.rules = rules;
    this.tokens = tokens;
    this.#tokenMatch = tokenMatch;
    this.dialect = dialect;
  }

  /** Returns a matcher with the same decisions but without a reference to the parsed file. Only `trace` may need the file. */
  withoutFile(): RulesMatcher {
    const { rules } = this;
    if (typeof rules.binding !== "function") return this;
    return new RulesMatcher({ ...rules, binding: [] }, this.tokens, this.#tokenMatch, this.dialect);
  }

  decide(urlOrPath: string): Decision {
    shared.readUrl(urlOrPath);
    return this.#decideShared();
  }

  decideTarget(target: string): Decision {
    shared.readTarget(target);
    return this.#decideShared();
  }

  trace(urlOrPath: string): Trace {
    const { rules, tokens, dialect } = this;
    const decision = this.decide(urlOrPath);
    const path = new Path();
    path.readUrl(urlOrPath);
    const compared = dialect.normalizes ? path.normalized.toString() : pathOf(urlOrPath);
    return traceOf(compared, decision, { rules, tokens, tokenMatch: this.#tokenMatch, dialect, path });
  }

  #decideShared(): Decision {
    const answer = this.find(shared);
    shared.release();
    return this.decisionOf(answer);
  }

  /** The answer about a path, as a number for {@link decisionOf}. */
  find(path: Path): number {
    const { dialect } = this;
    let compared = path;
    if (dialect.normalizes) {
      compared = path.normalized;
      const { bytes, start, end } = compared;
      if (dialect.allowsRobotsTxt && isRobotsTxt(bytes, start, end)) return ROBOTS_TXT;
    }
    let answer = NO_RULE;
    let strength = -1;
    let first = 0;
    for (const table of this.rules.tables) {
      const entry = table.find(compared, strength);
      if (entry >= 0) {
        ({ strength } = table);
        answer = first + entry;
      }
      first += table.entries.length;
    }
    return answer;
  }

  /** The decision with an answer of {@link find}: the same object each time. An answer is also the position of an entry in the only table. */
  decisionOf(answer: number): Decision {
    if (answer === NO_RULE) return (this.#otherwise ??= this.#decideOtherwise());
    if (answer === ROBOTS_TXT) return robotsTxt;
    return this.#decisions?.get(answer) ?? this.#decide(answer);
  }

  #decideOtherwise(): Decision {
    if (this.rules.ground === "none") return noGroup;
    return Object.freeze({ allowed: true, because: "no-rule", productToken: chosenBy(this.rules, this.tokens, 0) });
  }

  #decide(answer: number): Decision {
    let at = answer;
    let number = 0;
    const { tables } = this.rules;
    for (; at >= tables[number]!.entries.length; number++) at -= tables[number]!.entries.length;
    const rule = ruleAt(tables[number]!.entries, at);
    const decision: Decision = Object.freeze({
      allowed: rule.type === "allow" || rule.pattern === "",
      because: "rule",
      rule,
      productToken: chosenBy(this.rules, this.tokens, rule.line),
    });
    (this.#decisions ??= new Map()).set(answer, decision);
    return decision;
  }
}

/** Options for parsing the file and for finding product tokens in it. */
export interface IsAllowedOptions extends ParseOptions, MatcherOptions {}

const optionNames = [...parseOptionNames, ...matcherOptionNames];

/**
 * Whether a robots.txt allows a crawler to fetch a URL or a path. Each call parses the file: for more than one URL use
 * `createMatcher`. Takes product tokens and options, and throws errors, as `createMatcher` and `parseRobotsTxt` do. Linear in
 * the file.
 */
export function isAllowed(
  body: string | Uint8Array,
  productToken: string | readonly string[],
  url: string,
  options?: IsAllowedOptions,
): boolean {
  checkOptionNames(options, optionNames);
  checkText(url);
  const robots = parseRobotsTxt(body, { dialect: options?.dialect });
  return createMatcher(robots, productToken, { tokenMatch: options?.tokenMatch }).decide(url).allowed;
}
