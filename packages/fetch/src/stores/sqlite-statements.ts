// Prepares all statements of the embedded store.
import type { DatabaseSync, SQLInputValue } from "node:sqlite";

type Statement = ReturnType<DatabaseSync["prepare"]>;

/** The columns in the order of `FetchRow`. */
const columns =
  "f.id, o.origin, f.fetched_at, f.fresh_for, f.access, f.code, f.status, f.rest, f.checksum, b.size, b.packed, f.last_body";
const withBody = "LEFT JOIN bodies b ON b.id = f.body";
const isOrigin = "o.key = ? AND o.origin = ?";
// Two columns mark the newest fetch. If they disagree because of damage, the origin is treated as missing.
const newest = "origins o JOIN fetches f ON f.id = o.latest AND f.origin = o.id AND f.superseded IS NULL";
const older = "origins o JOIN fetches f ON f.origin = o.id AND f.superseded = 1";

/** A query for the columns `what` of all rows of an origin. Its parameters are the origin's key and name, twice. */
const allOf = (what: string): string =>
  `SELECT ${what} FROM ${newest} ${withBody} WHERE ${isOrigin} UNION ALL ` +
  `SELECT ${what} FROM ${older} ${withBody} WHERE ${isOrigin}`;

/** Indexes of `origin` and `last_body` in `columns`, and of the first column after `columns`. */
export const originAt = 1;
export const lastBodyAt = 11;
export const afterColumns = 12;

/** The columns that are needed to remove a row. */
const removed = "f.id, f.origin, f.body, f.last_body";

/** Statements that return rows as arrays. In a row as an object, the member names are half of the cost. */
type ArrayStatement = "getNewest" | "getKnown" | "getPage" | "getNewestPage" | "getBody" | "getOrigin" | "getOrigins";

/** Statements that return rows as objects, and statements without rows. */
type ObjectStatement =
  | "addOrigin"
  | "addFetch"
  | "supersede"
  | "restore"
  | "setLatest"
  | "getTime"
  | "getBodies"
  | "addBody"
  | "useBody"
  | "dropBody"
  | "getSame"
  | "getOldest"
  | "getOfOrigin"
  | "getBefore"
  | "getSuperseded"
  | "getLatest"
  | "getHeir"
  | "removeFetch"
  | "removeBody"
  | "removeOriginRow"
  | "counts"
  | "pages";

export type Statements = Readonly<Record<ArrayStatement | ObjectStatement, Statement>>;

const arraySql: Readonly<Record<ArrayStatement, string>> = {
  getNewest: `SELECT ${columns} FROM ${newest} ${withBody} WHERE ${isOrigin}`,
  getKnown: `SELECT * FROM (${allOf(columns)}) WHERE fetched_at <= ? ORDER BY fetched_at DESC, id DESC LIMIT ?`,
  // A fetch whose origin is missing is damaged.
  getPage: `SELECT ${columns} FROM fetches f LEFT JOIN origins o ON o.id = f.origin ${withBody} WHERE f.id > ? ORDER BY f.id LIMIT ?`,
  getNewestPage: `SELECT ${columns}, o.id FROM ${newest} ${withBody} WHERE o.id > ? ORDER BY o.id LIMIT ?`,
  getBody: "SELECT size, packed FROM bodies WHERE id = ?",
  getOrigin: `SELECT id, latest FROM origins o WHERE ${isOrigin}`,
  getOrigins: "SELECT origin FROM origins",
};

