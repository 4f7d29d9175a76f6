// Aligns the cells of rows in columns of text.

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
