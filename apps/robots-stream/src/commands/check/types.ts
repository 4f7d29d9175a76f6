// Defines the results of `test`, which the output formats render.
import type { NamedFormat } from "../../cli/output-format.ts";
import type { Decision } from "@robots-stream/core";
import type { RobotsSource } from "../../cli/robots/sources.ts";

/** A decision that differs from the expected decision. */
export interface TestFailure {
  readonly file: string;
  /** The number of the test's line in `file`; undefined for a URL of a sitemap. */
  readonly line: number | undefined;
  readonly productToken: string;
  readonly url: string;
  /** The expected decision: allowed or not. */
  readonly isAllowed: boolean;
  /** The number of the robots.txt line that was expected to decide; undefined: any line may decide. */
  readonly by: number | undefined;
  readonly decision: Decision;
}

export interface TestedSitemap {
  readonly file: string;
  readonly urls: number;
  readonly skipped: number;
  /** Number of disallowed URLs, by crawler. */
  readonly blocked: Readonly<Record<string, number>>;
}

/** The results of all tests and sitemaps of a command. `tests` and `failed` also count the URLs of sitemaps, once for each crawler. */
export interface TestResults {
  readonly robots: RobotsSource;
  readonly tests: number;
  readonly failed: number;
  readonly failures: readonly TestFailure[];
  readonly sitemaps: readonly TestedSitemap[];
}

export interface TestFormat extends NamedFormat {
  readonly name: "text" | "json" | "github";
}
