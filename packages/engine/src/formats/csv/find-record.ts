// Finds the records of a table in a text, one after another, with their ends and their fields (RFC 4180 §2); tells why one is no row.
import { tooLong } from "../../records/blocks.ts";
import { isUrl } from "./columns.ts";

/**
 * What begins at an offset. "row": a row without quotes. "quoted-row": a row with quotes, which may have several lines. "blank": an empty
 * line. "stray-quote": a line with a quote in a wrong place. "open-quote": a line that opens a quoted field which does not end. "more": the
 * text ends before the record does.
 */
export type Found = "row" | "quoted-row" | "blank" | "stray-quote" | "open-quote" | "more";

const quote = 0x22;
const carriageReturn = 0x0d;

/**
 * Finds records in texts that are whole lines. A record with wrong quotes is only its first line, so that the lines after it are records
 * of their own. Linear in the text: after "more", the search for the end of the same record continues where it stopped.
 */
export class RecordFinder {
  /** The end of the record without its line end, and the offset of the next record. */
  end = 0;
  next = 0;
  /** Number of lines of the record. */
  lines = 1;
  /** Number of fields of a row with quotes. */
  fields = 1;
  /** After "more": whether the text ends within quotes, so that only a text with a closing quote can end the record. */
  isOpen = false;

  readonly #delimiter: number;
  readonly #lineEnd: string;
  readonly #maxBytes: number;
  /**
   * Whether a quote within an unquoted field is text. Tables with tabs as delimiters are often written without any quoting
   * (`<a href="x">`); with other delimiters, such a quote is a mistake (RFC 4180).
   */
  readonly #hasRawQuotes: boolean;
  #text = "";
  /** The offset of the first quote at or after the last record's start; the text's length when there is none; -1 before the search. */
  #nextQuote = -1;
  /** After "more": the offset, from the start of the record, at which the search for the closing quote continues; otherwise -1. */
  #resumeAt = -1;

  /** With an empty delimiter, each record is one field. A record of several lines has at most `maxBytes` bytes. */
  constructor(delimiter: string, lineEnd: "\n" | "\r", maxBytes: number) {
    this.#delimiter = delimiter === "" ? -1 : delimiter.charCodeAt(0);
    this.#hasRawQuotes = delimiter === "\t";
    this.#lineEnd = lineEnd;
    this.#maxBytes = maxBytes;
  }

  /** Sets the text of the next records. After "more", the text begins with the unfinished record. */
  begin(text: string): void {
    this.#text = text;
    this.#nextQuote = -1;
  }

  /** Whether the last result was "more": the next text begins within its first record. */
  get isWithin(): boolean {
    return this.#resumeAt >= 0;
  }

