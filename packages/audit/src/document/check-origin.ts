// Checks what the tables of one origin say about one another: a request that one table counts, the others count, too.
import { foldedName } from "../count/names.ts";
import { classNameOf, isSuccessfulFetch, methodNumberOf, missedClasses } from "../states/states.ts";
import { tableRowsOf } from "./table-rows.ts";
import { Grounds, Sums, contradict, sumsBy } from "./table-sums.ts";
import { type Column, type Row, type TableName, tableColumns } from "./tables.ts";
import type { AuditDocument, DocumentOrigin } from "./types.ts";

/** The tables without rows of an origin whose robots.txt is not known. */
const tablesOfKnown: readonly TableName[] = [
  "decisions",
  "crossings",
  "flips",
  "sizes",
  "firstFetches",
  "graceMinutes",
];

const isJudged = (state: string): boolean => !state.startsWith("undecidable:") && state !== "robots-txt";
const otherStates: ReadonlySet<string> = new Set(["robots-txt", "undecidable:asterisk", "undecidable:connect"]);
/** Whether requests in this state are counted by directory. */
const isPage = (state: string): boolean => !otherStates.has(state);
const crossingStates: ReadonlySet<string> = new Set(["violation", "grace", "not-bound:violation"]);
/** The most parameters of one request that are counted, and one for a parameter without a name. */
const mostParameters = 17;

/** The sums of one origin's tables. */
export class OriginTables {
  requests = 0;
  bytes = 0;
  /** The crawlers with requests, each with a verification. */
  readonly actors: Set<string> = new Set();
  readonly #origin: DocumentOrigin;
  readonly #where: string;
  readonly #crawlers: ReadonlyMap<string, number>;
  readonly #period: AuditDocument["period"];

  constructor(
    origin: DocumentOrigin,
    where: string,
    crawlers: ReadonlyMap<string, number>,
    period: AuditDocument["period"],
  ) {
    this.#origin = origin;
    this.#where = where;
    this.#crawlers = crawlers;
    this.#period = period;
  }

  check(): void {
    this.#checkHistory();
    const byClass = this.#sumsOfTimes();
    const judged = sumsBy(byClass, ([crawler, verification, state, answer]) =>
      isJudged(state!) ? `${crawler} ${verification} ${state} ${answer}` : undefined,
    );
    const { byGround, tightened } = this.#checkDecisions(judged);
    this.#checkDirectories(byClass, byGround);
    this.#checkAnswers(byClass);
    this.#checkFetches(byClass);
    this.#checkParameters(byClass);
    const minutes = new Sums();
    for (const [time, crawler, verification, interval, proven, disputed, count] of this.#rows("graceMinutes")) {
      this.#checkTime("graceMinutes", time);
      minutes.add(`${this.#actorOf(crawler, verification)} ${interval} ${proven} ${disputed}`, count);
    }
    this.#checkAtMost("graceMinutes", minutes, "decisions", tightened);
    const pages = sumsBy(byClass, ([crawler, verification, state]) =>
      isPage(state!) ? `${crawler} ${verification}` : undefined,
    );
    const pace = new Sums();
    for (const [time, crawler, verification, count] of this.#rows("pace")) {
      this.#checkTime("pace", time);
      pace.add(this.#actorOf(crawler, verification), count);
    }
    this.#checkAtMost("pace", pace, "times", pages);
  }

  /** The rows of a table. No row may count nothing. */
  *#rows<Name extends TableName>(name: Name): Generator<Row<Name>> {
    const columns: readonly Column[] = tableColumns[name];
    const at = columns.findIndex(([column]) => column === "requests" || column === "answers");
    for (const row of tableRowsOf(this.#origin, name)) {
      if (at >= 0 && row[at] === 0) contradict(`${this.#where}.${name} has a row without a request`);
      yield row;
    }
  }

  #actorOf(crawler: string, verification: string): string {
    return `${this.#crawlers.get(crawler)} ${verification}`;
  }

