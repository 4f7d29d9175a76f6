// The state of a message from its arrival to the acknowledgement of all of its output.
import type { InputRecord } from "../kafka/types.ts";
import { sizeOf } from "./outbox.ts";
import { type Fate, fates } from "./counts.ts";
import type { Progress } from "./progress.ts";

/** A line of a message that is not a record, or that has no answer. */
export interface BadLine {
  readonly line: number;
  readonly code: string;
  readonly reason: string;
}

/** Rows of a message for one topic; undefined: no topic takes their answer. */
export interface WorkRows {
  readonly topic: string | undefined;
  readonly bytes: Buffer;
  readonly count: number;
}

/** A message under way. */
export class Work {
  readonly progress: Progress;
  readonly record: InputRecord;
  /** The bytes that the engine decides. */
  value: Buffer = none;
  /**
   * Memory of the message: its key, value and headers twice, as they were read and as output or the copies that wait, and the objects of
   * this app, the engine and the client library.
   */
  readonly bytes: number;
  readonly arrivedAt: number = Date.now();
  /** Rows that have not been passed on, by topic. */
  readonly rows: Map<string | undefined, { readonly pieces: Buffer[]; count: number }> = new Map();
  bad: readonly BadLine[] = noBad;
  /** The message's age, in milliseconds, at which rows are passed on although other lines are still undecided. */
  partAtMs: number = firstPartMs;
  isDecided = false;
  /** Whether all output of the message has been passed on. */
  isPassed = false;
  /** Number of output messages that are not acknowledged yet. */
  unsent = 0;
  /** The fate of the message: the first of the fates of its lines, in the order of `fates`; undefined before its first line has one. */
  fate: Fate | undefined;

  constructor(progress: Progress, record: InputRecord) {
    this.progress = progress;
    this.record = record;
    this.bytes = 2 * sizeOf(record) + 2_048;
  }

  get age(): number {
    return Date.now() - this.arrivedAt;
  }

  /** Whether rows of the message may be passed on now. */
  get isDue(): boolean {
    return this.isDecided || (this.rows.size > 0 && this.age >= this.partAtMs);
  }

  addRows(topic: string | undefined, bytes: Buffer, count: number): void {
    if (count === 0) return;
    const rows = this.rows.get(topic);
    if (rows === undefined) this.rows.set(topic, { pieces: [bytes], count });
    else {
      rows.pieces.push(bytes);
      rows.count += count;
    }
  }

  /** Takes the rows that have not been passed on. */
  takeRows(): readonly WorkRows[] {
    const rows = Array.from(this.rows, ([topic, { pieces, count }]) => {
      return { topic, bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), count };
    });
    this.rows.clear();
    this.partAtMs = Math.max(firstPartMs, this.age) * nextPartTimes;
    return rows;
  }

  /** Adds the fate of some of its lines. */
  addFate(fate: Fate): void {
    if (this.fate === undefined || fates.indexOf(fate) < fates.indexOf(this.fate)) this.fate = fate;
  }
}

/**
 * Rows of an incomplete message are first passed on when the message is `firstPartMs` old, and then each time its age has grown by the
 * factor `nextPartTimes`. So rows of a message are passed on at most six times in two minutes, however many origins the message's lines
 * have.
 */
const firstPartMs = 100;
const nextPartTimes = 4;
const none = Buffer.alloc(0);
const noBad: readonly BadLine[] = [];
