// Checks that the tables and lists of a document do not contradict one another: a request that one table counts, the others count, too.
import { foldedName } from "../count/names.ts";
import { AuditError } from "../errors.ts";
import { leastOf, mostOf } from "../time.ts";
import { classNameOf, isSuccessfulFetch, methodNumberOf, missedClasses } from "../states/states.ts";
import { type Cell, type ColumnName, type TableName, tableColumns, tableNames } from "./tables.ts";
import type { AuditDocument, DocumentOrigin } from "./types.ts";

/** Throws the error for tables that contradict one another. */
function contradict(what: string): never {
  throw new AuditError("ERR_INVALID_DOCUMENT", `${what}: the audit is damaged, or was changed`);
}

/**
 * Throws an `AuditError` (`ERR_INVALID_DOCUMENT`) if tables of a document contradict one another, or if a list names a version that
 * no origin has. The document must have passed the check of each value. Takes time linear in the size of the document.
 */
export function checkTables({ period, totals, origins, urls, otherAgents, pages = [], ...lists }: AuditDocument): void {
  if (period !== null && period.first > period.last) contradict("period ends before it begins");
  const versions = new Set(origins.flatMap(({ intervals }) => intervals.map(({ version }) => version)));
  for (const list of ["files", "lint"] as const) {
    const other = Object.keys(lists[list]).find((version) => !versions.has(version));
    if (other !== undefined) contradict(`${list} has a version that no origin has: ${JSON.stringify(other)}`);
  }
  for (const [at, origin] of origins.entries()) checkOrigin(origin, `origins[${at}]`, period);
  const came = new Set(origins.flatMap(({ times }) => times.map(([, ...actor]) => actor.slice(0, 2).join(" "))));
  const stranger = urls.find(({ crawler, verification }) => !came.has(`${crawler} ${verification}`));
  if (stranger !== undefined) {
    contradict(`urls has ${stranger.crawler} (${stranger.verification}), which sent no request`);
  }
  for (const [name, other, column] of [
    ["requests", "notACrawler", 5],
    ["bytes", "notACrawlerBytes", 6],
  ] as const) {
    const sum = totals[other] + sumOf(origins.map(({ times }) => sumOf(times.map((row) => row[column]))));
    if (sum === totals[name]) continue;
    contradict(`totals.${name} is ${totals[name]}, and the origins and totals.${other} have ${sum}`);
  }
  const visits = sumOf(origins.map(({ referrals }) => sumOf(referrals.map(([, count]) => count))));
  const parts: readonly (readonly [part: string, count: number, most: number])[] = [
    ["totals.notACrawlerRobotsTxt", totals.notACrawlerRobotsTxt, totals.notACrawler],
    ["totals.withoutTime", totals.withoutTime, totals.requests],
    ["otherAgents", sumOf(otherAgents.map(({ requests }) => requests)), totals.otherAgents],
    ["totals.otherAgents", totals.otherAgents, totals.notACrawler],
    ["the visits of all origins", visits, totals.notACrawler],
    ...pages.flatMap(({ crawler, pages: all, findings }) =>
      findings.map((each) => [`pages of ${crawler}: ${each.code}`, each.pages, all] as const),
    ),
  ];
  const wrong = parts.find(([, count, most]) => count > most);
  if (wrong !== undefined) contradict(`${wrong[0]}: ${wrong[1]}, and the whole is ${wrong[2]}`);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Returns the cell of a row in a column. */
type Get = (column: ColumnName) => Cell;

/** Whether a row is compared. */
type Where = (get: Get) => boolean;

/** Two tables that count the same requests, or of which the first counts a part of them. */
interface Comparison {
  readonly table: TableName;
  readonly other: TableName;
  /** Which rows of `other` are compared. Default: all. */
  readonly where?: Where;
  /** The columns by which requests are added up; `statusClass` is also the class of a status. */
  readonly by: readonly ColumnName[];
  readonly isPart?: true;
}

const otherStates: ReadonlySet<Cell> = new Set(["robots-txt", "undecidable:asterisk", "undecidable:connect"]);
const crossingStates: ReadonlySet<Cell> = new Set(["violation", "grace", "not-bound:violation"]);
const isCrossing: Where = (get) => crossingStates.has(get("state"));
const isPage: Where = (get) => !otherStates.has(get("state"));
const isFetch: Where = (get) => get("state") === "robots-txt";
const isJudged: Where = (get) => !isFetch(get) && !(get("state") as string).startsWith("undecidable:");

const actor: readonly ColumnName[] = ["crawler", "verification"];
const answered: readonly ColumnName[] = [...actor, "state", "statusClass"];
const ground: readonly ColumnName[] = [...actor, "interval", "rule", "state", "direction", "proven", "disputed"];

const comparisons: readonly Comparison[] = [
  { table: "decisions", other: "times", where: isJudged, by: answered },
  {
    table: "misses",
    other: "directories",
    where: (get) => (missedClasses as readonly Cell[]).includes(get("statusClass")),
    by: ["statusClass", "directory"],
  },
  { table: "directories", other: "times", where: isPage, by: answered },
  { table: "crossings", other: "directories", where: isCrossing, by: [...actor, "state", "directory"] },
  { table: "crossings", other: "decisions", where: isCrossing, by: ground },
  { table: "flips", other: "directories", where: isJudged, by: [...actor, "directory"], isPart: true },
  { table: "answers", other: "times", by: answered },
  { table: "fetches", other: "times", where: isFetch, by: [...actor, "statusClass"] },
  {
    table: "graceMinutes",
    other: "decisions",
    where: (get) => get("state") === "grace" && get("direction") === "tightened",
    by: [...actor, "interval", "proven", "disputed"],
    isPart: true,
  },
  { table: "pace", other: "times", where: isPage, by: actor, isPart: true },
];

/** The tables without rows of an origin whose robots.txt is not known. */
const tablesOfKnown: readonly TableName[] = [
  "decisions",
  "crossings",
  "flips",
  "sizes",
  "firstFetches",
  "graceMinutes",
];
/** The most parameters of one request that are counted, and one for a parameter without a name. */
const mostParameters = 17;

function checkOrigin(origin: DocumentOrigin, where: string, period: AuditDocument["period"]): void {
  checkHistory(origin, where);
  for (const name of tableNames) checkRows(origin, name, `${where}.${name}`, period);
  const times = summed(tableOf(origin, "times"), answered);
  for (const comparison of comparisons) {
    const { table, other } = comparison;
    // Requests without an origin have no directory.
    const isEmpty = table === "directories" && origin.origin === "";
    const whole = isEmpty ? { ...times, rows: [] } : other === "times" ? times : tableOf(origin, other);
    compareTables(tableOf(origin, table), whole, where, comparison);
  }
  const grace = origin.decisions.find(
    ([, , , , state, direction]) => (direction === "none") === state.endsWith("grace"),
  );
  if (grace !== undefined) contradict(`${where}.decisions: ${grace[4]} ${grace[5]}`);
  checkFetches(origin, where);
  const all = sumsOf(times, ["state", "statusClass"], isPage);
  const byName = sumsOf(tableOf(origin, "parameters"), ["state", "statusClass", "parameter"]);
  for (const { cells, requests } of byName.values()) {
    const [state, answer, name] = cells as readonly string[];
    const known = all.get(`${state} ${answer}`)?.requests ?? 0;
    if (requests <= (name === foldedName ? known * mostParameters : known)) continue;
    contradict(`${where}: ${requests} requests in parameters, and ${known} in times (${state}, ${answer})`);
  }
}

function checkHistory(found: DocumentOrigin, where: string): void {
  const { origin, isKnown, isDated, isShared, intervals, outages, rules } = found;
  if (isShared === true && (!isKnown || isDated)) contradict(`${where} has a shared file with a date, or none`);
  if (!isKnown && (isDated || intervals.length > 0 || outages.length > 0)) {
    contradict(`${where} is not known, and has a history`);
  }
  const empty = isKnown ? [] : origin === foldedName ? [...tablesOfKnown, "pace" as const] : tablesOfKnown;
  const wrong = empty.find((name) => found[name].length > 0);
  if (wrong !== undefined) contradict(`${where}.${wrong} has rows, and the origin is not known`);
  let before = -Infinity;
  for (const [at, { from, seen }] of intervals.entries()) {
    const isOrdered = (from ?? 0) <= (seen ?? 0) && (from ?? 0) >= before;
    if ((from === null) === isDated || (seen === null) === isDated || !isOrdered) {
      contradict(`${where}.intervals[${at}]: its times contradict one another`);
    }
    before = from ?? before;
  }
  const end = outages.findIndex((outage) => outage.from > outage.seen || (outage.end ?? Infinity) < outage.seen);
  if (end >= 0) contradict(`${where}.outages[${end}]: its times contradict one another`);
  const versions = new Set(intervals.map(({ version }) => version));
  const rule = rules.findIndex(({ lines }) => Object.keys(lines).some((version) => !versions.has(version)));
  if (rule >= 0) contradict(`${where}.rules[${rule}] has a version that the origin does not have`);
}

/** Checks the numbers and the times in the rows of a table. A time may be the beginning of a quarter of an hour, an hour or a day. */
function checkRows(origin: DocumentOrigin, name: TableName, where: string, period: AuditDocument["period"]): void {
  const columns: readonly ColumnName[] = tableColumns[name];
  const countAt = columns.findIndex((column) => column === "requests" || column === "answers");
  const lastAt = columns.findIndex((column) => column === "last" || column === "time");
  const firstAt = columns.indexOf("first");
  for (const row of origin[name] as readonly (readonly Cell[])[]) {
    if (row[countAt] === 0) contradict(`${where} has a row without a request`);
    const last = (row[lastAt] ?? null) as number | null;
    if (firstAt >= 0) {
      const first = row[firstAt] as number | null;
      const isOrdered = first === null ? last === null : last !== null && first <= last;
      if (!isOrdered) contradict(`${where}: first and last contradict one another`);
      if (first !== null && first < (period?.first ?? Infinity)) {
        contradict(`${where} has a time before the beginning of the period`);
      }
    }
    if (last !== null && (period === null || last > period.last)) {
      contradict(`${where} has a time after the end of the period`);
    }
  }
}

function checkFetches({ fetches, firstFetches, sizes }: DocumentOrigin, where: string): void {
  const good = fetches.filter(([, , , method, status]) => isSuccessfulFetch(methodNumberOf(method), status));
  const actors = new Set(good.map(([, crawler, verification]) => `${crawler} ${verification}`));
  const wrong = firstFetches.find(([, crawler, verification]) => !actors.has(`${crawler} ${verification}`));
  if (wrong !== undefined) {
    contradict(`${where}: firstFetches has a fetch that fetches does not have (${wrong[1]} ${wrong[2]})`);
  }
  if (sizes.some(([, , smallest, largest]) => smallest > largest)) {
    contradict(`${where}.sizes: the smallest size is larger than the largest`);
  }
  const answers = sumOf(good.map((row) => (row[4] === 200 ? row[5] : 0)));
  const sized = sumOf(sizes.map(([, count]) => count));
  if (sized > answers) contradict(`${where}: ${sized} answers in sizes, and ${answers} in fetches`);
}

/** Rows with their columns. */
interface Table {
  readonly columns: readonly ColumnName[];
  readonly rows: readonly (readonly Cell[])[];
}

/** A number of requests, with their earliest and latest time if their table has these. */
interface Sum {
  readonly cells: readonly Cell[];
  requests: number;
  first: number | null;
  last: number | null;
}

const noSum: Sum = { cells: [], requests: 0, first: null, last: null };

/** The requests of a table by the texts of columns. */
function sumsOf({ columns, rows }: Table, by: readonly ColumnName[], where?: Where): ReadonlyMap<string, Sum> {
  const [requestsAt, firstAt, lastAt, statusAt] = (["requests", "first", "last", "status"] as const).map((column) =>
    columns.indexOf(column),
  ) as [number, number, number, number];
  const positions = by.map((column) => columns.indexOf(column));
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const cells = positions.map((at) => (at < 0 ? classNameOf(row[statusAt] as number) : row[at]!));
    if (where !== undefined && !where((column) => row[columns.indexOf(column)]!)) continue;
    const key = cells.join(" ");
    let sum = sums.get(key);
    if (sum === undefined) sums.set(key, (sum = { ...noSum, cells }));
    sum.requests += row[requestsAt] as number;
    if (firstAt < 0) continue;
    sum.first = leastOf(sum.first, row[firstAt] as number | null);
    sum.last = mostOf(sum.last, row[lastAt] as number | null);
  }
  return sums;
}

