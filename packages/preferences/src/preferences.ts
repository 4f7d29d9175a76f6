// Finds a site's preferences about the use of its content by a crawler, for each target, from a parsed robots.txt.
import { type Decision, type Matcher, type RobotsTxt, type TokenMatch, pathOf } from "@robots-stream/core";
import {
  type BoundRecord,
  LongestPatterns,
  boundRecordsOf,
  checkCrawlerNames,
  checkParsed,
  holdsRecords,
  statementPlaceOf,
} from "@robots-stream/core/internal";
import {
  type CrawlerNames,
  createCrawlerMatcher,
  groupNameOf,
  isProductToken,
} from "@robots-stream/core/product-tokens";
import { bindingGroups } from "@robots-stream/core/records";
import { usageFrom } from "./combine.ts";
import { PreferencesError, checkNames } from "./errors.ts";
import { isAbsoluteUrl, pageSayings } from "./page-values.ts";
import { shownOf } from "./shown.ts";
import { signalNames } from "./signals.ts";
import { type Saying, type Sayings, contentSignalSayings, contentUsageSayings } from "./statements.ts";
import type { PageValues, Reason, SignalName, Usage, UseToken } from "./types.ts";
import { controlTokens, policyTokens } from "./use-tokens.ts";

/** Options of {@link createPreferences}. */
export interface PreferencesOptions {
  /** The signals to read. Default: all. Signals that are not listed have no effect on usages. */
  readonly signals?: readonly SignalName[] | undefined;
  /** Further control tokens and policy tokens. */
  readonly tokens?: readonly UseToken[] | undefined;
  /**
   * How user-agent lines are compared, as in the option of `createMatcher`. Default: `"whole"` if the crawler's name is not a product
   * token, else `"google"`.
   */
  readonly tokenMatch?: TokenMatch | undefined;
}

const optionNames: readonly string[] = ["signals", "tokens", "tokenMatch"];

/** A site's preferences about the use of its content by one crawler. */
export interface Preferences {
  /**
   * The number of lines and tokens of the file that state a preference or a licence for this crawler. If it is 0, usages without `page` are
   * the same for every target. Memory is proportional to this number.
   */
  readonly statementCount: number;
  /**
   * The usage of a URL or a path, which is converted to a target as in `Matcher.decide`. With `page`, the preferences of the page are
   * included. Accepts any string. Throws a `PreferencesError` if `page` has an unknown member. Without `page`, equal usages are usually the
   * same frozen object.
   */
  usageAt(urlOrPath: string, page?: PageValues): Usage;
  /** The usage of a target, which starts with `/` and has no fragment, as in `Matcher.decideTarget`. */
  usageAtTarget(target: string, page?: PageValues): Usage;
}

const noDecisions: readonly Decision[] = [];
const usageRecords = new Set(["content-usage", "content-signal"] as const);
const licenceRecords = new Set(["license"] as const);

/** More than the number of lines of any file. */
const mostLines = 2 ** 26;

/** The maximum number of usages that are cached, each for one combination of statements. */
const mostKept = 1000;

/**
 * Reads the preferences of a file for one crawler: a product token, or names in order of preference as `createCrawlerMatcher` takes them.
 * Throws a `PreferencesError` for an unknown option (`ERR_INVALID_OPTION`) or signal (`ERR_UNKNOWN_SIGNAL`), and a `CoreError` as
 * `createCrawlerMatcher` does. Linear in the file; keeps no reference to it.
 */
export function createPreferences(
  robots: RobotsTxt,
  crawler: string | CrawlerNames,
  options?: PreferencesOptions,
): Preferences {
  checkNames(options, optionNames);
  checkParsed(robots);
  if (typeof crawler !== "string") checkCrawlerNames(crawler);
  const chosen = options?.signals ?? signalNames;
  if (!Array.isArray(chosen)) throw new PreferencesError("ERR_INVALID_OPTION", "signals: not a list of signals.");
  const unknown = chosen.find((name) => !signalNames.includes(name));
  if (unknown !== undefined) {
    throw new PreferencesError(
      "ERR_UNKNOWN_SIGNAL",
      `${JSON.stringify(unknown)?.slice(0, 100)} is not a signal: ${signalNames.join(", ")}.`,
    );
  }
  return new FilePreferences(
    robots,
    typeof crawler === "string" ? { names: [crawler] } : crawler,
    new Set(chosen),
    options?.tokens ?? [],
    options?.tokenMatch,
  );
}

/**
 * The lines of one kind of record. `patterns` finds the indexes of the lines that apply to a target; `says` has the preferences of each
 * line.
 */
