// How fast a file asks a crawler to come, as data: Crawl-delay and Request-rate, which are no part of RFC 9309.
import type { CrawlDelayLine } from "@robots-stream/core/records";

/** What a policy says of a record that asks for a pace. */
export interface PaceView {
  /** Whether its crawlers come as slowly as they are asked to; undefined where no document says. */
  readonly heeded: boolean | undefined;
  readonly source: string;
}

/** A Crawl-delay that is meant for a crawler. */
export interface CrawlDelay extends CrawlDelayLine {
  /** What the policy says; `heeded` is undefined where it says nothing. */
  readonly view: PaceView;
}

/** A Request-rate: so many requests in so many seconds. */
export interface RequestRate {
  readonly requests: number;
  readonly seconds: number;
  /** The time of day it holds for, in UTC, as [from, to] in minutes after midnight; absent for always. */
  readonly hours?: readonly [fromMinute: number, toMinute: number];
  readonly value: string;
  readonly line: number;
  readonly view: PaceView;
}

/** How fast a file asks one crawler to come. */
export interface Pace {
  /** The longest one that the groups of the crawler ask for; undefined where none does in a way that can be read. */
  readonly crawlDelay: CrawlDelay | undefined;
  /** All that can be read, in file order. */
  readonly requestRates: readonly RequestRate[];
}
