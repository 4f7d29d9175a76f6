// Checks that a JSON value is a document of the schema. The error names the member that is not valid.
import { type CountLimits, checkLimits, limitsFor, totalNames } from "../count/counter-input.ts";
import { lastSecond, noTimeLevel } from "../count/keys.ts";
import { pageFindings } from "../count/pages.ts";
import { sketchOfText } from "../count/sketch.ts";
import { AuditError } from "../errors.ts";
import { policyNames } from "../history.ts";
import { largestStatus, verifications } from "../states/states.ts";
import { checkTables } from "./check-tables.ts";
import { type Members, fail, isCount, isIn, listOf, membersOf } from "./plain.ts";
import {
  type ColumnName,
  type ColumnType,
  type TableName,
  closedLists,
  columnTypes,
  tableColumns,
  tableNames,
} from "./tables.ts";
import { type AuditDocument, lintSeverities, schemaVersion } from "./types.ts";

const maxIntervals = 16_384;
/** The last second that `Date` can represent. */
const lastOfCalendar = 8_640_000_000_000;

/**
 * Checks the parsed JSON of a document and returns it. Throws an {@link AuditError} (`ERR_INVALID_DOCUMENT`) for another schema version, a
 * missing member, a value that a column may not have, a position outside its list, an entry that repeats the name of another entry of its
 * list, which would be counted twice, and for tables that contradict one another. Takes time linear in the size of the document.
 */
