// Decides a target (as bytes) for a crawler by one version of a robots.txt, in both dialects. Returns decision objects that are reused.
import type { Decision, DialectName, Matcher } from "@robots-stream/core";
import {
  type Alikeness,
  Arena,
  alikenessOf,
  chosenTokenOf,
  isPlainTarget,
  MatcherTable,
  rulesIdentityOf,
} from "@robots-stream/core/internal";
import { RobotsMatchers } from "../origins/matchers.ts";
import { type Question, type QuestionOptions, questionsOf, type JudgedCrawler } from "../questions/questions.ts";
import { leastReadBytes, type VersionSource } from "../robots/history/seen-robots.ts";
import { isLikeRobotsTxt, isRobotsTxt } from "../locate/target-bytes.ts";
import { KnownDecisions } from "./known-decisions.ts";
import type { TargetForms } from "./request-places.ts";

/** The decision of one version in the crawler's dialect, and whether the other dialect gives the opposite answer. */
export type VersionDecision = Decision & { readonly dialect: DialectName; readonly disputed: boolean };

/** Maximum size of a fast block in bytes. A larger block has about 50 rules or more, and decides slowly. */
const mostFastBytes = 4_096;

/** A block of the matcher table, and the product token of its decisions, from the matcher that was added. */
interface Block {
  readonly address: number;
  readonly productToken: string | undefined;
}

/** The rules of one version for the crawlers that share them. */
interface SharedRules {
  /** The crawlers' dialect. */
  readonly dialect: DialectName;
  /** The block in the matcher table for the crawlers' dialect; `otherBlock` is the block for the other dialect. */
  readonly block: number;
  readonly otherBlock: number;
  /**
   * The block for the google dialect: `block` or `otherBlock`. For the block of the dialect rfc9309, the table converts each target to a
   * string, which is slower.
   */
  readonly googleBlock: number;
  /** The plain targets for which `googleBlock` decides for both dialects. */
  readonly alikeness: Alikeness;
  /** Whether a decision takes longer than a look-up in the cache of decisions, because there are many rules. */
  readonly isSlow: boolean;
  /**
   * Set when the crawlers' product token is not the token of the blocks, which other crawlers share: the product token, and the decisions
   * with this token, by the same key as `VersionRules.#decisions`.
   */
  readonly renamed: { readonly productToken: string; readonly decisions: Map<number, VersionDecision> } | undefined;
}

interface Version {
  readonly robots: VersionSource;
  /** Set if the file is longer than the bytes that every crawler reads: the rules in these bytes. */
  readonly beginning: Version | undefined;
  /**
   * The rules if more than rules ends a group, of the file and of its beginning. They are made when they are first needed; empty if that is
   * the same.
   */
  readonly separated: () => readonly Version[];
  readonly matchers: RobotsMatchers;
  /** The block for each identity of rules (`rulesIdentityOf`). */
  readonly blocks: Map<object, Block>;
  /**
   * By dialect, blocks and whether the matchers of both dialects have the same product token; for `renamed` rules also by their product
   * token.
   */
  readonly shared: Map<string, SharedRules>;
  /** The rules for each crawler, by the crawler's index. Room for all crawlers: an array that grows is copied many times. */
  readonly rules: (SharedRules | undefined)[];
}

/** The members of a crawler by which its requests are decided. */
export type RuledCrawler = Pick<JudgedCrawler, "productToken" | "dialect"> &
  Partial<Pick<JudgedCrawler, "ignoresRest" | "hasOwnDialect">>;

/** The rules of all versions. Crawlers that the same group binds share memory. */
export class VersionRules {
  readonly #crawlers: readonly RuledCrawler[];
  readonly #options: Omit<QuestionOptions, "dialects" | "asJudged">;
  readonly #table = new MatcherTable(new Arena());
  readonly #versions = new Map<string, Version>();
  /** The version of the last decision and its name. Neighbouring requests are mostly decided by the same version. */
  #lastName: string | undefined;
  #last: Version | undefined;
  /**
   * The decisions made so far. The index is four times the value of the decision's place in the table, plus 1 if `disputed`, plus 2 if the
   * crawler's dialect is rfc9309: the decision for such a crawler may be at a place in the block of the google dialect.
   */
  readonly #decisions: (VersionDecision | undefined)[] = [];
  /** The last value that `setValue` stored with a place; the values count from 1. */
  #lastValue = 0;
  /** The cache of the decisions of slow rules. */
  readonly #known = new KnownDecisions<VersionDecision>();
  readonly #disputed = new WeakMap<VersionDecision, VersionDecision>();
  /** For each crawler, the question in its dialect and the question in the other dialect. */
  readonly #questions: (readonly Question[] | undefined)[] = [];

  readonly #rulesOf: ((version: string) => VersionSource | undefined) | undefined;

  /** @param rulesOf the rules of a version that `add` did not add; called once for each, when it is first needed */
  constructor(
    crawlers: readonly RuledCrawler[],
    options: Omit<QuestionOptions, "dialects" | "asJudged">,
    rulesOf?: (version: string) => VersionSource | undefined,
  ) {
    this.#crawlers = crawlers;
    this.#options = options;
    this.#rulesOf = rulesOf;
  }

