// Agents, dialects and a way to match tokens in, the questions asked of every record out: one row each.
import { type DialectName, type TokenMatch, isProductToken } from "@robots-stream/core";
import { printableOf } from "./text.ts";

/** One question: may this crawler fetch it, robots.txt being read like this? */
export interface Question {
  readonly agent: string;
  readonly dialect: DialectName;
  readonly tokenMatch: TokenMatch;
}

/** The dialects of robots.txt, the default first. */
export const dialectNames: readonly DialectName[] = ["google", "rfc9309"];

/** The ways to find a crawler's name in user-agent lines. */
export const tokenMatches: readonly TokenMatch[] = ["google", "whole"];

/** What rules are compared with: the target as it is, or without dot segments and escapes of unreserved octets. */
export type TargetForm = "raw" | "normalized";

/** The forms of a target, the default first. */
export const targetForms: readonly TargetForm[] = ["raw", "normalized"];

/**
 * The questions, agent by agent. Where nothing is said about it, a name that is no product token (MJ12bot) is looked
 * for as a whole: Google's parser cuts it in the file, and would find no group for it.
 */
export function questionsOf(
  agents: readonly string[],
  dialects: readonly DialectName[],
  tokenMatch: TokenMatch | undefined,
): readonly Question[] {
  return agents.flatMap((agent) =>
    dialects.map((dialect) => ({
      agent,
      dialect,
      tokenMatch: tokenMatch ?? (isProductToken(agent) ? "google" : "whole"),
    })),
  );
}

/** Tells which names are looked for as a whole because they are no product tokens, each once. */
export function sayWholeNames(questions: readonly Question[], say: (sentence: string) => void): void {
  const whole = questions.filter(({ agent, tokenMatch }) => tokenMatch === "whole" && !isProductToken(agent));
  for (const name of new Set(whole.map(({ agent }) => agent))) {
    say(`${printableOf(name, 100)} is no product token (RFC 9309 §2.2.1); it is looked for whole`);
  }
}
