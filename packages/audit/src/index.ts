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
  withOlderCopies,
} from "./history.ts";
export { type AuditDecision, isBoundBy, type Judgement, judge, type AuditCrawler, type Bound } from "./states/judge.ts";
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
export { shownAgentOf } from "./count/names.ts";
export {
  type CounterOptions,
  type LocatedRequest,
  type CountLimits,
  limitsFor,
  type TotalName,
} from "./count/counter-input.ts";
export { type CandidateVersions, type DecideRequest, type Judging, RequestAudit } from "./count/request-audit.ts";
export { operatorOfReferrer, referringOperators } from "./count/referrers.ts";
export { type AuditOptions, type AuditRequest, auditRequests } from "./audit-requests.ts";
export type { DocumentPages, PageFinding } from "./count/pages.ts";
export { type DocumentParts, documentOf } from "./document/write.ts";
export { countsTextOf, documentPiecesOf, documentTextOf } from "./document/canonical.ts";
export { checkDocument } from "./document/check.ts";
export { DocumentMerge, mergeDocuments } from "./document/merge.ts";
export {
  type AuditDocument,
  type DocumentInput,
  type DocumentOrigin,
  type DocumentRule,
  type DocumentSettings,
  type LintRow,
  type LintSeverity,
  type Folded,
  lintSeverities,
} from "./document/types.ts";
export type { ExampleCell } from "./count/examples.ts";
export type { Row, TableName, Tables } from "./document/tables.ts";
export type { Answers, StatusSum } from "./report/answers.ts";
export { mayBeAccused, type Advice, type SentencePart, type ShownRule } from "./report/words.ts";
export { type ReportOptions, reportOf, type AuditReport } from "./report/report.ts";
export type { AuditFinding, AuditFindingCode, Severity } from "./report/finding.ts";
export type { CrawlerRow, Judged } from "./report/crawler-rows.ts";
export type { FileLine, LineState } from "./report/file-lines.ts";
export type { FlipRow, MissRow, ViolationRow, WasteRow, WasteSum } from "./report/violation-rows.ts";
export type { GroupRow, OperatorRow } from "./report/group-rows.ts";
export type { IntervalRow, OriginReport } from "./report/origin-reports.ts";
export type { IntervalUse } from "./report/interval-uses.ts";
export type { MismatchKind, MismatchRow } from "./report/mismatches.ts";
export type { Comparison, ComparisonRow, ComparisonSide } from "./report/compare.ts";
export type { DayBar, Lane, Lanes, PlotEvent, PurposeBar } from "./report/plots.ts";
export { type TextOptions, printText, sentenceTextOf } from "./text/print-text.ts";
export { type CsvOptions, type CsvTableName, csvPiecesOf, csvTableNames, printCsv } from "./csv.ts";
export { type HtmlOptions, printHtml } from "./html/page.ts";