  /** Adds a version under its name. Does nothing if there is a version of this name. */
  add(name: string, robots: VersionSource): void {
    if (!this.#versions.has(name)) this.#versions.set(name, this.#versionWith(robots));
  }

  #versionWith(robots: VersionSource): Version {
    const rules = new Array<SharedRules | undefined>(this.#crawlers.length);
    const empty = { blocks: new Map(), shared: new Map() };
    const beginning = robots.beginning === undefined ? undefined : this.#versionWith(robots.beginning);
    let made: readonly Version[] | undefined;
    const separated = (): readonly Version[] =>
      (made ??= [
        ...(robots.separated?.() ?? []).map((source) => this.#versionWith(source)),
        ...(beginning?.separated() ?? []),
      ]);
    return { robots, beginning, separated, matchers: new RobotsMatchers(robots), ...empty, rules };
  }

  /**
   * Returns the decision of a version, for the crawler at index `crawler`, about the target `bytes[start, end)`. Equal decisions are mostly,
   * but not always, the same object. Throws for a version that was not added.
   */
  decide(version: string, crawler: number, bytes: Uint8Array, start: number, end: number): VersionDecision {
    const known = this.#versionOf(version);
    const isLong = known.robots.cutAtBytes !== undefined || known.beginning !== undefined;
    const decision = isLong
      ? this.#decideLong(known, crawler, bytes, start, end)
      : this.#decideWhole(known, crawler, bytes, start, end);
    // Of a crawler whose dialect nobody documents, it is not known what ends a group.
    if (decision.disputed || this.#crawlers[crawler]!.hasOwnDialect === true) return decision;
    for (const reading of known.separated()) {
      // In these readings, too, each dialect counts.
      const other = this.#decideWhole(reading, crawler, bytes, start, end);
      if (other.allowed !== decision.allowed || other.disputed) return this.#disputedOf(decision);
    }
    return decision;
  }

  /**
   * Decides by a file of which crawlers read at least the beginning. What an operator does not document is disputed, if the rest of the
   * file is not known or gives another answer.
   */
  #decideLong(version: Version, crawler: number, bytes: Uint8Array, start: number, end: number): VersionDecision {
    const { beginning } = version;
    const { cutAtBytes = Infinity } = version.robots;
    const first = beginning === undefined ? undefined : this.#decideWhole(beginning, crawler, bytes, start, end);
    const ignoresRest = this.#crawlers[crawler]!.ignoresRest === true;
    if (ignoresRest && first !== undefined) return first;
    const whole = this.#decideWhole(version, crawler, bytes, start, end);
    const isKnown = ignoresRest ? cutAtBytes >= leastReadBytes : cutAtBytes === Infinity;
    return isKnown && (first === undefined || first.allowed === whole.allowed) ? whole : this.#disputedOf(whole);
  }

  /**
   * Decides a request by the target that the crawler sent. The crawler may have compared rules with the URL as a parser of URLs writes it,
   * perhaps without dot segments, and the log may write two targets alike: the decision is disputed if one of these gives another answer.
   * So is one that disallows a target like `/robots.txt`, which every crawler may fetch.
   */
  decideRequest(version: string, crawler: number, target: TargetForms): VersionDecision {
    const decision = this.#decideForms(version, crawler, target);
    const { buffer, targetStart, targetEnd } = target;
    if (!decision.allowed && isLikeRobotsTxt(buffer, targetStart, targetEnd)) return this.#disputedOf(decision);
    if (decision.disputed || !target.hasOther) return decision;
    const { bytes, size } = target.other;
    const other = this.decide(version, crawler, bytes, 0, size);
    return other.allowed === decision.allowed && !other.disputed ? decision : this.#disputedOf(decision);
  }

  /** Decides a request by the forms of the target that the log has. */
  #decideForms(version: string, crawler: number, target: TargetForms): VersionDecision {
    const { buffer, targetStart, targetEnd, isChanged, written } = target;
    const parsed = this.decide(version, crawler, buffer, targetStart, targetEnd);
    const sent = isChanged ? this.decide(version, crawler, written.bytes, 0, written.size) : parsed;
    if (sent.allowed !== parsed.allowed || parsed.disputed) return this.#disputedOf(sent);
    const form = target.resolved();
    if (form === undefined) return sent;
    if (isRobotsTxt(form.bytes, 0, form.size)) return sent.allowed ? sent : this.#disputedOf(sent);
    const resolved = this.decide(version, crawler, form.bytes, 0, form.size);
    return sent.allowed === resolved.allowed && !resolved.disputed ? sent : this.#disputedOf(sent);
  }

  /** The same decision with `disputed` set. Equal decisions get the same object. */
  #disputedOf(decision: VersionDecision): VersionDecision {
    if (decision.disputed) return decision;
    let disputed = this.#disputed.get(decision);
    if (disputed === undefined) {
      this.#disputed.set(decision, (disputed = Object.freeze({ ...decision, disputed: true })));
    }
    return disputed;
  }

