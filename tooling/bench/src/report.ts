// Formats rows of measured values as a table for people or as JSON.

export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** A column: the key of its values in the rows, its heading, and the format of a value. */
interface Column {
  readonly key: string;
  readonly heading: string;
  /** Default format: numbers by `showNumber`, other values as text. */
  readonly show?: (value: Cell, row: Row) => string;
}

/** The result of a suite. Rows may hold more values than there are columns; JSON contains them all. */
export interface Report {
  readonly suite: string;
  readonly title: string;
  readonly columns: readonly Column[];
  /** A row's `verdict` says whether it keeps its bounds: "ok", or text in capitals. */
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
}

export interface SuiteOptions {
  readonly seed: number;
  /** Small data and few rounds: a smoke test, not a measurement. */
  readonly quick: boolean;
  readonly rounds: number;
  readonly minRoundMs: number;
  /** Number of records in the app's inputs. */
  readonly records: number;
  /** Whether a row of this name is requested. */
  readonly wants: (row: string) => boolean;
  /** Prints on stderr what is being measured. */
  readonly progress: (what: string) => void;
}

export type Suite = (options: SuiteOptions) => Report | Promise<Report>;

/** The table as text, in Markdown. */
export function tableOf(report: Report): string {
  const cells = [
    report.columns.map((column) => column.heading),
    ...report.rows.map((row) =>
      report.columns.map((column) => {
        const value = row[column.key] ?? null;
        return value === null ? "" : (column.show ?? showCell)(value, row);
      }),
    ),
  ];
  const widths = report.columns.map((_, at) => Math.max(3, ...cells.map((line) => line[at]!.length)));
  const isText = report.columns.map((column) => report.rows.every((row) => typeof row[column.key] === "string"));
  const lines = cells.map(
    (line) =>
      `| ${line.map((cell, at) => (isText[at] ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(" | ")} |`,
  );
  lines.splice(
    1,
    0,
    `| ${widths.map((width, at) => (isText[at] ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`,
  );
  const notes = report.notes.map((note) => `- ${note}`);
  return `## ${report.suite}: ${report.title}\n\n${lines.join("\n")}\n${notes.length === 0 ? "" : `\n${notes.join("\n")}\n`}`;
}

function showCell(value: Cell): string {
  return typeof value === "number" ? showNumber(value) : String(value);
}

/** The number as text. Numbers of 100 or more are rounded to integers; smaller fractions get one to three decimals. */
export function showNumber(value: Cell): string {
  const number = Number(value);
  if (Number.isInteger(number) || Math.abs(number) >= 100) return Math.round(number).toLocaleString("en");
  return number.toFixed(Math.abs(number) >= 10 ? 1 : Math.abs(number) >= 1 ? 2 : 3);
}

/** Nanoseconds as text in a readable unit. */
export function showTime(value: Cell): string {
  const ns = Number(value);
  if (ns < 1000) return `${showNumber(ns)} ns`;
  if (ns < 1e6) return `${showNumber(ns / 1000)} µs`;
  return ns < 1e9 ? `${showNumber(ns / 1e6)} ms` : `${showNumber(ns / 1e9)} s`;
}

/** A ratio as text, such as "12.3 ×". */
export function showRatio(value: Cell): string {
  return `${showNumber(value)} ×`;
}

/** "ok" or "ABOVE" for a value with an upper bound; empty without a bound. */
export function verdictAtMost(value: number, wanted: number | null): string {
  if (wanted === null) return "";
  return value <= wanted ? "ok" : "ABOVE";
}

/** "ok" or "BELOW" for a ratio with a lower bound; empty without a bound. */
export function verdictAtLeast(ratio: number, wanted: number | null): string {
  if (wanted === null) return "";
  return ratio >= wanted ? "ok" : "BELOW";
}
