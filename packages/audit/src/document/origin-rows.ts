// Converts the counts of one origin to sorted rows of names and numbers. Cells are sorted as numbers, and rows are made one by one.
import { flipRoom } from "../count/directories.ts";
import type { Example } from "../count/examples.ts";
import {
  actorRoom,
  classRoom,
  methodRoom,
  outcomeRoom,
  secondsOfBucket,
  stateRoom,
  statusRoom,
} from "../count/keys.ts";
import type { OriginCounts } from "../count/origin-counts.ts";
import { hexOf } from "../hash.ts";
import { directions, methodNames, stateCodes, statusClasses } from "../states/states.ts";
import { secondsPerDay } from "../time.ts";
import { firstOutcome } from "../count/outcomes.ts";
import {
  type CrawlerNames,
  type RankedNames,
  classRanks,
  flipRanks,
  judgementRankOf,
  judgementRoom,
  methodRanks,
  rankedNamesOf,
  stateRanks,
  verificationOf,
} from "./ranks.ts";
import { graceMinuteRowsOf, paceRowsOf } from "./minute-rows.ts";
import { rowsOf } from "./sorted-rows.ts";
import { type ExampleCell, type Row, type TableName, compareRows, flips } from "./tables.ts";
import type { DocumentRule } from "./types.ts";

/** Converts a minimum or maximum of instants to JSON: null if there was no instant (±Infinity). */
const timeOf = (seconds: number): number | null => (Number.isFinite(seconds) ? seconds : null);

/** Makes the rules and tables of one origin. */
export class OriginRows {
  /** The rules that decided counted requests, sorted. */
  readonly rules: readonly DocumentRule[];
  readonly #crawlers: CrawlerNames;
  readonly #counts: OriginCounts;
  /** The position of each rule in `rules`, by its position in the rules of the counts. */
  readonly #rulePositions: ReadonlyMap<number, number>;
  /** For each outcome, the rank of its interval and rule; made when a table first needs it. */
  #outcomeRanks: readonly number[] | undefined;
  /** The texts of the directories and their ranks; made when a table first needs them. */
  #directories: RankedNames | undefined;