  /** Finds the record at an offset; sets the members about it. `isLast`: no text will follow this text. */
  find(at: number, isLast: boolean): Found {
    if (this.#resumeAt < 0) {
      const text = this.#text;
      if (this.#nextQuote < at) {
        const found = text.indexOf('"', at);
        this.#nextQuote = found < 0 ? text.length : found;
      }
      this.#endLine(at);
      if (this.#nextQuote >= this.next) return this.end === at ? "blank" : "row";
    }
    return this.#findQuoted(at, isLast);
  }

  /** Makes the first line of the record at an offset the whole record, because its opening quote is probably a mistake. */
  giveUp(at: number): void {
    this.#endLine(at);
    this.#resumeAt = -1;
    this.#nextQuote = -1;
  }

  #endLine(at: number): void {
    const text = this.#text;
    const found = text.indexOf(this.#lineEnd, at);
    const lineEndAt = found < 0 ? text.length : found;
    this.next = Math.min(lineEndAt + 1, text.length);
    this.end = lineEndAt > at && text.charCodeAt(lineEndAt - 1) === carriageReturn ? lineEndAt - 1 : lineEndAt;
    this.lines = 1;
  }

  #findQuoted(start: number, isLast: boolean): Found {
    const text = this.#text;
    let inQuotes = this.#resumeAt >= 0;
    let at = inQuotes ? start + this.#resumeAt : start;
    if (!inQuotes) this.fields = 1;
    this.#resumeAt = -1;
    for (;;) {
      if (!inQuotes && text.charCodeAt(at) === quote) {
        inQuotes = true;
        at++;
      }
      if (inQuotes) {
        const closing = closingQuoteFrom(text, at);
        // A quote at the end of the text may be the first half of a doubled quote.
        if (closing < 0 || (closing === text.length - 1 && !isLast)) return this.#suspend(start, closing, isLast);
        if (closing - start >= this.#maxBytes) return this.#reject(start, "open-quote");
        inQuotes = false;
        at = closing + 1;
      } else at = this.#endOfPlainField(at);
      if (text.charCodeAt(at) !== this.#delimiter) return this.#endQuoted(start, at);
      at++;
      this.fields++;
    }
  }

  /**
   * Handles text that ends within a quoted field. `closing`: offset of a quote at the text's end that may close the field; -1 if there is
   * none.
   */
  #suspend(start: number, closing: number, isLast: boolean): Found {
    const { length } = this.#text;
    const isTooLong = closing - start >= this.#maxBytes || length - start > this.#maxBytes;
    if (isLast || isTooLong) return this.#reject(start, "open-quote");
    this.isOpen = closing < 0;
    this.#resumeAt = (closing < 0 ? length : closing) - start;
    return "more";
  }

  /** Ends the record at `at`, the end of its last field. If the line has further bytes, the record is rejected. */
  #endQuoted(start: number, at: number): Found {
    const text = this.#text;
    const isReturn = text.charCodeAt(at) === carriageReturn && this.#lineEnd === "\n";
    const lineEndAt = isReturn && text.charCodeAt(at + 1) === 0x0a ? at + 1 : at;
    const atEnd = lineEndAt >= text.length || (isReturn && at + 1 === text.length);
    const lines = linesIn(text.slice(start, at), this.#lineEnd) + 1;
    // A quote on a later line probably belongs to another record: then the field of this record was never closed.
    if (!atEnd && !text.startsWith(this.#lineEnd, lineEndAt))
      return this.#reject(start, lines > 1 ? "open-quote" : "stray-quote");
    // In a record of several lines that is too long, the opening quote is probably a mistake.
    if (at - start > this.#maxBytes && lines > 1) return this.#reject(start, "open-quote");
    this.end = at;
    this.next = atEnd ? text.length : lineEndAt + 1;
    this.lines = lines;
    return "quoted-row";
  }

  /**
   * Scans a field that does not begin with a quote. Returns the offset after the field, or the offset of a quote that is not allowed in it.
   */
  #endOfPlainField(from: number): number {
    const text = this.#text;
    const lineEnd = this.#lineEnd.charCodeAt(0);
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiter || code === lineEnd || (code === quote && !this.#hasRawQuotes)) break;
      if (code === carriageReturn && text.startsWith(this.#lineEnd, at + 1)) break;
      at++;
    }
    return at;
  }

  #reject(start: number, found: "stray-quote" | "open-quote"): Found {
    this.giveUp(start);
    return found;
  }
}

/**
 * The offset of the quote that closes a quoted field; -1 if there is none. `from`: offset after the opening quote. Doubled quotes are text.
 */
export function closingQuoteFrom(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2);
  return at;
}

/** The offset of the first line end outside of quotes; -1 when there is none. `isOpen`: the text begins within quotes. */
export function endOfRow(text: string, lineEnd: string, isOpen = false): number {
  let isQuoted = isOpen;
  let quoteAt = text.indexOf('"');
  for (let at = text.indexOf(lineEnd); at >= 0; at = text.indexOf(lineEnd, at + 1)) {
    for (; quoteAt >= 0 && quoteAt < at; quoteAt = text.indexOf('"', quoteAt + 1)) isQuoted = !isQuoted;
    if (!isQuoted) return at;
  }
  return -1;
}

/** The fields of a row without quotes. */
function plainFieldsOf(row: string, delimiter: string): readonly string[] {
  return delimiter === "" ? [row] : row.split(delimiter);
}

/** The fields of a row that `RecordFinder` found; quoted fields without their quotes. */
export function fieldsOf(row: string, delimiter: string): readonly string[] {
  if (!row.includes('"')) return plainFieldsOf(row, delimiter);
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    if (row.charCodeAt(at) === quote) {
      const closing = closingQuoteFrom(row, at + 1);
      fields.push(row.slice(at + 1, closing).replaceAll('""', '"'));
      at = closing + 1;
    } else {
      const found = delimiter === "" ? -1 : row.indexOf(delimiter, at);
      const end = found < 0 ? row.length : found;
      fields.push(row.slice(at, end));
      at = end;
    }
    if (at >= row.length) return fields;
  }
}

/** The number of line ends in a text. */
export function linesIn(text: string, lineEnd: string): number {
  return text.split(lineEnd).length - 1;
}

export type RowRejectCode = "too-long" | "stray-quote" | "open-quote" | "ragged";

/** The values in messages. */
export interface RowFacts {
  /** Number of fields of the record. */
  readonly count: number;
  /** Number of lines of the record. */
  readonly lines: number;
  /** Number of fields of the first row. */
  readonly expected: number;
  readonly maxLineBytes: number;
}

export const messages: Readonly<Record<RowRejectCode, (facts: RowFacts) => string>> = {
  "too-long": ({ maxLineBytes }) => tooLong(maxLineBytes),
  "stray-quote": () => 'has a misplaced "',
  "open-quote": () => 'opens a field with " and does not close it',
  ragged({ count, lines, expected }) {
    const over = lines === 1 ? "" : ` over ${lines} lines`;
    return `has ${count} field${count === 1 ? "" : "s"}${over} where the first row has ${expected}`;
  },
};

/** Matches a whole field, quoted or unquoted, whose doubled quotes were removed. */
const wholeField = /^(?:[^"]*|"[^"]*")$/;

/**
 * Whether a line inside a record of several lines is a row of this table with a URL. If so, the record's quotes are two separate mistakes,
 * and the lines between them are not text of a field. A line that closes one field and opens another does not count as a row.
 */
export function holdsRows(record: string, lineEnd: string, delimiter: string, expected: number): boolean {
  for (const line of record.split(lineEnd).slice(1, -1)) {
    const fields = plainFieldsOf(line.replaceAll('""', "").replace(/\r$/, ""), delimiter);
    if (fields.length === expected && fields.some(isUrl) && fields.every((field) => wholeField.test(field)))
      return true;
  }
  return false;
}
