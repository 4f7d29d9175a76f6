// Reads a table of comma- or tab-separated values (RFC 4180): one record per row, with the URL from one column or composed of several.
import { UsageError } from "../../common/errors.ts";
import { urlTextOf } from "../../common/text.ts";
import { type Block, blocksOf, keptOf, mostRejectsAtOnce, placeIn } from "../../records/blocks.ts";
import { noRecords } from "../../records/packed.ts";
import { RowHeads } from "../../records/row-heads.ts";
import { type Columns, columnsOf, firstUrlIn, hostIndexesOf, knownOf, otherHostIn, tableKnownAs } from "./columns.ts";
import { otherHost } from "../host-beside.ts";
import {
  closingQuoteFrom,
  fieldsOf,
  type Found,
  holdsRows,
  messages,
  RecordFinder,
  type RowFacts,
  type RowRejectCode,
} from "./find-record.ts";
import { TableStart } from "./first-row.ts";
import { CsvWalker } from "./walk.ts";
import type { LogProblem } from "@robots-stream/logs";
import { composedUrlOf, otherParts } from "../url-parts.ts";
import type { ReadOptions } from "../input-format.ts";
import type { Batch, Reject, RejectCode, ResumePoint } from "../../records/batch.ts";

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

/** Whole lines: a block, or the rest of the last block and a block. */
type Lines = Pick<Block, "bytes" | "text" | "end" | "recycle">;

class TableReader {
  readonly #options: ReadOptions;
  readonly #start: TableStart;
  #delimiter: string | undefined;
  /** Undefined until the whole first row has arrived. */
  #finder: RecordFinder | undefined;
  /** Number of fields of the first row. */
  #expected: number | undefined;
  #header: readonly string[] | undefined;
  #columns: Columns | undefined;
  #walker: CsvWalker | undefined;
  readonly #heads = new RowHeads();
  #rejects: Reject[] = [];
  /** Number of lines of the table before the record that is read next. */
  #line: number;
  /** The unfinished record at the end of the last block: its pieces, which are joined only once, and their size. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Offset of the last block's end in the text of the source. */
  #end = 0;

  constructor(options: ReadOptions, delimiter: string | undefined) {
    const { lineEnd, from, writer } = options;
    this.#options = options;
    this.#start = new TableStart(lineEnd);
    this.#delimiter = delimiter;
    this.#line = from?.line ?? 0;
    if (from === undefined) return;
    const known = tableKnownAs(from.known, writer);
    this.#delimiter = known.delimiter;
    this.#expected = known.expected;
    this.#useColumns(known.columns);
    this.#finder = this.#createFinder();
  }

  /** Reads the next block. A line over the limit ends the record before it. */
  *read(block: Block): Generator<Batch> {
    const { overlong } = block;
    if (!overlong) this.#end = block.end;
    if (this.#finder === undefined) {
      const hasRow = this.#start.add(overlong ? "" : block.text);
      const isWhole = hasRow || overlong || this.#start.text.length > this.#options.maxLineBytes;
      if (!isWhole) return;
      this.#finder = this.#begin(block.text);
      yield* this.#readLines(this.#withHeld(none), overlong, overlong ? block.text : undefined);
    } else if (overlong) yield* this.#readLines(this.#withHeld(none), true, block.text);
    else if (this.#isWithinQuotes(block)) {
      this.#hold(block.bytes);
      block.recycle();
    } else yield* this.#readLines(this.#heldBytes === 0 ? block : this.#withHeld(block.bytes, block), false);
  }

  /**
   * Reads the unfinished rest of the last block. Throws a `UsageError` for a table that has only a header, without a column for the URL.
   */
  *end(): Generator<Batch> {
    if (this.#finder === undefined && this.#start.text === "") return;
    this.#finder ??= this.#begin("");
    yield* this.#readLines(this.#withHeld(none), true);
    if (this.#columns === undefined && this.#header !== undefined) {
      columnsOf(this.#header, [], this.#delimiter ?? "", this.#options);
    }
  }

  /**
   * Creates the finder with the delimiter of the first row, and holds the text from this row on. `instead`: an overlong line, used when there
   * is no first row.
   */
  #begin(instead: string): RecordFinder {
    const shown = this.#start.takeDelimiter(instead);
    this.#delimiter ??= shown;
    this.#line = this.#start.lines;
    this.#hold(Buffer.from(this.#start.text, "latin1"));
    this.#start.text = "";
    return this.#createFinder();
  }

  #createFinder(): RecordFinder {
    const { lineEnd, maxLineBytes } = this.#options;
    return new RecordFinder(this.#delimiter ?? "", lineEnd, maxLineBytes);
  }

  #useColumns(columns: Columns): void {
    this.#columns = columns;
    this.#walker = walkerOf(columns, this.#delimiter ?? "", this.#options);
  }

