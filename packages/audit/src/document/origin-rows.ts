// Converts the counts of one origin to sorted rows of names and numbers.
import type { CellTable } from "../count/cell-table.ts";
import type { AuditCounter } from "../count/counter.ts";
import { flipRoom } from "../count/directories.ts";
import type { Example } from "../count/examples.ts";
import {
  actorRoom,
  classRoom,
  graceRoom,
  methodRoom,
  outcomeRoom,
  partsOf,
  secondsOfBucket,
  servedRoom,
  stateRoom,
  verificationRoom,
} from "../count/keys.ts";
import { type OriginCounts, fetchPartsOf, timePartsOf } from "../count/origin-counts.ts";
import { hexOf } from "../hash.ts";
import { directions, methodNames, servedNames, stateCodes, statusClasses, verifications } from "../states/states.ts";
import { secondsPerDay, secondsPerMinute } from "../time.ts";
import { type ExampleCell, type Row, type TableName, compareRows, flips } from "./tables.ts";
import type { DocumentRule } from "./types.ts";

/** Converts a minimum or maximum of instants to JSON: null if there was no instant (±Infinity). */
const timeOf = (seconds: number): number | null => (Number.isFinite(seconds) ? seconds : null);

type Actor = readonly [crawler: string, verification: (typeof verifications)[number]];

/** Makes the rules and tables of one origin. */
export class OriginRows {
  /** The rules that decided counted requests, sorted. */
  readonly rules: readonly DocumentRule[];
  readonly #counter: AuditCounter;
  readonly #counts: OriginCounts;
  readonly #actors = new Map<number, Actor>();
  /** The position of each rule in `rules`, by its position in the rules of the counts. */
  readonly #rulePositions: ReadonlyMap<number, number>;

