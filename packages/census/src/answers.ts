// Finds the state of every crawler in one parsed file. Crawlers that the same groups bind are one class, whose state is found once.
import { AuditError } from "@robots-stream/audit";
import type { DialectName, Matcher, RobotsTxt } from "@robots-stream/core";
import { CrawlerGroups, parseUnchanging, rulesIdentityOf } from "@robots-stream/core/internal";
import { isProductToken } from "@robots-stream/core/product-tokens";
import { extentOf } from "@robots-stream/diff";
import { type FileState, keyPartOf, pairOf, pairs } from "./tables.ts";

/** A crawler whose states are counted. A `Crawler` of `@robots-stream/agents` has these members. */
export interface CensusCrawler {
  readonly productToken: string;
  /** The names to look for in a file, the crawler's own first. */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind the crawler if a file has no group for any of its names. */
  readonly boundByEverybody: boolean;
  /** With "by-name", the operator documents another rule for such files, so the groups for `*` do not bind the crawler. */
  readonly bound: string;
}

/** The crawlers of a census, by number, and the budget of proofs about them. */
export class CrawlerIndex {
  readonly crawlers: readonly CensusCrawler[];
  /** Limit of the work for the proof about one class of crawlers in a file, in steps. */
  readonly mostSteps: number;
  /** The crawlers that Google's parser finds by name, by the name in lower case. `rank`: the position of the name in the crawler's list. */
  readonly byName: Map<string, { readonly crawler: number; readonly rank: number }[]> = new Map();
  /** The crawlers whose own names are no product tokens, so that names are compared as a whole; and their names in lower case. */
  readonly whole: readonly number[];
  readonly wholeNames: readonly string[];
  /** The key in the table "crawlers" of each crawler and each pair of state and ground, at `crawler * pairs.length + pair`. */
  readonly keys: readonly string[];

  /** Throws an `AuditError` (`ERR_INVALID_OPTION`) for two crawlers with one product token. */
  constructor(crawlers: readonly CensusCrawler[], mostSteps: number) {
    this.crawlers = crawlers;
    this.mostSteps = mostSteps;
    const seen = new Set<string>();
    for (const { productToken } of crawlers) {
      const key = productToken.toLowerCase();
      if (seen.has(key)) throw new AuditError("ERR_INVALID_OPTION", `the crawler ${productToken} is given twice`);
      seen.add(key);
    }
    const numbers = [...crawlers.keys()];
    this.whole = numbers.filter((crawler) => !isProductToken(crawlers[crawler]!.names[0] ?? ""));
    this.wholeNames = this.whole.flatMap((crawler) => crawlers[crawler]!.names.map((name) => name.toLowerCase()));
    for (const crawler of numbers.filter((number) => !this.whole.includes(number))) {
      for (const [rank, name] of crawlers[crawler]!.names.entries()) {
        const key = name.toLowerCase();
        this.byName.set(key, [...(this.byName.get(key) ?? []), { crawler, rank }]);
      }
    }
    this.keys = crawlers.flatMap(({ productToken }) => pairs.map((pair) => JSON.stringify([productToken, ...pair])));
  }
}

/** After this many classes of a file without a proof, no other class is tried: a file can have a class for each crawler. */
const mostUnproved = 8;

/** The states of all crawlers in one file, and the file's groups in the dialect. */
export interface Answers {
  readonly robots: RobotsTxt;
  readonly groups: CrawlerGroups;
  /** The number of the pair of state and ground of each crawler (`pairOf`). */
  readonly pairs: Uint8Array;
  /** The groups that close the site or most of it, by each name of a crawler in lower case or `*`. `rule` decides "/". */
  readonly closing: readonly (readonly [name: string, state: FileState, rule: string])[];
}

/** The states of all crawlers. `text`: the bytes as UTF-8. */
export function answersOf(bytes: Uint8Array, text: string, dialect: DialectName, index: CrawlerIndex): Answers {
  const robots = parseUnchanging(bytes, { dialect });
  const groups = new CrawlerGroups(robots);
  const closing: [name: string, state: FileState, rule: string][] = [];
  const states = new Map<object, FileState>();
  let unproved = 0;
  const stateOf = (name: string, matcher: Matcher): FileState => {
    const identity = rulesIdentityOf(matcher);
    let state = states.get(identity);
    if (state === undefined) {
      state = unproved === mostUnproved ? "not-proved" : stateOfMatcher(matcher, dialect, index.mostSteps);
      states.set(identity, state);
      if (state === "not-proved" && unproved < mostUnproved) unproved++;
    }
    if (state === "closed" || state === "mostly-closed") closing.push([name, state, rootRuleOf(matcher)]);
    return state;
  };
  const found = new Uint8Array(index.crawlers.length).fill(pairOf("open", "none"));
  if (groups.groupNameOf([]) !== undefined) {
    const pair = pairOf(stateOf("*", groups.matcherOf(undefined)), "everybody");
    for (const [crawler, { boundByEverybody, bound }] of index.crawlers.entries()) {
      if (boundByEverybody && bound !== "by-name") found[crawler] = pair;
    }
  }
  const ranks = new Map<number, number>();
  for (const name of groups.names) {
    const named = index.byName.get(name);
    if (named === undefined) continue;
    const state = stateOf(name, groups.matcherOf(name));
    for (const { crawler, rank } of named) {
      if (rank > (ranks.get(crawler) ?? rank)) continue;
      ranks.set(crawler, rank);
      found[crawler] = pairOf(state, rank === 0 ? "own" : "fallback");
    }
  }
  const lower = text.toLowerCase();
  if (index.wholeNames.some((name) => lower.includes(name))) {
    const whole = new CrawlerGroups(robots, { tokenMatch: "whole" });
    for (const crawler of index.whole) {
      const { names } = index.crawlers[crawler]!;
      const name = whole.groupNameOf(names);
      if (name === undefined || name === "*") continue;
      const state = stateOf(name.toLowerCase(), whole.matcherOf(name));
      found[crawler] = pairOf(state, name === names[0] ? "own" : "fallback");
    }
  }
  return { robots, groups, pairs: found, closing };
}

/** The state of the crawlers that have a matcher. "closed" and "open" are proved for every target that a URL can have. */
function stateOfMatcher(matcher: Matcher, dialect: DialectName, mostSteps: number): FileState {
  const { allowed, disallowed } = extentOf(matcher, { dialect, mostSteps });
  if (allowed === "none") return "closed";
  if (disallowed === "none") return "open";
  if (allowed === "unknown" || disallowed === "unknown") return "not-proved";
  return allowed.target === "/" ? "partly-closed" : "mostly-closed";
}

/** The rule that decides "/", as its line has it. */
function rootRuleOf(matcher: Matcher): string {
  const decision = matcher.decideTarget("/");
  return decision.because === "rule" ? `${decision.rule.type}: ${keyPartOf(decision.rule.pattern)}` : "";
}
