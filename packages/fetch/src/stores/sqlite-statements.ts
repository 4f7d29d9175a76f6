// The statements of the embedded store, and the reading of their rows.
import type { DatabaseSync, SQLInputValue, SQLOutputValue } from "node:sqlite";

type Statement = ReturnType<DatabaseSync["prepare"]>;

/** A row as an array: in a row as an object, the member names are half of the cost. */
export type Row = readonly SQLOutputValue[];

/** Prepares a statement that returns rows as arrays. */
export function prepare(database: DatabaseSync, sql: string): Statement {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  return statement;
}

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

export const getNewest: string = `SELECT ${columns} FROM ${newest} ${withBody} WHERE ${isOrigin}`;
export const getKnown: string = `SELECT * FROM (${allOf(columns)}) WHERE fetched_at <= ? ORDER BY fetched_at DESC, id DESC LIMIT ?`;
// A fetch whose origin is missing is damaged.
export const getPage: string = `SELECT ${columns} FROM fetches f LEFT JOIN origins o ON o.id = f.origin ${withBody} WHERE f.id > ? ORDER BY f.id LIMIT ?`;
export const getNewestPage: string = `SELECT ${columns}, o.id FROM ${newest} ${withBody} WHERE o.id > ? ORDER BY o.id LIMIT ?`;
export const getBody: string = "SELECT size, packed FROM bodies WHERE id = ?";
export const getOrigin: string = `SELECT id, latest FROM origins o WHERE ${isOrigin}`;
export const getOrigins: string = "SELECT origin FROM origins";
// `latest` gets the id that SQLite will give to the next row of `fetches`.
export const addOrigin: string =
  "INSERT INTO origins (key, latest, origin) VALUES (?, (SELECT ifnull(max(id), 0) + 1 FROM fetches), ?)";
export const addFetch: string =
  "INSERT INTO fetches (origin, fetched_at, fresh_for, access, code, status, rest, checksum, body, last_body, superseded) " +
  "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
export const supersede: string = "UPDATE fetches SET superseded = 1 WHERE id = ?";
export const restore: string = "UPDATE fetches SET superseded = NULL WHERE id = ?";
export const setLatest: string = "UPDATE origins SET latest = ? WHERE id = ?";
export const getTime: string = "SELECT fetched_at FROM fetches WHERE id = ?";
export const getBodies: string = "SELECT id, size, packed FROM bodies WHERE key = ?";
export const addBody: string = "INSERT INTO bodies (key, fetches, size, packed) VALUES (?, 1, ?, ?)";
export const useBody: string = "UPDATE bodies SET fetches = fetches + 1 WHERE id = ?";
export const dropBody: string = "UPDATE bodies SET fetches = fetches - 1 WHERE id = ?";
export const getSame: string = `SELECT 1 FROM (${allOf("f.fetched_at, f.checksum")}) WHERE fetched_at = ? AND checksum = ? LIMIT 1`;
export const getOldest: string = `SELECT ${removed} FROM fetches f ORDER BY f.id LIMIT ?`;
export const getOfOrigin: string = `${allOf(removed)} LIMIT ?`;
export const getBefore: string = `SELECT ${removed} FROM fetches f WHERE f.fetched_at < ? ORDER BY f.id LIMIT ?`;
export const getSuperseded: string = `SELECT ${removed} FROM fetches f WHERE f.superseded = 1 LIMIT ?`;
export const getLatest: string = "SELECT latest FROM origins WHERE id = ?";
export const getHeir: string =
  "SELECT id FROM fetches WHERE origin = ? AND superseded = 1 ORDER BY fetched_at DESC, id DESC LIMIT 1";
export const removeFetch: string = "DELETE FROM fetches WHERE id = ?";
export const removeBody: string = "DELETE FROM bodies WHERE id = ? AND fetches < 1";
export const removeOriginRow: string = "DELETE FROM origins WHERE id = ?";
export const counts: string =
  "SELECT (SELECT count(*) FROM fetches) AS fetches, (SELECT count(*) FROM origins) AS origins, " +
  "(SELECT count(*) FROM bodies) AS bodies";
export const pages: string =
  "SELECT page_count AS pages, freelist_count AS free FROM pragma_page_count, pragma_freelist_count";

/** The rows of a statement; see `readAgain`. */
export function allRows(statement: Statement, ...values: SQLInputValue[]): readonly Row[] {
  const read = (): readonly Row[] => statement.all(...values) as unknown as readonly Row[];
  try {
    return read();
  } catch (error) {
    return readAgain(statement, error, read);
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
  const read = (): Row | undefined => statement.get(...values) as unknown as Row | undefined;
  try {
    return read();
  } catch (error) {
    return readAgain(statement, error, () => [read()].filter((row) => row !== undefined))[0];
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
    return read().map((row) => row.map((value) => (typeof value === "bigint" ? Number(value) : value)));
  } finally {
    statement.setReadBigInts(false);
  }
}
