// Describes decisions, rules and crawlers in words for people.
import type { Decision, Rule } from "@robots-stream/core";
import { printableOf } from "@robots-stream/engine/internal";

/** A rule as a line of robots.txt. */
export function ruleText({ type, pattern }: Rule): string {
  return printableOf(`${type}: ${pattern}`.trim(), 100);
}

/** The ground of a decision: "line 3 (disallow: /a)". */
export function groundOf(decision: Decision): string {
  switch (decision.because) {
    case "rule":
      return `line ${decision.rule.line} (${ruleText(decision.rule)})`;
    case "no-rule":
      return "no rule matches";
    case "no-group":
      return "no group binds it";
    case "robots-txt":
      return "robots.txt itself";
    case "unavailable":
    case "unreachable":
      return decision.because;
  }
}

/** Up to three names and the number of further ones: "Googlebot, bingbot, GPTBot and 41 more". */
export function crawlersText(names: readonly string[]): string {
  const shown = names
    .slice(0, 3)
    .map((name) => (name === "*" ? "crawlers without a group (*)" : printableOf(name, 60)));
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** "1 rule", "2 rules". */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