  /** Whether a block belongs to the unfinished record as a whole, which it does not end. */
  #isWithinQuotes({ bytes, text }: Block): boolean {
    const fits = this.#heldBytes + bytes.length <= this.#options.maxLineBytes;
    return this.#heldBytes > 0 && this.#finder!.isOpen && fits && closingQuoteFrom(text, 0) < 0;
  }

  /** Keeps a copy of the bytes. */
  #hold(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#held.push(Buffer.from(bytes));
    this.#heldBytes += bytes.length;
  }

  /** The unfinished record and the bytes after it, which are those of `block`. */
  #withHeld(more: Buffer, block?: Block): Lines {
    const bytes = Buffer.concat([...this.#held, more]);
    this.#held = [];
    this.#heldBytes = 0;
    block?.recycle();
    return { bytes, text: bytes.toString("latin1"), end: this.#end, recycle: () => undefined };
  }

  /**
   * Reads the records of some lines: the walker takes plain rows, and all others are read as strings. With `isLast`, an unfinished record
   * ends with the lines: at the end of the file, or before an overlong line. `overlong` is the beginning of that line, for its reject.
   */
  *#readLines(lines: Lines, isLast: boolean, overlong?: string): Generator<Batch> {
    const { bytes } = lines;
    const finder = this.#finder!;
    let hasBegun = false;
    let at = 0;
    this.#heads.begin(bytes.length);
    while (at < bytes.length) {
      // The records follow at the end of the lines. Many rejects at once would keep the garbage collector busy.
      if (this.#rejects.length >= mostRejectsAtOnce) yield { records: noRecords(), rejects: this.#takeRejects() };
      if (this.#walker !== undefined && !finder.isWithin) {
        at = this.#walker.walk(lines, at, this.#heads);
        this.#line += this.#walker.rows;
        if (at >= bytes.length) break;
      }
      // The text is decoded only if it is needed.
      if (!hasBegun) finder.begin(lines.text);
      hasBegun = true;
      const found = finder.find(at, isLast);
      if (found === "more") break;
      try {
        this.#take(found, lines, at);
      } catch (error) {
        // Yields the earlier rejects before the error ends the run: with smaller chunks, an earlier batch would have contained them.
        if (this.#rejects.length > 0) yield { records: noRecords(), rejects: this.#takeRejects() };
        throw error;
      }
      at = finder.next;
    }
    const place = overlong === undefined ? this.#placeIn(lines, bytes.length - at) : undefined;
    this.#hold(bytes.subarray(at));
    if (overlong !== undefined) this.#rejectLine("too-long", overlong);
    // The heads are copies, so nothing refers to the lines any more.
    const records = this.#heads.finish();
    lines.recycle();
    const rejects = this.#takeRejects();
    if (records.count > 0 || rejects.length > 0) yield { records, rejects, place };
    else records.recycle?.();
  }

  #takeRejects(): Reject[] {
    const rejects = this.#rejects;
    this.#rejects = [];
    return rejects;
  }

  /** The resume point `unread` bytes before the end of some lines; undefined without `givesPlaces` or columns. */
  #placeIn(lines: Lines, unread: number): ResumePoint | undefined {
    if (this.#options.givesPlaces !== true || this.#columns === undefined) return undefined;
    const known = { delimiter: this.#delimiter, expected: this.#expected, ...knownOf(this.#columns) };
    return placeIn(lines, unread, this.#line, known);
  }

  /**
   * Takes the record at `at`, which the finder has found: adds a record or a reject. Throws a `UsageError` when the first row is a reject, or
   * when a needed column is missing.
   */
  #take(found: Found, lines: Lines, at: number): void {
    if (found === "blank") {
      this.#line++;
      return;
    }
    const finder = this.#finder!;
    const { text } = lines;
    const { lines: count, fields: fieldCount } = finder;
    const code = this.#problemOf(found, text, at);
    const row = text.slice(at, finder.end);
    if (code !== undefined) {
      this.#rejectLine(code, row, { count: fieldCount, lines: count });
      return;
    }
    const fields = fieldsOf(row, this.#delimiter ?? "");
    this.#expected ??= fields.length;
    if (fields.length !== this.#expected) {
      this.#rejectLine("ragged", row, { count: fields.length, lines: 1 });
      return;
    }
    if (this.#columns === undefined) {
      // A first row without a URL is the header. The columns are found with the row after it.
      if (this.#header === undefined && firstUrlIn(fields) < 0) this.#header = fields;
      else this.#useColumns(columnsOf(this.#header, fields, this.#delimiter ?? "", this.#options));
    }
    if (this.#columns !== undefined) this.#add(row, fields, this.#columns);
    this.#line += count;
  }

  /**
   * The reason why the finder's record is not a row; undefined for a row. One stray quote may have opened a record of several lines, and
   * another may have closed it: this is assumed when the record has the wrong number of fields, or contains rows of this table.
   * Then only its first line is rejected, and the other lines are read again.
   */
  #problemOf(found: Found, text: string, at: number): RowRejectCode | undefined {
    const finder = this.#finder!;
    const expected = this.#expected;
    const { lineEnd, maxLineBytes } = this.#options;
    const isQuoted = found === "quoted-row" && expected !== undefined;
    if (isQuoted && finder.lines > 1) {
      const isRagged = finder.fields !== expected;
      if (isRagged || holdsRows(text.slice(at, finder.end), lineEnd, this.#delimiter ?? "", expected)) {
        finder.giveUp(at);
        return isRagged ? "ragged" : "open-quote";
      }
    }
    if (finder.end - at > maxLineBytes) return "too-long";
    if (found === "stray-quote" || found === "open-quote") return found;
    return isQuoted && finder.fields !== expected ? "ragged" : undefined;
  }

  /** Adds the record of a row, or a reject for a row without a URL. */
  #add(row: string, fields: readonly string[], columns: Columns): void {
    const { names, asRows } = columns;
    const { writer } = this.#options;
    const hasOtherHost = otherHostIn(fields, columns, this.#options) !== undefined;
    const url = hasOtherHost ? otherHost : urlIn(fields, columns, this.#options);
    if (typeof url !== "string") {
      this.#reject(url.code, url.message, row);
      return;
    }
    const asked = Object.fromEntries(columns.asked.map(({ name, index }) => [name, fields[index]]));
    this.#heads.add(asRows ? row : writer.headOfFields(names, fields), url, asked);
  }

  /**
   * Rejects a record that is one line. Throws a `UsageError` for the first row of the table: without a header or a first row, the columns are
   * unknown.
   */
  #rejectLine(
    code: RowRejectCode,
    raw: string,
    facts: Pick<RowFacts, "count" | "lines"> = { count: 0, lines: 1 },
  ): void {
    const { source, maxLineBytes } = this.#options;
    const message = messages[code]({ ...facts, expected: this.#expected ?? 0, maxLineBytes });
    if (this.#header === undefined && this.#columns === undefined)
      throw new UsageError("unusable-input", `${source}:${this.#line + 1}: the first row ${message}`);
    this.#reject(code, message, raw);
    this.#line++;
  }

  /** Adds a reject for the record that is read next. */
  #reject(code: RejectCode, message: string, raw: string): void {
    const { source, maxLineBytes } = this.#options;
    this.#rejects.push({ source, line: this.#line + 1, code, message, ...keptOf(code, raw, maxLineBytes) });
  }
}

const none = Buffer.alloc(0);

/** The URL of a row as text; a `LogProblem` when it cannot be composed of its parts. */
function urlIn(fields: readonly string[], { urlIndex, parts }: Columns, options: ReadOptions): string | LogProblem {
  const text = urlTextOf(fields[urlIndex]!);
  if (parts === undefined) return text;
  const textAt = (index: number): string | undefined => (index < 0 ? undefined : urlTextOf(fields[index]!));
  const texts = Object.fromEntries(otherParts.map((name) => [name, textAt(parts[name])]));
  return composedUrlOf(text, texts, options);
}

/** Creates a walker; undefined when the head or the URL of a row can only be made from strings of the row's fields. */
function walkerOf(columns: Columns, delimiter: string, options: ReadOptions): CsvWalker | undefined {
  const openings = columns.asRows ? undefined : options.writer.memberOpenings();
  if (hostIndexesOf(columns, options).length > 0) return undefined;
  if (columns.parts !== undefined || delimiter === "" || (!columns.asRows && openings === undefined)) return undefined;
  return new CsvWalker(columns, delimiter, openings, options);
}
