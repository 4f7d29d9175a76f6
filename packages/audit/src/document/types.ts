// The document of an audit: sums, minima, maxima, sets and sketches that merge, as plain JSON.
import type { CountLimits } from "../count/limits.ts";
import type { DocumentPages } from "../count/pages.ts";
import type { TotalName } from "../count/totals.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import type { Tables } from "./tables.ts";

/** The version of the document's form. Members keep their names and meanings while it stays the same. */
export const schemaVersion = 1;

/** The settings with which a document was made. Documents merge only if all of them are equal. */
export interface DocumentSettings {
  /** The version of the registry of crawlers. */
  readonly registry: string;
  /** The versions of the lists of addresses for verification; null without verification. */
  readonly ranges: string | null;
  /** The dialect, where an operator documents none. */
  readonly dialect: string;
  /** A digest of the candidate files; null without any. */
  readonly candidate: string | null;
}

/** One input that was read. Beside the document's equality: splits of a log have different inputs. */
export interface DocumentInput {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly lines: number;
  /** Rejected lines by reason. */
  readonly rejects: Readonly<Record<string, number>>;
  /** The part of all lines that the log has; 1 for all of them. */
  readonly sampleRate: number;
  /** Requests that were left out because of their time. */
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
  /** The names of its group's user-agent lines, sorted; empty for a ground that is no rule. */
  readonly tokens: readonly string[];
  /** "allow", "disallow", or a ground: "no-rule", "no-group", "unavailable", … */
  readonly directive: string;
  readonly pattern: string;
  /** Its line in each version that was used. */
  readonly lines: Readonly<Record<string, number>>;
}

/** How much detail was folded: 0 none; times 1 days, 2 none; directories 1 one segment, 2 `…`; parameters 1 `…`. */
export interface Folded {
  readonly times: number;
  readonly fetches: number;
  readonly directories: number;
  readonly parameters: number;
}

/** The counts of one origin. `interval` and `rule` in its tables are positions in its lists. */
export interface DocumentOrigin extends Tables {
  /** Scheme, host, port; "" for requests without one, "…" for origins that were folded. */
  readonly origin: string;
  /** Whether anything is known of its robots.txt. */
  readonly isKnown: boolean;
  /** Whether an observation of it has a date. */
  readonly isDated: boolean;
  readonly intervals: readonly {
    readonly version: string;
    readonly from: number | null;
    readonly seen: number | null;
  }[];
  readonly outages: readonly { readonly from: number; readonly seen: number; readonly end: number | null }[];
  readonly folded: Folded;
  readonly rules: readonly DocumentRule[];
}

/** Longest text of a robots.txt that a document keeps; a longer one is cut. */
export const maxTextLength = 65_536;

/** A document. */
export interface AuditDocument {
  readonly schemaVersion: typeof schemaVersion;
  readonly settings: DocumentSettings & {
    /** The digest of the observations. */
    readonly history: string;
    readonly limits: CountLimits;
    /** Whether examples hold the values of parameters. */
    readonly queryValues: boolean;
  };
  /** The first and the last second of the lines; null without any time. */
  readonly period: { readonly first: number; readonly last: number } | null;
  readonly totals: Readonly<Record<TotalName, number>>;
  /** The crawlers that came, by product token. */
  readonly crawlers: readonly AuditCrawler[];
  /** Sketches of distinct URLs. */
  readonly urls: readonly { readonly crawler: string; readonly verification: string; readonly sketch: string }[];
  /** Agents without a known crawler: those with the smallest hashes. */
  readonly otherAgents: readonly { readonly agent: string; readonly requests: number }[];
  /** Texts of versions by their SHA-256, as far as the caller gave them. */
  readonly files: Readonly<Record<string, string>>;
  /** The linter's findings in these texts, as far as the caller gave them. */
  readonly lint: Readonly<Record<string, readonly LintRow[]>>;
  readonly origins: readonly DocumentOrigin[];
  /** Pages that were examined in addition to the log, by crawler; absent without pages. */
  readonly pages?: readonly DocumentPages[];
  readonly inputs: readonly DocumentInput[];
}
