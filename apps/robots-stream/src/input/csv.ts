// Comma- or tab-separated values in, one record a row: its fields kept, its URL taken from one column (RFC 4180).
import { UsageError } from "../exit.ts";
import { bytesOf, printableOf, textOf, urlTextOf } from "../text.ts";
import { problemOf } from "@robots-stream/url";
import { beginningOf, blocksOf } from "./blocks.ts";
import { RecordSplitter, linesIn } from "./csv-split.ts";
import { CsvWalker } from "./csv-walk.ts";
import type { Batch, InputFormat, ReadOptions, Reject, RejectCode } from "./types.ts";
import { indexOfUsualField, missingAgentField, missingUrlField, urlColumnOf } from "./url-field.ts";

/** CSV with a comma, a semicolon, a tab or "|", whichever the first row shows. */
export const csv: InputFormat = {
  name: "csv",
  about: "rows with a header; , ; tab or | between fields",
  endings: [".csv"],
  read: (chunks, options) => read(chunks, options, undefined),
};

/** CSV with a tab. */
export const tsv: InputFormat = {
  name: "tsv",
  about: "rows with a header, a tab between fields",
  endings: [".tsv", ".tab"],
  read: (chunks, options) => read(chunks, options, "\t"),
};

const delimiters: readonly string[] = [",", ";", "\t", "|"];

/**
 * The delimiter of a first row, as bytes: the one that gives a usual URL field, else the most frequent; "" when there
 * is none. What stands in quotes does not count.
 */
export function delimiterOf(row: string): string {
  const bare = row.replaceAll(/"[^"]*"/g, '""');
  const fieldsBy = delimiters.map((delimiter) => bare.split(delimiter).length);
  const named = delimiters.findIndex(
    (delimiter, index) => (fieldsBy[index] ?? 0) > 1 && indexOfUsualField(unquoted(row.split(delimiter))) >= 0,
  );
  const most = Math.max(...fieldsBy);
  return most === 1 ? "" : (delimiters[named >= 0 ? named : fieldsBy.indexOf(most)] ?? "");
}

/** The first row of a text, over several lines when a quoted field goes over several. */
export function firstRowOf(text: string, lineEnd: "\n" | "\r"): string {
  const end = endOfFirstRow(text, lineEnd);
  if (end >= 0) return text.slice(0, end);
  // A quote that nothing closes says nothing.
  return text.split('"').length % 2 === 0 ? (text.split(lineEnd, 1)[0] ?? "") : text;
}

/** Whether a text holds a whole first row with its line end. */
function hasFirstRow(text: string, lineEnd: string): boolean {
  return endOfFirstRow(text, lineEnd) >= 0;
}

/** The place of the first line end outside of quotes; -1 when there is none. */
function endOfFirstRow(text: string, lineEnd: string): number {
  let inQuotes = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') inQuotes = !inQuotes;
    else if (character === lineEnd && !inQuotes) return at;
  }
  return -1;
}

function unquoted(fields: readonly string[]): string[] {
  return fields.map((field) => (field.startsWith('"') ? field.slice(1, -1) : field));
}

/** The columns of one source. */
interface Columns {
  readonly names: readonly string[];
  readonly urlIndex: number;
  /** Where the User-Agent header is; -1 when nobody asks for it. */
  readonly agentIndex: number;
  /** Rows go out as they came. */
  readonly asRows: boolean;
}

