// Prints a report as text for a terminal: the files by which requests were judged, the findings, the crawlers.
import { checkHas } from "../errors.ts";
import { wordsOf } from "../report/answers.ts";
import type { CrawlerRow } from "../report/crawler-rows.ts";
import { type AuditFinding, type Severity, shownFindingsOf } from "../report/finding.ts";
import { amountOf, countTextOf, dash, orDash, shortAmountOf } from "../report/numbers.ts";
import { type AuditReport, rejectedName, withoutAgentName } from "../report/report.ts";
import {
  type SentencePart,
  boundMarkOf,
  freeTextOf,
  identityTextOf,
  mayBeAccused,
  operatorIsSilent,
} from "../report/words.ts";
import { type TextColumn, tableLinesOf, wrap } from "./lines.ts";
import { cutTextOf, safeTextOf } from "./safe-text.ts";
import { comparisonLines, flipLines, groupLines, missLines, silentLine, silentSign } from "./table-lines.ts";

/** The options of `printText`. */
export interface TextOptions {
  /** The maximum number of characters of a line, at least 40. Default: 100. */
  readonly columns?: number | undefined;
  /** Whether to use escape sequences for colours. Default: false. */
  readonly colors?: boolean | undefined;
  /** Where the rows are that the text leaves out: "the page has more". Default: nothing is said. */
  readonly more?: string | undefined;
}

const shownFindings = 12;
const shownCrawlers = 12;
const leastColumns = 40;

const reset = "\u001b[0m";
const bold = "\u001b[1m";
const dim = "\u001b[2m";
const colorOf: Readonly<Record<Severity, string>> = {
  violation: "\u001b[31m",
  warning: "\u001b[33m",
  good: "\u001b[32m",
  note: "\u001b[2m",
};

type Painter = (text: string, sequence: string) => string;

/** Prints the text of a report, with a line feed at its end. Control characters in texts from the log are escaped. */
export function printText(report: AuditReport, options: TextOptions = {}): string {
  checkHas(report, "findings");
  const columns = Math.max(leastColumns, options.columns ?? 100);
  const paint: Painter = (text, sequence) => (options.colors === true ? `${sequence}${text}${reset}` : text);
  const lines = [
    ...wrap(headOf(report), columns, 0).map((line, at) => (at === 0 ? paint(line, bold) : line)),
    ...wrap(safeTextOf(report.judgedBy), columns, 0),
    ...[rejectsTextOf(report), report.times, report.sample].flatMap((text) =>
      text === "" ? [] : wrap(text, columns, 0),
    ),
    "",
    ...findingLines(report.findings, columns, paint),
    ...(report.crawlerRows.length === 0
      ? [noCrawlerLine(report)]
      : crawlerLines(report.crawlerRows, columns, paint, options.more)),
    ...missLines(report, columns),
    ...groupLines(report, columns),
    ...comparisonLines(report, columns),
    ...flipLines(report, columns),
  ];
  return `${lines.join("\n")}\n`;
}

function headOf(report: AuditReport): string {
  const zone = report.period === "" ? [] : [`${report.period} ${report.timeZone}`];
  const lines = report.lines > 0 ? [`${shortAmountOf(report.lines, "line")}, `] : [""];
  const requests = `${lines[0]}${amountOf(report.crawlerRequests, "request")} by ${amountOf(report.crawlers, "crawler")}`;
  return safeTextOf([report.title, ...zone, requests].join(" · "));
}

/** The sentence about lines that are no requests, or cannot be read; "" if there are none. The page has them in its table of data. */
function rejectsTextOf({ data }: AuditReport): string {
  const rejects = data.filter(({ name }) => name.startsWith(rejectedName));
  const sum = rejects.reduce((total, { count }) => total + count, 0);
  const reasons = rejects.map(({ name, count }) => `${countTextOf(count)} ${name.slice(rejectedName.length)}`);
  const are = sum === 1 ? "line is not counted as a request" : "lines are not counted as requests";
  return sum === 0 ? "" : safeTextOf(`${countTextOf(sum)} ${are}: ${reasons.join(", ")}.`);
}

/** The plain text of a sentence. */
export function sentenceTextOf(sentence: readonly SentencePart[]): string {
  return sentence.map((part) => (typeof part === "string" ? part : "code" in part ? part.code : part.name)).join("");
}

function findingLines(findings: readonly AuditFinding[], columns: number, paint: Painter): readonly string[] {
  if (findings.length === 0) return ["  Nothing to report.", ""];
  const shown = shownFindingsOf(findings, shownFindings);
  const width = Math.max(9, ...shown.map(({ number }) => number.length + 2));
  const lines = shown.flatMap(({ number, severity, sentence }) => {
    const [first = "", ...more] = wrap(shownSentenceOf(sentence, columns), columns, width + 2);
    const figure = paint(number.padStart(width), colorOf[severity]);
    return [`${figure}  ${first}`, ...more.map((line) => " ".repeat(width + 2) + line)];
  });
  const rest = findings.length - shown.length;
  return [...lines, ...(rest > 0 ? [" ".repeat(width + 2) + `… ${amountOf(rest, "more finding")}`] : []), ""];
}

