// Blocks of lines in, the bytes of one CSV record after another out (RFC 4180). A record with wrong quotes costs only its first
// line: splitting continues with the next line.

import { closingQuoteFrom } from "./quotes.ts";

/** The result of `next`; `record` is valid for the three kinds that are rows or rejects. */
export type Found = "row" | "quoted-row" | "stray-quote" | "open-quote" | "more";

/** Splits text that is added in pieces. */
export class RecordSplitter {
  /** The bytes of the record, without its line end; for a rejected record, those of its first line. */
  record = "";
  /** The number of its first line, from 1. */
  line = 0;
  /** The number of lines and fields of a row with quotes. */
  lines = 1;
  fields = 1;
  /** The number of lines of the last record when it was taken back; otherwise 1. */
  takenBackLines = 1;

  readonly #delimiter: number;
  readonly #lineEnd: string;
  readonly #maxBytes: number;
  /**
   * Whether a quote within a field that does not begin with one is text. Tables with tabs often are written without any quoting
   * (`<a href="x">`); with other delimiters such a quote is a mistake (RFC 4180).
   */
  readonly #hasRawQuotes: boolean;
  #text = "";
  #at = 0;
  #nextLine = 1;
  /** The start of the last row with quotes. */
  #start = 0;
  /** The offset of the next quote at or after #at; the text's length when there is none; -1 before the search. */
  #nextQuote = -1;
  /** The offset where the search for the closing quote of an unfinished record continues; -1 without such a record. */
  #resumeAt = -1;
  /** Pieces of text without that closing quote: joined only once, for pieces of any size. */
  #held: string[] = [];
  #heldBytes = 0;

  /** An empty delimiter means records of one field. `lines`: number of lines of the table that were read before. */
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
   * Takes back the last row with quotes, which has several lines: its opening quote is probably a mistake. Only its first line
   * is rejected, and becomes the record.
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

  /** Number of lines before the remaining text. */
  get linesRead(): number {
    return this.#nextLine - 1;
  }

  /** Counts a line that the caller removed from the text. */
  skipLine(): number {
    return this.#nextLine++;
  }

  /** Counts lines that the caller removed from the text. */
  skipLines(count: number): void {
    this.#nextLine += count;
  }

  /** The next record; "more" when the text ends before or within it. `last`: no text will follow. */
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

  /** Handles text that ends within a quoted field, perhaps at the closing quote. */
  #suspend(closing: number, last: boolean): Found {
    const text = this.#text;
    const isTooLong = closing - this.#at >= this.#maxBytes || text.length - this.#at > this.#maxBytes;
    if (last || isTooLong) return this.#giveUp("open-quote");
    this.#resumeAt = closing < 0 ? text.length : closing;
    return "more";
  }

  /** Ends the record at `at`, where its last field ends; the line must end there too. */
  #endQuoted(at: number): Found {
    const text = this.#text;
    const start = this.#at;
    const isReturn = text.charCodeAt(at) === 0x0d && this.#lineEnd === "\n";
    const lineEndAt = isReturn && text.charCodeAt(at + 1) === 0x0a ? at + 1 : at;
    const atEnd = lineEndAt >= text.length || (isReturn && at + 1 === text.length);
    const record = text.slice(start, at);
    if (!atEnd && !text.startsWith(this.#lineEnd, lineEndAt)) {
      // On a later line, this is not a stray quote: another record begins there, and this record's field was never closed.
      return this.#giveUp(record.includes(this.#lineEnd) ? "open-quote" : "stray-quote");
    }
    // Too long over several lines: the opening quote is probably a mistake.
    if (record.length > this.#maxBytes && record.includes(this.#lineEnd)) return this.#giveUp("open-quote");
    this.record = record;
    this.line = this.#nextLine;
    this.lines = linesIn(record, this.#lineEnd) + 1;
    this.#nextLine += this.lines;
    this.#start = start;
    this.#at = (atEnd ? text.length : lineEndAt) + 1;
    return "quoted-row";
  }

  /** Scans a field that does not begin with a quote; returns the offset after it, or of the first wrong quote. */
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
