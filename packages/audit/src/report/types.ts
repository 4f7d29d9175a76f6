// The report of a document as plain data: every number that the text, the page and the CSV show.
import type { PageFinding } from "../count/pages.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import type { Verification } from "../states/states.ts";

/** Requests that have been judged, in one sum. */
export interface Judged {
  readonly violations: number;
  /** Allowed requests and violations. */
  readonly judged: number;
}

/** One crawler with one verification. */
export interface CrawlerRow {
  readonly crawler: AuditCrawler;
  readonly verification: Verification;
  readonly requests: number;
  readonly bytes: number;
  /** Days with a request; null where times were folded. */
  readonly days: number | null;
  /** Distinct URLs, estimated; null in the report of one of several origins. */
  readonly urls: number | null;
  /** Requests answered with 4xx or 5xx. */
  readonly refused: number;
  /** Successful fetches of /robots.txt. */
  readonly fetches: number;
  readonly allowed: number;
  readonly violations: number;
  readonly grace: number;
  /** The part of `grace` that came after the crawler's own fetch of the newer file. */
  readonly informed: number;
  readonly undecidable: number;
  readonly notBound: number;
  /** The part of `notBound` that would be a violation. */
  readonly wouldBe: number;
  /** What dated observations prove, without what is disputed. */
  readonly proven: Judged;
  /** Proven violations that the server served. */
  readonly provenServed: number;
  /** Judged requests that only one of the dialects disallows. */
  readonly disputed: number;
  /** Visits that its operator sent. */
  readonly referrals: number;
}

/** A rule with its line in one version. */
export interface ShownRule {
  readonly tokens: readonly string[];
  readonly directive: string;
  readonly pattern: string;
  readonly line: number | null;
}

/** Violations of a crawler against a rule, in a directory. */
export interface ViolationRow {
  readonly origin: string;
  readonly crawler: string;
  readonly verification: Verification;
  readonly rule: ShownRule;
  readonly directory: string;
  readonly requests: number;
  /** Proven and not disputed; 0 for requests that are somebody else's. */
  readonly proven: number;
  readonly disputed: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly examples: readonly string[];
}

/** A crawler during an interval of a file. */
export interface IntervalUse {
  readonly crawler: string;
  readonly verification: Verification;
  readonly requests: number;
  readonly served: number;
  readonly violations: number;
  readonly firstRequest: number | null;
  /** The earliest fetch that certainly got this file. */
  readonly firstFetch: number | null;
}

/** An interval of an origin's robots.txt. */
export interface IntervalRow {
  readonly version: string;
  readonly from: number | null;
  readonly seen: number | null;
  /** Lines that came and went since the interval before; undefined without the texts. */
  readonly change: { readonly added: readonly string[]; readonly removed: readonly string[] } | undefined;
  readonly uses: readonly IntervalUse[];
}

/** What a line of a robots.txt did in this log. */
export type LineState = "crossed" | "used" | "kept-or-needless" | "no-url-beneath" | "control-token" | "plain";

/** A line of a robots.txt with what it did. */
export interface FileLine {
  readonly number: number;
  readonly text: string;
  readonly state: LineState;
  /** A short sentence; may be empty. */
  readonly note: string;
}

/** One origin. */
export interface OriginReport {
  readonly origin: string;
  readonly isKnown: boolean;
  readonly requests: number;
  readonly violations: number;
  readonly intervals: readonly IntervalRow[];
  readonly outages: readonly { readonly from: number; readonly seen: number; readonly end: number | null }[];
  /** Fetches of /robots.txt by status. */
  readonly statuses: readonly { readonly status: number; readonly requests: number }[];
  /** The newest file that decided something, line by line; empty without its text. */
  readonly lines: readonly FileLine[];
  readonly linesFrom: number | null;
}

/** Requests of one kind for a directory or a parameter. */
export interface WasteRow {
  readonly origin: string;
  readonly name: string;
  readonly requests: number;
  readonly disallowed: number;
  readonly redirected: number;
  readonly notFound: number;
  readonly failed: number;
}

/** What a candidate file would change. */
export interface FlipRow {
  readonly origin: string;
  readonly directory: string;
  readonly crawler: string;
  readonly verification: Verification;
  readonly flip: "newly-disallowed" | "newly-allowed";
  readonly requests: number;
  readonly examples: readonly string[];
}

/** A part of a sentence: plain text, code of a robots.txt, or a name. */
export type SentencePart = string | { readonly code: string } | { readonly name: string };

/** How bad a finding is, worst first. */
export const severities = ["violation", "warning", "good", "note"] as const;

/** How bad a finding is. */
export type Severity = (typeof severities)[number];

/** The closed list of findings. */
const findingCodes = [
  "crossed",
  "informed",
  "outage",
  "file-may-have-changed",
  "false-identity",
  "kept",
  "would-be",
  "nothing-proven",
  "no-file",
] as const;

/** What kind of finding it is. */
export type AuditFindingCode = (typeof findingCodes)[number] | PageFinding;

/** A finding: a number and its sentence. */
export interface AuditFinding {
  readonly code: AuditFindingCode;
  readonly severity: Severity;
  /** Requests, for the order. */
  readonly requests: number;
  /** What stands before the sentence: "4,877", "14 h". */
  readonly number: string;
  readonly sentence: readonly SentencePart[];
  /** The table that it rests on. */
  readonly section: "crawlers" | "violations" | "files" | "data";
}

/** One day of the plot of states. */
export interface DayBar {
  /** Days since 1970-01-01, in the report's time zone. */
  readonly day: number;
  readonly allowed: number;
  readonly grace: number;
  readonly violation: number;
  readonly notBound: number;
  readonly undecidable: number;
}

/** Something that is written into plots. */
export interface PlotEvent {
  readonly atSeconds: number;
  /** Days since 1970-01-01 with their fraction, in the report's time zone. */
  readonly days: number;
  readonly text: string;
}

/** Fetches of a crawler, for the lanes. */
export interface Lane {
  readonly crawler: string;
  readonly verification: Verification;
  /** Beginnings of the hours with a successful fetch. */
  readonly fetches: readonly number[];
}

/** The lanes of one origin. */
export interface Lanes {
  readonly origin: string;
  readonly from: number;
  readonly to: number;
  readonly bands: readonly {
    readonly from: number;
    readonly to: number;
    readonly label: string;
    readonly isOutage: boolean;
  }[];
  readonly lanes: readonly Lane[];
}

/** A report. */
export interface AuditReport {
  readonly title: string;
  readonly timeZone: string;
  /** "1 to 30 November 2026"; empty without any time. */
  readonly period: string;
  readonly lines: number;
  readonly requests: number;
  readonly crawlerRequests: number;
  readonly crawlers: number;
  readonly origins: number;
  /** By which file it was judged, in sentences. */
  readonly judgedBy: string;
  readonly isSampled: boolean;
  readonly findings: readonly AuditFinding[];
  readonly crawlerRows: readonly CrawlerRow[];
  readonly violations: readonly ViolationRow[];
  readonly originReports: readonly OriginReport[];
  readonly directories: readonly WasteRow[];
  readonly parameters: readonly WasteRow[];
  readonly flips: readonly FlipRow[];
  readonly days: readonly DayBar[];
  readonly events: readonly PlotEvent[];
  readonly lanes: Lanes | undefined;
  /** Named counts about the data: rejects, lines without a host, … */
  readonly data: readonly { readonly name: string; readonly count: number }[];
  readonly otherAgents: readonly { readonly agent: string; readonly requests: number }[];
  /** Versions, limits and what was folded, a sentence each. */
  readonly method: readonly string[];
}
