// What changed from one audit to another as plain data.
import type { AuditCrawler } from "../states/crawlers.ts";
import type { Verification } from "../states/states.ts";

/** Requests that have been judged, in one sum. */
export interface Judged {
  readonly violations: number;
  /** Allowed requests and violations. */
  readonly judged: number;
}

/** One crawler in one of two audits. */
export interface ComparisonSide {
  readonly requests: number;
  /** Requests by calendar day of the period. */
  readonly perDay: number;
  readonly proven: Judged;
}

/** One crawler in two audits; null where it did not come. */
export interface ComparisonRow {
  readonly crawler: AuditCrawler;
  readonly verification: Verification;
  readonly before: ComparisonSide | null;
  readonly now: ComparisonSide | null;
}

/** What changed since an earlier audit. */
export interface Comparison {
  /** The period of the earlier audit; empty without any time. */
  readonly period: string;
  readonly rows: readonly ComparisonRow[];
  /** What makes the two hard to compare, a sentence each. */
  readonly notes: readonly string[];
}
