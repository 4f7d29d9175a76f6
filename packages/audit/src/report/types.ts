// The report of a document as plain data: every number that the text, the page and the CSV show.
import type { PageFinding } from "../count/pages.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import type { Comparison, Judged } from "./compare-types.ts";
import type { DayBar, Lanes, PlotEvent } from "./plot-types.ts";
import type { LintRow } from "../document/types.ts";
import type { Verification } from "../states/states.ts";

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
  /** The counts that dated observations prove, without disputed requests. */
  readonly proven: Judged;
  /** Proven violations that the server served. */
  readonly provenServed: number;
  /** Proven violations that the server answered with 4xx or 5xx. */
  readonly provenRefused: number;
  /** Judged requests that only one of the dialects disallows. */
  readonly disputed: number;
  /**
   * The largest number of lines that disallow something for it in the newest file of an origin, and how many origins have such a
   * line; null where no text of a file is known.
   */
  readonly restricted: { readonly lines: number; readonly origins: number } | null;
  /** Whether every file that decided its requests has such a line. */
  readonly isAlwaysRestricted: boolean;
}

/** One operator: the requests of its crawlers, and the visits that it sent. */
export interface OperatorRow {
  readonly operator: string;
  /** Requests of its crawlers whose addresses were verified. */
  readonly verified: number;
  /** Other requests calling themselves its crawlers; requests with a false identity are not among them. */
  readonly claimed: number;
  /** Requests of no known crawler that came from its pages, as the Referer header says. */
  readonly visits: number;
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
  /** Whether a sentence may say that the crawler crossed the rule. */
  readonly isAccusing: boolean;
  /** Proven and not disputed; 0 where no sentence may accuse. */
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
  /** Proven and not disputed, where a sentence may accuse. */
  readonly violations: number;
  readonly firstRequest: number | null;
  /** The earliest fetch that certainly got this file. */
  readonly firstFetch: number | null;
  /** Days with a request for a page during the interval; null where times were folded. */
  readonly days: number | null;
  /** The part of these days with a successful fetch of robots.txt; null where times were folded. */
  readonly fetchDays: number | null;
}

/** An interval of an origin's robots.txt. */
export interface IntervalRow {
  readonly version: string;
  readonly from: number | null;
  readonly seen: number | null;
  /** Whether the log begins later than the interval, so that earlier fetches may be missing. */
  readonly beginsBeforeLog: boolean;
  /** Lines that were added and removed since the interval before; undefined without the texts. */
  readonly change: { readonly added: readonly string[]; readonly removed: readonly string[] } | undefined;
  readonly uses: readonly IntervalUse[];
  /** Judged requests for which it was the newest file that the crawler may have used. */
  readonly requests: number;
  /** Requests of any crawler that it disallows, proven or assumed. */
  readonly disallowed: number;
  /** Requests in grace that this file disallows and an older one allows, and the reverse. */
  readonly tightened: number;
  readonly loosened: number;
}

/** The effect of a line of a robots.txt in this log. */
export type LineState =
  | "crossed"
  | "used"
  | "kept-or-needless"
  | "no-url-beneath"
  | "no-decision"
  | "shadowed"
  | "control-token"
  | "plain";

/** A line of a robots.txt with its effect. */
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
  /** Whether the log is a sample: which request or fetch came first is then not known. */
  readonly isSampled: boolean;
  readonly isKnown: boolean;
  readonly requests: number;
  /** Violations of crawlers that may be accused, proven or assumed. */
  readonly violations: number;
  /** Violations that dated observations prove and that are not disputed, of crawlers that may be accused. */
  readonly proven: number;
  readonly undecidable: number;
  readonly intervals: readonly IntervalRow[];
  readonly outages: readonly { readonly from: number; readonly seen: number; readonly end: number | null }[];
  /** Fetches of /robots.txt by status. */
  readonly statuses: readonly { readonly status: number; readonly requests: number }[];
  /** The newest file that decided something, line by line; empty without its text. */
  readonly lines: readonly FileLine[];
  readonly linesFrom: number | null;
  /** The linter's findings in that file. */
  readonly lint: readonly LintRow[];
}

/** Requests of crawlers for pages, in one sum over all directories. */
export interface WasteSum {
  readonly requests: number;
  readonly disallowed: number;
  readonly redirected: number;
  readonly notFound: number;
  readonly failed: number;
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
  "restricted-and-kept",
  "would-be",
  "undocumented",
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
  /** The text before the sentence: "4,877", "14 h". */
  readonly number: string;
  readonly sentence: readonly SentencePart[];
  /** The table that it rests on. */
  readonly section: "crawlers" | "obedience" | "violations" | "files" | "data";
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
  /** Sentences about the files by which it was judged. */
  readonly judgedBy: string;
  readonly isSampled: boolean;
  /** A sentence about the part of the log that was read; empty if all of it was. */
  readonly sample: string;
  readonly comparison: Comparison | undefined;
  readonly findings: readonly AuditFinding[];
  readonly crawlerRows: readonly CrawlerRow[];
  /** Operators that sent visits, most visits first; empty without any. */
  readonly operators: readonly OperatorRow[];
  readonly violations: readonly ViolationRow[];
  readonly originReports: readonly OriginReport[];
  readonly directories: readonly WasteRow[];
  readonly parameters: readonly WasteRow[];
  readonly waste: WasteSum;
  /** Whether a candidate file was given. */
  readonly hasCandidate: boolean;
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
