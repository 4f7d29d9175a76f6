// Describes decisions, rules and crawlers in words for people.
import type { Decision, Rule } from "@robots-stream/core";
import { printableOf } from "@robots-stream/engine/internal";
import { firstText } from "./figures.ts";

/** Returns a rule as a line of robots.txt, at most 100 characters long. */
export function ruleText({ type, pattern }: Rule): string {
  return printableOf(`${type}: ${pattern}`.trim(), 100);
}

/** Returns the ground of a decision: "line 3 (disallow: /a)". */
export function groundOf(decision: Decision): string {
  switch (decision.because) {
    case "rule":
      return `line ${decision.rule.line} (${ruleText(decision.rule)})`;
    case "no-rule":
      return "no rule matches";
    case "no-group":
      return "no group applies";
    case "robots-txt":
      return "robots.txt itself";
    case "unavailable":
    case "unreachable":
      return decision.because;
  }
}

/** Returns the first three names and the number of further names: "Googlebot, bingbot, GPTBot and 41 more". */
export function crawlersText(names: readonly string[]): string {
  const shown = names.map((name) => (name === "*" ? "crawlers without a group (*)" : printableOf(name, 60)));
  return firstText(shown, 3);
}