interface ScopedLines {
  readonly patterns: LongestPatterns;
  readonly says: readonly Sayings[];
}

/** A control token or policy token that governs the crawler. */
interface TokenRules {
  readonly token: UseToken;
  readonly matcher: Matcher;
  /** The number of the first user-agent line that names the token; undefined if the group for `*` binds the token. */
  readonly namedLine: number | undefined;
}

class FilePreferences implements Preferences {
  readonly statementCount: number;
  readonly #crawlerName: string;
  readonly #signals: ReadonlySet<SignalName>;
  readonly #usage: ScopedLines | undefined;
  readonly #signal: ScopedLines | undefined;
  readonly #tokens: readonly TokenRules[];
  readonly #licences: readonly string[];
  /** Decides whether a target may be crawled, which limits Content-Usage; undefined without Content-Usage lines. */
  readonly #matcher: Matcher | undefined;
  readonly #kept = new Map<string | number, Usage>();
  readonly #unstated: Usage;

  constructor(
    robots: RobotsTxt,
    crawler: CrawlerNames,
    signals: ReadonlySet<SignalName>,
    tokens: readonly UseToken[],
    given: TokenMatch | undefined,
  ) {
    const { names } = crawler;
    const [own = ""] = names;
    this.#crawlerName = own;
    this.#signals = signals;
    const tokenMatch = given ?? (isProductToken(own) ? "google" : "whole");
    const bound = holdsRecords(robots, usageRecords) ? boundOf(robots, crawler, tokenMatch) : [];
    const usage = signals.has("content-usage") ? bound.filter(isUsageRule) : [];
    const signal = signals.has("content-signal") ? bound.filter(({ name }) => name === "content-signal") : [];
    this.#usage = linesOf(robots, usage, contentUsageSayings);
    this.#signal = linesOf(robots, signal, contentSignalSayings);
    this.#matcher = this.#usage === undefined ? undefined : createCrawlerMatcher(robots, crawler, { tokenMatch });
    this.#tokens = [...controlTokens, ...policyTokens, ...tokens]
      .filter(({ signal: kind = "control-token" }) => signals.has(kind))
      .filter((token) => governs(token, own))
      .flatMap((token) => rulesOf(robots, token));
    this.#licences = signals.has("license") ? licencesOf(robots) : [];
    this.statementCount = usage.length + signal.length + this.#tokens.length + this.#licences.length;
    this.#unstated = usageFrom([], [], this.#licences);
  }

  usageAt(urlOrPath: string, page?: PageValues): Usage {
    return this.usageAtTarget(pathOf(urlOrPath), page);
  }

