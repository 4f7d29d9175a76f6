// Agents, dialects and a token match in, the questions about every record out: one question for each agent and dialect.
import { type Bound, type CrawlDelayUse, type Kind, type OwnCrawler, crawlerOf } from "@robots-stream/agents";
import type { DialectName, TokenMatch } from "@robots-stream/core";
import { nearestOf } from "@robots-stream/core/internal";
import { isProductToken } from "@robots-stream/core/product-tokens";
import { namedSetsOf } from "./asked.ts";
import { crawlerListOf } from "./own-crawlers.ts";
import { judgedCrawlerOf } from "./judged-crawler.ts";
import { shownWordOf } from "../common/text.ts";

/** One question: may this crawler fetch the URL, with robots.txt read in this dialect? */
export interface Question {
  /** The name of the crawler: as the user gave it, or as a User-Agent header contains it. */
  readonly agent: string;
  /**
   * The names to look for in a robots.txt, in the order of preference. The crawler obeys the group of the first name that the file
   * contains.
   */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind the crawler when the file contains none of these names. */
  readonly boundByEverybody: boolean;
  /** Whether a robots.txt binds the crawler, according to its operator: a fact of the registry, which the caller's crawlers do not replace. */
  readonly bound: Bound;
  /** Whether the crawler obeys Crawl-delay. */
  readonly crawlDelay: CrawlDelayUse;
  /** The kind of the agent, when it is not an ordinary crawler. */
  readonly kind?: Exclude<Kind, "crawler">;
  /** With `--agent-field`: the crawler is not a known one; its name comes from the User-Agent header. */
  readonly isUnknown?: true;
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

/** How the names of crawlers are matched with user-agent lines. */
export interface QuestionOptions {
  readonly dialects: readonly DialectName[];
  /** Whether each crawler has one question, in the dialect by which its requests are judged, and not one for each of `dialects`. */
  readonly asJudged?: boolean;
  /**
   * The match for all names. Undefined: a product token is matched in Google's way. Any other name (MJ12bot) is matched as a whole, because
   * Google's parser truncates it in the file and would never find its group.
   */
  readonly tokenMatch: TokenMatch | undefined;
  /**
   * Whether a known crawler without a group of its own uses the group of one of its other names. Otherwise it uses only its own group or
   * the group for `*`.
   */
  readonly hasFallback: boolean;
  /** Crawlers in addition to those in the registry; plain data. */
  readonly crawlers?: readonly OwnCrawler[];
  /** Whether the names come from headers (`--agent-field`). Questions about unknown names then have `isUnknown`. */
  readonly areFromHeaders?: boolean;
}

/** The questions about the agents, one for each dialect, in the order of `agents`. */
export function questionsOf(agents: readonly string[], options: QuestionOptions): readonly Question[] {
  return agents.flatMap((agent) => questionsAbout(agent, options));
}

/** The questions about one agent, one for each dialect. */
function questionsAbout(agent: string, options: QuestionOptions): readonly Question[] {
  const { dialects, tokenMatch, hasFallback, areFromHeaders } = options;
  const crawler = crawlerListOf(options.crawlers).crawlerOf(agent);
  const { names, boundByEverybody, crawlDelay } = hasFallback && crawler !== undefined ? crawler : bare;
  const kind = crawler === undefined || crawler.kind === "crawler" ? {} : { kind: crawler.kind };
  const judged = options.asJudged === true ? [judgedCrawlerOf(agent, crawler).dialect] : dialects;
  return judged.map((dialect) => ({
    agent,
    names: [agent, ...names.slice(1)],
    boundByEverybody,
    bound: crawlerOf(agent)?.bound ?? "undocumented",
    crawlDelay,
    ...kind,
    ...(crawler === undefined && areFromHeaders === true ? { isUnknown: true } : {}),
    dialect,
    tokenMatch: tokenMatch ?? (isProductToken(agent) ? "google" : "whole"),
  }));
}

const bare = { names: [""], boundByEverybody: true, crawlDelay: "unknown" } as const;

/**
 * Passes a sentence to `say` for each name that is matched as a whole because it is not a product token. Names of crawlers that belong to
 * one of the named `sets` are left out, because the caller did not write these names.
 */
export function sayWholeNames(
  questions: readonly Question[],
  say: (sentence: string) => void,
  sets: readonly string[] = [],
): void {
  const members = new Set(
    sets
      .flatMap((set) => (namedSetsOf(set) ?? []).flatMap(({ crawlers }) => crawlers))
      .map(({ productToken }) => productToken),
  );
  const whole = questions.filter(
    ({ agent, tokenMatch }) => tokenMatch === "whole" && !isProductToken(agent) && !members.has(agent),
  );
  for (const name of new Set(whole.map(({ agent }) => agent))) {
    say(
      `${shownWordOf(name, 100)} is not a product token (RFC 9309 §2.2.1); user-agent lines are compared with the whole name`,
    );
  }
}

/**
 * Maximum number of names that are checked for typing mistakes: each is compared with every known crawler, and a list in a file may be
 * long.
 */
const mostCompared = 50;

/** Passes a sentence to `say` for each unknown name that resembles the name of a known crawler. Other unknown names are not mistakes. */
export function sayMistypedNames(
  questions: readonly Question[],
  say: (sentence: string) => void,
  own?: readonly OwnCrawler[],
): void {
  const list = crawlerListOf(own);
  const unknown = [...new Set(questions.map(({ agent }) => agent))].filter(
    (name) => list.crawlerOf(name) === undefined,
  );
  const known = list.crawlers.map(({ productToken }) => productToken);
  // The majority of the names end in "bot", which would make any two short names similar.
  const stems = known.map(stemOf);
  for (const name of unknown.slice(0, mostCompared)) {
    const stem = stemOf(name);
    // A stem of one or two characters resembles too many names: "my-bot" is not a mistyped name.
    const near = stem.length < 3 ? undefined : nearestOf(stem, stems);
    if (near === undefined) continue;
    say(`${shownWordOf(name, 100)}: no crawler of this name is known; did you mean ${known[stems.indexOf(near)]!}?`);
  }
}

function stemOf(name: string): string {
  return name.length > 3 ? name.replace(/-?bot$/i, "") : name;
}
