// Finds the first row of a table, and the delimiter in it.
import { indexOfUsualField } from "../url-field.ts";
import { endOfRow, linesIn } from "./find-record.ts";

const delimiters: readonly string[] = [",", ";", "\t", "|"];

/**
 * Collects the beginning of a table until its first row is complete. The delimiter is found in the whole row, so that the sizes of chunks
 * do not change it.
 */
export class TableStart {
  /** The text from the first row on. */
  text = "";
  /** Number of lines before the first row: empty lines, and the line in which a spreadsheet names its delimiter ("sep=;"). */
  lines = 0;
  readonly #lineEnd: "\n" | "\r";
  /** Whether the text ends within quotes. */
  #isOpen = false;

  constructor(lineEnd: "\n" | "\r") {
    this.#lineEnd = lineEnd;
  }

  /** Adds text; returns whether the first row is complete. Earlier text is not searched again. */
  add(text: string): boolean {
    const blank = this.text === "" ? /^[\r\n]*/.exec(text)![0] : "";
    this.lines += linesIn(blank, this.#lineEnd);
    const more = text.slice(blank.length);
    this.text += more;
    const hasRow = endOfRow(more, this.#lineEnd, this.#isOpen) >= 0;
    if (more.split('"').length % 2 === 0) this.#isOpen = !this.#isOpen;
    return hasRow;
  }

  /**
   * Returns the delimiter of the first row, or of the overlong line `instead` when there is no text. Call it only once, because it removes
   * a line "sep=;" from the text.
   */
  takeDelimiter(instead: string): string {
    const firstRow = firstRowOf(this.text === "" ? instead : this.text, this.#lineEnd);
    const said = /^"?sep=([,;\t|])"?\r?$/i.exec(firstRow)?.[1];
    if (said !== undefined && this.text !== "") {
      this.lines++;
      this.text = this.text.slice(firstRow.length + 1);
    }
    return said ?? delimiterOf(firstRow);
  }
}

/**
 * Returns the delimiter of a first row (bytes): the first one that yields a field with a usual URL name, otherwise the most frequent one;
 * "" when the row has no delimiter. Delimiters in quotes are text.
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

/** The first row of a text; a quoted field may make it several lines long. */
export function firstRowOf(text: string, lineEnd: "\n" | "\r"): string {
  const end = endOfRow(text, lineEnd);
  if (end >= 0) return text.slice(0, end);
  // The last quote opens no field, because no quote closes it: the row ends with its line.
  return text.split('"').length % 2 === 0 ? (text.split(lineEnd, 1)[0] ?? "") : text;
}

function unquoted(fields: readonly string[]): string[] {
  return fields.map((field) => (field.startsWith('"') ? field.slice(1, -1) : field));
}
