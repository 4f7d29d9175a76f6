// Checks that a JSON value is a document of the schema. The error names the member that is not valid.
import { checkLimits } from "../count/counter-input.ts";
import { lastSecond } from "../count/keys.ts";
import { sketchOfText } from "../count/sketch.ts";
import { AuditError } from "../errors.ts";
import { checkTables } from "./check-tables.ts";
import { fail, membersOf } from "./plain.ts";
import { checkOf, documentSchema } from "./schema.ts";
import { type Cell, type ColumnName, type TableName, columnTypes, tableColumns, tableNames } from "./tables.ts";
import { type AuditDocument, type DocumentOrigin, schemaVersion } from "./types.ts";

const maxIntervals = 16_384;
/** The last second that `Date` can represent. */
const lastOfCalendar = 8_640_000_000_000;

let knownShape: ReturnType<typeof checkOf> | undefined;

/**
 * Checks the parsed JSON of a document and returns it. Throws an {@link AuditError} (`ERR_INVALID_DOCUMENT`) for another schema version, a
 * value that the schema does not allow, a position outside its list, an entry that repeats the name of another entry of its list, which
 * would be counted twice, and for tables that contradict one another. Takes time linear in the size of the document.
 */
export function checkDocument(value: unknown): AuditDocument {
  checkVersion(membersOf(value, "the document")["schemaVersion"]);
  knownShape ??= checkOf(documentSchema());
  const wrong = knownShape(value);
  if (wrong !== undefined) fail(wrong.slice(1));
  const document = value as AuditDocument;
  const { settings, period, crawlers, urls, otherAgents, origins, pages = [] } = document;
  checkLimits(settings.limits);
  if (period !== null && period.last > lastSecond) fail("period");
  const tokens = crawlers.map(({ productToken }) => productToken);
  const known = new Set(tokens);
  for (const [at, { crawler, sketch }] of urls.entries()) {
    if (!known.has(crawler) || !isSketch(sketch)) fail(`urls[${at}]`);
  }
  for (const [at, origin] of origins.entries()) checkOrigin(origin, `origins[${at}]`, known);
  checkNames("crawlers", tokens);
  checkNames(
    "urls",
    urls.map(({ crawler, verification }) => `${crawler} ${verification}`),
  );
  checkNames(
    "otherAgents",
    otherAgents.map(({ agent }) => agent),
  );
  checkNames(
    "origins",
    origins.map(({ origin }) => origin),
  );
  checkNames(
    "pages",
    pages.map(({ crawler }) => crawler),
  );
  checkTables(document);
  return document;
}

/** Throws an {@link AuditError} for another version of the schema, whose counts have other meanings. */
function checkVersion(version: unknown): void {
  if (version === schemaVersion) return;
  const isOlder = typeof version === "number" && version < schemaVersion;
  throw new AuditError(
    "ERR_INVALID_DOCUMENT",
    `schemaVersion is ${JSON.stringify(version)}, not ${schemaVersion}` +
      (isOlder ? ": an older version made this audit; make the audit again with this version" : ""),
  );
}

/** Throws an {@link AuditError} if a name of a list's entries stands twice. */
function checkNames(list: string, names: readonly string[]): void {
  const all = new Set<string>();
  for (const [at, name] of names.entries()) {
    if (all.add(name).size > at) continue;
    throw new AuditError("ERR_INVALID_DOCUMENT", `${list}[${at}] repeats ${JSON.stringify(name)}`);
  }
}

/** Tables in which no time may be null. */
const timedTables: ReadonlySet<TableName> = new Set(["sizes", "graceMinutes", "pace", "firstFetches"]);

/** Checks the times of an origin, and the positions and crawlers in its tables. */
function checkOrigin(origin: DocumentOrigin, where: string, crawlers: ReadonlySet<Cell>): void {
  const { intervals, outages, rules } = origin;
  if (intervals.length > maxIntervals) fail(`${where}.intervals`);
  const isTime = (time: number | null): boolean => time === null || Math.abs(time) <= lastOfCalendar;
  const isObserved = (
    from: number | null,
    latest: number | undefined,
    ...others: readonly (number | null)[]
  ): boolean =>
    [from, latest ?? null, ...others].every(isTime) && (latest === undefined || (from !== null && latest > from));
  const interval = intervals.findIndex(({ from, fromLatest, seen }) => !isObserved(from, fromLatest, seen));
  if (interval >= 0) fail(`${where}.intervals[${interval}]`);
  const outage = outages.findIndex(({ from, fromLatest, seen, end }) => !isObserved(from, fromLatest, seen, end));
  if (outage >= 0) fail(`${where}.outages[${outage}]`);
  for (const name of tableNames) {
    const checks = (tableColumns[name] as readonly ColumnName[]).flatMap((column, at) => {
      const type = columnTypes[column];
      const isNullable = !timedTables.has(name);
      if (type === "crawler") return [{ column, at, isValid: (cell: Cell) => crawlers.has(cell) }];
      if (type === "time")
        return [{ column, at, isValid: (cell: Cell) => (cell === null ? isNullable : (cell as number) <= lastSecond) }];
      if (type !== "interval" && type !== "rule") return [];
      const { length } = type === "interval" ? intervals : rules;
      return [{ column, at, isValid: (cell: Cell) => (cell as number) < length }];
    });
    for (const [row, cells] of (origin[name] as readonly (readonly Cell[])[]).entries()) {
      for (const { column, at, isValid } of checks)
        if (!isValid(cells[at]!)) fail(`${where}.${name}[${row}].${column}`);
    }
  }
}

function isSketch(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    sketchOfText(value);
    return true;
  } catch {
    return false;
  }
}
