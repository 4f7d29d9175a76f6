// Makes a part of a log for `mergeParts` from cells. The head of the part has the settings and the known facts; the part's documents have
// the counts.
import { registers, sketchTextOf } from "../count/sketch.ts";
import { limitsFor } from "../count/limits.ts";
import { totalNames } from "../count/totals.ts";
import { AuditError } from "../errors.ts";
import { type CountCell, countedSettingsOf, otherCells, valueOfColumn } from "./cells.ts";
import { checkValues } from "./check.ts";
import type { DocumentPart } from "./merge.ts";
import { type Column, type TableName, tableColumns, tableNames } from "./tables.ts";
import { type AuditDocument, type DocumentInput, schemaVersion } from "./types.ts";

/** The maximum number of cells that become one document. All tables of such a document are in memory at once. */
const cellsAtOnce = 50_000;

type Json = Record<string, unknown>;
type CellText = { [Name in keyof CountCell]?: unknown };

/**
 * Makes a part of a log from cells. `read` returns all cells, in any order; `read` is called once for the head, and once for each call of
 * `counts`. `input` describes the source of the cells; its numbers of lines and rejects come from the cells. Throws an {@link AuditError}
 * for cells that are incomplete, damaged, or counted with different settings.
 */
export function partOfCells(
  read: () => Iterable<unknown>,
  input: Pick<DocumentInput, "name" | "bytes" | "sha256">,
): DocumentPart {
  const head = headOf(read(), input);
  return { head, counts: () => countsOf(read(), head) };
}

/** The counts of a document in which nothing was counted. */
const nothing = {
  totals: Object.fromEntries(totalNames.map((name) => [name, 0])),
  period: null,
  urls: [],
  otherAgents: [],
};

function headOf(cells: Iterable<unknown>, input: Pick<DocumentInput, "name" | "bytes" | "sha256">): AuditDocument {
  let told: Json | undefined;
  const counted = new Set<string>();
  const origins = new Map<string, Json>();
  const [files, lint] = [Object.create(null) as Json, Object.create(null) as Json];
  const rejects = Object.create(null) as Record<string, number>;
  const read: Record<string, number> = { records: 0, outside: 0 };
  for (const value of cells) {
    const { origin, cell, key, requests } = checked(value);
    if (cell === otherCells.settings) told = parsedOf(key) as Json;
    else if (cell === otherCells.counted) counted.add(key);
    else if (cell === otherCells.history)
      origins.set(origin, { ...emptyOrigin(origin), ...(parsedOf(key) as Json), isKnown: true });
    else if (cell === otherCells.read) read[key] = (read[key] ?? 0) + (requests ?? 0);
    else if (cell === otherCells.rejects) rejects[key] = (rejects[key] ?? 0) + (requests ?? 0);
    else if (cell === otherCells.file || cell === otherCells.lint) {
      const [version, what] = parsedOf(key) as readonly [string, unknown];
      (cell === otherCells.file ? files : lint)[version] = what;
    }
  }
  if (told === undefined) throw damaged("have no settings: they are incomplete");
  const head = checkValues({
    ...nothing,
    // Cells of version 1 do not name it.
    schemaVersion: told["schemaVersion"] ?? 1,
    settings: told["settings"],
    crawlers: told["crawlers"],
    files: { ...files },
    lint: { ...lint },
    origins: [...origins.values()],
    inputs: [{ ...input, lines: read["records"], outside: read["outside"], rejects: { ...rejects }, sampleRate: 1 }],
  });
  const expected = countedSettingsOf(head.settings);
  if ([...counted].some((each) => each !== expected)) {
    throw new AuditError(
      "ERR_DIFFERENT_DOCUMENTS",
      "the cells were counted with different settings or robots.txt files",
    );
  }
  return head;
}

