// The facts about a crawler as readonly data: its names in robots.txt, the rules that it obeys, and the sources.

/** The purpose for which a crawler fetches pages. */
export type Purpose =
  | "search"
  | "ai-training"
  | "ai-search"
  | "ai-assistant"
  | "ads"
  | "archive"
  | "seo"
  | "social"
  | "monitoring"
  | "security"
  | "feeds"
  | "tools"
  | "research";

/**
 * The meaning of a product token: a crawler; a fetcher of single pages that a user triggers; a program that anyone may run, so
 * that no operator answers for it; or a control token. No request carries a control token: its rules state how pages that other
 * crawlers fetch may be used.
 */
export type Kind = "crawler" | "user-triggered" | "program" | "control-token";

/**
 * Whether a robots.txt binds the crawler, according to its operator. "own-group": a group that names the crawler binds it, and the group
 * for `*` does not. "by-name": a group that names the crawler binds it; for a file that does not name it, the operator documents another
 * rule than the group for `*` (`note` states it), so a request that this group disallows breaks no promise. "no": the operator says that
 * the crawler ignores or may ignore robots.txt, or the site's owner starts its requests, so a disallowed request breaks no promise.
 * "undocumented": no source states it.
 */
export type Bound = "yes" | "own-group" | "by-name" | "no" | "undocumented";

/** The dialect of robots.txt that an operator documents, as `@robots-stream/core` names it. */
export type DocumentedDialect = "google" | "rfc9309";

/** The access policy that an operator documents (the meaning of statuses and outages), by its name in `@robots-stream/fetch`. */
export type DocumentedAccessPolicy = "google" | "rfc9309" | "yandex";

/**
 * Whether the crawler obeys Crawl-delay. "everybody": the crawler also obeys the Crawl-delay of the group for `*` if its own group has no
 * Crawl-delay.
 */
export type CrawlDelayUse = "yes" | "everybody" | "no" | "unknown";

/**
 * The evidence for the facts: the operator's documentation, a public list of crawlers, memory without a source, or the caller of
 * `createCrawlerList`.
 */
export type Evidence = "documented" | "listed" | "recalled" | "own";

/** One crawler. */
export interface Crawler {
  /** The product token (RFC 9309 §2.2.1) as its operator writes it; a few contain characters that the grammar does not allow. */
  readonly productToken: string;
  readonly operator: string;
  readonly kind: Kind;
  readonly purposes: readonly Purpose[];
  /**
   * The names to look for in a robots.txt, the product token first. The crawler obeys the group for the first name that the file contains.
   */
  readonly names: readonly string[];
  /** Whether decisions follow the groups for `*` if robots.txt has no group for any of `names`. */
  readonly boundByEverybody: boolean;
  readonly bound: Bound;
  /** The member of `sources` on which `bound` is based; undefined exactly if `bound` is "undocumented". */
  readonly boundSource: string | undefined;
  readonly crawlDelay: CrawlDelayUse;
  /** The dialect that the operator documents; undefined if it documents none. The best assumption is then RFC 9309. */
  readonly dialect: DocumentedDialect | undefined;
  /** The access policy that the operator documents; undefined if it documents none. */
  readonly accessPolicy: DocumentedAccessPolicy | undefined;
  /**
   * For how many hours after a change of robots.txt the crawler may still use the file before, if its operator says more than the 24 hours
   * of RFC 9309 §2.4; else undefined.
   */
  readonly copyHours: number | undefined;
  /** The product names in the crawler's User-Agent headers; empty if no header distinguishes it from another crawler. */
  readonly headerNames: readonly string[];
  /** An example of a User-Agent header that the crawler sends, or undefined. */
  readonly exampleHeader: string | undefined;
  /**
   * What changes if a site refuses the crawler, in one sentence, and the member of `sources` that says so; undefined if no document of the
   * operator that was seen says it.
   */
  readonly ifRefused: { readonly text: string; readonly source: string } | undefined;
  /** Other facts in one or two sentences; may be empty. */
  readonly note: string;
  readonly evidence: Evidence;
  /** The sources of the facts: URLs, or the name of a public list. */
  readonly sources: readonly string[];
}