  #checkHistory(): void {
    const { origin, isKnown, isDated, isShared, intervals, outages, rules } = this.#origin;
    const where = this.#where;
    if (isShared === true && (!isKnown || isDated)) contradict(`${where} has a shared file with a date, or none`);
    if (!isKnown && (isDated || intervals.length > 0 || outages.length > 0))
      contradict(`${where} is not known, and has a history`);
    const tables: readonly TableName[] = isKnown
      ? []
      : origin === foldedName
        ? [...tablesOfKnown, "pace"]
        : tablesOfKnown;
    for (const name of tables) {
      for (const _row of tableRowsOf(this.#origin, name))
        contradict(`${where}.${name} has rows, and the origin is not known`);
    }
    let before = -Infinity;
    for (const [at, { from, seen }] of intervals.entries()) {
      if (
        (from === null) === isDated ||
        (seen === null) === isDated ||
        (from ?? 0) > (seen ?? 0) ||
        (from ?? 0) < before
      ) {
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

  /** The requests by crawler, verification, state and class of answer. */
  #sumsOfTimes(): Sums {
    const sums = new Sums();
    for (const [time, crawler, verification, state, answer, requests, bytes] of this.#rows("times")) {
      this.#checkTime("times", time);
      const actor = this.#actorOf(crawler, verification);
      this.actors.add(actor);
      this.requests += requests;
      this.bytes += bytes;
      sums.add(`${actor} ${state} ${answer}`, requests);
    }
    return sums;
  }

  #checkDecisions(judged: Sums): { readonly byGround: Grounds; readonly tightened: Sums } {
    const [sums, tightened, byGround] = [new Sums(), new Sums(), new Grounds()];
    for (const row of this.#rows("decisions")) {
      const [interval, rule, crawler, verification, state, direction, proven, disputed, status, requests] = row;
      const [, , , , , , , , , , first, last] = row;
      const actor = this.#actorOf(crawler, verification);
      this.#checkSpan("decisions", first, last);
      if ((direction === "none") === state.endsWith("grace"))
        contradict(`${this.#where}.decisions: ${state} ${direction}`);
      sums.add(`${actor} ${state} ${classNameOf(status)}`, requests);
      if (state === "grace" && direction === "tightened") {
        tightened.add(`${actor} ${interval} ${proven} ${disputed}`, requests);
      }
      if (!crossingStates.has(state)) continue;
      byGround.add(`${actor} ${interval} ${rule} ${state} ${direction} ${proven} ${disputed}`, requests, first, last);
    }
    this.#checkEqual("decisions", sums, "times", judged);
    return { byGround, tightened };
  }

  #checkDirectories(byClass: Sums, decided: Grounds): void {
    const hasNoName = this.#origin.origin === "";
    const expected = sumsBy(byClass, ([crawler, verification, state, answer]) =>
      isPage(state!) && !hasNoName ? `${crawler} ${verification} ${state} ${answer}` : undefined,
    );
    const [sums, crossed, judged, missed] = [new Sums(), new Sums(), new Sums(), new Sums()];
    for (const [directory, crawler, verification, state, answer, requests] of this.#rows("directories")) {
      const actor = this.#actorOf(crawler, verification);
      sums.add(`${actor} ${state} ${answer}`, requests);
      if (crossingStates.has(state)) crossed.add(`${actor} ${state} ${directory}`, requests);
      if (isJudged(state)) judged.add(`${actor} ${directory}`, requests);
      if (missedClasses.includes(answer)) missed.add(`${answer} ${directory}`, requests);
    }
    const misses = new Sums();
    for (const [directory, answer, requests] of this.#rows("misses")) misses.add(`${answer} ${directory}`, requests);
    this.#checkEqual("misses", misses, "directories", missed);
    this.#checkEqual("directories", sums, "times", expected);
    const [byDirectory, byGround] = [new Sums(), new Grounds()];
    for (const row of this.#rows("crossings")) {
      const [directory, interval, rule, crawler, verification, state, direction, proven, disputed] = row;
      const [, , , , , , , , , requests, first, last] = row;
      const actor = this.#actorOf(crawler, verification);
      this.#checkSpan("crossings", first, last);
      byDirectory.add(`${actor} ${state} ${directory}`, requests);
      byGround.add(`${actor} ${interval} ${rule} ${state} ${direction} ${proven} ${disputed}`, requests, first, last);
    }
    this.#checkEqual("crossings", byDirectory, "directories", crossed);
    this.#checkEqual("crossings", byGround.requests, "decisions", decided.requests);
    for (const [key, [first, last]] of byGround.spans) {
      const [from, to] = decided.spans.get(key)!;
      if (first !== from || last !== to) this.#fail("crossings and decisions have different times", key);
    }
    const flipped = new Sums();
    for (const [directory, crawler, verification, , requests] of this.#rows("flips")) {
      flipped.add(`${this.#actorOf(crawler, verification)} ${directory}`, requests);
    }
    this.#checkAtMost("flips", flipped, "directories", judged);
  }

  #checkAnswers(byClass: Sums): void {
    const sums = new Sums();
    for (const [crawler, verification, , state, status, requests] of this.#rows("answers")) {
      sums.add(`${this.#actorOf(crawler, verification)} ${state} ${classNameOf(status)}`, requests);
    }
    this.#checkEqual("answers", sums, "times", byClass);
  }

  #checkFetches(byClass: Sums): void {
    const [sums, good] = [new Sums(), new Sums()];
    let answered = 0;
    for (const [time, crawler, verification, method, status, requests] of this.#rows("fetches")) {
      this.#checkTime("fetches", time);
      const actor = this.#actorOf(crawler, verification);
      sums.add(`${actor} ${classNameOf(status)}`, requests);
      if (isSuccessfulFetch(methodNumberOf(method), status)) good.add(actor, requests);
      if (method === "GET" && status === 200) answered += requests;
    }
    const expected = sumsBy(byClass, ([crawler, verification, state, answer]) =>
      state === "robots-txt" ? `${crawler} ${verification} ${answer}` : undefined,
    );
    this.#checkEqual("fetches", sums, "times", expected);
    for (const [, crawler, verification, time] of this.#rows("firstFetches")) {
      this.#checkTime("firstFetches", time);
      const actor = this.#actorOf(crawler, verification);
      if (good.of(actor) === 0) this.#fail("firstFetches has a fetch that fetches does not have", actor);
    }
    let sized = 0;
    for (const [time, answers, smallest, largest] of this.#rows("sizes")) {
      this.#checkTime("sizes", time);
      if (smallest > largest) contradict(`${this.#where}.sizes: the smallest size is larger than the largest`);
      sized += answers;
    }
    if (sized > answered) contradict(`${this.#where}: ${sized} answers in sizes, and ${answered} in fetches`);
  }

