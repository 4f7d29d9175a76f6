// Determines the width of a terminal, in columns.

/** A stream that may be a terminal. */
interface Sized {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const most = 10_000;

/** The width that the variable COLUMNS sets; undefined if its value is not a whole number from 1 to 10,000. */
function columnsAskedBy({ COLUMNS = "" }: NodeJS.ProcessEnv): number | undefined {
  const columns = /^\d+$/.test(COLUMNS) ? Number(COLUMNS) : 0;
  return columns > 0 && columns <= most ? columns : undefined;
}

/**
 * The width of a stream: the value of COLUMNS, else the width of the terminal, or 80 if that is unknown. Undefined for pipes and files
 * without COLUMNS.
 */
export function columnsOf(stream: Sized, env: NodeJS.ProcessEnv): number | undefined {
  return columnsAskedBy(env) ?? (stream.isTTY === true ? stream.columns || 80 : undefined);
}
