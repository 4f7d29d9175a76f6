// Formats rows of measured values as a table for people or as JSON, and says which rows keep their bounds.

type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

/** A column: the key of its values in the rows, its heading (default: the key), and the format of a value (default: `showNumber`, or text). */
interface Column {
  readonly key: string;
  readonly heading?: string;
  readonly show?: (value: Cell) => string;
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
  /** Number of records in the inputs of whole processes. */
  readonly records: number;
  /** The checkout with which `whole` compares this one. */
  readonly old: string | undefined;
  /** Whether a row of this name is requested. */
  readonly wants: (row: string) => boolean;
  /** Prints on stderr what is being measured. */
  readonly progress: (what: string) => void;
}

export type Suite = (options: SuiteOptions) => Report | Promise<Report>;

/** A bound of one value of a row: the value's key, and the limit. */
export type Bound = readonly [key: string, sign: "≤" | "≥", limit: number];

/** The columns of `judged`. */
export const judgement: readonly Column[] = [
  { key: "wanted" },
  { key: "verdict", heading: "" },
  { key: "who", heading: "who would notice" },
];

/** The row with its bounds as text, whether it keeps them, and who would notice if it did not. */
export function judged(row: Row, bounds: readonly Bound[], who = ""): Row {
  const missed = bounds.filter(([key, sign, limit]) => {
    const value = Number(row[key]);
    return !(sign === "≤" ? value <= limit : value >= limit);
  });
  const wanted = bounds.map((bound) => bound.join(" ")).join(", ");
  const words = missed.map(([key, sign]) => `${sign === "≤" ? "ABOVE" : "BELOW"}: ${key}`);
  const verdict = bounds.length === 0 ? "" : words.join(", ") || "ok";
  return { ...row, wanted, verdict, who: bounds.length === 0 ? "" : who };
}

/** The table as text, in Markdown. */
export function tableOf(report: Report): string {
  const cells = [
    report.columns.map(({ key, heading = key }) => heading),
    ...report.rows.map((row) =>
      report.columns.map(({ key, show = showCell }) => {
        const value = row[key] ?? null;
        return value === null ? "" : show(value);
      }),
    ),
  ];
  const widths = report.columns.map((_, at) => Math.max(3, ...cells.map((line) => line[at]!.length)));
  const isText = report.columns.map(({ key }) => report.rows.every((row) => typeof row[key] === "string"));
  const lines = cells.map(
    (line) =>
      `| ${line.map((cell, at) => (isText[at] ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(" | ")} |`,
  );
  const rule = widths.map((width, at) => (isText[at] ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  lines.splice(1, 0, `| ${rule.join(" | ")} |`);
  const notes = report.notes.map((note) => `- ${note}`);
  return `## ${report.suite}: ${report.title}\n\n${lines.join("\n")}\n${notes.length === 0 ? "" : `\n${notes.join("\n")}\n`}`;
}

function showCell(value: Cell): string {
  return typeof value === "number" ? showNumber(value) : String(value);
}

/** The number as text. Numbers of 100 or more are rounded to integers; smaller fractions get one to three decimals. */
function showNumber(number: number): string {
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

/** Milliseconds as seconds. */
export function showSeconds(value: Cell): string {
  return `${(Number(value) / 1_000).toFixed(2)} s`;
}

/** A whole number of MB. */
export function showWhole(value: Cell): string {
  return String(Math.round(Number(value)));
}

/** A ratio as text, such as "12.3 ×". */
export function showRatio(value: Cell): string {
  return `${showNumber(Number(value))} ×`;
}
