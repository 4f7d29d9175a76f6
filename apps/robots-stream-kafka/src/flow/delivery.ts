// Turns a message's rows, bad lines and lines that waited too long into output messages for the outbox, and counts the fate of each line.
import type { OutputRecord } from "../kafka/types.ts";
import type { Counts } from "./counts.ts";
import { type BadLine, type Letters, type RowMessages, linesAt, mostKept } from "./letters.ts";
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
  /** Gives the memory of rows back to the decider for reuse. The rows must not be read after the call. */
  giveBack(rows: Buffer): void;
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

  undecided(work: Work, row: Buffer): void {
    work.fates.add("dead");
    this.#options.counts.lines.dead++;
    this.#options.onDead("undecided", 1);
    work.rowCount--;
    const topic = this.#options.routes.dead;
    if (topic === undefined || work.progress.isOver) return;
    const bad = [{ line: 0, code: "undecided", reason: "no robots.txt applies to its URL" }];
    this.#push(work, this.#options.letters.deadOf(work, topic, Buffer.from(row.subarray(0, -1)), bad));
  }

  rows(work: Work, topic: string | undefined, rows: readonly Buffer[], count: number): void {
    if (rows.length === 0) return;
    const { counts, urlFrom } = this.#options;
    if (topic === undefined) {
      counts.lines.leftOut += count;
      work.fates.add("leftOut");
      this.drop(rows);
      return;
    }
    if (urlFrom === "key") {
      const answer = answerOf(rows[0]!);
      this.drop(rows);
      const record = this.#options.letters.withAnswer(work, topic, answer);
      this.#push(work, record, { fate: "out", lines: count });
      return;
    }
    const messages = this.#options.letters.rowsOf(work, topic, rows);
    if (messages.isCopied) this.drop(rows);
    this.#pushAll(work, topic, messages, { fate: "out", lines: count }, messages.isCopied ? [] : rows);
  }

  /** Gives back the memory of rows that are written, copied or left out. */
  drop(rows: readonly Buffer[]): void {
    for (const each of rows) this.#options.giveBack(each);
  }

  bad(work: Work): void {
    const { bad, record } = work;
    if (bad.length === 0) {
      if (work.fates.size > 0 || work.unsent > 0) return;
      // Every line of the message is blank or, for example, the heading of a log: neither a record nor a bad line.
      this.#options.counts.lines.in++;
      this.#passDead(work, record.value, [{ line: 0, code: "no-record", reason: "has no record" }], 1);
      return;
    }
    const numbers = bad.map(({ line }) => line).filter((line) => line > 0);
    const value = numbers.length === 0 || this.#options.urlFrom === "key" ? record.value : linesAt(work.value, numbers);
    this.#passDead(work, value, bad, bad.length);
  }

  #passDead(work: Work, value: Buffer | null, bad: readonly BadLine[], lines: number): void {
    const { counts, routes, onDead } = this.#options;
    counts.lines.dead += lines;
    work.fates.add("dead");
    for (const code of new Set(bad.map((each) => each.code)))
      onDead(code, bad.filter((each) => each.code === code).length);
    if (routes.dead !== undefined) this.#push(work, this.#options.letters.deadOf(work, routes.dead, value, bad));
  }

  #push(work: Work, record: OutputRecord, carried?: Carried, rows: readonly Buffer[] = []): void {
    work.unsent++;
    this.#options.outbox.push(this.#outgoingOf(work, record, carried, rows));
  }

  /**
   * Wraps a message for the outbox; `carried` is undefined for a dead letter, whose lines are already counted. `rows` are the buffers to
   * which the message's value refers. Their memory is given back when the message is written, or when it is refused for its size.
   */
  #outgoingOf(work: Work, record: OutputRecord, carried: Carried | undefined, rows: readonly Buffer[]): Outgoing {
    const { counts, routes } = this.#options;
    return {
      record,
      bytes: sizeOf(record),
      onSent: () => {
        this.drop(rows);
        counts.written.set(record.topic, (counts.written.get(record.topic) ?? 0) + 1);
        if (carried !== undefined) {
          counts.lines[carried.fate] += carried.lines;
          work.fates.add(carried.fate);
        }
        work.unsent--;
        this.#options.onSettled(work);
      },
      onTooLarge: () => {
        if (carried !== undefined) {
          counts.lines.dead += carried.lines;
          work.fates.add("dead");
        }
        this.#options.onDead("too-large", carried?.lines ?? 1);
        if (routes.dead === undefined || record.topic === routes.dead) {
          this.drop(rows);
          work.unsent--;
          this.#options.onSettled(work);
          return undefined;
        }
        const bad = [
          { line: 0, code: "too-large", reason: `is too large for topic ${record.topic}: the broker refused it` },
        ];
        // The limit of the dead-letter topic may be lower than is known, too: the letter has only the beginning of a large value.
        const instead = this.#options.letters.deadOf(work, routes.dead, copyOf(record.value), bad, mostKept);
        this.drop(rows);
        return this.#outgoingOf(work, instead, undefined, []);
      },
    };
  }

  later(work: Work, { lines, bytes }: { readonly lines: readonly number[]; readonly bytes: Buffer }): void {
    const { routes, counts, urlFrom } = this.#options;
    counts.lines.in += lines.length;
    const value = urlFrom === "key" ? work.record.value : bytes;
    if (work.progress.isOver) return;
    if (routes.later === undefined) {
      const bad = lines.map((line) => ({
        line,
        code: "waited",
        reason: "its robots.txt did not arrive in time (--max-wait)",
      }));
      this.#passDead(work, urlFrom === "key" ? value : bytes.subarray(0, -1), bad, lines.length);
      return;
    }
    if (urlFrom === "key" || value === null) {
      const { key, headers, timestamp } = work.record;
      const record = { topic: routes.later, key, value, headers, timestamp, partition: work.partition };
      this.#push(work, record, { fate: "later", lines: lines.length });
      return;
    }
    const messages = this.#options.letters.rowsOf(work, routes.later, [value]);
    this.#pushAll(work, routes.later, messages, { fate: "later", lines: lines.length }, []);
  }

  /**
   * Passes messages with rows to the outbox. The rows that are too large for the topic become dead letters. `all`: the fate of all these
   * rows; `rows`: see `#outgoingOf`.
   */
  #pushAll(work: Work, topic: string, { records, tooLarge }: RowMessages, all: Carried, rows: readonly Buffer[]): void {
    const { fate } = all;
    for (const record of records) {
      const lines = records.length === 1 ? all.lines - tooLarge.length : rowCountOf(record.value);
      this.#push(work, record, { fate, lines }, rows);
    }
    const reason = `exceeds the maximum message size of topic ${topic}`;
    for (const row of tooLarge) this.#passDead(work, row, [{ line: 0, code: "too-large", reason }], 1);
  }
}

function copyOf(value: OutputRecord["value"]): Buffer | null {
  if (value === null) return null;
  return Buffer.concat(Buffer.isBuffer(value) ? [value] : value);
}

/** Number of rows in a value, whose last row has no line end. */
function rowCountOf(value: OutputRecord["value"]): number {
  let count = 1;
  for (const part of value === null ? [] : [value].flat())
    for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, at + 1)) count++;
  return count;
}

const newline = 0x0a;

/** The answer in a row whose record has only a URL. */
function answerOf(row: Buffer): Buffer {
  const { robots } = JSON.parse(row.toString()) as { readonly robots: unknown };
  return Buffer.from(JSON.stringify(robots));
}
