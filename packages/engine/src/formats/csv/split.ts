// Splits blocks of lines into CSV records (RFC 4180). If a record has wrong quotes, only its first line is rejected, and the splitter
// continues with the next line.

import { closingQuoteFrom } from "./quotes.ts";

/**
 * The result of `next`. "row": a row without quotes. "quoted-row": a row with quotes. "stray-quote": a record with a quote in a wrong
 * place. "open-quote": a record whose quoted field does not end. "more": `next` needs more text, and `record` is not valid.
 */
export type Found = "row" | "quoted-row" | "stray-quote" | "open-quote" | "more";

/** Splits text that is added in pieces. */
export class RecordSplitter {
  /** The bytes of the last record without its line end; for "stray-quote" and "open-quote", only the bytes of its first line. */
  record = "";
  /** The line number of the record's first line, from 1. */
  line = 0;
  /** Number of lines of the last row with quotes. */
  lines = 1;
  /** Number of fields of the last row with quotes. */
  fields = 1;
  /** After `takeBack`: the number of lines that the last record had before; otherwise 1. */
  takenBackLines = 1;

  readonly #delimiter: number;
  readonly #lineEnd: string;
  readonly #maxBytes: number;
  /**
   * Whether a quote within an unquoted field is text. Tables with tabs as delimiters are often written without any quoting
   * (`<a href="x">`); with other delimiters, such a quote is a mistake (RFC 4180).
   */
  readonly #hasRawQuotes: boolean;
  #text = "";
  #at = 0;
  #nextLine = 1;
  /** The offset of the last row with quotes in `#text`. */
  #start = 0;
  /** The offset of the next quote at or after #at; the text's length when there is none; -1 before the search. */
  #nextQuote = -1;
  /** The offset where the search for the closing quote of an unfinished record continues; -1 without such a record. */
  #resumeAt = -1;
  /**
   * Added texts without the closing quote of the unfinished record. They are joined only once, so that small pieces take linear time, too.
   */
  #held: string[] = [];
  #heldBytes = 0;

  /** With an empty delimiter, each record is one field. `lines`: number of lines of the table that were read before. */
  constructor(delimiter: string, lineEnd: "\n" | "\r", maxBytes: number, lines = 0) {
    this.#delimiter = delimiter === "" ? -1 : delimiter.charCodeAt(0);
    this.#hasRawQuotes = delimiter === "\t";
    this.#lineEnd = lineEnd;
    this.#maxBytes = maxBytes;
    this.#nextLine = lines + 1;
  }

  /** Adds text, which must be whole lines. Call when `next` has returned "more". */
  add(text: string): void {
    const isWithinQuotes = this.#resumeAt >= 0 && this.#resumeAt === this.#text.length;
    if (isWithinQuotes && this.unread + text.length <= this.#maxBytes && closingQuoteFrom(text, 0) < 0) {
      this.#held.push(text);
      this.#heldBytes += text.length;
    } else this.#append(text);
  }

  #append(text: string): void {
    const more = this.#held.length === 0 ? text : this.#held.join("") + text;
    this.#held = [];
    this.#heldBytes = 0;
    if (this.#resumeAt >= 0) this.#resumeAt -= this.#at;
    this.#text = this.#at === this.#text.length ? more : this.#text.slice(this.#at) + more;
    this.#at = 0;
    this.#nextQuote = -1;
  }

  /**
   * Discards the last row with quotes, which has several lines: its opening quote is probably a mistake. `record` becomes the first line
   * of that row, and `next` reads its other lines again.
   */
  takeBack(): void {
    this.takenBackLines = this.lines;
    this.#at = this.#start;
    this.#nextLine = this.line;
    this.#giveUp("open-quote");
  }

  /** Whether all added text has become records. */
  get isIdle(): boolean {
    return this.#at >= this.#text.length && this.#resumeAt < 0;
  }