  #checkParameters(byClass: Sums): void {
    const all = sumsBy(byClass, ([, , state, answer]) => (isPage(state!) ? `${state} ${answer}` : undefined));
    const byName = new Sums();
    for (const [name, state, answer, requests] of this.#rows("parameters")) {
      const key = `${state} ${answer} ${name}`;
      byName.add(key, requests);
      const known = all.of(`${state} ${answer}`);
      if (byName.of(key) > (name === foldedName ? known * mostParameters : known)) {
        contradict(
          `${this.#where}: ${byName.of(key)} requests in parameters, and ${known} in times (${state}, ${answer})`,
        );
      }
    }
  }

  /** Checks a time that may be the beginning of a quarter of an hour, an hour or a day. */
  #checkTime(table: string, time: number | null): void {
    if (time !== null && (this.#period === null || time > this.#period.last)) {
      contradict(`${this.#where}.${table} has a time after the end of the period`);
    }
  }

  #checkSpan(table: string, first: number | null, last: number | null): void {
    const isOrdered = first === null ? last === null : last !== null && first <= last;
    if (!isOrdered) contradict(`${this.#where}.${table}: first and last contradict one another`);
    if (first !== null && first < (this.#period?.first ?? Infinity)) {
      contradict(`${this.#where}.${table} has a time before the beginning of the period`);
    }
    this.#checkTime(table, last);
  }

  #checkEqual(name: string, sums: Sums, other: string, expected: Sums): void {
    for (const key of new Set([...sums.all.keys(), ...expected.all.keys()])) {
      if (sums.of(key) !== expected.of(key)) this.#differ(name, sums, other, expected, key);
    }
  }

  #checkAtMost(name: string, sums: Sums, other: string, most: Sums): void {
    for (const key of sums.all.keys()) if (sums.of(key) > most.of(key)) this.#differ(name, sums, other, most, key);
  }

  #differ(name: string, sums: Sums, other: string, expected: Sums, key: string): never {
    this.#fail(`${sums.of(key)} requests in ${name}, and ${expected.of(key)} in ${other}`, key);
  }

  #fail(what: string, key: string): never {
    const [position, ...rest] = key.split(" ");
    const crawler = [...this.#crawlers.keys()][Number(position)] ?? position;
    return contradict(`${this.#where}: ${what} (${[crawler, ...rest].join(" ")})`);
  }
}