/** The plain text of a sentence, in which long patterns are cut. */
function shownSentenceOf(sentence: readonly SentencePart[], columns: number): string {
  const cut = sentence.map((part) =>
    typeof part !== "string" && "code" in part ? { code: cutTextOf(part.code, Math.max(20, columns >> 1)) } : part,
  );
  return safeTextOf(sentenceTextOf(cut));
}

function isMarked({ crawler, verification, proven, assumed }: CrawlerRow): boolean {
  return proven.violations + assumed > 0 && boundMarkOf(crawler, verification) === operatorIsSilent;
}

/** A number of violations in a row, with the sign. */
function markedCount(row: CrawlerRow, count: number): string {
  return count > 0 && isMarked(row) ? `${silentSign}${countTextOf(count)}` : countTextOf(count);
}

/**
 * The columns of the table of crawlers. A column without a value is left out, and as many of the first columns are shown as fit in a line.
 */
const textColumns: readonly TextColumn<CrawlerRow>[] = [
  { heading: "crawler", isNumber: false, cell: ({ crawler }) => crawler.productToken },
  { heading: "requests", isNumber: true, cell: ({ requests }) => countTextOf(requests) },
  { heading: "identity", isNumber: false, cell: ({ verification }) => identityTextOf(verification) },
  { heading: "grace", isNumber: true, cell: ({ grace }) => orDash(grace) },
  { heading: "violations", isNumber: true, cell: violationsTextOf },
  { heading: "assumed", isNumber: true, cell: assumedTextOf },
  { heading: "disputed", isNumber: true, cell: ({ disputed }) => orDash(disputed) },
  { heading: "not bound", isNumber: true, cell: ({ notBound }) => orDash(notBound) },
  { heading: "undecidable", isNumber: true, cell: ({ undecidable }) => orDash(undecidable) },
  { heading: "allowed", isNumber: true, cell: ({ allowed }) => orDash(allowed) },
  { heading: "robots.txt", isNumber: true, cell: ({ robotsTxt }) => orDash(robotsTxt) },
  ...(["refused", "not-found", "failed", "redirected", "no-answer", "other", "served"] as const).map((name) => ({
    heading: wordsOf(name),
    isNumber: true,
    cell: ({ answers }: CrawlerRow) => orDash(answers[name]),
  })),
];

/**
 * The number of proven violations. For a crawler that is not bound, or for which this is not known, the number of requests that would be
 * violations. Those of requests with a false identity are no violations of the crawler. A dash for a bound crawler without judged requests.
 */
function violationsTextOf(row: CrawlerRow): string {
  const { crawler, proven, verification } = row;
  if (verification === "false") return proven.violations === 0 ? dash : `false · ${countTextOf(proven.violations)}`;
  const free = freeTextOf(row);
  if (free !== "") return proven.judged === 0 ? free : `${countTextOf(proven.violations)} · ${free}`;
  if (!mayBeAccused(crawler, verification)) return `bound? · ${countTextOf(proven.violations)} would be`;
  return proven.judged === 0 ? dash : markedCount(row, proven.violations);
}

function assumedTextOf(row: CrawlerRow): string {
  return row.assumed === 0 ? dash : markedCount(row, row.assumed);
}

/** The line that is printed instead of an empty table of crawlers. */
function noCrawlerLine({ data, requests }: AuditReport): string {
  const withoutAgent = data.find(({ name }) => name === withoutAgentName)?.count ?? 0;
  if (withoutAgent === 0) return "  No known crawler came.";
  return `  No known crawler came: ${countTextOf(withoutAgent)} of ${amountOf(requests, "request")} have no User-Agent header.`;
}

function crawlerLines(
  rows: readonly CrawlerRow[],
  columns: number,
  paint: Painter,
  more: string | undefined,
): readonly string[] {
  const shown = rows.slice(0, shownCrawlers);
  const known = textColumns.filter(({ cell }) => shown.some((row) => cell(row) !== dash));
  const [headings = "", ...lines] = tableLinesOf(known, shown, columns);
  const rest = rows.length - shown.length;
  return [
    `  ${paint(headings, dim)}`,
    ...shown.map((row, at) => {
      const line = `  ${lines[at]!}`;
      const isBad = row.proven.violations > 0 && mayBeAccused(row.crawler, row.verification);
      return isBad ? paint(line, colorOf.violation) : line;
    }),
    ...(shown.some(isMarked) ? [silentLine] : []),
    ...(rest > 0 ? [`  … ${countTextOf(rest)} more${more === undefined ? "" : ` · ${more}`}`] : []),
  ];
}
