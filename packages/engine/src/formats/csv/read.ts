// Comma- or tab-separated values in, one record a row: its fields kept, its URL taken from one column (RFC 4180).
import { UsageError } from "../../errors.ts";
import { urlTextOf } from "../../text.ts";
import { type Block, blocksOf, keptOf, placeIn } from "../../records/blocks.ts";
import { type Columns, columnsOf, firstUrlIn, isUrl, tableKnownAs } from "./columns.ts";
import { RecordSplitter, linesIn } from "./split.ts";
import { delimiterOf, endOfRow, firstRowOf } from "./first-row.ts";
import { CsvWalker } from "./walk.ts";
import type { Batch, Place, ReadOptions, Reject, RejectCode } from "../../records/batch.ts";

/** Rows and rejects that a batch holds at most. */
const mostRowsAtOnce = 4_096;

/** Reads one source; without a delimiter, the first row shows it. */
export async function* readTable(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  fixedDelimiter: string | undefined,
): AsyncGenerator<Batch> {
  const { source, lineEnd, maxLineBytes, from, writer } = options;
  const begin = from === undefined ? undefined : tableKnownAs(from.known, writer);
  let delimiter = begin?.delimiter ?? fixedDelimiter;
  let splitter = from === undefined ? undefined : new RecordSplitter(delimiter ?? "", lineEnd, maxLineBytes, from.line);
  /** Fields of the first row. */
  let expected = begin?.expected;
  let header: readonly string[] | undefined;
  let columns = begin?.columns;
  let blankLines = 0;
  let begun = "";
  /** Whether that ends within quotes. */
  let isOpen = false;
  let walker: CsvWalker | undefined;
  let lastBlock: Block | undefined;
  /** The place behind what was read so far of the last block, all but `unread` bytes of it. */
  const placeBefore = (unread: number, line: number): Place | undefined => {
    if (options.givesPlaces !== true || lastBlock === undefined || lastBlock.overlong || columns === undefined)
      return undefined;
    const { names, urlIndex, agentIndex } = columns;
    return placeIn(lastBlock, unread, line, { delimiter, expected, names, urlIndex, agentIndex });
  };
  for await (const block of withEnd(blocksOf(chunks, lineEnd, maxLineBytes, from?.offset))) {
    lastBlock = block ?? lastBlock;
    let rejects: Reject[] = [];
    const reject = (code: RejectCode, message: string, line: number, raw: string): void => {
      rejects.push({ source, line, code, message, ...keptOf(code, raw, maxLineBytes) });
    };
    const overlong = block?.overlong === true;
    if (splitter === undefined) {
      const text = block === undefined || overlong ? "" : block.text;
      // Empty lines before the header are no rows, and show no delimiter.
      const blank = begun === "" ? /^[\r\n]*/.exec(text)![0] : "";
      blankLines += linesIn(blank, lineEnd);
      const more = text.slice(blank.length);
      begun += more;
      if (block === undefined && begun === "") return;
      // The delimiter is that of the whole first row, however it comes; what came before is not looked at again.
      const hasFirstRow = endOfRow(more, lineEnd, isOpen) >= 0;
      if (more.split('"').length % 2 === 0) isOpen = !isOpen;
      const isWhole = block === undefined || overlong || begun.length > maxLineBytes || hasFirstRow;
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
        const place = placeBefore(block.bytes.length - walker.next, splitter.linesRead);
        if (packed.count > 0) yield { heads: [], urls: [], rejects: [], packed, place };
        if (walker.next === block.bytes.length) continue;
        splitter.add(block.text.slice(walker.next));
      }
    }
    // Nothing can follow an unfinished record when the file ends or a line over the limit comes.
    const isLast = block === undefined || overlong;
    let found = splitter.next(isLast);
    for (let isRead = false; !isRead; rejects = []) {
      // A text that was held back because of a quote may have hundreds of thousands of rows.
      const rows: string[] = [];
      const rowLines: number[] = [];
      const quoted: number[] = [];
      while (found !== "more" && rows.length + rejects.length < mostRowsAtOnce) {
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
        else if (found === "quoted-row" && expected !== undefined && fields !== expected) {
          reject("ragged", ragged(fields, expected), line, record);
        } else {
          expected ??= found === "quoted-row" ? fields : fieldsOf(record, delimiter ?? "").length;
          if (found === "quoted-row") quoted.push(rows.length);
          rows.push(record);
          rowLines.push(line);
        }
        found = splitter.next(isLast);
      }
      isRead = found === "more";
      if (isRead && block !== undefined && overlong)
        reject("too-long", tooLong(maxLineBytes), splitter.skipLine(), block.text);

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
          try {
            columns = columnsOf(header, fields, delimiter ?? "", options);
          } catch (error) {
            // The rows before are told first: they may have come in an earlier chunk as well.
            const before = rejects.filter(({ line }) => line < (rowLines[index] as number));
            if (before.length > 0)
              yield { heads, urls, rejects: before.toSorted((one, other) => one.line - other.line) };
            throw error;
          }
        }
        if (fields.length !== columns.names.length) {
          reject("ragged", ragged(fields.length, columns.names.length), rowLines[index] as number, row);
          continue;
        }
        heads.push(columns.asRows ? writer.headOfRow(row) : writer.headOfFields(columns.names, fields));
        urls.push(urlTextOf(fields[columns.urlIndex] as string));
        agents?.push(fields[columns.agentIndex] as string);
      }
      rejects.sort((one, other) => one.line - other.line);
      if (heads.length > 0 || rejects.length > 0) {
        const place = isRead ? placeBefore(splitter.unread, splitter.linesRead) : undefined;
        yield agents === undefined ? { heads, urls, rejects, place } : { heads, urls, rejects, agents, place };
      }
    }
    if (block === undefined && columns === undefined && header !== undefined)
      columnsOf(header, [], delimiter ?? "", options);
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

/** A field as a row has it, its doubled quotes taken out. */
const wholeField = /^(?:[^"]*|"[^"]*")$/;

/**
 * Whether a record over several lines holds lines that are rows of this table, with a URL in them: then its quotes are two
 * mistakes that met, and the rows between them are none of its text. A line that closes one field and opens another is no row.
 */
function holdsRows(record: string, lineEnd: string, delimiter: string, expected: number): boolean {
  for (const line of record.split(lineEnd).slice(1, -1)) {
    const fields = fieldsOf(line.replaceAll('""', "").replace(/\r$/, ""), delimiter);
    if (fields.length === expected && fields.some(isUrl) && fields.every((field) => wholeField.test(field)))
      return true;
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