  /** Number of bytes of the text that have not become records yet. */
  get unread(): number {
    return Math.max(0, this.#text.length - this.#at) + this.#heldBytes;
  }

  /** Number of lines of the table before the text that has not become records yet. */
  get linesRead(): number {
    return this.#nextLine - 1;
  }

  /** Counts a line that the caller did not add. Returns its line number. */
  skipLine(): number {
    return this.#nextLine++;
  }

  /** Counts lines that the caller did not add. */
  skipLines(count: number): void {
    this.#nextLine += count;
  }

  /** Reads the next record; "more" when the text ends before the record's end. `last`: no text will follow. */
  next(last: boolean): Found {
    this.takenBackLines = 1;
    if (this.#held.length > 0) {
      if (!last) return "more";
      this.#append("");
    }
    for (;;) {
      if (this.#at >= this.#text.length) return "more";
      if (this.#resumeAt < 0) {
        const found = this.#findUnquoted();
        if (found === "blank") continue;
        if (found === "row") return "row";
      }
      return this.#findQuoted(last);
    }
  }

  #findUnquoted(): "row" | "blank" | "quoted" {
    const text = this.#text;
    if (this.#nextQuote < this.#at) {
      const quote = text.indexOf('"', this.#at);
      this.#nextQuote = quote < 0 ? text.length : quote;
    }
    const lineEndAt = text.indexOf(this.#lineEnd, this.#at);
    const end = lineEndAt < 0 ? text.length : lineEndAt;
    if (this.#nextQuote < end) return "quoted";
    const start = this.#at;
    this.#at = end + 1;
    this.line = this.#nextLine++;
    const contentEnd = text.charCodeAt(end - 1) === 0x0d && end > start ? end - 1 : end;
    if (contentEnd === start) return "blank";
    this.record = text.slice(start, contentEnd);
    return "row";
  }

  #findQuoted(last: boolean): Found {
    const text = this.#text;
    let at = this.#resumeAt;
    let inQuotes = at >= 0;
    if (!inQuotes) {
      at = this.#at;
      this.fields = 1;
    }
    this.#resumeAt = -1;
    for (;;) {
      if (!inQuotes && text.charCodeAt(at) === 0x22) {
        inQuotes = true;
        at++;
      }
      if (inQuotes) {
        const closing = closingQuoteFrom(text, at);
        // A quote at the end of the text may be the first half of a doubled quote.
        if (closing < 0 || (closing === text.length - 1 && !last)) return this.#suspend(closing, last);
        if (closing - this.#at >= this.#maxBytes) return this.#giveUp("open-quote");
        inQuotes = false;
        at = closing + 1;
      } else at = this.#endOfPlainField(at);
      if (text.charCodeAt(at) !== this.#delimiter) return this.#endQuoted(at);
      at++;
      this.fields++;
    }
  }

  /**
   * Handles text that ends within a quoted field. `closing`: offset of a quote at the text's end that may close the field; -1 if there is
   * none.
   */
  #suspend(closing: number, last: boolean): Found {
    const text = this.#text;
    const isTooLong = closing - this.#at >= this.#maxBytes || text.length - this.#at > this.#maxBytes;
    if (last || isTooLong) return this.#giveUp("open-quote");
    this.#resumeAt = closing < 0 ? text.length : closing;
    return "more";
  }

  /** Ends the record at `at`, the end of its last field. If the line has further bytes, the record is rejected. */
  #endQuoted(at: number): Found {
    const text = this.#text;
    const start = this.#at;
    const isReturn = text.charCodeAt(at) === 0x0d && this.#lineEnd === "\n";
    const lineEndAt = isReturn && text.charCodeAt(at + 1) === 0x0a ? at + 1 : at;
    const atEnd = lineEndAt >= text.length || (isReturn && at + 1 === text.length);
    const record = text.slice(start, at);
    if (!atEnd && !text.startsWith(this.#lineEnd, lineEndAt)) {
      // A quote on a later line probably belongs to another record: then the field of this record was never closed.
      return this.#giveUp(record.includes(this.#lineEnd) ? "open-quote" : "stray-quote");
    }
    // In a record of several lines that is too long, the opening quote is probably a mistake.
    if (record.length > this.#maxBytes && record.includes(this.#lineEnd)) return this.#giveUp("open-quote");
    this.record = record;
    this.line = this.#nextLine;
    this.lines = linesIn(record, this.#lineEnd) + 1;
    this.#nextLine += this.lines;
    this.#start = start;
    this.#at = (atEnd ? text.length : lineEndAt) + 1;
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
      if (code === this.#delimiter || code === lineEnd || (code === 0x22 && !this.#hasRawQuotes)) break;
      if (code === 0x0d && text.startsWith(this.#lineEnd, at + 1)) break;
      at++;
    }
    return at;
  }

  /** Rejects only the first line: the other lines are read again as records. */
  #giveUp(found: "stray-quote" | "open-quote"): Found {
    const lineEndAt = this.#text.indexOf(this.#lineEnd, this.#at);
    const end = lineEndAt < 0 ? this.#text.length : lineEndAt;
    const contentEnd = this.#text.charCodeAt(end - 1) === 0x0d && end > this.#at ? end - 1 : end;
    this.record = this.#text.slice(this.#at, contentEnd);
    this.line = this.#nextLine++;
    this.#at = end + 1;
    this.#resumeAt = -1;
    this.#nextQuote = -1;
    return found;
  }
}

/** The number of line ends in a text. */
export function linesIn(text: string, lineEnd: string): number {
  let count = 0;
  for (let at = text.indexOf(lineEnd); at >= 0; at = text.indexOf(lineEnd, at + 1)) count++;
  return count;
}
