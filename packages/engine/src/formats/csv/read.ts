// Reads a table of comma- or tab-separated values (RFC 4180): one record per row, with the URL from one column or composed of several.
import { UsageError } from "../../errors.ts";
import { urlTextOf } from "../../text.ts";
import { type Block, blocksOf, keptOf, placeIn } from "../../records/blocks.ts";
import {
  type Columns,
  columnsOf,
  firstUrlIn,
  hostIndexesOf,
  otherHostIn,
  partIndexesOf,
  tableKnownAs,
  textIndexesOf,
} from "./columns.ts";
import { otherHost } from "../host-beside.ts";
import { TableStart } from "./first-row.ts";
import { fieldsOf, readQuotedRows } from "./fields.ts";
import { type RowRejectCode, holdsRows, messages } from "./row-rejects.ts";
import { type Found, RecordSplitter } from "./split.ts";
import { CsvWalker } from "./walk.ts";
import type { LogProblem } from "@robots-stream/logs";
import { noRecords } from "../../records/packed.ts";
import { RowHeads } from "../../records/row-heads.ts";
import { composedUrlOf, otherParts } from "../url-parts.ts";
import type { Batch, ResumePoint, ReadOptions, Reject, RejectCode } from "../../records/batch.ts";

/** Largest number of rows and rejects in a batch. */
const mostRowsAtOnce = 4_096;

/** Reads one source. Without a delimiter, the first row determines it. */
export async function* readTable(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions,
  delimiter: string | undefined,
): AsyncGenerator<Batch> {
  const reader = new TableReader(options, delimiter);
  const { lineEnd, maxLineBytes, from } = options;
  for await (const block of blocksOf(chunks, lineEnd, maxLineBytes, from?.offset)) yield* reader.read(block);
  yield* reader.end();
}

/** Some successive rows, and the rejects for the records between them. */
interface Part {
  readonly rows: string[];
  /** By row: the line number of its first line. */
  readonly lines: number[];
  /** Indexes of the rows that contain quotes. */
  readonly quoted: number[];
  readonly rejects: Reject[];
}

class TableReader {
  readonly #options: ReadOptions;
  readonly #start: TableStart;
  #delimiter: string | undefined;
  /** Undefined until the whole first row has arrived. */
  #splitter: RecordSplitter | undefined;
  /** Number of fields of the first row. */
  #expected: number | undefined;
  #header: readonly string[] | undefined;
  #columns: Columns | undefined;
  #walker: CsvWalker | undefined;
  #lastBlock: Block | undefined;
  readonly #heads = new RowHeads();

  constructor(options: ReadOptions, delimiter: string | undefined) {
    const { lineEnd, maxLineBytes, from, writer } = options;
    this.#options = options;
    this.#start = new TableStart(lineEnd);
    this.#delimiter = delimiter;
    if (from === undefined) return;
    const known = tableKnownAs(from.known, writer);
    this.#delimiter = known.delimiter;
    this.#expected = known.expected;
    this.#columns = known.columns;
    this.#splitter = new RecordSplitter(known.delimiter, lineEnd, maxLineBytes, from.line);
  }

  /**
   * Reads the next block. Once the columns are known, the walker reads the plain rows at the beginning of the block; the splitter reads all
   * other rows.
   */
  async *read(block: Block): AsyncGenerator<Batch> {
    this.#lastBlock = block;
    const text = block.overlong ? "" : block.text;
    if (this.#splitter === undefined) {
      const hasRow = this.#start.add(text);
      const isWhole = hasRow || block.overlong || this.#start.text.length > this.#options.maxLineBytes;
      if (!isWhole) return;
      this.#splitter = this.#begin(block.text);
    } else if (!block.overlong) {
      const walker = this.#walkerFor(this.#splitter);
      if (walker === undefined) this.#splitter.add(text);
      else {
        const packed = walker.walk(block);
        this.#splitter.skipLines(walker.rows);
        const place = this.#placeBefore(block.bytes.length - walker.next, this.#splitter.linesRead);
        if (packed.count > 0) yield { records: packed, rejects: [], place };
        if (walker.next === block.bytes.length) return;
        this.#splitter.add(text.slice(walker.next));
      }
    }
    yield* this.#split(this.#splitter, block.overlong, block.overlong ? block.text : undefined);
  }