  #decideWhole(known: Version, crawler: number, bytes: Uint8Array, start: number, end: number): VersionDecision {
    const rules = known.rules[crawler] ?? this.#make(known, crawler);
    return rules.isSlow ? this.#decideSlowly(rules, bytes, start, end) : this.#decideBy(rules, bytes, start, end);
  }

  /** A method of its own, because V8 allocates a context in every call of a method whose parameters a closure uses. */
  #decideSlowly(rules: SharedRules, bytes: Uint8Array, start: number, end: number): VersionDecision {
    return this.#known.of(rules, bytes, start, end, () => this.#decideBy(rules, bytes, start, end));
  }

  #decideBy(rules: SharedRules, bytes: Uint8Array, start: number, end: number): VersionDecision {
    const table = this.#table;
    const { googleBlock, alikeness } = rules;
    if (alikeness !== "none" && isPlainTarget(bytes, start, end)) {
      const decision = this.#decisionAt(rules, googleBlock, table.find(googleBlock, bytes, start, end), false);
      if (alikeness === "all" || decision.because === "no-rule") return decision;
    }
    const place = table.find(rules.block, bytes, start, end);
    const allowed = table.isAllowed(place);
    const disputed = table.isAllowed(table.find(rules.otherBlock, bytes, start, end)) !== allowed;
    return this.#decisionAt(rules, rules.block, place, disputed);
  }

  #versionOf(name: string): Version {
    if (this.#last !== undefined && name === this.#lastName) return this.#last;
    let version = this.#versions.get(name);
    if (version === undefined) {
      const robots = this.#rulesOf?.(name);
      if (robots === undefined) throw new Error(`there is no version ${name}`);
      this.#versions.set(name, (version = this.#versionWith(robots)));
    }
    this.#lastName = name;
    return (this.#last = version);
  }

  #decisionAt({ dialect, renamed }: SharedRules, block: number, place: number, disputed: boolean): VersionDecision {
    const table = this.#table;
    let value = table.valueAt(place);
    if (value === 0) table.setValue(place, (value = ++this.#lastValue));
    const key = value * 4 + (disputed ? 1 : 0) + (dialect === "rfc9309" ? 2 : 0);
    const decision = (this.#decisions[key] ??= Object.freeze({ ...table.decisionAt(block, place), dialect, disputed }));
    if (renamed === undefined || !("productToken" in decision)) return decision;
    const { productToken, decisions } = renamed;
    let own = decisions.get(key);
    if (own === undefined) decisions.set(key, (own = Object.freeze({ ...decision, productToken })));
    return own;
  }

  #make(version: Version, crawler: number): SharedRules {
    const questions = this.#questionsOf(crawler);
    const [matcher, other] = version.matchers.of(questions) as [Matcher, Matcher];
    const [block, otherBlock] = [blockOf(this.#table, version, matcher), blockOf(this.#table, version, other)];
    const productToken = chosenTokenOf(matcher);
    const isOneToken = chosenTokenOf(other) === productToken;
    const { dialect } = this.#crawlers[crawler]!;
    const key = `${dialect} ${block.address} ${otherBlock.address} ${isOneToken}`;
    let rules = version.shared.get(key);
    if (rules === undefined) {
      const googleBlock = dialect === "google" ? block.address : otherBlock.address;
      const alikeness = alikenessOf(matcher, other);
      const isSlow = this.#table.bytesOf(googleBlock) > mostFastBytes;
      const addresses = { block: block.address, otherBlock: otherBlock.address, googleBlock };
      version.shared.set(key, (rules = { dialect, ...addresses, alikeness, isSlow, renamed: undefined }));
    }
    // If the two matchers have the same product token, the decision may be that of either block.
    const isRenamed = productToken !== block.productToken || (isOneToken && productToken !== otherBlock.productToken);
    if (isRenamed && productToken !== undefined) rules = renamedOf(version, key, rules, productToken);
    version.rules[crawler] = rules;
    return rules;
  }

  #questionsOf(crawler: number): readonly Question[] {
    const { productToken, dialect } = this.#crawlers[crawler]!;
    const other = dialect === "google" ? "rfc9309" : "google";
    return (this.#questions[crawler] ??= questionsOf([productToken], {
      ...this.#options,
      dialects: [dialect, other],
      asJudged: false,
    }));
  }
}

/** The block of a matcher. Matchers with the same rules share a block, even when the product tokens of their crawlers differ. */
function blockOf(table: MatcherTable, { blocks }: Version, matcher: Matcher): Block {
  const identity = rulesIdentityOf(matcher);
  let block = blocks.get(identity);
  if (block === undefined) {
    blocks.set(identity, (block = { address: table.add(matcher), productToken: chosenTokenOf(matcher) }));
  }
  return block;
}

/** The rules at `key` in `shared`, with another product token in the decisions: the same object for the same token. */
function renamedOf({ shared }: Version, key: string, rules: SharedRules, productToken: string): SharedRules {
  const keyOfToken = `${key} ${productToken}`;
  let renamed = shared.get(keyOfToken);
  if (renamed === undefined) {
    shared.set(keyOfToken, (renamed = { ...rules, renamed: { productToken, decisions: new Map() } }));
  }
  return renamed;
}
