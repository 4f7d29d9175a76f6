// Defines the changes from an earlier audit to a later one, as plain data.
import type { AuditCrawler } from "../states/crawlers.ts";
import type { Verification } from "../states/states.ts";

/** Numbers of judged requests. */
export interface Judged {
  readonly violations: number;
  /** The number of allowed requests and violations. */
  readonly judged: number;
}

/** One crawler in one of the two audits. */
export interface ComparisonSide {
  readonly requests: number;
  /** The average number of requests on a calendar day of the period. */
  readonly perDay: number;
  readonly proven: Judged;
}

/** One crawler with one verification in both audits. `before` or `now` is null if that audit has no request of the crawler. */
export interface ComparisonRow {
  readonly crawler: AuditCrawler;
  readonly verification: Verification;
  readonly before: ComparisonSide | null;
  readonly now: ComparisonSide | null;
}

/** The changes since an earlier audit. */
export interface Comparison {
  /** The period of the earlier audit; empty if no request has a time. */
  readonly period: string;
  readonly rows: readonly ComparisonRow[];
  /** Differences that make the two audits hard to compare, a sentence for each. */
  readonly notes: readonly string[];
}
