// The results of `test`, for its output formats.
import type { Decision } from "@robots-stream/core";
import type { LintSource } from "../lint/types.ts";

/** A decision that differs from the expected decision. */
export interface TestFailure {
  readonly file: string;
  /** The line of the test; undefined for a URL of a sitemap. */
  readonly line: number | undefined;
  readonly productToken: string;
  readonly url: string;
  /** The expected answer. */
  readonly isAllowed: boolean;
  /** The line of robots.txt that was expected to decide; undefined: any line may decide. */
  readonly by: number | undefined;
  readonly decision: Decision;
}

/** The result of one sitemap. */
export interface TestedSitemap {
  readonly file: string;
  readonly urls: number;
  readonly skipped: number;
  /** Number of disallowed URLs, by crawler. */
  readonly blocked: Readonly<Record<string, number>>;
}

/** The result of a run. */
export interface TestResults {
  readonly robots: LintSource;
  readonly tests: number;
  readonly failed: number;
  readonly failures: readonly TestFailure[];
  readonly sitemaps: readonly TestedSitemap[];
}