async function* read(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  fixedDelimiter: string | undefined,
): AsyncGenerator<Batch> {
  const { source, lineEnd, maxLineBytes, writer } = options;
  let delimiter = fixedDelimiter;
  let splitter: RecordSplitter | undefined;
  /** Fields of the first row. */
  let expected: number | undefined;
  let header: readonly string[] | undefined;
  let columns: Columns | undefined;
  let blankLines = 0;
  let begun = "";
  let walker: CsvWalker | undefined;
  for await (const block of withEnd(blocksOf(chunks, lineEnd, maxLineBytes))) {
    const rows: string[] = [];
    const rowLines: number[] = [];
    const quoted: number[] = [];
    const rejects: Reject[] = [];
    const reject = (code: RejectCode, message: string, line: number, raw: string): void => {
      rejects.push({ source, line, code, message, text: beginningOf(raw) });
    };
    const overlong = block?.overlong === true;
    if (splitter === undefined) {
      if (block !== undefined && !overlong) begun += block.text;
      // Empty lines before the header are no rows, and show no delimiter.
      const blank = /^[\r\n]*/.exec(begun)![0];
      blankLines += linesIn(blank, lineEnd);
      begun = begun.slice(blank.length);
      if (block === undefined && begun === "") return;
      // The delimiter is that of the whole first row, however it comes.
      const isWhole = block === undefined || overlong || begun.length > maxLineBytes || hasFirstRow(begun, lineEnd);
      if (!isWhole) continue;
      const firstRow = firstRowOf(begun === "" ? (block?.text ?? "") : begun, lineEnd);
      const said = /^"?sep=([,;\t|])"?\r?$/i.exec(firstRow)?.[1];
      if (said !== undefined && begun !== "") {
        // What spreadsheets are told in front of the header is no row.
        blankLines++;
        begun = begun.slice(firstRow.length + 1);
      }
      delimiter ??= said ?? delimiterOf(firstRow);
      splitter = new RecordSplitter(delimiter, lineEnd, maxLineBytes);
      for (; blankLines > 0; blankLines--) splitter.skipLine();
      splitter.add(begun);
    } else if (block !== undefined && !overlong) {
      if (columns !== undefined && splitter.isIdle) walker ??= walkerOf(columns, delimiter ?? "", options);
      if (walker === undefined || !splitter.isIdle) splitter.add(block.text);
      else {
        const packed = walker.walk(block);
        splitter.skipLines(walker.rows);
        if (packed.count > 0) yield { heads: [], urls: [], rejects: [], packed };
        if (walker.next === block.bytes.length) continue;
        splitter.add(block.text.slice(walker.next));
      }
    }
    // Nothing can follow an unfinished record when the file ends or a line over the limit comes.
    for (let found = splitter.next(block === undefined || overlong); found !== "more";) {
      const { record, line, lines, fields } = splitter;
      const isLong = found === "quoted-row" && lines > 1 && expected !== undefined;
      if (isLong && fields !== expected) {
        // Perhaps a quote that opened by mistake, and was closed by another mistake: what lies between is read again.
        splitter.takeBack();
        reject("ragged", ragged(fields, expected ?? 0, lines), line, splitter.record);
      } else if (isLong && holdsRows(record, lineEnd, delimiter ?? "", expected ?? 0)) {
        splitter.takeBack();
        reject("open-quote", openQuote, line, splitter.record);
      } else if (record.length > maxLineBytes) reject("too-long", tooLong(maxLineBytes), line, record);
      else if (found === "stray-quote") reject(found, 'has a " where none may stand', line, record);
      else if (found === "open-quote") reject(found, openQuote, line, record);
      else {
        expected ??= found === "quoted-row" ? fields : fieldsOf(record, delimiter ?? "").length;
        if (found === "quoted-row") quoted.push(rows.length);
        rows.push(record);
        rowLines.push(line);
      }
      found = splitter.next(block === undefined || overlong);
    }
    if (block !== undefined && overlong) reject("too-long", tooLong(maxLineBytes), splitter.skipLine(), block.text);

    const [firstReject] = rejects;
    if (
      header === undefined &&
      columns === undefined &&
      firstReject !== undefined &&
      firstReject.line < (rowLines[0] ?? Infinity)
    ) {
      throw new UsageError("unusable-input", `${source}:${firstReject.line}: the first row ${firstReject.message}`);
    }
    const unquotedRows = quoted.length === 0 ? undefined : await readQuoted(rows, quoted, delimiter ?? ",");
    const heads: string[] = [];
    const urls: string[] = [];
    const agents: string[] | undefined = options.agentField === undefined ? undefined : [];
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] as string;
      const fields = unquotedRows?.get(index) ?? fieldsOf(row, delimiter ?? "");
      if (columns === undefined) {
        if (header === undefined && firstUrlIn(fields) < 0) {
          // The first record helps to tell which column holds the URL.
          header = fields;
          continue;
        }
        // A damaged row tells nothing about the columns.
        if (header !== undefined && fields.length !== header.length) {
          reject("ragged", ragged(fields.length, header.length), rowLines[index] as number, row);
          continue;
        }
        columns = columnsOf(header, fields, delimiter ?? "", options);
      }
      if (fields.length !== columns.names.length) {
        reject("ragged", ragged(fields.length, columns.names.length), rowLines[index] as number, row);
        continue;
      }
      heads.push(columns.asRows ? writer.headOfRow(row) : writer.headOfFields(columns.names, fields));
      urls.push(urlTextOf(fields[columns.urlIndex] as string));
      agents?.push(fields[columns.agentIndex] as string);
    }
    if (block === undefined && columns === undefined && header !== undefined)
      columnsOf(header, [], delimiter ?? "", options);
    rejects.sort((one, other) => one.line - other.line);
    if (heads.length > 0 || rejects.length > 0) {
      yield agents === undefined ? { heads, urls, rejects } : { heads, urls, rejects, agents };
    }
  }
}

/** For heads that are made of a row's bytes without a string for each field; undefined for others. */
function walkerOf(columns: Columns, delimiter: string, options: ReadOptions): CsvWalker | undefined {
  const { lineEnd, maxLineBytes, base, writer } = options;
  const openings = columns.asRows ? undefined : writer.memberOpenings();
  if (
    delimiter === "" ||
    base !== undefined ||
    options.agentField !== undefined ||
    (!columns.asRows && openings === undefined)
  )
    return undefined;
  const { names, urlIndex } = columns;
  return new CsvWalker({ delimiter, lineEnd, maxLineBytes, columnCount: names.length, urlIndex, openings });
}