  readonly #makers: { readonly [Name in TableName]: () => Iterable<Row<Name>> } = {
    times: () => {
      const table = this.#counts.times.cells;
      return rowsOf<"times">({
        table,
        rooms: [classRoom, stateRoom, actorRoom],
        placeOf: ([bucket, actor, state, statusClass]) =>
          ((bucket! * actorRoom + this.#crawlers.rankOf(actor!)) * stateRoom + stateRanks[state!]!) * classRoom +
          classRanks[statusClass!]!,
        rowOf: ([bucket, actor, state, statusClass], cell) => [
          secondsOfBucket(bucket!),
          this.#crawlers.tokenOf(actor!),
          verificationOf(actor!),
          stateCodes[state!]!,
          statusClasses[statusClass!]!,
          table.valueOf(cell, 0),
          table.valueOf(cell, 1),
        ],
      });
    },
    decisions: () => {
      const table = this.#counts.decisions;
      return rowsOf<"decisions">({
        table,
        rooms: [statusRoom, actorRoom],
        placeOf: ([number, actor]) =>
          (this.#outcomeRankOf(number!) * actorRoom + this.#crawlers.rankOf(actor!)) * judgementRoom +
          judgementRankOf(this.#counts.outcomes.of(number!)),
        rowOf: ([number, actor, status], cell) => {
          const outcome = this.#counts.outcomes.of(number!);
          return [
            outcome.interval,
            this.#rulePositions.get(outcome.rule)!,
            this.#crawlers.tokenOf(actor!),
            verificationOf(actor!),
            stateCodes[outcome.state]!,
            directions[outcome.direction]!,
            outcome.proven,
            outcome.disputed,
            status! - 1,
            table.valueOf(cell, 0),
            timeOf(table.valueOf(cell, 1)),
            timeOf(table.valueOf(cell, 2)),
          ];
        },
      });
    },
    directories: () => {
      const table = this.#counts.directories.requests;
      const names = this.#directoryNames();
      return rowsOf<"directories">({
        table,
        rooms: [classRoom, stateRoom, actorRoom],
        placeOf: ([directory, actor, state, statusClass]) =>
          ((names.ranks[directory!]! * actorRoom + this.#crawlers.rankOf(actor!)) * stateRoom + stateRanks[state!]!) *
            classRoom +
          classRanks[statusClass!]!,
        rowOf: ([directory, actor, state, statusClass], cell) => [
          names.texts[directory!]!,
          this.#crawlers.tokenOf(actor!),
          verificationOf(actor!),
          stateCodes[state!]!,
          statusClasses[statusClass!]!,
          table.valueOf(cell, 0),
        ],
      });
    },
    crossings: () => {
      const table = this.#counts.directories.crossings;
      const names = this.#directoryNames();
      return rowsOf<"crossings">({
        table,
        rooms: [actorRoom, outcomeRoom],
        placeOf: ([directory, outcome, actor]) =>
          (names.ranks[directory!]! * outcomeRoom + this.#outcomeRankOf(outcome!)) * actorRoom +
          this.#crawlers.rankOf(actor!),
        rowOf: ([directory, number, actor], cell) => {
          const outcome = this.#counts.outcomes.of(number!);
          return [
            names.texts[directory!]!,
            outcome.interval,
            this.#rulePositions.get(outcome.rule)!,
            this.#crawlers.tokenOf(actor!),
            verificationOf(actor!),
            stateCodes[outcome.state]!,
            directions[outcome.direction]!,
            outcome.proven,
            outcome.disputed,
            table.valueOf(cell, 0),
            timeOf(table.valueOf(cell, 1)),
            timeOf(table.valueOf(cell, 2)),
            examplesOf(this.#counts.directories.crossingExamples.of(cell)),
          ];
        },
      });
    },
    flips: () => {
      const table = this.#counts.directories.flips;
      const names = this.#directoryNames();
      return rowsOf<"flips">({
        table,
        rooms: [flipRoom, actorRoom],
        placeOf: ([directory, actor, flip]) =>
          (names.ranks[directory!]! * actorRoom + this.#crawlers.rankOf(actor!)) * flipRoom + flipRanks[flip!]!,
        rowOf: ([directory, actor, flip], cell) => [
          names.texts[directory!]!,
          this.#crawlers.tokenOf(actor!),
          verificationOf(actor!),
          flips[flip!]!,
          table.valueOf(cell, 0),
          examplesOf(this.#counts.directories.flipExamples.of(cell)),
        ],
      });
    },
    parameters: () => {
      const table = this.#counts.parameters.requests;
      const names = rankedNamesOf(this.#counts.parameters.names);
      return rowsOf<"parameters">({
        table,
        rooms: [classRoom, stateRoom],
        placeOf: ([parameter, state, statusClass]) =>
          (names.ranks[parameter!]! * stateRoom + stateRanks[state!]!) * classRoom + classRanks[statusClass!]!,
        rowOf: ([parameter, state, statusClass], cell) => [
          names.texts[parameter!]!,
          stateCodes[state!]!,
          statusClasses[statusClass!]!,
          table.valueOf(cell, 0),
        ],
      });
    },
    misses: () => {
      const table = this.#counts.directories.misses;
      const names = this.#directoryNames();
      return rowsOf<"misses">({
        table,
        rooms: [classRoom],
        placeOf: ([directory, statusClass]) => names.ranks[directory!]! * classRoom + classRanks[statusClass!]!,
        rowOf: ([directory, statusClass], cell) => [
          names.texts[directory!]!,
          statusClasses[statusClass!]!,
          table.valueOf(cell, 0),
          examplesOf(this.#counts.directories.missExamples.of(cell)),
        ],
      });
    },
    answers: () => {
      const table = this.#counts.answers;
      return rowsOf<"answers">({
        table,
        rooms: [statusRoom, stateRoom, methodRoom],
        placeOf: ([actor, method, state, status]) =>
          ((this.#crawlers.rankOf(actor!) * methodRoom + methodRanks[method!]!) * stateRoom + stateRanks[state!]!) *
            statusRoom +
          status!,
        rowOf: ([actor, method, state, status], cell) => [
          this.#crawlers.tokenOf(actor!),
          verificationOf(actor!),
          methodNames[method!]!,
          stateCodes[state!]!,
          status! - 1,
          table.valueOf(cell, 0),
        ],
      });
    },
    fetches: () => {
      const table = this.#counts.fetches.cells;
      return rowsOf<"fetches">({
        table,
        rooms: [statusRoom, methodRoom, actorRoom],
        placeOf: ([bucket, actor, method, status]) =>
          ((bucket! * actorRoom + this.#crawlers.rankOf(actor!)) * methodRoom + methodRanks[method!]!) * statusRoom +
          status!,
        rowOf: ([bucket, actor, method, status], cell) => [
          secondsOfBucket(bucket!),
          this.#crawlers.tokenOf(actor!),
          verificationOf(actor!),
          methodNames[method!]!,
          status! - 1,
          table.valueOf(cell, 0),
        ],
      });
    },
    sizes: () => {
      const table = this.#counts.sizes;
      return rowsOf<"sizes">({
        table,
        rooms: [],
        placeOf: ([day]) => day!,
        rowOf: ([day], cell) => [
          day! * secondsPerDay,
          table.valueOf(cell, 0),
          table.valueOf(cell, 1),
          table.valueOf(cell, 2),
        ],
      });
    },
    firstFetches: () => {
      const table = this.#counts.firstFetches;
      return rowsOf<"firstFetches">({
        table,
        rooms: [actorRoom],
        placeOf: ([interval, actor]) => interval! * actorRoom + this.#crawlers.rankOf(actor!),
        rowOf: ([interval, actor], cell) => [
          interval!,
          this.#crawlers.tokenOf(actor!),
          verificationOf(actor!),
          table.valueOf(cell, 0),
        ],
      });
    },
    graceMinutes: () => graceMinuteRowsOf(this.#counts, this.#crawlers),
    pace: () => paceRowsOf(this.#counts, this.#crawlers),
    referrals: () => [...this.#counts.referrals].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  };

  constructor(counts: OriginCounts, crawlers: CrawlerNames) {
    this.#crawlers = crawlers;
    this.#counts = counts;
    const { outcomes, decisions } = counts;
    // Only rules and lines of counted requests are included: a request may have been judged and then not counted.
    const used = new Map<number, Map<string, number>>();
    for (let cell = 0; cell < decisions.count; cell++) {
      const { rule, interval } = outcomes.of(Math.floor(decisions.keyOf(cell) / (actorRoom * statusRoom)));
      const version = counts.history?.intervals[interval]?.version ?? "";
      const line = outcomes.rules[rule]!.lines.get(version);
      const lines = used.get(rule) ?? new Map<string, number>();
      if (line !== undefined) lines.set(version, line);
      used.set(rule, lines);
    }
    const sorted = [...used]
      .map(([position, lines]) => {
        const { tokens, directive, pattern, dialect } = outcomes.rules[position]!;
        const known = { tokens, directive, pattern, lines: Object.fromEntries(lines) };
        const rule = dialect === "" ? known : { ...known, dialect };
        return { position, key: [directive, pattern, tokens.join("\n"), dialect], rule };
      })
      .toSorted((one, other) => compareRows(one.key, other.key));
    this.rules = sorted.map(({ rule }) => rule);
    this.#rulePositions = new Map(sorted.map(({ position }, at) => [position, at]));
  }

  /** The rows of a table, sorted. Each row is made when it is read. */
  rowsOf<Name extends TableName>(name: Name): Iterable<Row<Name>> {
    return this.#makers[name]();
  }

  /** The rank of an outcome of a counted request by the first columns of its rows: interval and rule. */
  #outcomeRankOf(number: number): number {
    this.#outcomeRanks ??= this.#rankOutcomes();
    return this.#outcomeRanks[number - firstOutcome]!;
  }

  #rankOutcomes(): readonly number[] {
    const rules = this.rules.length;
    // An outcome whose rule has no position belongs to no counted request.
    const places = this.#counts.outcomes.list.map(
      ({ interval, rule }) => interval * rules + (this.#rulePositions.get(rule) ?? 0),
    );
    const rankOf = new Map([...new Set(places)].toSorted((one, other) => one - other).map((place, at) => [place, at]));
    return places.map((place) => rankOf.get(place)!);
  }

  #directoryNames(): RankedNames {
    return (this.#directories ??= rankedNamesOf(this.#counts.directories.names));
  }
}

function examplesOf(examples: readonly Example[]): readonly ExampleCell[] {
  return examples.map(({ high, low, target }) => [hexOf(high, low), target]);
}
