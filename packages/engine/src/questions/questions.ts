// Agents, dialects and a token match in, the questions about every record out: one question for each agent and dialect. How the requests of
// a crawler are judged: as its operator documents, else by RFC 9309.
import {
  type Crawler,
  type Bound,
  type CrawlDelayUse,
  type Kind,
  type OwnCrawler,
  crawlerOf,
  type CrawlerList,
} from "@robots-stream/agents";
import type { DialectName, TokenMatch } from "@robots-stream/core";
import type { PolicyName } from "@robots-stream/fetch/history";
import { fileLengthOf } from "@robots-stream/fetch/internal";
import { accessPolicies } from "@robots-stream/fetch/policy";
import { isProductToken } from "@robots-stream/core/product-tokens";
import { crawlerListOf } from "./own-crawlers.ts";
import { ByteMemo } from "../records/byte-keys.ts";
import type { PackedRecords } from "../records/packed.ts";
import { utf8TextOf } from "../common/text.ts";

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
  /** As in the registry. */
  readonly copyHours?: number | undefined;
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
    copyHours: crawlerOf(agent)?.copyHours,
    crawlDelay,
    ...kind,
    ...(crawler === undefined && areFromHeaders === true ? { isUnknown: true } : {}),
    dialect,
    tokenMatch: tokenMatch ?? (isProductToken(agent) ? "google" : "whole"),
  }));
}

const bare = { names: [""], boundByEverybody: true, crawlDelay: "unknown" } as const;

/** A value in place of the index of a record's first question: the record's User-Agent header names no crawler. */
export const noCrawler = 0xffffffff;
/** A value in place of that index: the header names an unknown crawler, and `mostUnknown` other unknown crawlers have questions already. */
const furtherCrawler = 0xfffffffe;

/** A value in place of that index: the record is outside the window of times, and is left out. */
export const outsideWindow = 0xfffffffd;

/** The maximum number of unknown crawlers about which questions are made: an attacker may send any number of names. */
const mostUnknown = 1_000;

/** Whether `first` is `noCrawler` or `furtherCrawler`: nothing is decided about the record, and no robots.txt is loaded for it. */
export function hasNoQuestion(first: number): boolean {
  return first >= furtherCrawler;
}

/** Makes the questions of a run with `agentField`: about the known crawlers in the log, and about at most `mostUnknown` others. */
export class Crawlers {
  /** The questions about all crawlers so far. The questions about one crawler are adjacent. New questions are appended. */
  readonly questions: Question[] = [];
  readonly #options: QuestionOptions;
  readonly #onQuestions: (questions: readonly Question[]) => void;
  readonly #firstByToken = new Map<string, number>();
  readonly #list: CrawlerList;
  #unknown = 0;
  /** A cache by the bytes of a header: the index of the first question about the crawler that the header names. */
  readonly #firstByHeader = new ByteMemo((header) => this.#firstNamedBy(header));

  /** @param onQuestions called with the questions about each new crawler, when they have been appended */
  constructor(options: QuestionOptions, onQuestions: (questions: readonly Question[]) => void) {
    this.#options = options;
    this.#onQuestions = onQuestions;
    this.#list = crawlerListOf(options.crawlers);
  }

  /** Number of questions about each crawler. */
  get questionsEach(): number {
    return this.#options.asJudged === true ? 1 : this.#options.dialects.length;
  }

  /** The questions about the crawler whose first question has index `first`. */
  questionsAt(first: number): readonly Question[] {
    return this.questions.slice(first, first + this.questionsEach);
  }

  /** The index of the first question about a crawler. Makes the questions if the crawler is new. */
  firstAbout(token: string): number {
    const known = this.#firstByToken.get(token);
    if (known !== undefined) return known;
    const first = this.questions.length;
    const questions = questionsOf([token], this.#options);
    this.questions.push(...questions);
    if (questions[0]?.isUnknown === true) this.#unknown++;
    this.#onQuestions(questions);
    this.#firstByToken.set(token, first);
    return first;
  }

  /** The index of the first question about the crawler that a record's header names, or `noCrawler`, or `furtherCrawler`. */
  firstOf({ fields: { agent }, bytes }: PackedRecords, record: number): number {
    return agent === undefined ? noCrawler : this.#firstByHeader.resultOfField(agent, bytes, record);
  }

  #firstNamedBy(header: string): number {
    const text = utf8TextOf(header);
    const token = this.#list.productTokenOf(text);
    if (token !== undefined) return this.firstAbout(token);
    const unknown = this.#list.unknownProductTokenOf(text);
    if (unknown === undefined) return noCrawler;
    return this.#unknown < mostUnknown || this.#firstByToken.has(unknown) ? this.firstAbout(unknown) : furtherCrawler;
  }
}
