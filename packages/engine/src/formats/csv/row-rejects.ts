// The reasons why a record is not a row of its table, and the message for each.
import { optionMark } from "../../common/caller-words.ts";
import { isUrl } from "./columns.ts";
import { plainFieldsOf } from "./find-record.ts";

export type RowRejectCode = "too-long" | "stray-quote" | "open-quote" | "ragged";

/** The values in messages. */
export interface RowFacts {
  /** Number of fields of the record. */
  readonly count: number;
  /** Number of lines of the record. */
  readonly lines: number;
  /** Number of fields of the first row. */
  readonly expected: number;
  readonly maxLineBytes?: number;
}

export const messages: Readonly<Record<RowRejectCode, (facts: RowFacts) => string>> = {
  "too-long": ({ maxLineBytes }) => `is longer than ${maxLineBytes} bytes${optionMark("maxLineBytes")}`,
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