export function checkDocument(value: unknown): AuditDocument {
  const document = membersOf(value, "the document");
  checkVersion(document["schemaVersion"]);
  checkSettings(membersOf(document["settings"], "settings"));
  const { period } = document as { period?: unknown };
  if (period !== null) {
    const { first, last } = membersOf(period, "period") as { first?: unknown; last?: unknown };
    if (!isCount(first) || !isCount(last) || last > lastSecond) fail("period");
  }
  const totals = membersOf(document["totals"], "totals");
  for (const name of totalNames) if (!isCount(totals[name])) fail(`totals.${name}`);
  const crawlers = checkCrawlers(listOf(document["crawlers"], "crawlers"));
  const urls = new Names("urls");
  for (const [at, entry] of listOf(document["urls"], "urls").entries()) {
    const { crawler, verification, sketch } = membersOf(entry, `urls[${at}]`) as Record<string, unknown>;
    if (!crawlers.has(crawler) || !isIn(verifications, verification) || !isSketch(sketch)) fail(`urls[${at}]`);
    urls.add(`${String(crawler)} ${String(verification)}`);
  }
  const otherAgents = new Names("otherAgents");
  for (const [at, entry] of listOf(document["otherAgents"], "otherAgents").entries()) {
    const { agent, requests } = membersOf(entry, `otherAgents[${at}]`) as Record<string, unknown>;
    if (typeof agent !== "string" || !isCount(requests)) fail(`otherAgents[${at}]`);
    otherAgents.add(agent);
  }
  for (const [version, text] of Object.entries(membersOf(document["files"], "files"))) {
    if (typeof text !== "string") fail(`files.${version}`);
  }
  for (const [version, rows] of Object.entries(membersOf(document["lint"], "lint"))) {
    if (!listOf(rows, `lint.${version}`).every(isLintRow)) fail(`lint.${version}`);
  }
  const origins = new Names("origins");
  for (const [at, entry] of listOf(document["origins"], "origins").entries()) {
    origins.add(checkOrigin(membersOf(entry, `origins[${at}]`), `origins[${at}]`, crawlers));
  }
  if (document["pages"] !== undefined) checkPages(listOf(document["pages"], "pages"));
  checkInputs(listOf(document["inputs"], "inputs"));
  const checked = document as unknown as AuditDocument;
  checkTables(checked);
  return checked;
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

function checkSettings(settings: Members): void {
  for (const name of ["registry", "dialect", "history"]) {
    if (typeof settings[name] !== "string") fail(`settings.${name}`);
  }
  for (const name of ["ranges", "candidate"]) {
    if (settings[name] !== null && typeof settings[name] !== "string") fail(`settings.${name}`);
  }
  if (typeof settings["queryValues"] !== "boolean") fail("settings.queryValues");
  const limits = membersOf(settings["limits"], "settings.limits");
  for (const name of Object.keys(limitsFor(1))) if (!isCount(limits[name])) fail(`settings.limits.${name}`);
  checkLimits(limits as unknown as CountLimits);
}

/** The names of a list's entries. */
class Names {
  readonly #list: string;
  readonly #all = new Set<string>();

  constructor(list: string) {
    this.#list = list;
  }

  /** Adds the name of the next entry. Throws an {@link AuditError} if an entry before it has the same name. */
  add(name: string): void {
    const at = this.#all.size;
    if (this.#all.add(name).size === at) {
      throw new AuditError("ERR_INVALID_DOCUMENT", `${this.#list}[${at}] repeats ${JSON.stringify(name)}`);
    }
  }
}

const textMembers = ["productToken", "operator", "kind", "bound", "accessPolicy"] as const;

function checkCrawlers(list: readonly unknown[]): ReadonlySet<unknown> {
  const names = new Names("crawlers");
  for (const [at, entry] of list.entries()) {
    const crawler = membersOf(entry, `crawlers[${at}]`);
    const isWhole =
      textMembers.every((name) => typeof crawler[name] === "string") &&
      typeof crawler["honoursCrawlDelay"] === "boolean" &&
      ["purposes", "groupNames"].every((name) =>
        listOf(crawler[name], `crawlers[${at}].${name}`).every((text) => typeof text === "string"),
      );
    if (!isWhole) fail(`crawlers[${at}]`);
    names.add(crawler["productToken"] as string);
  }
  return new Set(list.map((entry) => (entry as Members)["productToken"]));
}

/** Whether a value is missing, or a time after the first possible second `from` of the same observation. */
function isLatest(value: unknown, from: unknown): boolean {
  return (
    value === undefined || (typeof value === "number" && isTime(value) && typeof from === "number" && value > from)
  );
}

/** Checks an origin and returns its name. */
function checkOrigin(origin: Members, where: string, crawlers: ReadonlySet<unknown>): string {
  if (typeof origin["origin"] !== "string") fail(`${where}.origin`);
  for (const name of ["isKnown", "isDated"]) if (typeof origin[name] !== "boolean") fail(`${where}.${name}`);
  if (origin["isShared"] !== undefined && origin["isShared"] !== true) fail(`${where}.isShared`);
  const intervals = listOf(origin["intervals"], `${where}.intervals`);
  if (intervals.length > maxIntervals) fail(`${where}.intervals`);
  for (const [at, entry] of intervals.entries()) {
    const { version, from, fromLatest, seen, policies } = membersOf(entry, `${where}.intervals[${at}]`) as Record<
      string,
      unknown
    >;
    const names = listOf(policies, `${where}.intervals[${at}].policies`);
    const isWhole =
      typeof version === "string" && isTime(from) && isTime(seen) && names.every((name) => isIn(policyNames, name));
    if (!isWhole || !isLatest(fromLatest, from)) fail(`${where}.intervals[${at}]`);
  }
  for (const [at, entry] of listOf(origin["outages"], `${where}.outages`).entries()) {
    const {
      from,
      fromLatest,
      seen,
      end,
      code = "",
    } = membersOf(entry, `${where}.outages[${at}]`) as Record<string, unknown>;
    const isWhole = from !== null && seen !== null && [from, seen, end].every(isTime) && typeof code === "string";
    if (!isWhole || !isLatest(fromLatest, from)) fail(`${where}.outages[${at}]`);
  }
  const folded = membersOf(origin["folded"], `${where}.folded`);
  for (const [name, most] of Object.entries({
    times: noTimeLevel,
    fetches: noTimeLevel,
    directories: 2,
    parameters: 2,
  })) {
    const level = folded[name];
    if (!isCount(level) || level > most) fail(`${where}.folded.${name}`);
  }
  const rules = listOf(origin["rules"], `${where}.rules`);
  for (const [at, entry] of rules.entries()) {
    const rule = membersOf(entry, `${where}.rules[${at}]`) as Record<string, unknown>;
    const { tokens, directive, pattern, dialect = "", lines } = rule;
    const isWhole =
      listOf(tokens, `${where}.rules[${at}].tokens`).every((token) => typeof token === "string") &&
      typeof directive === "string" &&
      typeof pattern === "string" &&
      typeof dialect === "string" &&
      Object.values(membersOf(lines, `${where}.rules[${at}].lines`)).every(isCount);
    if (!isWhole) fail(`${where}.rules[${at}]`);
  }
  for (const name of tableNames) {
    const bounds = { crawlers, intervals: intervals.length, rules: rules.length };
    checkTable(listOf(origin[name], `${where}.${name}`), name, `${where}.${name}`, bounds);
  }
  return origin["origin"];
}

/** The crawlers that rows may name, and the lengths of the lists to which positions in rows refer. */
interface Bounds {
  readonly crawlers: ReadonlySet<unknown>;
  readonly intervals: number;
  readonly rules: number;
}

/** Tables in which no time may be null. */
const timedTables: ReadonlySet<TableName> = new Set(["sizes", "graceMinutes", "pace", "firstFetches"]);

function checkTable(rows: readonly unknown[], name: TableName, where: string, bounds: Bounds): void {
  const columns: readonly ColumnName[] = tableColumns[name];
  const isTimed = timedTables.has(name);
  for (const [at, row] of rows.entries()) {
    if (!Array.isArray(row) || row.length !== columns.length) fail(`${where}[${at}]`);
    for (const [column, columnName] of columns.entries()) {
      const cell: unknown = row[column];
      if (!isCell(cell, columnTypes[columnName], bounds) || (isTimed && cell === null))
        fail(`${where}[${at}].${columnName}`);
    }
  }
}

function isCell(cell: unknown, type: ColumnType, bounds: Bounds): boolean {
  switch (type) {
    case "time":
      return cell === null || (isCount(cell) && cell <= lastSecond);
    case "crawler":
      return bounds.crawlers.has(cell);
    case "flag":
      return typeof cell === "boolean";
    case "interval":
      return isCount(cell) && cell < bounds.intervals;
    case "rule":
      return isCount(cell) && cell < bounds.rules;
    case "status":
      return cell === -1 || (isCount(cell) && cell <= largestStatus);
    case "text":
      return typeof cell === "string";
    case "count":
      return isCount(cell);
    case "examples":
      return Array.isArray(cell) && cell.length <= 3 && cell.every(isExample);
    case "verification":
    case "state":
    case "statusClass":
    case "method":
    case "direction":
    case "flip":
      return isIn(closedLists[type]!, cell);
  }
}

function checkPages(list: readonly unknown[]): void {
  const names = new Names("pages");
  for (const [at, entry] of list.entries()) {
    const { crawler, pages, findings } = membersOf(entry, `pages[${at}]`) as Record<string, unknown>;
    if (typeof crawler !== "string" || !isCount(pages)) fail(`pages[${at}]`);
    names.add(crawler);
    for (const [index, found] of listOf(findings, `pages[${at}].findings`).entries()) {
      const where = `pages[${at}].findings[${index}]`;
      const members = membersOf(found, where) as Record<string, unknown>;
      if (!isIn(pageFindings, members["code"]) || !isCount(members["pages"])) fail(where);
      const examples = listOf(members["examples"], `${where}.examples`);
      if (examples.length > 3 || !examples.every(isExample)) fail(`${where}.examples`);
    }
  }
}

function isLintRow(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 4) return false;
  const [line, severity, code, sentence] = value as readonly unknown[];
  return isCount(line) && isIn(lintSeverities, severity) && typeof code === "string" && typeof sentence === "string";
}

function isExample(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false;
  const [hash, target] = value as readonly unknown[];
  return typeof hash === "string" && /^[0-9a-f]{16}$/u.test(hash) && typeof target === "string";
}

function checkInputs(list: readonly unknown[]): void {
  for (const [at, entry] of list.entries()) {
    const { name, sha256, bytes, lines, rejects, sampleRate, outside } = membersOf(
      entry,
      `inputs[${at}]`,
    ) as Members & {
      readonly rejects?: unknown;
      readonly name?: unknown;
    } as Record<string, unknown>;
    const isWhole =
      typeof name === "string" &&
      typeof sha256 === "string" &&
      isCount(bytes) &&
      isCount(lines) &&
      isCount(outside) &&
      typeof sampleRate === "number" &&
      sampleRate > 0 &&
      sampleRate <= 1 &&
      Object.values(membersOf(rejects, `inputs[${at}].rejects`)).every(isCount);
    if (!isWhole) fail(`inputs[${at}]`);
  }
}

/** Whether a value is null or the time of an observation, which a calendar can show. */
function isTime(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && Math.abs(value as number) <= lastOfCalendar);
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
