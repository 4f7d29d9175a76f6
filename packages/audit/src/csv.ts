// Prints one table of a document as CSV (RFC 4180): a table of its origins, or a table that is computed from the whole document.
import type { ExampleCell } from "./count/examples.ts";
import { tableRowsOf } from "./document/table-rows.ts";
import { type Cell, type ColumnName, type TableName, columnTypes, tableColumns } from "./document/tables.ts";
import type { AuditDocument, DocumentOrigin } from "./document/types.ts";
import { checkHas } from "./errors.ts";
import type { GroupRow } from "./report/group-rows.ts";
import { mismatchRowsOf } from "./report/mismatches.ts";
import { reportOf } from "./report/report.ts";
import { isoOf } from "./time.ts";

/** A table of a whole document. */
interface WholeTable {
  readonly headings: readonly string[];
  readonly rowsOf: (document: AuditDocument) => readonly (readonly string[])[];
}

const timeTextOf = (time: number | null): string => (time === null ? "" : isoOf(time));

const groupHeadings = [
  "crawlers",
  "purposes",
  "requests",
  "verified",
  "bytes",
  "days",
  "robotsTxtFetches",
  "refused",
  "violations",
  "judged",
] as const;

/** The fields of a group. Days are those of UTC. */
function groupFieldsOf({ name, crawlers, purposes, judged, days, ...row }: GroupRow): readonly string[] {
  const numbers = [row.requests, row.verified, row.bytes, days ?? "", row.fetches, row.answers.refused];
  return [name, crawlers.join(" "), purposes.join(" "), ...[...numbers, judged.violations, judged.judged].map(String)];
}

/** The name of a table of a whole document. */
type WholeTableName = "otherAgents" | "operators" | "purposes" | "mismatches";

/** The tables of a whole document. */
const wholeTables: Readonly<Record<WholeTableName, WholeTable>> = {
  otherAgents: {
    headings: ["agent", "requests"],
    rowsOf: ({ otherAgents }) => otherAgents.map(({ agent, requests }) => [agent, String(requests)]),
  },
  operators: {
    headings: ["operator", ...groupHeadings, "visits"],
    rowsOf: (document) => reportOf(document).operators.map((row) => [...groupFieldsOf(row), String(row.visits)]),
  },
  purposes: {
    headings: ["purpose", ...groupHeadings],
    rowsOf: (document) => reportOf(document).purposes.map(groupFieldsOf),
  },
  // A row for each status of a mismatch, so that every field is one value.
  mismatches: {
    headings: ["origin", "crawler", "verification", "kind", "proven", "status", "requests", "of", "first", "last"],
    rowsOf: ({ origins, crawlers }) =>
      mismatchRowsOf(origins, crawlers).flatMap((row) =>
        row.statuses.map(({ status, requests }) => [
          row.origin,
          row.crawler,
          row.verification,
          row.kind,
          String(row.isProven),
          String(status),
          String(requests),
          String(row.of),
          timeTextOf(row.first),
          timeTextOf(row.last),
        ]),
      ),
  },
};

/** Whether a table is one of a whole document. */
function isWholeTable(name: string): name is WholeTableName {
  return Object.hasOwn(wholeTables, name);
}

/** The names of the tables that can be printed as CSV: the tables of origins, and tables of the whole document. */
export const csvTableNames: readonly CsvTableName[] = [
  ...(Object.keys(tableColumns) as TableName[]),
  ...(Object.keys(wholeTables) as WholeTableName[]),
];

/** The name of a CSV table. */
export type CsvTableName = TableName | WholeTableName;

/** How a table is printed. */
export interface CsvOptions {
  /** Whether to put `'` before a field that a spreadsheet would run as a formula. Default: false. */
  readonly isSafe?: boolean | undefined;
}

/**
 * Returns one table of a document as CSV, with the rows of all origins. The first column of a table of origins is `origin`. Lines end with
 * CR LF. Times are RFC 3339 in UTC. Tables of crawlers' requests end with the column `bound`: whether robots.txt binds the crawler.
 */
export function printCsv(document: AuditDocument, table: CsvTableName, options: CsvOptions = {}): string {
  checkHas(document, "origins");
  return [...csvPiecesOf(document, table, options)].join("");
}

/** Yields the same text as `printCsv` in pieces: the headings, then the rows of one origin after another. */
export function* csvPiecesOf(
  document: AuditDocument,
  table: CsvTableName,
  { isSafe = false }: CsvOptions = {},
): Generator<string, void, undefined> {
  const lineOf = (fields: readonly string[]): string =>
    `${fields.map((field) => csvFieldOf(field, isSafe)).join(",")}\r\n`;
  if (isWholeTable(table)) {
    const { headings, rowsOf } = wholeTables[table];
    yield [headings, ...rowsOf(document)].map(lineOf).join("");
    return;
  }
  const columns: readonly ColumnName[] = tableColumns[table];
  const crawlerAt = columns.indexOf("crawler");
  const bounds = new Map<Cell, string>(document.crawlers.map(({ productToken, bound }) => [productToken, bound]));
  const boundOf = (row: readonly Cell[]): readonly string[] =>
    crawlerAt < 0 ? [] : [bounds.get(row[crawlerAt]!) ?? ""];
  yield lineOf(["origin", ...columns.flatMap(headingsOf), ...(crawlerAt < 0 ? [] : ["bound"])]);
  for (const origin of document.origins) {
    let piece = "";
    for (const row of tableRowsOf(origin, table) as Iterable<readonly Cell[]>) {
      const fields = row.flatMap((_cell, at) => fieldsOf(origin, row, columns[at]!, at));
      piece += lineOf([origin.origin, ...fields, ...boundOf(row)]);
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = "";
    }
    yield piece;
  }
}

/** A piece ends after the row with which it reaches this many characters, or after the last row of an origin. */
const pieceLength = 65_536;

function headingsOf(name: ColumnName): readonly string[] {
  if (name === "interval") return ["version", "intervalFrom"];
  return name === "rule" ? ["directive", "pattern", "userAgents", "line"] : [name];
}

function fieldsOf(origin: DocumentOrigin, row: readonly Cell[], column: ColumnName, at: number): readonly string[] {
  const type = columnTypes[column];
  const cell = row[at]!;
  if (type === "time") return [cell === null ? "" : isoOf(cell as number)];
  if (type === "interval") {
    const interval = origin.intervals[cell as number];
    return [interval?.version ?? "", interval === undefined || interval.from === null ? "" : isoOf(interval.from)];
  }
  if (type === "rule") return ruleFieldsOf(origin, cell as number, row[at - 1] as number);
  if (type === "examples") return [(cell as readonly ExampleCell[]).map(([, target]) => target).join(" ")];
  return [String(cell)];
}

/** The fields of a rule, with its line in the version of the interval. (In every table, the interval's column precedes the rule's.) */
function ruleFieldsOf(origin: DocumentOrigin, rule: number, interval: number): readonly string[] {
  const { tokens, directive, pattern, lines } = origin.rules[rule]!;
  const version = origin.intervals[interval]?.version ?? "";
  return [directive, pattern, tokens.join(" "), Object.hasOwn(lines, version) ? String(lines[version]) : ""];
}

/** A field of a CSV file, quoted if necessary. `isSafe`: a `'` is put before a field that a spreadsheet would run as a formula. */
export function csvFieldOf(field: string, isSafe: boolean): string {
  const kept = isSafe && /^[=+\-@\t\r]/u.test(field) ? `'${field}` : field;
  return /[",\r\n]/u.test(kept) ? `"${kept.replaceAll('"', '""')}"` : kept;
}