const objectSql: Readonly<Record<ObjectStatement, string>> = {
  // `latest` gets the id that SQLite will give to the next row of `fetches`.
  addOrigin: "INSERT INTO origins (key, latest, origin) VALUES (?, (SELECT ifnull(max(id), 0) + 1 FROM fetches), ?)",
  addFetch:
    "INSERT INTO fetches (origin, fetched_at, fresh_for, access, code, status, body, last_body, rest, checksum, superseded) " +
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  supersede: "UPDATE fetches SET superseded = 1 WHERE id = ?",
  restore: "UPDATE fetches SET superseded = NULL WHERE id = ?",
  setLatest: "UPDATE origins SET latest = ? WHERE id = ?",
  getTime: "SELECT fetched_at FROM fetches WHERE id = ?",
  getBodies: "SELECT id, size, packed FROM bodies WHERE key = ?",
  addBody: "INSERT INTO bodies (key, fetches, size, packed) VALUES (?, 1, ?, ?)",
  useBody: "UPDATE bodies SET fetches = fetches + 1 WHERE id = ?",
  dropBody: "UPDATE bodies SET fetches = fetches - 1 WHERE id = ?",
  getSame: `SELECT 1 FROM (${allOf("f.fetched_at, f.checksum")}) WHERE fetched_at = ? AND checksum = ? LIMIT 1`,
  getOldest: `SELECT ${removed} FROM fetches f ORDER BY f.id LIMIT ?`,
  getOfOrigin: `${allOf(removed)} LIMIT ?`,
  getBefore: `SELECT ${removed} FROM fetches f WHERE f.fetched_at < ? ORDER BY f.id LIMIT ?`,
  getSuperseded: `SELECT ${removed} FROM fetches f WHERE f.superseded = 1 LIMIT ?`,
  getLatest: "SELECT latest FROM origins WHERE id = ?",
  getHeir: "SELECT id FROM fetches WHERE origin = ? AND superseded = 1 ORDER BY fetched_at DESC, id DESC LIMIT 1",
  removeFetch: "DELETE FROM fetches WHERE id = ?",
  removeBody: "DELETE FROM bodies WHERE id = ? AND fetches < 1",
  removeOriginRow: "DELETE FROM origins WHERE id = ?",
  counts:
    "SELECT (SELECT count(*) FROM fetches) AS fetches, (SELECT count(*) FROM origins) AS origins, " +
    "(SELECT count(*) FROM bodies) AS bodies",
  pages: "SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count, pragma_freelist_count",
};

export function prepareStatements(database: DatabaseSync): Statements {
  const prepared: Record<string, Statement> = {};
  for (const [name, sql] of Object.entries(objectSql)) prepared[name] = database.prepare(sql);
  for (const [name, sql] of Object.entries(arraySql)) {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    prepared[name] = statement;
  }
  return prepared as Statements;
}

type Row = ReturnType<Statement["all"]>[number];

/** The rows of a statement; see `readAgain`. */
export function allRows(statement: Statement, ...values: SQLInputValue[]): readonly Row[] {
  try {
    return statement.all(...values);
  } catch (error) {
    return readAgain(statement, error, () => statement.all(...values));
  }
}

/** Yields pages of rows in ascending order of their ids. `readPage` returns the page after a row; undefined without a further row. */
export function* pagesOf<Page extends { readonly lastId: number }>(
  readPage: (after: number) => Page | undefined,
): Generator<Page> {
  for (let after = 0; ;) {
    const page = readPage(after);
    // The id of a damaged row is rounded and may be too small: the loop must not go back to it.
    if (page === undefined || page.lastId <= after) return;
    after = page.lastId;
    yield page;
  }
}

/** The first row of a statement; see `readAgain`. */
export function firstRow(statement: Statement, ...values: SQLInputValue[]): Row | undefined {
  try {
    return statement.get(...values);
  } catch (error) {
    return readAgain(statement, error, () => [statement.get(...values)].filter((row) => row !== undefined))[0];
  }
}

/**
 * Repeats a read after node:sqlite threw for a number beyond 2^53, which only a damaged row has. The repeated read rounds such numbers:
 * the checksum then identifies the damaged row, and the other rows can be read.
 */
function readAgain(statement: Statement, error: unknown, read: () => readonly Row[]): readonly Row[] {
  if ((error as { readonly code?: unknown }).code !== "ERR_OUT_OF_RANGE") throw error;
  statement.setReadBigInts(true);
  try {
    return read().map((row) => (Array.isArray(row) ? (row as unknown[]).map(numberOf) : withNumbers(row)) as Row);
  } finally {
    statement.setReadBigInts(false);
  }
}

function withNumbers(row: Row): object {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, numberOf(value)]));
}

function numberOf(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
