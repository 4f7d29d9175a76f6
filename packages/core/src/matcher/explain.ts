// Explains a decision in one English sentence.
import type { Decision } from "../read/types.ts";

/** One English sentence with the decision and its ground. Control characters below U+0020 in a pattern are escaped. */
export function explain(decision: Decision): string {
  switch (decision.because) {
    case "rule": {
      const { rule, productToken } = decision;
      const line = `line ${rule.line} (${JSON.stringify(`${rule.type}: ${rule.pattern}`.trim())})`;
      return rule.pattern === ""
        ? `Allowed: ${line} of the group for ${nameOf(productToken)} is empty and no other rule matches.`
        : `${decision.allowed ? "Allowed" : "Disallowed"} by ${line} of the group for ${nameOf(productToken)}.`;
    }
    case "no-rule":
      return `Allowed: no rule of the group for ${nameOf(decision.productToken)} matches.`;
    case "no-group":
      return "Allowed: no group names this crawler or *.";
    case "robots-txt":
      return "Allowed: /robots.txt is always allowed.";
    case "unavailable":
      return "Allowed: there is no robots.txt to obey (unavailable).";
    case "unreachable":
      return "Disallowed: robots.txt is unreachable, so what it allows is unknown.";
  }
}

/** A product token for printing: quoted and escaped if it has characters other than letters, digits, spaces and `_*./-`. */
function nameOf(productToken: string): string {
  return /^[\w*./ -]+$/.test(productToken) ? productToken : JSON.stringify(productToken);
}