  usageAtTarget(target: string, page?: PageValues): Usage {
    const isSilent = this.#usage === undefined && this.#signal === undefined && this.#tokens.length === 0;
    if (isSilent && page === undefined) return this.#unstated;
    // A target that may not be crawled has no preference of Content-Usage (attach §3.1).
    const isOpen = this.#matcher?.decideTarget(target).allowed === true;
    const usage = isOpen ? (this.#usage?.patterns.winnersOf(target) ?? []) : [];
    const signal = this.#signal?.patterns.winnersOf(target) ?? [];
    const decisions =
      this.#tokens.length === 0 ? noDecisions : this.#tokens.map(({ matcher }) => matcher.decideTarget(target));
    if (page !== undefined) return this.#usageFrom(usage, signal, decisions, page);
    const key = keyOf(usage, signal, decisions);
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = this.#usageFrom(usage, signal, decisions, undefined);
      if (this.#kept.size < mostKept) this.#kept.set(key, kept);
    }
    return kept;
  }

  #usageFrom(
    usage: readonly number[],
    signal: readonly number[],
    decisions: readonly Decision[],
    page: PageValues | undefined,
  ): Usage {
    const said = [
      ...usage.map((index) => this.#usage!.says[index]!),
      ...signal.map((index) => this.#signal!.says[index]!),
      ...(page === undefined ? [] : [pageSayings(page, this.#crawlerName, (name) => this.#signals.has(name))]),
    ];
    const sayings = [
      ...said.flatMap((each) => each.sayings),
      ...this.#tokens.flatMap((token, index) => tokenSayings(token, decisions[index]!)),
    ];
    const linked = this.#signals.has("license") ? (page?.licences ?? []).filter(isAbsoluteUrl) : [];
    return usageFrom(
      sayings,
      said.flatMap(({ uses }) => uses),
      [...this.#licences, ...linked],
    );
  }
}

/**
 * The Content-Usage and Content-Signal lines before all groups, and those in the groups that bind the crawler: the groups for the crawler's
 * first name that the file contains, else the groups for `*`.
 */
function boundOf(robots: RobotsTxt, crawler: CrawlerNames, tokenMatch: TokenMatch): readonly BoundRecord[] {
  const { names, boundByEverybody = true } = crawler;
  const name = groupNameOf(robots, names, { tokenMatch });
  const tokens = name === undefined || (name === "*" && !boundByEverybody) ? undefined : name === "*" ? [] : [name];
  return boundRecordsOf(robots, tokens, tokenMatch, usageRecords);
}

/** A Content-Usage line is a rule of a group: before the first user-agent line it binds no crawler (attach §3). */
function isUsageRule({ name, scope }: BoundRecord): boolean {
  return name === "content-usage" && scope !== "file";
}

function linesOf(
  robots: RobotsTxt,
  records: readonly BoundRecord[],
  sayingsIn: typeof contentUsageSayings,
): ScopedLines | undefined {
  if (records.length === 0) return undefined;
  const places = records.map(({ value }) => statementPlaceOf(value, 0, value.length));
  const patterns = new LongestPatterns(
    robots,
    records.map(({ value }, index) => value.subarray(0, places[index]!.pathEnd)),
  );
  const texts = patterns.texts();
  const says = records.map(({ value, line, scope }, index) => {
    const { pathEnd, statementStart } = places[index]!;
    const path = pathEnd === 0 ? {} : { path: shownOf(texts[index]!) };
    return sayingsIn(value, statementStart, { line, ...path, scope });
  });
  return { patterns, says };
}

function governs({ productToken, crawlers }: UseToken, name: string): boolean {
  const lower = name.toLowerCase();
  return [productToken, ...crawlers].some((each) => each === "*" || each.toLowerCase() === lower);
}

/** The rules of a token, as a list of one; an empty list if no group binds the token. */
function rulesOf(robots: RobotsTxt, token: UseToken): readonly TokenRules[] {
  const { productToken, boundByEverybody } = token;
  const tokenMatch = isProductToken(productToken) ? "google" : "whole";
  const group = groupNameOf(robots, [productToken], { tokenMatch });
  if (group === undefined || (group === "*" && !boundByEverybody)) return [];
  const matcher = createCrawlerMatcher(robots, { names: [productToken], boundByEverybody }, { tokenMatch });
  if (group === "*") return [{ token, matcher, namedLine: undefined }];
  const [first] = bindingGroups(robots, [productToken], { tokenMatch });
  const named = first?.userAgents.find(({ productToken: each }) => each.toLowerCase() === productToken.toLowerCase());
  return [{ token, matcher, namedLine: named?.line ?? first?.userAgents[0]?.line }];
}

/**
 * The preferences that the decision about a target states for a token. If a group names the token, every decision states a preference. If
 * the group for `*` binds the token, only a decision that disallows the target states one.
 */
function tokenSayings({ token, namedLine }: TokenRules, decision: Decision): readonly Saying[] {
  const { productToken, categories, signal = "control-token" } = token;
  const { allowed, because } = decision;
  if (namedLine === undefined && allowed) return [];
  const isRule = because === "rule";
  const reason: Reason = Object.freeze({
    signal,
    value: allowed ? "allow" : "disallow",
    statement: isRule ? shownOf(`${decision.rule.type}: ${decision.rule.pattern}`) : `user-agent: ${productToken}`,
    line: isRule ? decision.rule.line : namedLine!,
    ...(isRule && decision.rule.pattern !== "" ? { path: shownOf(decision.rule.pattern) } : {}),
    scope: namedLine === undefined ? "everybody" : "named",
    productToken,
  });
  return categories.map((category) => ({ category, reason }));
}

/**
 * A cache key that is equal for equal statements. The key is a number in the most frequent case: at most one line of each kind of record,
 * and no token.
 */
function keyOf(usage: readonly number[], signal: readonly number[], decisions: readonly Decision[]): string | number {
  if (usage.length < 2 && signal.length < 2 && decisions.length === 0) {
    return ((usage[0] ?? -1) + 1) * mostLines + (signal[0] ?? -1) + 1;
  }
  const decided = decisions.map((decision) => (decision.because === "rule" ? decision.rule.line : decision.because));
  return `${usage.join(",")} ${signal.join(",")} ${decided.join(",")}`;
}

/** The licences of a file: the values of all License lines, inside or outside groups, that are absolute URLs (RSL 1.0). */
function licencesOf(robots: RobotsTxt): readonly string[] {
  if (!holdsRecords(robots, licenceRecords)) return [];
  return robots.records
    .filter(({ name, value }) => name === "license" && isAbsoluteUrl(value))
    .map(({ value }) => value);
}
