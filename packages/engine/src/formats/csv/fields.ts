// Splits rows into fields. Rows without quotes are split at the delimiter, rows with quotes by csv-parse.

/** The fields of a row without quotes. */
export function fieldsOf(row: string, delimiter: string): readonly string[] {
  return delimiter === "" ? [row] : row.split(delimiter);
}

/** Parses the rows whose indexes are in `quoted`, in one call of csv-parse. Returns their fields by index. Each row must be one record. */
export async function readQuotedRows(
  rows: readonly string[],
  quoted: readonly number[],
  delimiter: string,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { parse } = await import("csv-parse/sync");
  const records: readonly (readonly string[])[] = parse(quoted.map((index) => rows[index]).join("\n"), {
    delimiter: delimiter === "" ? "\0" : delimiter,
    record_delimiter: "\n",
    relax_column_count: true,
    // In tables with tabs, a quote within a field is text.
    relax_quotes: delimiter === "\t",
  });
  if (records.length !== quoted.length) {
    throw new Error(`csv-parse found ${records.length} records in ${quoted.length}`);
  }
  return new Map(quoted.map((index, at) => [index, records[at]!]));
}
