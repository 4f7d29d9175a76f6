// The public names of @robots-stream/census.
export { Census, type CensusCapture, type CensusOptions, type CensusOrigin } from "./census.ts";
export type { CensusCrawler } from "./crawlers.ts";
export {
  type CensusDocument,
  type CensusGroup,
  type CensusPart,
  type CensusSettings,
  type CensusSlice,
  type CensusTable,
  checkDocument,
  type CountRow,
  type DocumentFacts,
  documentOf,
  documentTextOf,
  documentType,
} from "./document.ts";
export { type CsvOptions, csvPiecesOf, type CsvTableName, csvTableNames } from "./csv.ts";
export { mergeDocuments } from "./merge.ts";
export { printHtml } from "./page.ts";
export { type PeriodKind, periodKinds } from "./periods.ts";
export type { Change } from "./slice.ts";
export { originsOf, sharesOf, slicesOfGroup } from "./report.ts";
export { printText, type TextOptions } from "./text.ts";
export { type FileGround, fileGrounds, type FileState, fileStates, type Result, results } from "./states.ts";
export { type TableName, tableNames, tables } from "./tables.ts";
