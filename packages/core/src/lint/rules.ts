// The groups of a file in, rules that say what others say, that lose to others, or that change nothing out.
//
// All claims are about what Google's parser decides, and only what can be proved is claimed (RFC 9309 §2.2.2).
import type { FindingsList } from "./findings-list.ts";
import { type LintGroup, tokenOf } from "./groups.ts";
import { checkRedundancy } from "./redundancy.ts";
import { type LintRule, nameOfType, namesIndex, shownPattern } from "./rule.ts";

/** Groups for the same names: their rules count together. */
interface MergedGroup {
  readonly groups: LintGroup[];
  /** Whether other groups name one of these names, too. */
  isMixed: boolean;
}

/** Tells of rules that have no effect of their own. Linear in the rules but for sorting them. */
export function checkRules(list: FindingsList, groups: readonly LintGroup[]): void {
  const merged = mergedOf(groups);
  for (const { groups: same, isMixed } of merged) {
    const rules = same.flatMap((group) => group.rules);
    checkEmptyRules(list, rules);
    const matching = rules.filter(({ canonical }) => canonical !== undefined);
    const { winners, contested } = checkEqualRules(list, matching);
    // With rules of other groups in between, nothing can be proved so simply.
    if (!isMixed) {
      checkAllowOnly(list, same, matching);
      checkRedundancy(list, winners, contested, matching);
    }
  }
}

function mergedOf(groups: readonly LintGroup[]): Iterable<MergedGroup> {
  const merged = new Map<string, MergedGroup>();
  const mergedByToken = new Map<string, MergedGroup>();
  for (const group of groups) {
    const { agents } = group;
    const only = agents.length === 1 ? agents[0]!.key : undefined;
    const tokens = only === undefined ? [...new Set(agents.map(({ key }) => key))].sort() : undefined;
    const names = only ?? tokens!.join("\n");
    let own = merged.get(names);
    if (own === undefined) merged.set(names, (own = { groups: [], isMixed: false }));
    own.groups.push(group);
    for (const token of tokens ?? [names]) {
      const other = mergedByToken.get(token);
      if (other === undefined) mergedByToken.set(token, own);
      else if (other !== own) own.isMixed = other.isMixed = true;
    }
  }
  return merged.values();
}

/** Empty rules beside others: they match everything and outweigh nothing. */
function checkEmptyRules(list: FindingsList, rules: readonly LintRule[]): void {
  if (!rules.some(({ pattern }) => pattern !== "")) return;
  for (const { pattern, isAllow, place } of rules) {
    if (pattern === "" && !isAllow) list.add("empty-rule", place, () => ({}));
  }
}

/** The rules that match the same paths, by type. */
interface Equals {
  readonly first: [LintRule | undefined, LintRule | undefined];
  /** The one with the most octets. */
  readonly best: [LintRule | undefined, LintRule | undefined];
}

interface Compared {
  /** Of rules that match the same paths the one that can decide. */
  readonly winners: LintRule[];
  /** Those among them without which one of the other type would. */
  readonly contested: ReadonlySet<LintRule>;
}

/** Tells of rules that match the same paths. */
function checkEqualRules(list: FindingsList, rules: readonly LintRule[]): Compared {
  const equals = new Map<string, Equals>();
  for (const rule of rules) {
    const side = rule.isAllow ? 1 : 0;
    let known = equals.get(rule.canonical!);
    if (known === undefined)
      equals.set(rule.canonical!, (known = { first: [undefined, undefined], best: [undefined, undefined] }));
    const first = known.first[side];
    if (first === undefined) known.first[side] = rule;
    else {
      const args = { type: nameOfType(rule.isAllow), firstLine: first.place.line };
      list.add("duplicate-rule", rule.place, () => ({ ...args, pattern: shownPattern(list, rule) }));
    }
    if (known.best[side] === undefined || rule.pattern.length > known.best[side].pattern.length)
      known.best[side] = rule;
  }
  const winners: LintRule[] = [];
  const losing = new Map<string, LintRule>();
  for (const [canonical, { best }] of equals) {
    const [disallow, allow] = best;
    const isAllowed =
      allow !== undefined && (disallow === undefined || allow.pattern.length >= disallow.pattern.length);
    const winner = (isAllowed ? allow : disallow)!;
    winners.push(winner);
    if (disallow !== undefined && allow !== undefined) losing.set(canonical, winner);
  }
  for (const rule of losing.size === 0 ? [] : rules) {
    const winner = losing.get(rule.canonical!);
    // Google-only: an allow rule on an index file also allows its folder, so it is more than its pattern.
    if (winner === undefined || winner.isAllow === rule.isAllow || (rule.isAllow && namesIndex(rule))) continue;
    list.add("contradicted-rule", rule.place, () => ({
      type: nameOfType(rule.isAllow),
      pattern: shownPattern(list, rule),
      winner: shownPattern(list, winner),
      winnerLine: winner.place.line,
    }));
  }
  return { winners, contested: new Set(losing.values()) };
}

/** A crawler whose rules all allow: it may fetch everything anyway. */
function checkAllowOnly(list: FindingsList, groups: readonly LintGroup[], rules: readonly LintRule[]): void {
  if (!rules.some(({ isAllow, canonical }) => isAllow && canonical !== "/") || rules.some(({ isAllow }) => !isAllow))
    return;
  const agent = groups.flatMap(({ agents }) => agents).find(({ key }) => key !== "");
  if (agent !== undefined) list.add("allow-only-group", agent.place, () => ({ token: tokenOf(list, agent) }));
}