function emptyOrigin(origin: string): Json {
  const tables = Object.fromEntries(tableNames.map((name) => [name, []]));
  const folded = { times: 0, fetches: 0, directories: 0, parameters: 0 };
  return { origin, isKnown: false, isDated: false, intervals: [], outages: [], folded, rules: [], ...tables };
}

function* countsOf(cells: Iterable<unknown>, head: AuditDocument): Generator<AuditDocument> {
  const known = new Map(head.origins.map((origin) => [origin.origin, origin]));
  let chunk = new Chunk(head, known);
  for (const value of cells) {
    chunk.add(checked(value));
    if (chunk.size < cellsAtOnce) continue;
    yield chunk.document();
    chunk = new Chunk(head, known);
  }
  yield chunk.document();
}

/** Collects cells and makes one document of them. */
class Chunk {
  size = 0;
  readonly #head: AuditDocument;
  readonly #known: ReadonlyMap<string, object>;
  readonly #totals: Record<string, number> = { ...(nothing.totals as Record<string, number>) };
  #period: { first: number; last: number } | null = null;
  readonly #sketches = new Map<string, Uint8Array>();
  readonly #otherAgents = new Map<string, number>();
  readonly #origins = new Map<string, OriginChunk>();

  constructor(head: AuditDocument, known: ReadonlyMap<string, object>) {
    this.#head = head;
    this.#known = known;
  }

  add({ origin, cell, key, example, requests, bytes, first, last }: CountCell): void {
    this.size++;
    if (cell === otherCells.totals) this.#totals[key] = (this.#totals[key] ?? 0) + (requests ?? 0);
    else if (cell === otherCells.period && first !== null && last !== null) {
      const { first: from, last: to } = this.#period ?? { first, last };
      this.#period = { first: Math.min(from, first), last: Math.max(to, last) };
    } else if (cell === otherCells.urls) this.#addRank(key, last ?? 0);
    else if (cell === otherCells.otherAgents) {
      this.#otherAgents.set(key, (this.#otherAgents.get(key) ?? 0) + (requests ?? Number.NaN));
    } else if (cell === otherCells.lines) this.#originOf(origin).addLine(key, first);
    else if (Object.hasOwn(tableColumns, cell)) {
      this.#originOf(origin).addRow(cell as TableName, key, { example, requests, bytes, first, last });
    } else if (!Object.hasOwn(otherCells, cell)) throw damaged(`have an unknown table: ${JSON.stringify(cell)}`);
  }

  /** The document with all added cells. Throws an AuditError for values that are not valid in a document. */
  document(): AuditDocument {
    const { settings, crawlers } = this.#head;
    return checkValues({
      schemaVersion,
      settings,
      crawlers,
      totals: this.#totals,
      period: this.#period,
      urls: [...this.#sketches].map(([key, sketch]) => {
        const [crawler, verification] = parsedOf(key) as readonly unknown[];
        return { crawler, verification, sketch: sketchTextOf(sketch) };
      }),
      otherAgents: [...this.#otherAgents].map(([agent, requests]) => ({ agent, requests })),
      files: {},
      lint: {},
      origins: [...this.#origins].map(([name, chunk]) => ({
        ...(this.#known.get(name) ?? emptyOrigin(name)),
        ...chunk.members(),
      })),
      inputs: [],
    });
  }

  #addRank(key: string, rank: number): void {
    const [crawler, verification, register] = parsedOf(key) as readonly unknown[];
    const isRegister = Number.isInteger(register) && (register as number) >= 0 && (register as number) < registers;
    if (!isRegister || rank > mostRank) throw damaged("have no register of a sketch");
    const actor = JSON.stringify([crawler, verification]);
    let sketch = this.#sketches.get(actor);
    if (sketch === undefined) this.#sketches.set(actor, (sketch = new Uint8Array(registers)));
    sketch[register as number] = Math.max(sketch[register as number]!, rank);
  }

  #originOf(name: string): OriginChunk {
    let origin = this.#origins.get(name);
    if (origin === undefined) this.#origins.set(name, (origin = new OriginChunk()));
    return origin;
  }
}