  readonly #makers: { readonly [Name in TableName]: () => readonly Row<Name>[] } = {
    times: () =>
      rowsOf<"times">(this.#counts.times.cells, (key, [requests, bytes]) => {
        const [bucket, actor, state, statusClass] = timePartsOf(key);
        return [
          secondsOfBucket(bucket!),
          ...this.#actorOf(actor!),
          stateCodes[state!]!,
          statusClasses[statusClass!]!,
          requests!,
          bytes!,
        ];
      }),
    decisions: () =>
      rowsOf<"decisions">(this.#counts.decisions, (key, [requests, first, last]) => {
        const [outcome, actor, served] = partsOf(key, [servedRoom, actorRoom]);
        const [interval, rule, ...rest] = this.#outcomeOf(outcome!);
        const crawler = this.#actorOf(actor!);
        return [interval, rule, ...crawler, ...rest, servedNames[served!]!, requests!, timeOf(first!), timeOf(last!)];
      }),
    directories: () =>
      rowsOf<"directories">(this.#counts.directories.requests, (key, [requests]) => {
        const [directory, actor, state, statusClass] = partsOf(key, [classRoom, stateRoom, actorRoom]);
        return [
          this.#counts.directories.names.textOf(directory!),
          ...this.#actorOf(actor!),
          stateCodes[state!]!,
          statusClasses[statusClass!]!,
          requests!,
        ];
      }),
    crossings: () => this.#crossings(),
    flips: () =>
      rowsOf<"flips">(this.#counts.directories.flips, (key, [requests], cell) => {
        const [directory, actor, flip] = partsOf(key, [flipRoom, actorRoom]);
        const examples = examplesOf(this.#counts.directories.flipExamples.of(cell));
        const name = this.#counts.directories.names.textOf(directory!);
        return [name, ...this.#actorOf(actor!), flips[flip!]!, requests!, examples];
      }),
    parameters: () =>
      rowsOf<"parameters">(this.#counts.parameters.requests, (key, [requests]) => {
        const [parameter, state, statusClass] = partsOf(key, [classRoom, stateRoom]);
        const name = this.#counts.parameters.names.textOf(parameter!);
        return [name, stateCodes[state!]!, statusClasses[statusClass!]!, requests!];
      }),
    methods: () =>
      rowsOf<"methods">(this.#counts.methods, (key, [requests]) => {
        const [actor, method, state] = partsOf(key, [stateRoom, methodRoom]);
        return [...this.#actorOf(actor!), methodNames[method!]!, stateCodes[state!]!, requests!];
      }),
    fetches: () =>
      rowsOf<"fetches">(this.#counts.fetches.cells, (key, [requests]) => {
        const [bucket, actor, method, status] = fetchPartsOf(key);
        const crawler = this.#actorOf(actor!);
        return [secondsOfBucket(bucket!), ...crawler, methodNames[method!]!, status!, requests!];
      }),
    sizes: () =>
      rowsOf<"sizes">(this.#counts.sizes, (day, [answers, smallest, largest]) => [
        day * secondsPerDay,
        answers!,
        smallest!,
        largest!,
      ]),
    firstFetches: () =>
      rowsOf<"firstFetches">(this.#counts.firstFetches, (key, [time]) => {
        const [interval, actor] = partsOf(key, [actorRoom]);
        return [interval!, ...this.#actorOf(actor!), time!];
      }),
    graceMinutes: () => this.#graceMinutes(),
    pace: () => this.#pace(),
    referrals: () => [...this.#counts.referrals].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  };

  constructor(counter: AuditCounter, counts: OriginCounts) {
    this.#counter = counter;
    this.#counts = counts;
    const { outcomes, decisions } = counts;
    // Only rules and lines of counted requests are included: a request may have been judged and then not counted.
    const used = new Map<number, Map<string, number>>();
    for (let cell = 0; cell < decisions.count; cell++) {
      const { rule, interval } = outcomes.of(Math.floor(decisions.keyOf(cell) / (actorRoom * servedRoom)));
      const version = counts.history?.intervals[interval]?.version ?? "";
      const line = outcomes.rules[rule]!.lines.get(version);
      const lines = used.get(rule) ?? new Map<string, number>();
      if (line !== undefined) lines.set(version, line);
      used.set(rule, lines);
    }
    const sorted = [...used]
      .map(([position, lines]) => {
        const { tokens, directive, pattern } = outcomes.rules[position]!;
        const rule = { tokens, directive, pattern, lines: Object.fromEntries(lines) };
        return { position, key: [directive, pattern, tokens.join("\n")], rule };
      })
      .toSorted((one, other) => compareRows(one.key, other.key));
    this.rules = sorted.map(({ rule }) => rule);
    this.#rulePositions = new Map(sorted.map(({ position }, at) => [position, at]));
  }

  /** The rows of a table, sorted. */
  tableOf<Name extends TableName>(name: Name): readonly Row<Name>[] {
    return this.#makers[name]();
  }

  #actorOf(actor: number): Actor {
    let known = this.#actors.get(actor);
    if (known === undefined) {
      const { productToken } = this.#counter.crawlers[Math.floor(actor / verificationRoom) - 1]!;
      this.#actors.set(actor, (known = [productToken, verifications[actor % verificationRoom]!]));
    }
    return known;
  }

  #outcomeOf(number: number) {
    const { interval, rule, state, direction, proven, disputed } = this.#counts.outcomes.of(number);
    const position = this.#rulePositions.get(rule)!;
    return [interval, position, stateCodes[state]!, directions[direction]!, proven, disputed] as const;
  }

  #crossings(): readonly Row<"crossings">[] {
    const { directories } = this.#counts;
    return rowsOf<"crossings">(directories.crossings, (key, [requests, first, last], cell) => {
      const [directory, outcome, actor] = partsOf(key, [actorRoom, outcomeRoom]);
      const [interval, rule, ...rest] = this.#outcomeOf(outcome!);
      const examples = examplesOf(directories.crossingExamples.of(cell));
      return [
        directories.names.textOf(directory!),
        interval,
        rule,
        ...this.#actorOf(actor!),
        ...rest,
        requests!,
        timeOf(first!),
        timeOf(last!),
        examples,
      ];
    });
  }

  #graceMinutes(): readonly Row<"graceMinutes">[] {
    return [...this.#counts.graceMinutes]
      .flatMap(([key, minutes]) => {
        const [interval, actor, flags] = partsOf(key, [graceRoom, actorRoom]);
        const crawler = this.#actorOf(actor!);
        return rowsOf<"graceMinutes">(minutes, (minute, [requests]) => [
          minute * secondsPerMinute,
          ...crawler,
          interval!,
          flags! >= 2,
          flags! % 2 === 1,
          requests!,
        ]);
      })
      .toSorted(compareRows);
  }

  #pace(): readonly Row<"pace">[] {
    return [...this.#counts.pace]
      .flatMap(([actor, minutes]) =>
        minutes
          .entries()
          .map(([minute, requests]) => [minute * secondsPerMinute, ...this.#actorOf(actor), requests] as const),
      )
      .toSorted(compareRows);
  }
}

function rowsOf<Name extends TableName>(
  table: CellTable,
  rowOf: (key: number, values: readonly number[], cell: number) => Row<Name>,
): readonly Row<Name>[] {
  const values = table.kinds.map(() => 0);
  const rows: Row<Name>[] = [];
  for (let cell = 0; cell < table.count; cell++) {
    for (let column = 0; column < values.length; column++) values[column] = table.valueOf(cell, column);
    rows.push(rowOf(table.keyOf(cell), values, cell));
  }
  return rows.toSorted(compareRows);
}

function examplesOf(examples: readonly Example[]): readonly ExampleCell[] {
  return examples.map(({ high, low, target }) => [hexOf(high, low), target]);
}