/** A table with the sums of another one by columns, which has fewer rows. */
function summed(table: Table, by: readonly ColumnName[]): Table {
  const rows = [...sumsOf(table, by).values()].map(({ cells, requests }) => [...cells, requests]);
  return { columns: [...by, "requests"], rows };
}

function tableOf(origin: DocumentOrigin, name: TableName): Table {
  return { columns: tableColumns[name], rows: origin[name] };
}

function compareTables(
  found: Table,
  expected: Table,
  place: string,
  { table, other, by, where, isPart }: Comparison,
): void {
  const parts = sumsOf(found, by);
  const wholes = sumsOf(expected, by, where);
  const hasTimes = [found, expected].every(({ columns }) => columns.includes("first"));
  for (const key of isPart === true ? parts.keys() : new Set([...parts.keys(), ...wholes.keys()])) {
    const [sum, whole] = [parts.get(key) ?? noSum, wholes.get(key) ?? noSum];
    if (isPart === true ? sum.requests > whole.requests : sum.requests !== whole.requests) {
      contradict(`${place}: ${sum.requests} requests in ${table}, and ${whole.requests} in ${other} (${key})`);
    }
    if (hasTimes && (sum.first !== whole.first || sum.last !== whole.last)) {
      contradict(`${place}: ${table} and ${other} have different times (${key})`);
    }
  }
}