/** The largest rank of a register: 52 bits of a hash, plus one. */
const mostRank = 53;

/** Rules and rows of an origin. */
class OriginChunk {
  readonly #rules = new Map<string, { position: number; lines: Record<string, unknown> }>();
  readonly #tables = new Map<TableName, unknown[][]>();

  addLine(key: string, line: number | null): void {
    const [tokens, directive, pattern, dialect, version] = parsedOf(key) as readonly unknown[];
    if (typeof version !== "string") throw damaged("have a rule without its version");
    this.#ruleOf([tokens, directive, pattern, dialect]).lines[version] = line;
  }

  addRow(table: TableName, key: string, values: Omit<CountCell, "origin" | "cell" | "key">): void {
    const keys = parsedOf(key);
    if (!Array.isArray(keys)) throw damaged("have a key that is not a list");
    let next = 0;
    const row = (tableColumns[table] as readonly Column[]).map(([name, type]) => {
      const value = valueOfColumn(table, name);
      // A cell that only adds an example has no requests.
      if (value !== undefined) return type === "count" ? (values[value] ?? 0) : values[value];
      if (type === "examples") return exampleOf(values.example);
      const part: unknown = keys[next++];
      return type === "rule" ? this.#ruleOf(part).position : part;
    });
    if (keys.length !== next) throw damaged(`have a key of ${keys.length} parts in ${table}`);
    const rows = this.#tables.get(table) ?? [];
    if (rows.length === 0) this.#tables.set(table, rows);
    rows.push(row);
  }

  members(): Json {
    const rules = [...this.#rules].map(([key, { lines }]) => {
      const [tokens, directive, pattern, dialect] = parsedOf(key) as readonly unknown[];
      return { tokens, directive, pattern, dialect, lines };
    });
    return { rules, ...Object.fromEntries(this.#tables) };
  }

  #ruleOf(parts: unknown): { position: number; lines: Record<string, unknown> } {
    const key = JSON.stringify(parts);
    let rule = this.#rules.get(key);
    if (rule === undefined) this.#rules.set(key, (rule = { position: this.#rules.size, lines: {} }));
    return rule;
  }
}

function exampleOf(example: string | null): readonly (readonly [string, string])[] {
  if (example === null) return [];
  const space = example.indexOf(" ");
  return [[example.slice(0, space), example.slice(space + 1)]];
}

function parsedOf(key: string): unknown {
  try {
    return JSON.parse(key);
  } catch {
    throw damaged("have a key that is not JSON");
  }
}

function checked(value: unknown): CountCell {
  const {
    origin = "",
    cell,
    key = "",
    example = null,
    requests = null,
    bytes = null,
    first = null,
    last = null,
  } = (typeof value === "object" && value !== null ? value : {}) as CellText;
  const isText = typeof origin === "string" && typeof cell === "string" && typeof key === "string";
  const areNumbers = [requests, bytes, first, last].every((number) => number === null || Number.isSafeInteger(number));
  if (!isText || !areNumbers || (example !== null && typeof example !== "string"))
    throw damaged("have a line that is not a cell");
  return { origin, cell, key, example, requests, bytes, first, last } as CountCell;
}

function damaged(what: string): AuditError {
  return new AuditError("ERR_INVALID_DOCUMENT", `the cells ${what}`);
}

/**
 * The limits of a counter whose counts are converted to cells. The counter folds nothing if it counts at most half as many requests as the
 * limit `directories`.
 */
export const cellLimits: AuditDocument["settings"]["limits"] = {
  ...(Object.fromEntries(
    Object.keys(limitsFor(1)).map((name) => [name, Number.MAX_SAFE_INTEGER]),
  ) as unknown as AuditDocument["settings"]["limits"]),
  directories: 65_536,
};