function tooLong(maxLineBytes: number): string {
  return `is longer than ${maxLineBytes} bytes (--max-line-bytes)`;
}

const openQuote = 'opens a field with " and does not close it';

/** The fields of a row without quotes. */
function fieldsOf(row: string, delimiter: string): readonly string[] {
  return delimiter === "" ? [row] : row.split(delimiter);
}

/**
 * Whether a record over several lines holds lines that are rows of this table, with a URL in them: then its quotes are two
 * mistakes that met, and the rows between them are none of its text.
 */
function holdsRows(record: string, lineEnd: string, delimiter: string, expected: number): boolean {
  for (const line of record.split(lineEnd).slice(1, -1)) {
    const fields = fieldsOf(line.replaceAll('""', "").replace(/\r$/, ""), delimiter);
    if (fields.length === expected && fields.some(isUrl)) return true;
  }
  return false;
}

function ragged(count: number, expected: number, lines = 1): string {
  const over = lines === 1 ? "" : ` over ${lines} lines`;
  return `has ${count} field${count === 1 ? "" : "s"}${over} where the first row has ${expected}`;
}

/** The items, and undefined after the last one. */
async function* withEnd<T>(items: AsyncIterable<T>): AsyncGenerator<T | undefined> {
  yield* items;
  yield undefined;
}

/** The fields of the rows that have quotes, all in one call. The splitter has made sure that each row is one record. */
async function readQuoted(
  rows: readonly string[],
  quoted: readonly number[],
  delimiter: string,
): Promise<Map<number, string[]>> {
  const { parse } = await import("csv-parse/sync");
  const text = quoted.map((index) => rows[index]).join("\n");
  const records = parse(text, {
    delimiter: delimiter === "" ? "\0" : delimiter,
    record_delimiter: "\n",
    relax_column_count: true,
  });
  if (records.length !== quoted.length)
    throw new Error(`csv-parse found ${records.length} records in ${quoted.length}`);
  return new Map(quoted.map((index, at) => [index, records[at] as string[]]));
}

/** The first field that holds a URL; -1 when none does. */
function firstUrlIn(row: readonly string[]): number {
  return row.findIndex(isUrl);
}

function isUrl(field: string): boolean {
  return /^(?:https?|ftp):/i.test(field) && problemOf(urlTextOf(field)) === undefined;
}

/** What the header and the first record say; without a header, the columns are numbered. */
function columnsOf(
  header: readonly string[] | undefined,
  row: readonly string[],
  delimiter: string,
  options: ReadOptions,
): Columns {
  const { source, urlField, writer } = options;
  const names = header === undefined ? row.map((_field, index) => `column_${index + 1}`) : uniqueNames(header);
  let urlIndex: number;
  if (urlField !== undefined) urlIndex = indexOfAsked(urlField, names);
  else if (header === undefined) urlIndex = firstUrlIn(row);
  else urlIndex = urlColumnOf(source, header, (index) => isUrl(row[index] ?? ""));
  if (urlIndex < 0) throw missingUrlField(source, urlField, names.map(textOf));
  const { agentField } = options;
  const agentIndex = agentField === undefined ? -1 : indexOfAsked(agentField, names);
  if (agentField !== undefined && agentIndex < 0) throw missingAgentField(source, agentField, names.map(textOf));
  options.onLayout?.({ delimiter, hasHeader: header !== undefined, urlField: textOf(names[urlIndex] as string) });
  const asRows = writer.startRows(names, delimiter);
  return { names, urlIndex, agentIndex, asRows };
}

/** By name, exactly or without regard to case; else by number, from 1. */
function indexOfAsked(asked: string, names: readonly string[]): number {
  const name = bytesOf(asked);
  const exact = names.indexOf(name);
  if (exact >= 0) return exact;
  const folded = names.map((each) => each.trim().toLowerCase());
  const loose = folded.indexOf(name.trim().toLowerCase());
  if (loose >= 0) {
    if (folded.indexOf(name.trim().toLowerCase(), loose + 1) >= 0) {
      const list = names.map((each) => printableOf(textOf(each), 60)).join(", ");
      throw new UsageError("no-url-field", `--url-field "${printableOf(asked, 60)}" fits several of: ${list}`);
    }
    return loose;
  }
  return /^[1-9]\d{0,5}$/.test(asked) && Number(asked) <= names.length ? Number(asked) - 1 : -1;
}

/** Names that can be keys of one object: no name comes twice, and none is empty. */
function uniqueNames(row: readonly string[]): string[] {
  const used = new Set(row);
  const given = new Set<string>();
  return row.map((field, index) => {
    let name = field === "" ? `column_${index + 1}` : field;
    for (let count = 2; given.has(name) || (name !== field && used.has(name)); count++) name = `${field}_${count}`;
    given.add(name);
    return name;
  });
}
