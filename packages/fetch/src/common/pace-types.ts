// Defines the types of the request rate that a file requests from a crawler: Crawl-delay and Request-rate, which are not part of RFC 9309.
import type { CrawlDelayLine } from "@robots-stream/core/records";

/** How a policy treats a Crawl-delay or Request-rate record. */
export interface PaceView {
  /** Whether the policy's crawlers obey the record; undefined when no document states it. */
  readonly heeded: boolean | undefined;
  readonly source: string;
}

/** A Crawl-delay that applies to a crawler. */
export interface CrawlDelay extends CrawlDelayLine {
  /** How the policy treats Crawl-delay; `heeded` is undefined when the policy does not mention it. */
  readonly view: PaceView;
}

/** A Request-rate: at most `requests` requests in `seconds` seconds. */
export interface RequestRate {
  readonly requests: number;
  readonly seconds: number;
  /** The time of day (UTC) in which the rate applies, in minutes after midnight; absent when it always applies. */
  readonly hours?: readonly [fromMinute: number, toMinute: number];
  readonly value: string;
  readonly line: number;
  readonly view: PaceView;
}

/** The request rate that a file requests from one crawler. */
export interface Pace {
  /** The longest valid Crawl-delay in the crawler's groups; undefined if there is none. */
  readonly crawlDelay: CrawlDelay | undefined;
  /** All valid Request-rate records in the crawler's groups, in file order. */
  readonly requestRates: readonly RequestRate[];
}
