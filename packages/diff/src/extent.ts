// Finds out whether a matcher allows any target at all, and whether it disallows any, with a target as proof.
import { type DialectName, type Matcher, createMatcher, parseRobotsTxt } from "@robots-stream/core";
import { type CompetingRule, competingRulesOf, textOf } from "@robots-stream/core/internal";
import { exceptionOf } from "./effects.ts";
import { type TargetForm, isTarget, targetFormOf } from "./target-form.ts";

/** A target of the kind that was looked for; "none": proved that no URL has such a target; "unknown": no proof within the limit of work. */
export type Example = { readonly target: string } | "none" | "unknown";

/** What a matcher answers over all targets that a URL can have, except targets that its dialect always allows. */
export interface Extent {
  readonly allowed: Example;
  readonly disallowed: Example;
}

/** Options of `extentOf`. */
export interface ExtentOptions {
  /** The dialect in which the matcher's file was parsed. Default: `"google"`. */
  readonly dialect?: DialectName | undefined;
  /** The maximum number of steps of the proof; a step takes some tens of nanoseconds. Default: 1,000,000. */
  readonly mostSteps?: number | undefined;
}

/** The number of patterns from which targets are made before the search begins. Most files need no search. */
const mostTried = 64;

/**
 * Finds an allowed target and a disallowed target, or proves that there is none. A file is closed to a crawler if no target is allowed:
 * "Disallow: /" alone does not say so, because an allow rule can open a part. Linear in the rules, apart from the proof.
 */
export function extentOf(matcher: Matcher, { dialect = "google", mostSteps = 1_000_000 }: ExtentOptions = {}): Extent {
  const root = { target: "/" };
  const isRootAllowed = matcher.decideTarget("/").allowed;
  const rules = competingRulesOf(matcher);
  const form = targetFormOf(dialect);
  const wanted = isRootAllowed ? "disallow" : "allow";
  const other = rules === undefined ? "unknown" : otherOf(wanted, rules, { matcher, form, mostSteps, isRootAllowed });
  return isRootAllowed ? { allowed: root, disallowed: other } : { allowed: other, disallowed: root };
}

interface Sought {
  readonly matcher: Matcher;
  readonly form: TargetForm;
  readonly mostSteps: number;
  readonly isRootAllowed: boolean;
}

/** Finds a target with the other answer than "/". `type`: the rules that give this answer. */
function otherOf(
  type: "allow" | "disallow",
  rules: readonly CompetingRule[],
  { matcher, form, mostSteps, isRootAllowed }: Sought,
): Example {
  const giving = rules.filter(({ rule }) => rule.type === type);
  if (giving.length === 0 && (isRootAllowed || rules.some(matchesAll))) return "none";
  for (const rule of giving.slice(0, mostTried)) {
    const target = textOf(rule.bytes, 0, rule.bytes.length).replaceAll("*", "");
    if (isTarget(form, target) && target !== form.alwaysAllowed && isGiven(matcher, target, type)) return { target };
  }
  const work = { proofs: { stepsLeft: mostSteps }, tries: { stepsLeft: mostSteps / 4 } };
  const found = exceptionOf(isRootAllowed ? allowAll : disallowAll, rules, form, work);
  return found === "out-of-work" ? "unknown" : found;
}

function isGiven(matcher: Matcher, target: string, type: "allow" | "disallow"): boolean {
  return matcher.decideTarget(target).allowed === (type === "allow");
}

/** Whether a rule matches every target. */
function matchesAll({ bytes, isTied }: CompetingRule): boolean {
  return !isTied && /^\/?\*?$/.test(textOf(bytes, 0, bytes.length));
}

const allowAll = ruleOf("Allow: /");
const disallowAll = ruleOf("Disallow: /");

function ruleOf(line: string): CompetingRule {
  return competingRulesOf(createMatcher(parseRobotsTxt(`User-agent: *\n${line}`), []))![0]!;
}
