// What is known about a crawler, as readonly data: its names in robots.txt, what it obeys, and where that is said.

/** What a crawler fetches for. */
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
 * What stands behind a product token: a crawler; a fetcher that a user triggers, page by page; or a control token, which
 * no request carries: it says how pages that other crawlers fetch may be used.
 */
export type Kind = "crawler" | "user-triggered" | "control-token";

/** Whether robots.txt is obeyed; "partly": with exceptions that the note tells. */
export type Obedience = "yes" | "partly" | "no" | "unknown";

/**
 * Whether Crawl-delay is obeyed; "everybody": yes, and the one for `*` too where the crawler has a group of its own
 * that says nothing about it.
 */
export type CrawlDelayUse = "yes" | "everybody" | "no" | "unknown";

/** What the facts rest on: the operator's documentation, a public list of crawlers, or nothing that was looked up. */
export type Evidence = "documented" | "listed" | "recalled";

/** One crawler. */
export interface Crawler {
  /** The product token (RFC 9309 §2.2.1) as its operator writes it; a few hold other characters than that grammar has. */
  readonly productToken: string;
  readonly operator: string;
  readonly kind: Kind;
  readonly purposes: readonly Purpose[];
  /** The names to look for in a robots.txt, its own first: the group of the first one that the file names binds it. */
  readonly names: readonly string[];
  /** Whether the groups for `*` bind it where the file names none of these. */
  readonly boundByEverybody: boolean;
  readonly obeys: Obedience;
  readonly crawlDelay: CrawlDelayUse;
  /** Product names its User-Agent headers carry; empty when no header tells it from another crawler. */
  readonly headerNames: readonly string[];
  /** A header as it sends it, or undefined. */
  readonly exampleHeader: string | undefined;
  /** What else there is to know, in a sentence or two; may be empty. */
  readonly note: string;
  readonly evidence: Evidence;
  /** Where it is said: URLs, or the name of a public list. */
  readonly sources: readonly string[];
}
