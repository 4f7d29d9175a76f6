// Defines the report of a document as plain data: every number that the text and the page show.
import type { PageFinding } from "../count/pages.ts";
import type { AuditCrawler } from "../states/crawlers.ts";
import type { Answers, StatusSum } from "./answers.ts";
import type { Comparison, Judged } from "./compare-types.ts";
import type { MismatchRow } from "./mismatch-types.ts";
import type { DayBar, Lanes, PlotEvent, PurposeBar } from "./plot-types.ts";
import type { LintRow } from "../document/types.ts";
import type { StatusClass, Verification } from "../states/states.ts";

/** Clauses about what the reader can do, for the sentences of a report. */
export interface Advice {
  /** How the zone of a log's clock is named: "the setting `zone` says which zone the log's clock shows". */
  readonly zone?: string | undefined;
  /** How private addresses are requested. */
  readonly privateAddresses?: string | undefined;
  /** How to say that a host, with its port if it has one, is another name of an origin. */
  readonly otherHost?: ((host: string) => string) | undefined;
  /** How the requests of a period are counted alone: "the settings `from` and `to` choose the period". */
  readonly window?: string | undefined;
  /** How the crawlers of a purpose are refused, as a sentence. */
  readonly refusing?: string | undefined;
  /** How examples keep the values of query parameters. */
  readonly queryValues?: string | undefined;
}

/** Requests of crawlers for pages in a directory that the server redirected, did not find, refused or failed to answer. */
export interface MissRow {
  readonly origin: string;
  readonly directory: string;
  readonly answer: StatusClass;
  readonly requests: number;
  readonly examples: readonly string[];
}

/** One crawler with one verification. */
export interface CrawlerRow {
  readonly crawler: AuditCrawler;
  readonly verification: Verification;
  readonly requests: number;
  readonly bytes: number;
  /** The number of days with a request; null if folding dropped the times of some requests of the crawler. */
  readonly days: number | null;
  /** The estimated number of distinct URLs; null in a report on one of several origins. */
  readonly urls: number | null;
  /** The requests by the class of their answers; they add up to `requests`. */
  readonly answers: Answers;
  /** The requests by status, most requests first. -1: the input records no status; 0: no answer; 1000: more than three digits. */
  readonly statuses: readonly StatusSum[];
  /** The number of successful fetches of /robots.txt. */
  readonly fetches: number;
  /**
   * Each request is counted in one of these members: `robotsTxt` (requests for /robots.txt), `undecidable`, `notBound`, `disputed`,
   * `grace`, `allowed`, `proven.violations` and `assumed` (violations without proof). It is the first of them that applies.
   */
  readonly robotsTxt: number;
  readonly undecidable: number;
  readonly notBound: number;
  /** The number of judged requests that two readings of a file decide differently, such as two dialects. */
  readonly disputed: number;
  readonly grace: number;
  readonly allowed: number;
  readonly assumed: number;
  /** The sum of violations: proven, assumed and disputed ones. */
  readonly violations: number;
  /** The part of `grace` that followed the crawler's own fetch of the newer file. */
  readonly informed: number;
  /** The part of `notBound` that would be a proven violation. */
  readonly wouldBe: number;
  /** The numbers of judged requests whose versions dated observations prove, without disputed requests. */
  readonly proven: Judged;
  /** The proven violations by the class of their answers. */
  readonly provenAnswers: Answers;
  /**
   * `lines`: the number of lines that disallow something for the crawler in the newest file of an origin, the largest over all origins.
   * `origins`: the number of origins with such a line. Null if no text of a file is known.
   */
  readonly restricted: { readonly lines: number; readonly origins: number } | null;
  /** Whether every file that decided requests of the crawler has a line that disallows something for it. */
  readonly isAlwaysRestricted: boolean;
}

/** The requests of the crawlers of one operator or purpose, without requests whose identity is false. */
export interface GroupRow {
  readonly name: string;
  /** The product tokens of the crawlers, most requests first. */
  readonly crawlers: readonly string[];
  /** All purposes of these crawlers. */
  readonly purposes: readonly string[];
  readonly requests: number;
  /** The part of `requests` from verified addresses. */
  readonly verified: number;
  readonly bytes: number;
  /** The number of days with a request of any of the crawlers; null if folding dropped the times of some requests. */
  readonly days: number | null;
  /** The number of successful fetches of /robots.txt. */
  readonly fetches: number;
  readonly answers: Answers;
  /** The proven judged requests and violations of those crawlers that a sentence may accuse. */
  readonly judged: Judged;
  /** The part of the proven violations by crawlers whose operator does not say whether they obey. */
  readonly unpromised: number;
}

