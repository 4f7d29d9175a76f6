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
  | "feeds"
  | "tools"
  | "research";

/**
 * The meaning of a product token: a crawler; a fetcher of single pages that a user triggers; or a control token. No request
 * carries a control token: its rules state how pages that other crawlers fetch may be used.
 */
export type Kind = "crawler" | "user-triggered" | "control-token";

/** Whether the crawler obeys robots.txt. "partly": with exceptions that the note describes. */
export type Obedience = "yes" | "partly" | "no" | "unknown";

/**
 * Whether the crawler obeys Crawl-delay. "everybody": yes, and it obeys the Crawl-delay for `*` if its own group has no
 * Crawl-delay.
 */
export type CrawlDelayUse = "yes" | "everybody" | "no" | "unknown";

/** The evidence for the facts: the operator's documentation, a public list of crawlers, or no source that was looked up. */
export type Evidence = "documented" | "listed" | "recalled";

/** One crawler. */
export interface Crawler {
  /** The product token (RFC 9309 §2.2.1) as its operator writes it; a few contain characters that the grammar does not allow. */
  readonly productToken: string;
  readonly operator: string;
  readonly kind: Kind;
  readonly purposes: readonly Purpose[];
  /** The names to look for in a robots.txt, its own name first: the group of the first name in the file binds the crawler. */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind the crawler when the file has none of `names`. */
  readonly boundByEverybody: boolean;
  readonly obeys: Obedience;
  readonly crawlDelay: CrawlDelayUse;
  /** The product names in its User-Agent headers; empty if no header distinguishes it from another crawler. */
  readonly headerNames: readonly string[];
  /** An example of a User-Agent header that it sends, or undefined. */
  readonly exampleHeader: string | undefined;
  /** Other facts in one or two sentences; may be empty. */
  readonly note: string;
  readonly evidence: Evidence;
  /** The sources of the facts: URLs, or the name of a public list. */
  readonly sources: readonly string[];
}
