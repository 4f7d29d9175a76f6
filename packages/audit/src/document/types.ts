// Defines the document of an audit: plain JSON with sums, minima, maxima, sets and sketches, all of which can be merged.
import type { CountLimits, TotalName } from "../count/counter-input.ts";
import type { DocumentPages } from "../count/pages.ts";
import type { PolicyName } from "../history.ts";
import type { AuditCrawler } from "../states/judge.ts";
import type { Tables } from "./tables.ts";

/** The version of the schema. Within one version, members keep their names and meanings. */
export const schemaVersion = 3;

/** The settings with which a document was made. Two documents merge only if all their settings are equal. */
export interface DocumentSettings {
  /** The version of the registry of crawlers. */
  readonly registry: string;
  /** The versions of the lists of addresses for verification; null without verification. */
  readonly ranges: string | null;
  /** The dialect of crawlers whose operator documents none. */
  readonly dialect: string;
  /** A digest of the candidate files; null without candidate files. */
  readonly candidate: string | null;
}

/** One input that was read. The merged documents of two splits of one log differ only in their inputs. */
export interface DocumentInput {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly lines: number;
  /** Rejected lines by reason. */
  readonly rejects: Readonly<Record<string, number>>;
  /** The share of all lines that the log contains; 1 for a complete log. */
  readonly sampleRate: number;
  /** The number of requests outside the requested period. The counts of the document do not include these requests. */
  readonly outside: number;
}

/** A finding of the linter about a file. */
export type LintRow = readonly [line: number, severity: LintSeverity, code: string, sentence: string];

/** The severities of the linter, worst first. */
export const lintSeverities = ["error", "warning", "info"] as const;

/** A severity of the linter. */
export type LintSeverity = (typeof lintSeverities)[number];

/** A rule that decided requests. */
export interface DocumentRule {
  /** The names of the group's user-agent lines, sorted; empty for a ground that is not a rule. */
  readonly tokens: readonly string[];
  /** "allow", "disallow", or a ground: "no-rule", "no-group", "unavailable", … */
  readonly directive: string;
  readonly pattern: string;
  /** The dialect in which the rule was read; missing for a ground that is not a rule, and if the decisions named no dialect. */
  readonly dialect?: string;
  /** The line number of the rule in each version by which it decided requests. */
  readonly lines: Readonly<Record<string, number>>;
}

/**
 * The levels of folding; 0 is full detail. `times` and `fetches`: 0 keeps quarters of hours, 1 hours, 2 days, 3 no times. `directories`: 1 keeps one segment, 2 only `…`.
 * `parameters`: 1 keeps only `…`.
 */
export interface Folded {
  readonly times: number;
  readonly fetches: number;
  readonly directories: number;
  readonly parameters: number;
}

/** The counts of one origin. `interval` and `rule` in its tables are positions in its lists `intervals` and `rules`. */
export interface DocumentOrigin extends Tables {
  /** Scheme, host, port; "" for requests without an origin, "…" for the sum of folded origins. */
  readonly origin: string;
  /** Whether any observation of the origin's robots.txt is known. */
  readonly isKnown: boolean;
  /** Whether an observation of the origin's robots.txt has a date. */
  readonly isDated: boolean;
  /** True for an origin whose file was given without an origin, and taken for all of them; otherwise absent. */
  readonly isShared?: true;
  readonly intervals: readonly {
    readonly version: string;
    readonly from: number | null;
    /** The last possible second of the first observation; missing if its time is known to the second, or if it has no date. */
    readonly fromLatest?: number;
    readonly seen: number | null;
    /** The access policies under which the interval begins here. */
    readonly policies: readonly PolicyName[];
  }[];
  readonly outages: readonly {
    readonly from: number;
    /** As in an interval. */
    readonly fromLatest?: number;
    readonly seen: number;
    readonly end: number | null;
    /** The reason of the last failed observation; missing if it is not known. */
    readonly code?: string;
  }[];
  readonly folded: Folded;
  readonly rules: readonly DocumentRule[];
}

/** The maximum number of characters of a robots.txt that a document keeps; a longer text is cut. */
export const maxTextLength = 65_536;

/** A document. */
export interface AuditDocument {
  readonly schemaVersion: typeof schemaVersion;
  readonly settings: DocumentSettings & {
    /** The digest of the observations. */
    readonly history: string;
    readonly limits: CountLimits;
    /** Whether examples contain the values of parameters. */
    readonly queryValues: boolean;
  };
  /** The times of the earliest and the latest line, in seconds since 1970; null if no line has a time. */
  readonly period: { readonly first: number; readonly last: number } | null;
  readonly totals: Readonly<Record<TotalName, number>>;
  /** The crawlers that sent requests, sorted by product token. */
  readonly crawlers: readonly AuditCrawler[];
  /** Sketches of distinct URLs. */
  readonly urls: readonly { readonly crawler: string; readonly verification: string; readonly sketch: string }[];
  /** A sample of the unknown agents that look like crawlers: the agents with the smallest hashes. */
  readonly otherAgents: readonly { readonly agent: string; readonly requests: number }[];
  /** The texts of versions, as far as the caller supplied them, by SHA-256. */
  readonly files: Readonly<Record<string, string>>;
  /** The linter's findings in versions, as far as the caller supplied them, by SHA-256. */
  readonly lint: Readonly<Record<string, readonly LintRow[]>>;
  readonly origins: readonly DocumentOrigin[];
  /** Pages that were examined in addition to the log, by crawler; absent without pages. */
  readonly pages?: readonly DocumentPages[];
  readonly inputs: readonly DocumentInput[];
}
