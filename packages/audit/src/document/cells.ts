// Converts the counts of a document to cells: rows with text keys, whose numbers any program can add up. `partOfCells` converts cells back
// to counts.
import { registers, sketchOfText } from "../count/sketch.ts";
import type { OriginHistory } from "../history/types.ts";
import { type AuditCrawler, groupNamesOf } from "../states/crawlers.ts";
import { tableRowsOf } from "./table-rows.ts";
import { type Cell, type Column, type TableName, tableColumns, tableNames } from "./tables.ts";
import { type AuditDocument, type DocumentOrigin, type LintRow, schemaVersion } from "./types.ts";
import { intervalOf, outageOf } from "./write.ts";

/**
 * One cell. A program that adds up cells merges cells with equal `origin`, `cell`, `key` and `example`: it sums their `requests` and
 * `bytes`, and keeps the smallest `first` and the largest `last`. Of cells with equal `origin`, `cell` and `key`, it keeps the cell without
 * an example and the three cells with the smallest examples.
 */
export interface CountCell {
  readonly origin: string;
  /** The name of a table, or one of `otherCells`. */
  readonly cell: string;
  /** For a row of a table, a JSON list of the columns that no other member stores; for other cells, see `otherCells`. */
  readonly key: string;
  /** The hash and the target of an example with a space between them, or null. */
  readonly example: string | null;
  readonly requests: number | null;
  readonly bytes: number | null;
  readonly first: number | null;
  readonly last: number | null;
}

/** The name of a member with a number. */
export type CellValue = "requests" | "bytes" | "first" | "last";

/** The names of cells that are not rows of an origin's tables. */
export const otherCells = {
  /** The version of the schema, the settings and the crawlers, which apply to all cells; one cell. */
  settings: "settings",
  /** The settings with which requests were counted. */
  counted: "counted",
  /** The number of all records (key: `records`), and of records that were left out because of their time (key: `outside`). */
  read: "read",
  /** The number of records from which no request could be read; key: the reason. */
  rejects: "rejects",
  /** Totals; key: the name of the total. */
  totals: "totals",
  /** The times of the earliest and the latest line: `first` and `last`. */
  period: "period",
  /** Registers of sketches of distinct URLs; `last` is the rank. Key: crawler, verification, register. */
  urls: "urls",
  /** Unknown agents; key: the agent. */
  otherAgents: "otherAgents",
  /** Line numbers of rules; `first` is the line. Key: tokens, directive, pattern, dialect, version. */
  lines: "lines",
  /** One cell for each counted origin. */
  origin: "origin",
  /** The known facts about an origin's robots.txt. */
  history: "history",
  /** Texts of robots.txt files; key: version, text. */
  file: "file",
  /** Findings of the linter; key: version, findings. */
  lint: "lint",
} as const;

const inTables: Readonly<Partial<Record<TableName, Readonly<Record<string, CellValue>>>>> = {
  sizes: { answers: "requests", smallest: "first", largest: "last" },
  firstFetches: { time: "first" },
};
const usual: Readonly<Record<string, CellValue>> = {
  requests: "requests",
  bytes: "bytes",
  first: "first",
  last: "last",
};

/** The member of a cell that stores a column of a table; undefined for a column that is part of the key, and for examples. */
export function valueOfColumn(table: TableName, column: string): CellValue | undefined {
  return (inTables[table] ?? usual)[column];
}

const noValues = { example: null, requests: null, bytes: null, first: null, last: null };

/**
 * The settings, as JSON, that must be equal in cells that are added up: the version of the schema, and all settings except the limits,
 * which apply to the sum of the cells.
 */
export function countedSettingsOf(settings: AuditDocument["settings"]): string {
  const { registry, ranges, dialect, candidate, history, queryValues } = settings;
  return JSON.stringify([schemaVersion, registry, ranges, dialect, candidate, history, queryValues]);
}

/** The cell with the settings. A set of cells has exactly one such cell. */
export function settingsCellOf(settings: AuditDocument["settings"], crawlers: readonly AuditCrawler[]): CountCell {
  const shown = crawlers.map((crawler) => ({
    ...crawler,
    groupNames: groupNamesOf(crawler),
  }));
  const key = JSON.stringify({ schemaVersion, settings, crawlers: shown });
  return { ...noValues, origin: "", cell: otherCells.settings, key };
}

