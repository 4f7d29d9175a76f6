// Exports the public names of @robots-stream/audit.
export { AuditError, type AuditErrorCode } from "./errors.ts";
export {
  type AuditHistory,
  type Gap,
  type Interval,
  type OriginHistory,
  type Outage,
  type PolicyName,
  type RobotsTarget,
  type Window,
  unavailableVersion,
  unprovenOf,
} from "./history/types.ts";
export { type AuditDecision, isBoundBy, type Judgement, judge } from "./states/judge.ts";
export type { AuditCrawler, Bound } from "./states/crawlers.ts";
export {
  type Direction,
  type MethodName,
  type StateCode,
  type StatusClass,
  type Verification,
  methodNumberOf,
  verifications,
} from "./states/states.ts";
export { AuditCounter } from "./count/counter.ts";
export { shownAgentOf } from "./count/shown-agent.ts";
export type { CounterOptions, LocatedRequest } from "./count/request.ts";
export { type CandidateVersions, type DecideRequest, type Judging, RequestAudit } from "./count/request-audit.ts";
export { operatorOfReferrer, referringOperators } from "./count/referrers.ts";
export { type AuditOptions, type AuditRequest, auditRequests } from "./audit-requests.ts";
export { type CountLimits, limitsFor } from "./count/limits.ts";
export type { DocumentPages, PageFinding } from "./count/pages.ts";
export type { TotalName } from "./count/totals.ts";
export { type DocumentParts, documentOf } from "./document/write.ts";
export { countsTextOf, documentPiecesOf, documentTextOf } from "./document/canonical.ts";
export { checkDocument } from "./document/check.ts";
export { DocumentMerge, mergeDocuments } from "./document/merge.ts";
export type {
  AuditDocument,
  DocumentInput,
  DocumentOrigin,
  DocumentRule,
  DocumentSettings,
  LintRow,
  LintSeverity,
  Folded,
} from "./document/types.ts";
export { lintSeverities } from "./document/types.ts";
export type { ExampleCell } from "./count/examples.ts";
export type { Row, TableName, Tables } from "./document/tables.ts";
export type { Answers, StatusSum } from "./report/answers.ts";
export { mayBeAccused } from "./report/finding-words.ts";
export { type ReportOptions, reportOf } from "./report/report.ts";
export type {
  Advice,
  AuditFinding,
  AuditFindingCode,
  AuditReport,
  CrawlerRow,
  FileLine,
  FlipRow,
  GroupRow,
  IntervalRow,
  IntervalUse,
  LineState,
  MissRow,
  OperatorRow,
  OriginReport,
  SentencePart,
  Severity,
  ShownRule,
  ViolationRow,
  WasteRow,
  WasteSum,
} from "./report/types.ts";
export type { MismatchKind, MismatchRow } from "./report/mismatch-types.ts";
export type { Comparison, ComparisonRow, ComparisonSide, Judged } from "./report/compare-types.ts";
export type { DayBar, Lane, Lanes, PlotEvent, PurposeBar } from "./report/plot-types.ts";
export { type TextOptions, printText, sentenceTextOf } from "./text/print-text.ts";
export { type CsvOptions, type CsvTableName, csvPiecesOf, csvTableNames, printCsv } from "./csv/print-csv.ts";
export { type HtmlOptions, printHtml } from "./html/page.ts";
