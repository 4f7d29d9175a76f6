// Agents, dialects and a token match in, the questions about every record out: one question for each agent and dialect. How the requests of
// a crawler are judged: as its operator documents, else by RFC 9309.
import {
  type Crawler,
  type Bound,
  type CrawlDelayUse,
  type Kind,
  type OwnCrawler,
  crawlerOf,
} from "@robots-stream/agents";
import type { DialectName, TokenMatch } from "@robots-stream/core";
import type { PolicyName } from "@robots-stream/fetch/history";
import { fileLengthOf } from "@robots-stream/fetch/internal";
import { accessPolicies } from "@robots-stream/fetch/policy";
import { isProductToken } from "@robots-stream/core/product-tokens";
import { crawlerListOf } from "./own-crawlers.ts";

/** The dialect and the access policy of a crawler whose operator documents none. */
export const usualReading = "rfc9309";

/** A crawler, and how its requests are judged. */
export interface JudgedCrawler {
  readonly productToken: string;
  readonly dialect: DialectName;
  readonly accessPolicy: PolicyName;
  /** Whether the crawler ignores what is behind the first 500 KiB of a file. The operators of other crawlers do not document a limit. */
  readonly ignoresRest: boolean;
  /** Whether the operator documents the dialect. */
  readonly hasOwnDialect: boolean;
}

/** How the requests of a crawler are judged; `crawler`: undefined for a crawler that is not known. */
export function judgedCrawlerOf(
  productToken: string,
  crawler: Pick<Crawler, "dialect" | "accessPolicy"> | undefined,
): JudgedCrawler {
  const { dialect = usualReading, accessPolicy = usualReading } = crawler ?? {};
  const ignoresRest = fileLengthOf(accessPolicies[accessPolicy]).rest === "ignored";
  return { productToken, dialect, accessPolicy, ignoresRest, hasOwnDialect: crawler?.dialect !== undefined };
}

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
  /** With `agentField`: the crawler is not a known one; its name comes from the User-Agent header. */
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
  /** Whether the names come from headers (`agentField`). Questions about unknown names then have `isUnknown`. */
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