  /**
   * Reads the unfinished rest of the last block. Throws a `UsageError` for a table that has only a header, without a column for the URL.
   */
  async *end(): AsyncGenerator<Batch> {
    if (this.#splitter === undefined && this.#start.text === "") return;
    this.#splitter ??= this.#begin("");
    yield* this.#split(this.#splitter, true, undefined);
    if (this.#columns === undefined && this.#header !== undefined) {
      columnsOf(this.#header, [], this.#delimiter ?? "", this.#options);
    }
  }

  /** Creates the splitter with the delimiter of the first row. `instead`: an overlong line, used when there is no first row. */
  #begin(instead: string): RecordSplitter {
    const { lineEnd, maxLineBytes } = this.#options;
    const shown = this.#start.takeDelimiter(instead);
    this.#delimiter ??= shown;
    const splitter = new RecordSplitter(this.#delimiter, lineEnd, maxLineBytes, this.#start.lines);
    splitter.add(this.#start.text);
    this.#start.text = "";
    return splitter;
  }

  /** The walker, when the columns are known and no record is unfinished; otherwise undefined. */
  #walkerFor(splitter: RecordSplitter): CsvWalker | undefined {
    if (this.#columns === undefined || !splitter.isIdle) return undefined;
    return (this.#walker ??= walkerOf(this.#columns, this.#delimiter ?? "", this.#options));
  }

  /**
   * The resume point `unread` bytes before the end of the last block; undefined without `givesPlaces` or columns, and in an overlong line.
   */
  #placeBefore(unread: number, line: number): ResumePoint | undefined {
    const block = this.#lastBlock;
    const { givesPlaces } = this.#options;
    if (givesPlaces !== true || block === undefined || block.overlong || this.#columns === undefined) return undefined;
    const { names, urlIndex, parts, agentIndex, timeIndex, texts } = this.#columns;
    const [delimiter, expected] = [this.#delimiter, this.#expected];
    const indexes = { urlIndex, ...partIndexesOf(parts), agentIndex, timeIndex, ...textIndexesOf(texts) };
    return placeIn(block, unread, line, { delimiter, expected, names, ...indexes });
  }

  /**
   * Splits the added text into rows and yields them in batches: text held back because of a quote may have hundreds of thousands of
   * rows. With `isLast`, an unfinished record ends with the text: at the end of the file, or before an overlong line. `overlong` is the
   * beginning of that line, for its reject.
   */
  async *#split(splitter: RecordSplitter, isLast: boolean, overlong: string | undefined): AsyncGenerator<Batch> {
    let found = splitter.next(isLast);
    for (let isRead = false; !isRead;) {
      const part: Part = { rows: [], lines: [], quoted: [], rejects: [] };
      found = this.#collect(splitter, found, isLast, part);
      isRead = found === "more";
      if (isRead && overlong !== undefined) this.#reject(part, "too-long", splitter.skipLine(), overlong);
      this.#checkFirstRow(part);
      const { rows, quoted, rejects } = part;
      const unquoted = quoted.length === 0 ? undefined : await readQuotedRows(rows, quoted, this.#delimiter ?? ",");
      this.#heads.begin();
      for (let index = 0; index < rows.length; index++) {
        const fields = unquoted?.get(index) ?? fieldsOf(rows[index]!, this.#delimiter ?? "");
        try {
          this.#columns ??= this.#columnsBy(part, index, fields);
        } catch (error) {
          // Yields the earlier rejects before the error ends the run: with smaller chunks, an earlier batch would have contained them.
          const before = rejects.filter(({ line }) => line < part.lines[index]!);
          if (before.length > 0) yield { records: noRecords(), rejects: before.toSorted(byLine) };
          throw error;
        }
        if (this.#columns !== undefined) this.#take(part, index, fields, this.#columns);
      }
      rejects.sort(byLine);
      const records = this.#heads.finish();
      if (records.count === 0 && rejects.length === 0) continue;
      const place = isRead ? this.#placeBefore(splitter.unread, splitter.linesRead) : undefined;
      yield { records, rejects, place };
    }
  }

  /** Adds rows and rejects to `part`, beginning with the splitter's result `first`, at most `mostRowsAtOnce`. Returns the next result. */
  #collect(splitter: RecordSplitter, first: Found, isLast: boolean, part: Part): Found {
    let found = first;
    while (found !== "more" && part.rows.length + part.rejects.length < mostRowsAtOnce) {
      const { record, line, fields } = splitter;
      const code = this.#problemOf(splitter, found);
      // After `takeBack`, the splitter's record is only the first line.
      if (code !== undefined) this.#reject(part, code, line, splitter.record, fields, splitter.takenBackLines);
      else {
        this.#expected ??= found === "quoted-row" ? fields : fieldsOf(record, this.#delimiter ?? "").length;
        if (found === "quoted-row") part.quoted.push(part.rows.length);
        part.rows.push(record);
        part.lines.push(line);
      }
      found = splitter.next(isLast);
    }
    return found;
  }

  /**
   * The reason why the splitter's record is not a row; undefined for a row. One stray quote may have opened a record of several lines, and
   * another may have closed it: this is assumed when the record has the wrong number of fields, or contains rows of this table.
   * Then only its first line is rejected, and the other lines are read again.
   */
  #problemOf(splitter: RecordSplitter, found: Found): RowRejectCode | undefined {
    const { record, lines, fields } = splitter;
    const expected = this.#expected;
    const { lineEnd, maxLineBytes } = this.#options;
    const isQuoted = found === "quoted-row" && expected !== undefined;
    if (isQuoted && lines > 1) {
      const isRagged = fields !== expected;
      if (isRagged || holdsRows(record, lineEnd, this.#delimiter ?? "", expected)) {
        splitter.takeBack();
        return isRagged ? "ragged" : "open-quote";
      }
    }
    if (record.length > maxLineBytes) return "too-long";
    if (found === "stray-quote" || found === "open-quote") return found;
    return isQuoted && fields !== expected ? "ragged" : undefined;
  }

  /** Throws a `UsageError` when the first record is a reject: without a header or a first row, the columns are unknown. */
  #checkFirstRow({ rejects: [first], lines }: Part): void {
    if (this.#header !== undefined || this.#columns !== undefined || first === undefined) return;
    if (first.line >= (lines[0] ?? Infinity)) return;
    const where = `${this.#options.source}:${first.line}`;
    throw new UsageError("unusable-input", `${where}: the first row ${first.message}`);
  }

  /**
   * Finds the columns from a row, when the columns are not known yet. Keeps the header, and rejects a row whose number of fields differs
   * from the header's; returns undefined in both cases. Throws a `UsageError` when a needed column is missing.
   */
  #columnsBy(part: Part, index: number, fields: readonly string[]): Columns | undefined {
    if (this.#header === undefined && firstUrlIn(fields) < 0) {
      // A first row without a URL is the header. The columns are found with the row after it.
      this.#header = fields;
      return undefined;
    }
    if (this.#header !== undefined && fields.length !== this.#header.length) {
      // A damaged row is not used to find the columns.
      this.#rejectRagged(part, index, fields.length, this.#header.length);
      return undefined;
    }
    return columnsOf(this.#header, fields, this.#delimiter ?? "", this.#options);
  }

  /** Adds a row to the heads, or a reject to `part`. */
  #take(part: Part, index: number, fields: readonly string[], columns: Columns): void {
    const { names, agentIndex, timeIndex, texts, asRows } = columns;
    const { writer } = this.#options;
    if (fields.length !== names.length) {
      this.#rejectRagged(part, index, fields.length, names.length);
      return;
    }
    const hasOtherHost = otherHostIn(fields, columns, this.#options) !== undefined;
    const url = hasOtherHost ? otherHost : urlIn(fields, columns, this.#options);
    if (typeof url !== "string") {
      this.#addReject(part, url.code, url.message, part.lines[index]!, part.rows[index]!);
      return;
    }
    const head = asRows ? writer.headOfRow(part.rows[index]!) : writer.headOfFields(names, fields);
    const asked = Object.fromEntries(texts.map(({ name, index: column }) => [name, fields[column]]));
    this.#heads.add(head, url, { agent: fields[agentIndex], time: fields[timeIndex], ...asked });
  }

  #rejectRagged(part: Part, index: number, count: number, expected: number): void {
    const message = messages.ragged({ count, expected, lines: 1 });
    this.#addReject(part, "ragged", message, part.lines[index]!, part.rows[index]!);
  }

  #reject(part: Part, code: RowRejectCode, line: number, raw: string, count = 0, lines = 1): void {
    const { maxLineBytes } = this.#options;
    const message = messages[code]({ count, expected: this.#expected ?? 0, lines, maxLineBytes });
    this.#addReject(part, code, message, line, raw);
  }

  #addReject({ rejects }: Part, code: RejectCode, message: string, line: number, raw: string): void {
    const { source, maxLineBytes } = this.#options;
    rejects.push({ source, line, code, message, ...keptOf(code, raw, maxLineBytes) });
  }
}

/** The URL of a row as text; a `LogProblem` when it cannot be composed of its parts. */
function urlIn(fields: readonly string[], { urlIndex, parts }: Columns, options: ReadOptions): string | LogProblem {
  const text = urlTextOf(fields[urlIndex]!);
  if (parts === undefined) return text;
  const textAt = (index: number): string | undefined => (index < 0 ? undefined : urlTextOf(fields[index]!));
  const texts = Object.fromEntries(otherParts.map((name) => [name, textAt(parts[name])]));
  return composedUrlOf(text, texts, options);
}

function byLine(one: Reject, other: Reject): number {
  return one.line - other.line;
}

/** Creates a walker; undefined when the head or the URL of a row can only be made from strings of the row's fields. */
function walkerOf(columns: Columns, delimiter: string, options: ReadOptions): CsvWalker | undefined {
  const { lineEnd, maxLineBytes, writer } = options;
  const openings = columns.asRows ? undefined : writer.memberOpenings();
  if (hostIndexesOf(columns, options).length > 0) return undefined;
  if (columns.parts !== undefined || delimiter === "" || (!columns.asRows && openings === undefined)) return undefined;
  const { names, urlIndex, agentIndex, timeIndex, texts } = columns;
  const fields = [{ name: "agent", index: agentIndex }, { name: "time", index: timeIndex }, ...texts] as const;
  const asked = fields.filter(({ index }) => index >= 0);
  return new CsvWalker({ delimiter, lineEnd, maxLineBytes, columnCount: names.length, urlIndex, asked, openings });
}