/** One operator: the requests of its crawlers, and the visits that it sent. */
export interface OperatorRow extends GroupRow {
  /** The number of requests of no known crawler whose Referer header names a page of the operator. */
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
  /** What is not known about the crawler: "its operator does not say whether it obeys"; "" if its operator says so. */
  readonly mark: string;
  /** The number of requests that are proven and not disputed; 0 if no sentence may accuse the crawler. */
  readonly proven: number;
  /** The number of undisputed requests that no dated files prove to be violations. */
  readonly assumed: number;
  readonly disputed: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly examples: readonly string[];
}

/** A crawler's requests and fetches during an interval. */
export interface IntervalUse {
  readonly crawler: string;
  readonly verification: Verification;
  readonly requests: number;
  readonly served: number;
  /** The number of violations that are proven and not disputed; 0 if no sentence may accuse the crawler. */
  readonly violations: number;
  /** What is not known about the crawler: "its operator does not say whether it obeys"; "" if its operator says so. */
  readonly mark: string;
  readonly firstRequest: number | null;
  /** The earliest fetch that certainly returned this file. */
  readonly firstFetch: number | null;
  /**
   * The earliest time at which a successful fetch may have returned this file: the beginning of the quarter of an hour, hour or day in which
   * it was counted; -Infinity if that is not known. Null without such a fetch.
   */
  readonly possibleFetch: number | null;
  /**
   * The number of days of the log on which the version was in force under the crawler's access policy; the day of a change counts for the
   * newer version. Like the following members, null if times of the origin were folded.
   */
  readonly days: number | null;
  /** The average number of requests for pages on these days; null if there is no such day. */
  readonly perDay: number | null;
  /** The number of these days with a request for a page. */
  readonly pageDays: number | null;
  /** The number of days in `pageDays` with a successful fetch of robots.txt. */
  readonly fetchDays: number | null;
}

/** An interval of an origin's robots.txt. */
export interface IntervalRow {
  readonly version: string;
  /** The number of the version, by first appearance: the files A, B, A have the numbers 1, 2, 1. 0 if `isMissingForSome`. */
  readonly number: number;
  /** Whether the interval is an answer that some access policies take for a missing file: a failing server, or a long file. */
  readonly isMissingForSome: boolean;
  readonly from: number | null;
  /** The last possible second of the first observation, if its time is not known to the second. */
  readonly fromLatest: number | undefined;
  readonly seen: number | null;
  /** Whether the log begins later than the interval, so that earlier fetches may be missing. */
  readonly beginsBeforeLog: boolean;
  /** The lines that were added and removed since the previous interval; undefined if a text is missing. */
  readonly change: { readonly added: readonly string[]; readonly removed: readonly string[] } | undefined;
  readonly uses: readonly IntervalUse[];
  /** The number of judged requests for which the interval's file was the newest file that the crawler may have used. */
  readonly requests: number;
  /** The number of requests of any crawler that the file and all older files of the window disallow, proven or assumed. */
  readonly disallowed: number;
  /** The number of requests in grace that this file disallows and an older file allows; `loosened` is the reverse. */
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

/** The report of one origin. */
export interface OriginReport {
  readonly origin: string;
  /** Whether the log is a sample. The order of requests and fetches is then not known. */
  readonly isSampled: boolean;
  readonly isKnown: boolean;
  readonly requests: number;
  /** The number of violations by crawlers that a sentence may accuse, without disputed ones: proven and assumed. */
  readonly proven: number;
  readonly assumed: number;
  readonly undecidable: number;
  readonly intervals: readonly IntervalRow[];
  readonly outages: readonly { readonly from: number; readonly seen: number; readonly end: number | null }[];
  /** The numbers of fetches of /robots.txt, by status. */
  readonly statuses: readonly StatusSum[];
  /** The newest file that decided a request, line by line; empty if its text is missing. */
  readonly lines: readonly FileLine[];
  readonly linesFrom: number | null;
  /** The linter's findings in the file that `lines` shows. */
  readonly lint: readonly LintRow[];
}

/** Requests of crawlers for pages, summed over all directories. `disallowed`: violations, also assumed and disputed ones. */
export interface WasteSum {
  readonly requests: number;
  readonly disallowed: number;
  readonly redirected: number;
  readonly notFound: number;
  readonly refused: number;
  readonly failed: number;
}

/** Requests of crawlers for pages in a directory, or with a query parameter. */
export interface WasteRow {
  readonly origin: string;
  readonly name: string;
  readonly requests: number;
  readonly disallowed: number;
  readonly redirected: number;
  readonly notFound: number;
  readonly refused: number;
  readonly failed: number;
}

/** Requests whose decision a candidate file would change. */
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

/** The severities of findings, worst first. */
export const severities = ["violation", "warning", "good", "note"] as const;

/** The severity of a finding. */
export type Severity = (typeof severities)[number];

/** The closed list of codes of findings. */
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
  "allowed-yet-refused",
  "disallowed-yet-served",
  "nothing-proven",
  "no-file",
  "unreachable",
] as const;

