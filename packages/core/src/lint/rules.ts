// Adds findings about rules that repeat other rules, lose to other rules, or change nothing.
//
// A finding is added only if it is provably true for every path, as Google's parser decides (RFC 9309 §2.2.2).
import { strengthOf } from "../match/rule-table.ts";
import type { FindingsList } from "./findings-list.ts";
import { type LintGroup, nameOf } from "./groups.ts";
import { checkRedundancy } from "./redundancy.ts";
import { type LintRule, nameOfType, namesIndex, shownPattern } from "./rule.ts";

/** All groups that name exactly the same crawlers. The rules of these groups compete with one another. */
interface MergedGroup {
  readonly groups: LintGroup[];
  /** Whether another merged group also names one of these crawlers, or a name that Google's parser cuts to the same product token. */
  isMixed: boolean;
}

/** Adds findings about rules without an effect of their own. Linear in the rules, except for sorting them. */
export function checkRules(list: FindingsList, groups: readonly LintGroup[]): void {
  const merged = mergedOf(groups);
  for (const { groups: same, isMixed } of merged) {
    const rules = same.flatMap((group) => group.rules);
    checkEmptyRules(list, rules);
    const matching = rules.filter(({ canonical }) => canonical !== undefined);
    const { winners, contested } = checkEqualRules(list, matching);
    // In a mixed group, rules of other groups also bind some of the crawlers, so the findings of these checks might be wrong.
    if (!isMixed) {
      checkAllowOnly(list, same, matching);
      checkRedundancy(list, winners, contested, matching);
    }
  }
}

function mergedOf(groups: readonly LintGroup[]): Iterable<MergedGroup> {
  const merged = new Map<string, MergedGroup>();
  const mergedByToken = new Map<string, MergedGroup>();
  for (const [number, group] of groups.entries()) {
    const { agents } = group;
    // A line without a name names nobody, so such a group is never the same as another.
    const names = [...new Set(agents.map(({ name }) => (name === "" ? `\n${number}` : name)))].sort().join("\n");
    let own = merged.get(names);
    if (own === undefined) merged.set(names, (own = { groups: [], isMixed: false }));
    own.groups.push(group);
    for (const token of agents.flatMap(({ key, name }) => (key === "" ? [name] : [name, key]))) {
      const other = mergedByToken.get(token);
      if (other === undefined) mergedByToken.set(token, own);
      else if (other !== own) own.isMixed = other.isMixed = true;
    }
  }
  return merged.values();
}

/** Adds findings about empty rules next to other rules: an empty rule loses to every other rule. */
function checkEmptyRules(list: FindingsList, rules: readonly LintRule[]): void {
  if (!rules.some(({ pattern }) => pattern !== "")) return;
  for (const { pattern, isAllow, place } of rules) {
    if (pattern === "" && !isAllow) list.add("empty-rule", place, () => ({}));
  }
}

/** For one set of rules that match the same paths: the disallow rule (index 0) and the allow rule (index 1) that the findings need. */
interface Equals {
  readonly first: [LintRule | undefined, LintRule | undefined];
  /** The rules with the most octets; `first` has the rules on the earliest lines. */
  readonly best: [LintRule | undefined, LintRule | undefined];
}

interface Compared {
  /** For each set of rules that match the same paths, the rule that wins. */
  readonly winners: LintRule[];
  /** The winners that beat a rule of the other type for the same paths. */
  readonly contested: ReadonlySet<LintRule>;
}

/** Adds findings about rules that match the same paths. */
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
    const winner = (strengthIn(allow) > strengthIn(disallow) ? allow : disallow)!;
    winners.push(winner);
    if (disallow !== undefined && allow !== undefined) losing.set(canonical, winner);
  }
  for (const rule of losing.size === 0 ? [] : rules) {
    const winner = losing.get(rule.canonical!);
    // Google-only: an allow rule for an index file also allows the folder, so the rule matches more than its pattern.
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

/** The strength of a rule; less than that of any rule when there is none. */
function strengthIn(rule: LintRule | undefined): number {
  return rule === undefined ? -1 : strengthOf(rule.pattern.length, rule.isAllow);
}

/** Adds a finding about a crawler that has only allow rules: the crawler may fetch everything, with or without these rules. */
function checkAllowOnly(list: FindingsList, groups: readonly LintGroup[], rules: readonly LintRule[]): void {
  if (!rules.some(({ isAllow, canonical }) => isAllow && canonical !== "/") || rules.some(({ isAllow }) => !isAllow))
    return;
  const agent = groups.flatMap(({ agents }) => agents).find(({ name }) => name !== "");
  if (agent !== undefined) list.add("allow-only-group", agent.place, () => ({ token: nameOf(list, agent) }));
}
