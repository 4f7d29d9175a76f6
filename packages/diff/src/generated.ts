// Makes targets from patterns, for rules whose search reached its limit of work: `*` is replaced by nothing, a letter or a slash, and a
// tail is added or not.
import { type CompetingRule, textOf } from "@robots-stream/core/internal";
import { type TargetForm, isTarget } from "./target-form.ts";

const fillings = ["", "a", "/"];
const tails = ["", "a", "/", "/a", "?a"];
const longest = 16_384;

/** Targets that may match the rule, and targets that may match both the rule and one of the other rules. `undefined`: no URL has the target. */
export function* generatedTargets(
  rule: CompetingRule,
  others: readonly CompetingRule[],
  form: TargetForm,
): Generator<string | undefined> {
  for (const text of textsOf(rule, others)) {
    for (const filling of fillings) {
      const filled = text.replaceAll(/\*+/g, filling);
      for (const tail of rule.isTied ? [""] : tails) {
        const target = filled.startsWith("/") ? filled + tail : `/${filled}${tail}`;
        yield isTarget(form, target) ? target : undefined;
      }
    }
  }
}

function* textsOf(rule: CompetingRule, others: readonly CompetingRule[]): Generator<string> {
  const pattern = patternTextOf(rule);
  if (pattern.length > longest / 2) return;
  yield pattern;
  for (const each of others) {
    if (each.bytes.length > longest / 2) continue;
    const other = patternTextOf(each);
    yield joined(pattern, other);
    yield joined(other, pattern);
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

/** The pattern in the form that is compared, without a final `$`. */
function patternTextOf({ bytes }: CompetingRule): string {
  return textOf(bytes, 0, bytes.length);
}
