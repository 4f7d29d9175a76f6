// Blocks of lines in, the bytes of one CSV record after another out (RFC 4180), so that a record whose quotes are wrong
// costs that record and nothing after it: reading goes on with the line after the one it began in.

import { closingQuoteFrom } from "./quotes.ts";

/** What `next` found; `record` is valid for the three kinds that are rows or rejects. */
export type Found = "row" | "quoted-row" | "stray-quote" | "open-quote" | "more";

/** Splits text that is added in pieces. */
export class RecordSplitter {
  /** The bytes of the record, without its line end; of a wrong one its first line. */
  record = "";
  /** The line it starts at, from 1. */
  line = 0;
  /** How many lines a row with quotes is long, and how many fields it has. */
  lines = 1;
  fields = 1;
  /** How many lines the last record had, if it was taken back; else 1. */
  takenBackLines = 1;

  readonly #delimiter: number;
  readonly #lineEnd: string;
  readonly #maxBytes: number;
  #text = "";
  #at = 0;
  #nextLine = 1;
  /** Where the last row with quotes began. */
  #start = 0;
  /** The offset of the next quote at or after #at; the text's length without one; -1 when not searched yet. */
  #nextQuote = -1;
  /** The offset where the search for the closing quote of an unfinished record continues; -1 without such a record. */
  #resumeAt = -1;
  /** Text without that closing quote: joined once, however small its pieces are. */
  #held: string[] = [];
  #heldBytes = 0;

  /** An empty delimiter: records of one field. `lines` of the table were read before. */
  constructor(delimiter: string, lineEnd: "\n" | "\r", maxBytes: number, lines = 0) {
    this.#delimiter = delimiter === "" ? -1 : delimiter.charCodeAt(0);
    this.#lineEnd = lineEnd;
    this.#maxBytes = maxBytes;
    this.#nextLine = lines + 1;
  }

  /** Adds text: whole lines. To be called when `next` has returned "more". */
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
   * Takes the last row with quotes, of several lines, back: its quote was hardly meant to open all that. Only its first
   * line is lost, and is the record now.
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

  /** Bytes of the text that have not become records yet. */
  get unread(): number {
    return Math.max(0, this.#text.length - this.#at) + this.#heldBytes;
  }

  /** Lines before these. */
  get linesRead(): number {
    return this.#nextLine - 1;
  }

  /** Counts a line that was taken out of the text. */
  skipLine(): number {
    return this.#nextLine++;
  }

  /** Counts lines that were taken out of the text. */
  skipLines(count: number): void {
    this.#nextLine += count;
  }

  /** The next record; "more" when the text ends within or before it. With `last`, nothing will follow the text. */
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
        // A quote at the very end may be the first of two.
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

  /** The text ends within a field in quotes, perhaps at the quote that closes it. */
  #suspend(closing: number, last: boolean): Found {
    const text = this.#text;
    const isTooLong = closing - this.#at >= this.#maxBytes || text.length - this.#at > this.#maxBytes;
    if (last || isTooLong) return this.#giveUp("open-quote");
    this.#resumeAt = closing < 0 ? text.length : closing;
    return "more";
  }

  /** The last field of the record ends at `at`: so must the line. */
  #endQuoted(at: number): Found {
    const text = this.#text;
    const start = this.#at;
    const isReturn = text.charCodeAt(at) === 0x0d && this.#lineEnd === "\n";
    const lineEndAt = isReturn && text.charCodeAt(at + 1) === 0x0a ? at + 1 : at;
    const atEnd = lineEndAt >= text.length || (isReturn && at + 1 === text.length);
    const record = text.slice(start, at);
    if (!atEnd && !text.startsWith(this.#lineEnd, lineEndAt)) {
      // On a later line it is not a stray quote: another record begins there, and the field of this one was never closed.
      return this.#giveUp(record.includes(this.#lineEnd) ? "open-quote" : "stray-quote");
    }
    // Too long over several lines: the quote was hardly meant to open all that.
    if (record.length > this.#maxBytes && record.includes(this.#lineEnd)) return this.#giveUp("open-quote");
    this.record = record;
    this.line = this.#nextLine;
    this.lines = linesIn(record, this.#lineEnd) + 1;
    this.#nextLine += this.lines;
    this.#start = start;
    this.#at = (atEnd ? text.length : lineEndAt) + 1;
    return "quoted-row";
  }

  /** From the start of a field that does not begin with a quote to the place after it, or to the first wrong quote. */
  #endOfPlainField(from: number): number {
    const text = this.#text;
    const lineEnd = this.#lineEnd.charCodeAt(0);
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code === this.#delimiter || code === lineEnd || code === 0x22) break;
      if (code === 0x0d && text.startsWith(this.#lineEnd, at + 1)) break;
      at++;
    }
    return at;
  }

  /** Rejects only the first line: the other lines of the supposed record are read again as records. */
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

/** How many line ends a text holds. */
export function linesIn(text: string, lineEnd: string): number {
  let count = 0;
  for (let at = text.indexOf(lineEnd); at >= 0; at = text.indexOf(lineEnd, at + 1)) count++;
  return count;
}
