// A record that is not a row of its table in, the reason and message of its reject out.
import { isUrl } from "./columns.ts";
import { fieldsOf } from "./fields.ts";

/** The reasons why a record is not a row. */
export type RowRejectCode = "too-long" | "stray-quote" | "open-quote" | "ragged";

/** The facts that messages contain. */
interface RowFacts {
  /** The fields and lines of the record, and the number of fields of the first row. */
  readonly count: number;
  readonly lines: number;
  readonly expected: number;
  readonly maxLineBytes?: number;
}

/** The messages, by code. */
export const messages: Readonly<Record<RowRejectCode, (facts: RowFacts) => string>> = {
  "too-long": ({ maxLineBytes }) => `is longer than ${maxLineBytes} bytes (--max-line-bytes)`,
  "stray-quote": () => 'has a " where none may stand',
  "open-quote": () => 'opens a field with " and does not close it',
  ragged({ count, lines, expected }) {
    const over = lines === 1 ? "" : ` over ${lines} lines`;
    return `has ${count} field${count === 1 ? "" : "s"}${over} where the first row has ${expected}`;
  },
};

/** A quoted or unquoted field of a row, without doubled quotes. */
const wholeField = /^(?:[^"]*|"[^"]*")$/;

/**
 * Whether a record over several lines contains lines that are rows of this table with a URL. Then its quotes are two separate
 * mistakes, and the rows between them are not text of a field. A line that closes one field and opens another does not count
 * as a row.
 */
export function holdsRows(record: string, lineEnd: string, delimiter: string, expected: number): boolean {
  for (const line of record.split(lineEnd).slice(1, -1)) {
    const fields = fieldsOf(line.replaceAll('""', "").replace(/\r$/, ""), delimiter);
    if (fields.length === expected && fields.some(isUrl) && fields.every((field) => wholeField.test(field)))
      return true;
  }
  return false;
}