/** The code of a finding. */
export type AuditFindingCode = (typeof findingCodes)[number] | PageFinding;

/** A finding: a number and its sentence. */
export interface AuditFinding {
  readonly code: AuditFindingCode;
  readonly severity: Severity;
  /** The number of requests, or of pages for a finding about pages. Findings of equal severity are ordered by this number. */
  readonly requests: number;
  /** The text that precedes the sentence, such as "4,877". */
  readonly number: string;
  readonly sentence: readonly SentencePart[];
  /** The section of the report that contains the figures of the finding. */
  readonly section: "crawlers" | "answers" | "obedience" | "violations" | "files" | "data";
}

/** A report. */
export interface AuditReport {
  readonly title: string;
  readonly timeZone: string;
  /** The period of the log, such as "1 to 30 November 2026"; empty if no request has a time. */
  readonly period: string;
  readonly lines: number;
  readonly requests: number;
  readonly crawlerRequests: number;
  readonly crawlers: number;
  readonly origins: number;
  /** Sentences about the files by which requests were judged. */
  readonly judgedBy: string;
  readonly isSampled: boolean;
  /** Sentences about requests without a time, and about times whose zone is not known; empty if there are none. */
  readonly times: string;
  /** A sentence about a log that is a sample; empty for a complete log. */
  readonly sample: string;
  readonly comparison: Comparison | undefined;
  readonly findings: readonly AuditFinding[];
  readonly crawlerRows: readonly CrawlerRow[];
  /** What changes if a site refuses a crawler, in one sentence, by product token. */
  readonly ifRefused: ReadonlyMap<string, string>;
  /** The operators whose crawlers came or that sent visits, most requests first. */
  readonly operators: readonly OperatorRow[];
  /** The purposes of the crawlers that came, most requests first. Each crawler counts under its main purpose. */
  readonly purposes: readonly GroupRow[];
  /** A sentence about how the crawlers of a purpose are refused; may be empty. */
  readonly refusing: string;
  readonly violations: readonly ViolationRow[];
  readonly mismatches: readonly MismatchRow[];
  readonly originReports: readonly OriginReport[];
  readonly directories: readonly WasteRow[];
  readonly parameters: readonly WasteRow[];
  readonly waste: WasteSum;
  /** What the server did not serve, by directory and class of answer, most requests first. */
  readonly misses: readonly MissRow[];
  /** Whether a candidate file was given. */
  readonly hasCandidate: boolean;
  readonly flips: readonly FlipRow[];
  /** A sentence about requests outside the days that the plots show; empty if the plots show all days of the log. */
  readonly plotNote: string;
  readonly days: readonly DayBar[];
  /** The requests of crawlers by day and main purpose, without those whose identity is false. */
  readonly purposeDays: readonly PurposeBar[];
  readonly events: readonly PlotEvent[];
  readonly lanes: Lanes | undefined;
  /** Named counts about the data: rejects, lines without a host, … */
  readonly data: readonly { readonly name: string; readonly count: number }[];
  readonly otherAgents: readonly { readonly agent: string; readonly requests: number }[];
  /** Sentences about versions, limits, and tables that were folded. */
  readonly method: readonly string[];
}
