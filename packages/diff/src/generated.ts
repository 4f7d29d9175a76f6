// Makes targets from patterns, for rules whose search reached its limit of work: `*` is replaced by nothing, a letter or a slash, and a
// tail is added or not.
import type { CompetingRule } from "@robots-stream/core/internal";
import type { TargetForm } from "./target-form.ts";

const fillings = ["", "a", "/"];
const tails = ["", "a", "/", "/a", "?a"];
const longest = 16_384;

/** Targets that may match the rule, and targets that may match both the rule and one of the other rules. */
export function* generatedTargets(
  rule: CompetingRule,
  others: readonly CompetingRule[],
  form: TargetForm,
): Generator<string> {
  const pattern = patternTextOf(rule);
  if (pattern.length > longest / 2) return;
  const partners = others.map(patternTextOf).filter((text) => text.length <= longest / 2);
  for (const text of [pattern, ...partners.flatMap((other) => [joined(pattern, other), joined(other, pattern)])]) {
    for (const filling of fillings) {
      const filled = text.replaceAll(/\*+/g, filling);
      for (const tail of rule.isTied ? [""] : tails) {
        const target = filled.startsWith("/") ? filled + tail : `/${filled}${tail}`;
        if (isTarget(form, target)) yield target;
      }
    }
  }
}

/**
 * Joins two patterns: `other`, without its leading slash, replaces the first star of `one`, or is appended to `one` if `one` has no star.
 */
function joined(one: string, other: string): string {
  const star = one.indexOf("*");
  const inner = other.replace(/^\//, "");
  return star < 0 ? one + inner : one.slice(0, star) + inner + one.slice(star + 1);
}

function isTarget(form: TargetForm, target: string): boolean {
  let state = 0;
  for (let at = 0; at < target.length && state >= 0; at++) {
    state = form.characters.includes(target[at]!) ? form.next(state, target.charCodeAt(at)) : -1;
  }
  return state >= 0 && form.canEnd(state);
}

/** The pattern in the form that is compared, without a final `$`. */
export function patternTextOf({ bytes }: Pick<CompetingRule, "bytes">): string {
  return Array.from(bytes, (code) => String.fromCharCode(code)).join("");
}
