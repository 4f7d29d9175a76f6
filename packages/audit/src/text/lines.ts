// Breaks a text into lines, and aligns the cells of rows in columns of text.
import { safeTextOf } from "./safe-text.ts";

/**
 * Breaks a text at spaces into lines of at most `columns - indent` characters, or of at most 20 if that is fewer. A longer word is not
 * broken.
 */
export function wrap(text: string, columns: number, indent: number): readonly string[] {
  const width = Math.max(20, columns - indent);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A column of a table. */
export interface TextColumn<Row> {
  readonly heading: string;
  readonly isNumber: boolean;
  /** The cell of a row; control characters in it are escaped. */
  readonly cell: (row: Row) => string;
}

/** The lines of a table: the headings, then the rows. */
export function tableLinesOf<Row>(
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
  width: number,
): readonly string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => safeTextOf(cell(row))));
  return alignedLines([columns.map(({ heading }) => heading), ...cells], width, (at) => columns[at]!.isNumber);
}

/**
 * The lines of some rows. The columns of numbers are aligned to the right. As many of the first columns are shown as fit into `columns`
 * characters.
 */
export function alignedLines(
  rows: readonly (readonly string[])[],
  columns: number,
  isNumber: (column: number) => boolean,
): readonly string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  let used = 0;
  const fitting = widths.filter((width) => (used += width + 2) <= columns);
  return rows.map((row) =>
    fitting
      .map((width, at) => (isNumber(at) ? row[at]!.padStart(width) : row[at]!.padEnd(width)))
      .join("  ")
      .trimEnd(),
  );
}
