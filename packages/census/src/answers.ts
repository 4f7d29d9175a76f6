// Finds the state of every crawler in one parsed file. Crawlers that the same groups bind are one class, whose state is found once.
import type { DialectName, Matcher, RobotsTxt } from "@robots-stream/core";
import { CrawlerGroups, rulesIdentityOf } from "@robots-stream/core/internal";
import { extentOf } from "@robots-stream/diff";
import type { CrawlerIndex } from "./crawlers.ts";
import { type FileState, cellOf } from "./states.ts";

/** A group that closes the site or most of it: its name in lower case or `*`, the state, and the rule that decides "/". */
type ClosingRule = readonly [name: string, state: FileState, rule: string];

/** The states of all crawlers in one file. */
export interface Answers {
  /** The pair of state and ground of each crawler (`cellOf`). */
  readonly cells: Uint8Array;
  /** The groups, of names that choose the group of a crawler, that close the site or most of it. */
  readonly closing: readonly ClosingRule[];
}

/** Longest rule in a table. */
const longestRule = 100;

/**
 * The states of all crawlers. `groups`: those of `robots`. `hasNames`: whether a user-agent line may have a name; without names, crawlers with other names than product
 * tokens are not looked for.
 */
export function answersOf(
  robots: RobotsTxt,
  groups: CrawlerGroups,
  index: CrawlerIndex,
  {
    dialect,
    mostSteps,
    hasNames,
  }: { readonly dialect: DialectName; readonly mostSteps: number; readonly hasNames: boolean },
): Answers {
  const closing: ClosingRule[] = [];
  const states = new Map<object, FileState>();
  const stateOf = (name: string, matcher: Matcher): FileState => {
    const identity = rulesIdentityOf(matcher);
    let state = states.get(identity);
    if (state === undefined) states.set(identity, (state = stateOfMatcher(matcher, dialect, mostSteps)));
    if (state === "closed" || state === "mostly-closed") closing.push([name, state, rootRuleOf(matcher)]);
    return state;
  };
  const cells = new Uint8Array(index.crawlers.length).fill(cellOf("open", "none"));
  if (groups.groupNameOf([]) !== undefined) {
    const cell = cellOf(stateOf("*", groups.matcherOf(undefined)), "everybody");
    for (let at = 0; at < cells.length; at++) if (index.isBoundByEverybody[at]!) cells[at] = cell;
  }
  const ranks = new Map<number, number>();
  for (const name of groups.names) {
    const named = index.byName.get(name);
    if (named === undefined) continue;
    const state = stateOf(name, groups.matcherOf(name));
    for (const { crawler, rank } of named) {
      if (rank > (ranks.get(crawler) ?? rank)) continue;
      ranks.set(crawler, rank);
      cells[crawler] = cellOf(state, rank === 0 ? "own" : "fallback");
    }
  }
  if (hasNames) {
    const whole = new CrawlerGroups(robots, { tokenMatch: "whole" });
    for (const crawler of index.whole) {
      const { names } = index.crawlers[crawler]!;
      const name = whole.groupNameOf(names);
      if (name === undefined || name === "*") continue;
      const state = stateOf(name.toLowerCase(), whole.matcherOf(name));
      cells[crawler] = cellOf(state, name === names[0] ? "own" : "fallback");
    }
  }
  return { cells, closing };
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
  if (decision.because !== "rule") return "";
  const { type, pattern } = decision.rule;
  return `${type}: ${pattern.length > longestRule ? `${pattern.slice(0, longestRule)}…` : pattern}`;
}
