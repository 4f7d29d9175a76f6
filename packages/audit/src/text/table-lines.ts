// Prints the sums by purpose and operator, the comparison and the flips of a report as lines for a terminal.
import { wordsOf } from "../report/answers.ts";
import {
  type ComparisonRow,
  type ComparisonSide,
  changeTextOf,
  comparisonMarkOf,
  violationsTextOf,
} from "../report/compare.ts";
import type { GroupRow } from "../report/group-rows.ts";
import { amountOf, averageTextOf, countTextOf, orDash } from "../report/numbers.ts";
import type { AuditReport } from "../report/report.ts";
import type { FlipRow, MissRow } from "../report/violation-rows.ts";
import { identityTextOf, operatorIsSilent, purposeTextOf } from "../report/words.ts";
import { type TextColumn, tableLinesOf, wrap } from "./lines.ts";
import { cutTextOf, safeTextOf } from "./safe-text.ts";

export const silentSign = "†";
export const silentLine: string = `  ${silentSign} ${operatorIsSilent}`;

const shownRows = 8;

/** The lines of a table: the first rows, and as many of the first columns as fit in `width` characters. */
function tableLines<Row>(columns: readonly TextColumn<Row>[], rows: readonly Row[], width: number): readonly string[] {
  const shown = rows.slice(0, shownRows);
  const rest = rows.length - shown.length;
  return [
    ...tableLinesOf(columns, shown, width).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  … ${countTextOf(rest)} more`] : []),
  ];
}

/** The proven violations of a group, with the sign if the operator of one of its crawlers is silent. */
function groupViolationsOf({ judged, unpromised }: GroupRow): string {
  if (judged.judged === 0) return "–";
  return `${unpromised > 0 ? silentSign : ""}${countTextOf(judged.violations)}`;
}

const groupColumns: readonly TextColumn<GroupRow>[] = [
  { heading: "requests", isNumber: true, cell: ({ requests }) => countTextOf(requests) },
  { heading: "days", isNumber: true, cell: ({ days }) => orDash(days) },
  { heading: "refused", isNumber: true, cell: ({ answers }) => orDash(answers.refused) },
  { heading: "violations", isNumber: true, cell: groupViolationsOf },
];

const purposeColumns: readonly TextColumn<GroupRow>[] = [
  { heading: "purpose", isNumber: false, cell: ({ name }) => purposeTextOf(name) },
  ...groupColumns,
  { heading: "crawlers", isNumber: false, cell: ({ crawlers }) => firstNamesOf(crawlers, 40) },
];

/** The first names, as many as fit whole in `width` characters but at least one, and the number of the others. */
function firstNamesOf(names: readonly string[], width: number): string {
  const textOf = (count: number): string =>
    `${names.slice(0, count).join(", ")}${count < names.length ? ` and ${names.length - count} more` : ""}`;
  let count = names.length;
  while (count > 1 && textOf(count).length > width) count--;
  return textOf(count);
}

const operatorColumns: readonly TextColumn<GroupRow>[] = [
  { heading: "operator", isNumber: false, cell: ({ name }) => name },
  ...groupColumns,
  { heading: "for", isNumber: false, cell: ({ purposes }) => purposes.map(purposeTextOf).join(", ") },
];

/** The sums by purpose and by operator; no line for one crawler, whose own row says the same. */
export function groupLines(
  { purposes, operators, crawlers, refusing }: AuditReport,
  columns: number,
): readonly string[] {
  if (crawlers < 2) return [];
  const came = operators.filter(({ requests }) => requests > 0);
  return [
    "",
    ...tableLines(purposeColumns, purposes, columns),
    "",
    ...tableLines(operatorColumns, came, columns),
    ...(purposes.some(({ unpromised }) => unpromised > 0) ? [silentLine] : []),
    ...(refusing === "" ? [] : ["", ...wrap(refusing, columns, 0)]),
  ];
}

const missColumns: readonly TextColumn<MissRow>[] = [
  { heading: "answer", isNumber: false, cell: ({ answer }) => wordsOf(answer) },
  { heading: "requests", isNumber: true, cell: ({ requests }) => countTextOf(requests) },
  { heading: "example", isNumber: false, cell: ({ examples }) => cutTextOf(examples[0] ?? "", 45) },
  { heading: "directory", isNumber: false, cell: ({ directory }) => cutTextOf(directory, 30) },
];

/** The lines about requests that the server did not serve. */
export function missLines({ misses }: AuditReport, columns: number): readonly string[] {
  return misses.length === 0 ? [] : ["", ...tableLines(missColumns, misses, columns)];
}

const comparisonColumns: readonly TextColumn<ComparisonRow>[] = [
  { heading: "crawler", isNumber: false, cell: ({ crawler }) => crawler.productToken },
  { heading: "per day then", isNumber: true, cell: ({ before }) => averageTextOf(before?.perDay) },
  { heading: "now", isNumber: true, cell: ({ now }) => averageTextOf(now?.perDay) },
  { heading: "change", isNumber: true, cell: changeTextOf },
  { heading: "violations then", isNumber: true, cell: (row) => markedTextOf(row, row.before) },
  { heading: "now", isNumber: true, cell: (row) => markedTextOf(row, row.now) },
  { heading: "identity", isNumber: false, cell: ({ verification }) => identityTextOf(verification) },
];

/** The lines about the changes since an earlier audit. */
export function comparisonLines({ comparison }: AuditReport, columns: number): readonly string[] {
  if (comparison === undefined) return [];
  const head = `Compared with ${comparison.period || "an earlier audit"}: requests per day, proven violations per judged request`;
  return [
    "",
    ...wrap(safeTextOf([head, ...comparison.notes].join(". ")), columns, 0),
    "",
    ...tableLines(comparisonColumns, comparison.rows, columns),
    ...(comparison.rows.slice(0, shownRows).some(isMarked) ? [silentLine] : []),
  ];
}

function isMarked(row: ComparisonRow): boolean {
  return comparisonMarkOf(row) === operatorIsSilent;
}

/** The violations of one side of a row, with the sign of a crawler whose operator is silent. */
function markedTextOf(row: ComparisonRow, side: ComparisonSide | null): string {
  return `${side !== null && side.proven.violations > 0 && isMarked(row) ? silentSign : ""}${violationsTextOf(row, side)}`;
}

const flipColumns: readonly TextColumn<FlipRow>[] = [
  { heading: "what if", isNumber: false, cell: ({ flip }) => flip.replace("-", " ") },
  { heading: "requests", isNumber: true, cell: ({ requests }) => countTextOf(requests) },
  { heading: "crawler", isNumber: false, cell: ({ crawler }) => crawler },
  { heading: "directory", isNumber: false, cell: ({ directory }) => cutTextOf(directory, 40) },
  { heading: "example", isNumber: false, cell: ({ examples }) => cutTextOf(examples[0] ?? "", 40) },
];

/** The lines about decisions that a candidate file would change. */
export function flipLines({ flips, hasCandidate, ifRefused }: AuditReport, columns: number): readonly string[] {
  if (!hasCandidate) return [];
  const sumOf = (wanted: FlipRow["flip"]): number =>
    flips.reduce((sum, { flip, requests }) => sum + (flip === wanted ? requests : 0), 0);
  const head =
    `What if the candidate were the robots.txt: ${amountOf(sumOf("newly-disallowed"), "request")} of this log newly disallowed, ` +
    `${countTextOf(sumOf("newly-allowed"))} newly allowed. URLs that crawlers avoided are not in the log.`;
  return [
    "",
    ...wrap(head, columns, 0),
    ...(flips.length === 0 ? [] : ["", ...tableLines(flipColumns, flips, columns)]),
    ...refusalLines(flips, ifRefused, columns),
  ];
}

/** What changes for each crawler that the candidate refuses more requests, as its operator documents. */
function refusalLines(
  flips: readonly FlipRow[],
  ifRefused: AuditReport["ifRefused"],
  columns: number,
): readonly string[] {
  const refused = new Set(flips.filter(({ flip }) => flip === "newly-disallowed").map(({ crawler }) => crawler));
  const told = [...refused].flatMap((crawler) => {
    const text = ifRefused.get(crawler);
    return text === undefined ? [] : wrap(`if ${crawler} is refused: ${text}`, columns, 2).map((line) => `  ${line}`);
  });
  return told.length === 0 ? [] : ["", ...told];
}
