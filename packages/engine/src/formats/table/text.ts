// An answer in, what a table says about it out: a mark, a word and the reason.
import type { Answer } from "../types.ts";

/** A decision as a table shows it. */
export type Verdict = "allowed" | "disallowed" | "undecided";

/** The sign before each word, for those who cannot tell the colours. */
export const markOf: Readonly<Record<Verdict, string>> = { allowed: "✔", disallowed: "✘", undecided: "–" };

/** The decision of an answer. */
export function verdictOf({ allowed }: Pick<Answer, "allowed">): Verdict {
  return allowed === null ? "undecided" : allowed ? "allowed" : "disallowed";
}

const reasons: Readonly<Record<string, string>> = {
  "invalid-url": "invalid URL",
  "url-too-long": "URL is too long",
  "robots-txt": "robots.txt itself",
};

/** Why: "3  disallow: /cart", "unreachable: http-503", "no rule". */
export function whyOf({ because, rule, line, code }: Pick<Answer, "because" | "rule" | "line" | "code">): string {
  if (because === "rule") return `${line}  ${rule}`;
  const reason = reasons[because] ?? because.replaceAll("-", " ");
  return code === undefined ? reason : `${reason}: ${code}`;
}
