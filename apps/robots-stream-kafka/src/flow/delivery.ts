// Turns a message's rows, bad lines and lines that waited too long into output messages for the outbox, and counts the fate of each line.
import type { OutputRecord } from "../kafka/types.ts";
import { type Counts, type Fate, fates } from "./counts.ts";
import { type BadLine, type Letters, linesAt, mostKept } from "./letters.ts";
import { type Outbox, type Outgoing, sizeOf } from "./outbox.ts";
import type { Work } from "./work.ts";

/** The output topics. */
export interface Routes {
  /** The topic for all rows; undefined if each answer has a topic of its own. */
  readonly to: string | undefined;
  readonly allowed: string | undefined;
  readonly disallowed: string | undefined;
  /** The topic for dead letters. If undefined, dead letters are counted and reported, but not written. */
  readonly dead: string | undefined;
  /** The topic for lines that waited too long. If undefined, these lines are dead letters. */
  readonly later: string | undefined;
}

export interface DeliveryOptions {
  readonly routes: Routes;
  readonly urlFrom: "value" | "key";
  readonly counts: Counts;
  readonly letters: Letters;
  readonly outbox: Pick<Outbox, "push">;
  onDead(code: string, count: number): void;
  /** Called when an output message is acknowledged or cannot be written anywhere. */
  onSettled(work: Work): void;
}

/**
 * The fate of the lines in an output message that is not a dead letter. They are counted when the message is acknowledged, or as dead when
 * it is refused for its size.
 */
interface Carried {
  readonly fate: "out" | "later";
  readonly lines: number;
}

/** Passes output messages to the outbox. */
export class Delivery {
  readonly #options: DeliveryOptions;

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  /** A row without an answer. */
  undecided(work: Work, row: Buffer): void {
    work.rowCount--;
    const value = Buffer.from(row.subarray(0, -1));
    this.#dead(work, value, [{ line: 0, code: "undecided", reason: "no robots.txt applies to its URL" }]);
  }

  rows(work: Work, topic: string | undefined, rows: readonly Buffer[], lines: number): void {
    if (rows.length === 0) return;
    const { letters, urlFrom } = this.#options;
    if (topic === undefined) this.#count(work, "leftOut", lines);
    else if (urlFrom === "value") this.#pushAll(work, topic, rows, { fate: "out", lines });
    else this.#push(work, letters.withAnswer(work, topic, answerOf(rows[0]!)), { fate: "out", lines });
  }

  /** The dead letters of a decided message. */
  bad(work: Work): void {
    const { bad, record } = work;
    if (bad.length === 0) {
      if (work.fate !== undefined || work.unsent > 0) return;
      // Every line of the message is blank or, for example, the heading of a log: neither a record nor a bad line.
      this.#options.counts.lines.in++;
      this.#dead(work, record.value, [{ line: 0, code: "no-record", reason: "has no record" }]);
      return;
    }
    const numbers = bad.map(({ line }) => line).filter((line) => line > 0);
    const isWhole = numbers.length === 0 || this.#options.urlFrom === "key";
    this.#dead(work, isWhole ? record.value : linesAt(work.value, numbers), bad);
  }

  /** Lines that were withdrawn because they waited too long. */
  later(work: Work, { lines: numbers, bytes }: { readonly lines: readonly number[]; readonly bytes: Buffer }): void {
    const { routes, counts, urlFrom } = this.#options;
    const { key, headers, timestamp, value } = work.record;
    counts.lines.in += numbers.length;
    if (work.progress.isOver) return;
    if (routes.later === undefined) {
      const reason = "its robots.txt did not arrive in time (--max-wait)";
      const bad = numbers.map((line) => ({ line, code: "waited", reason }));
      this.#dead(work, urlFrom === "key" ? value : bytes.subarray(0, -1), bad);
      return;
    }
    const carried = { fate: "later", lines: numbers.length } as const;
    if (urlFrom === "value") this.#pushAll(work, routes.later, [bytes], carried);
    else this.#push(work, { topic: routes.later, key, value, headers, timestamp, partition: work.partition }, carried);
  }

  #count(work: Work, fate: Fate, lines: number): void {
    this.#options.counts.lines[fate] += lines;
    if (work.fate === undefined || fates.indexOf(fate) < fates.indexOf(work.fate)) work.fate = fate;
  }

  /** A dead letter about the lines in `bad`. */
  #dead(work: Work, value: Buffer | null, bad: readonly BadLine[]): void {
    const { routes, letters, onDead } = this.#options;
    this.#count(work, "dead", bad.length);
    for (const code of new Set(bad.map((each) => each.code)))
      onDead(code, bad.filter((each) => each.code === code).length);
    if (routes.dead === undefined || work.progress.isOver) return;
    this.#push(work, letters.deadOf(work, routes.dead, value, bad));
  }

  /** Passes messages with rows to the outbox. Rows that are too large for the topic become dead letters. */
  #pushAll(work: Work, topic: string, rows: readonly Buffer[], { fate, lines: all }: Carried): void {
    const { records, tooLarge } = this.#options.letters.rowsOf(work, topic, rows);
    for (const record of records) {
      const lines = records.length === 1 ? all - tooLarge.length : rowCountOf(record.value!);
      this.#push(work, record, { fate, lines });
    }
    const reason = `exceeds the maximum message size of topic ${topic}`;
    for (const row of tooLarge) this.#dead(work, row, [{ line: 0, code: "too-large", reason }]);
  }

  /** `carried` is undefined for a dead letter, whose lines are already counted. */
  #push(work: Work, record: OutputRecord, carried?: Carried): void {
    work.unsent++;
    this.#options.outbox.push(this.#outgoingOf(work, record, carried));
  }

  #outgoingOf(work: Work, record: OutputRecord, carried: Carried | undefined): Outgoing {
    const { counts, routes, letters } = this.#options;
    const { topic, value } = record;
    const settle = (): void => {
      work.unsent--;
      this.#options.onSettled(work);
    };
    return {
      record,
      bytes: sizeOf(record),
      onSent: () => {
        counts.written.set(topic, (counts.written.get(topic) ?? 0) + 1);
        if (carried !== undefined) this.#count(work, carried.fate, carried.lines);
        settle();
      },
      onTooLarge: () => {
        if (carried !== undefined) this.#count(work, "dead", carried.lines);
        this.#options.onDead("too-large", carried?.lines ?? 1);
        if (routes.dead === undefined || topic === routes.dead) {
          settle();
          return undefined;
        }
        const reason = `is too large for topic ${topic}: the broker refused it`;
        // The limit of the dead-letter topic may be lower than is known, too: the letter has only the beginning of a large value.
        const bad = [{ line: 0, code: "too-large", reason }];
        return this.#outgoingOf(work, letters.deadOf(work, routes.dead, value, bad, mostKept), undefined);
      },
    };
  }
}

/** Number of rows in a value, whose last row has no line end. */
function rowCountOf(value: Buffer): number {
  let count = 1;
  for (let at = value.indexOf(newline); at >= 0; at = value.indexOf(newline, at + 1)) count++;
  return count;
}

const newline = 0x0a;

/** The answer in a row whose record has only a URL. */
function answerOf(row: Buffer): Buffer {
  const { robots } = JSON.parse(row.toString()) as { readonly robots: unknown };
  return Buffer.from(JSON.stringify(robots));
}
