// The public names of @robots-stream/census.
export { Census, type CensusCapture, type CensusOptions, type CensusOrigin } from "./census.ts";
export type { CensusCrawler } from "./answers.ts";
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
  documentTextOf,
  documentType,
} from "./document.ts";
export { csvPiecesOf } from "./csv.ts";
export { mergeDocuments } from "./merge.ts";
export { printHtml } from "./page.ts";
export { type PeriodKind, periodKinds } from "./periods.ts";
export { type CrawlerShares, damageTextOf, originsOf, rejectsOf, sharesOf, slicesOfGroup } from "./report.ts";
export { printText, type TextOptions } from "./text.ts";
export type { FileGround, FileState, Result, Total } from "./tables.ts";
export { type TableName, tableNames, tables } from "./tables.ts";
