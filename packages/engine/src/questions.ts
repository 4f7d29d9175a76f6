// Agents, dialects and a token match in, the questions about every record out; each question makes one row.
import { type CrawlDelayUse, type Kind, crawlerOf } from "@robots-stream/agents";
import type { DialectName, TokenMatch } from "@robots-stream/core";
import { isProductToken } from "@robots-stream/core/product-tokens";
import { shownWordOf } from "./text.ts";

/** One question: may this crawler fetch the URL, with robots.txt read in this dialect? */
export interface Question {
  /** The name as given by the user. */
  readonly agent: string;
  /** The names to look for in a robots.txt, in order of preference: the group of the first name found there binds the crawler. */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind the crawler when the file has none of these names. */
  readonly boundByEverybody: boolean;
  /** Whether the crawler obeys Crawl-delay. */
  readonly crawlDelay: CrawlDelayUse;
  /** The kind of the agent, when it is not an ordinary crawler. */
  readonly kind?: Exclude<Kind, "crawler">;
  readonly dialect: DialectName;
  readonly tokenMatch: TokenMatch;
}

/** The dialects of robots.txt, the default first. */
export const dialectNames: readonly DialectName[] = ["google", "rfc9309"];

/** The ways to find a crawler's name in user-agent lines. */
export const tokenMatches: readonly TokenMatch[] = ["google", "whole"];

/** The text that rules are compared with: the unchanged target, or the target without dot segments and escapes of unreserved octets. */
export type TargetForm = "raw" | "normalized";

/** The forms of a target, the default first. */
export const targetForms: readonly TargetForm[] = ["raw", "normalized"];

/** How names of crawlers are matched. */
export interface QuestionOptions {
  readonly dialects: readonly DialectName[];
  /**
   * Undefined: each name gets the match that suits it. A name that is not a product token (MJ12bot) is matched as a whole,
   * because Google's parser truncates it in the file and would never find its group.
   */
  readonly tokenMatch: TokenMatch | undefined;
  /**
   * Whether known crawlers fall back to the groups of their other names; otherwise a crawler uses only its own group or the
   * one for `*`.
   */
  readonly hasFallback: boolean;
}

/** The questions, sorted by agent. */
export function questionsOf(agents: readonly string[], options: QuestionOptions): readonly Question[] {
  return agents.flatMap((agent) => questionsAbout(agent, options));
}

/** The questions about one agent, one for each dialect. */
function questionsAbout(agent: string, { dialects, tokenMatch, hasFallback }: QuestionOptions): readonly Question[] {
  const crawler = crawlerOf(agent);
  const { names, boundByEverybody, crawlDelay } = hasFallback && crawler !== undefined ? crawler : bare;
  const kind = crawler === undefined || crawler.kind === "crawler" ? {} : { kind: crawler.kind };
  return dialects.map((dialect) => ({
    agent,
    names: [agent, ...names.slice(1)],
    boundByEverybody,
    crawlDelay,
    ...kind,
    dialect,
    tokenMatch: tokenMatch ?? (isProductToken(agent) ? "google" : "whole"),
  }));
}

const bare = { names: [""], boundByEverybody: true, crawlDelay: "unknown" } as const;

/** Reports each name, once, that is matched as a whole because it is not a product token. */
export function sayWholeNames(questions: readonly Question[], say: (sentence: string) => void): void {
  const whole = questions.filter(({ agent, tokenMatch }) => tokenMatch === "whole" && !isProductToken(agent));
  for (const name of new Set(whole.map(({ agent }) => agent))) {
    say(
      `${shownWordOf(name, 100)} is not a product token (RFC 9309 §2.2.1); user-agent lines are compared with the whole name`,
    );
  }
}