/** The cells with the known facts about an origin, and with the texts and the linter's findings of its versions. */
export function* historyCellsOf(
  { origin, isDated, intervals, outages }: OriginHistory,
  textOf: (version: string) => string | undefined,
  lintOf: (version: string) => readonly LintRow[] | undefined,
): Generator<CountCell> {
  const known = {
    isDated,
    intervals: intervals.map(intervalOf),
    outages: outages.map(outageOf),
  };
  yield { ...noValues, origin, cell: otherCells.history, key: JSON.stringify(known) };
  for (const version of new Set(intervals.map((interval) => interval.version))) {
    const [text, lint] = [textOf(version), lintOf(version)];
    if (text !== undefined) {
      yield { ...noValues, origin: "", cell: otherCells.file, key: JSON.stringify([version, text]) };
    }
    if (lint !== undefined) {
      yield { ...noValues, origin: "", cell: otherCells.lint, key: JSON.stringify([version, lint]) };
    }
  }
}

/** The cells of a document in which nothing was folded. */
export function* cellsOf(document: AuditDocument): Generator<CountCell> {
  const one = (cell: string, key: string, values: Partial<CountCell>): CountCell => ({
    ...noValues,
    origin: "",
    cell,
    key,
    ...values,
  });
  yield one(otherCells.counted, countedSettingsOf(document.settings), {});
  for (const { lines, outside, rejects } of document.inputs) {
    yield one(otherCells.read, "records", { requests: lines });
    yield one(otherCells.read, "outside", { requests: outside });
    for (const [code, requests] of Object.entries(rejects)) yield one(otherCells.rejects, code, { requests });
  }
  for (const [name, requests] of Object.entries(document.totals)) yield one(otherCells.totals, name, { requests });
  if (document.period !== null) yield one(otherCells.period, "", document.period);
  for (const { crawler, verification, sketch } of document.urls) {
    const ranks = sketchOfText(sketch);
    for (let register = 0; register < registers; register++) {
      const rank = ranks[register]!;
      if (rank > 0) yield one(otherCells.urls, JSON.stringify([crawler, verification, register]), { last: rank });
    }
  }
  for (const { agent, requests } of document.otherAgents) yield one(otherCells.otherAgents, agent, { requests });
  for (const origin of document.origins) yield* cellsOfOrigin(origin);
}

function* cellsOfOrigin(counts: DocumentOrigin): Generator<CountCell> {
  const { origin, rules } = counts;
  yield { ...noValues, origin, cell: otherCells.origin, key: "" };
  for (const { tokens, directive, pattern, dialect = "", lines } of rules) {
    for (const [version, line] of Object.entries(lines)) {
      const key = JSON.stringify([tokens, directive, pattern, dialect, version]);
      yield { ...noValues, origin, cell: otherCells.lines, key, first: line };
    }
  }
  for (const cell of tableNames) {
    const columns: readonly Column[] = tableColumns[cell];
    const values = columns.map(([name]) => valueOfColumn(cell, name));
    for (const row of tableRowsOf(counts, cell) as Iterable<readonly Cell[]>) {
      const keys: unknown[] = [];
      const numbers: { [name in CellValue]: number | null } = { requests: null, bytes: null, first: null, last: null };
      let examples: Cell = [];
      for (const [at, [, type]] of columns.entries()) {
        const value = row[at]!;
        const name = values[at];
        if (name !== undefined) numbers[name] = value as number | null;
        else if (type === "examples") examples = value;
        else if (type === "rule") {
          const { tokens, directive, pattern, dialect = "" } = rules[value as number]!;
          keys.push([tokens, directive, pattern, dialect]);
        } else keys.push(value);
      }
      const key = JSON.stringify(keys);
      yield { origin, cell, key, example: null, ...numbers };
      for (const [hash, target] of examples as readonly (readonly [string, string])[]) {
        yield { ...noValues, origin, cell, key, example: `${hash} ${target}` };
      }
    }
  }
}
