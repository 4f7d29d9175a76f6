// Finds the records of messages in their bytes, and cuts pieces of the engine's output into the rows of each message.
import { Fifo } from "../common/fifo.ts";
import type { ParkedRecords, RowTracker } from "../records/batch.ts";

const newline = 0x0a;
const space = 0x20;

/** Lines of a message that are records, and their numbers. */
export interface MessageLines {
  /** Numbers of the lines in the message, from 1. */
  readonly lines: readonly number[];
  /** The lines, each with a line end. */
  readonly bytes: Buffer;
}

/**
 * The lines of some records of a message. `places` has the positions of these records among all records of the message, from 0 and in
 * order; undefined: all records. Blank lines, lines in `rejected` and lines for which `isSilent` returns true are not records.
 */
export function linesOf(
  value: Uint8Array,
  rejected: readonly number[],
  places: readonly number[] | undefined,
  isSilent: ((line: string) => boolean) | undefined,
): MessageLines {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const refused = new Set(rejected);
  const lines: number[] = [];
  const parts: Buffer[] = [];
  let record = 0;
  let at = 0;
  for (let start = 0, line = 1; start < bytes.length; line++) {
    const found = bytes.indexOf(newline, start);
    const end = found < 0 ? bytes.length : found;
    const isRecord =
      !refused.has(line) && !isBlank(bytes, start, end) && isSilent?.(bytes.toString("latin1", start, end)) !== true;
    if (isRecord) {
      if (places === undefined || places[at] === record) {
        at++;
        lines.push(line);
        parts.push(bytes.subarray(start, end), lineEnd);
      }
      record++;
    }
    start = end + 1;
  }
  return { lines, bytes: Buffer.concat(parts) };
}

const lineEnd = Buffer.from("\n");

function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at]! > space) return false;
  return true;
}

/** The number of line feeds in `bytes`. */
export function countLineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) count++;
  return count;
}

/** A message in progress: it was added, and is not complete. */
export interface HeldMessage<M> {
  readonly message: M;
  /** The message's bytes while it is in the queue; undefined once it was read or withdrawn. */
  value: Uint8Array | undefined;
  /** Memory that the message takes, without copies of its records that wait for their robots.txt. */
  readonly bytes: number;
  /** Whether all records of the message were read. */
  isRead: boolean;
  /** Number of records that were read, but whose rows have not arrived yet. */
  open: number;
  /** Groups of waiting records that include records of this message, each with its tracker; undefined before the first group. */
  parked: Map<ParkedRecords, BatchTracker<M>> | undefined;
  /** Whether the record of a message of one line was given up. Its row may still arrive, together with rows of other messages. */
  isWithdrawn: boolean;
  /** Number of records that were read, without rejects. */
  records: number;
  /** Numbers of the rejected lines of the message, from 1; undefined: none. */
  rejected: number[] | undefined;
}

/** Adjacent rows of one message in the output. */
interface Run<M> {
  readonly held: HeldMessage<M>;
  /** Offset of the end of these rows in the whole output. */
  to: number;
  /** Number of these rows that have not arrived. */
  count: number;
}

/** Receives `count` rows of a message. */
type TakeRows<M> = (held: HeldMessage<M>, rows: Buffer, count: number) => void;

/** Cuts the output into the rows of messages. */
export class MessageRows<M> {
  readonly #take: TakeRows<M>;
  readonly #runs = new Fifo<Run<M>>();
  /** Number of bytes of the output that have arrived. */
  #at = 0;

  constructor(take: TakeRows<M>) {
    this.#take = take;
  }

  /**
   * Creates the tracker of a batch. `held` is the message of all records, or a list with the message of each record. `recordsBefore` is the
   * number of records of the message in earlier batches.
   */
  trackerOf(held: HeldMessage<M> | readonly HeldMessage<M>[], recordsBefore: number): RowTracker {
    return new BatchTracker(this, held, recordsBefore);
  }

  /** The next row of the output belongs to a message, and ends at byte `to`. */
  push(held: HeldMessage<M>, to: number): void {
    const { last } = this.#runs;
    if (last?.held === held) {
      last.to = to;
      last.count++;
    } else this.#runs.push({ held, to, count: 1 });
  }

  /** Takes the next piece of the output, which has whole rows. */
  take(piece: Buffer): void {
    for (let start = 0; start < piece.length;) {
      const run = this.#runs.first!;
      const size = Math.min(run.to - this.#at, piece.length - start);
      const rows = start === 0 && size === piece.length ? piece : piece.subarray(start, start + size);
      this.#at += size;
      start += size;
      const isEnd = this.#at === run.to;
      const count = isEnd ? run.count : countLineEnds(rows);
      run.count -= count;
      if (isEnd) this.#runs.shift();
      this.#take(run.held, rows, count);
    }
  }
}

class BatchTracker<M> implements RowTracker {
  readonly #rows: MessageRows<M>;
  readonly #held: HeldMessage<M> | readonly HeldMessage<M>[];
  readonly #recordsBefore: number;

  constructor(rows: MessageRows<M>, held: HeldMessage<M> | readonly HeldMessage<M>[], recordsBefore: number) {
    this.#rows = rows;
    this.#held = held;
    this.#recordsBefore = recordsBefore;
  }

  take(record: number, to: number): void {
    const held = this.#held;
    this.#rows.push(isMany(held) ? held[record]! : held, to);
  }

  park(parked: ParkedRecords): void {
    for (const held of this.#holdersOf(parked))
      (held.parked ??= new Map<ParkedRecords, BatchTracker<M>>()).set(parked, this);
  }

  release(parked: ParkedRecords): void {
    for (const held of this.#holdersOf(parked)) held.parked?.delete(parked);
  }

  /**
   * Gives up the records in `parked` that belong to a message. Returns them as indices into the batch; none if rows are already being
   * built.
   */
  withdraw(parked: ParkedRecords, held: HeldMessage<M>): readonly number[] {
    const holders = this.#held;
    if (!isMany(holders)) return parked.withdraw() ? parked.records : [];
    if (parked.isBegun) return [];
    held.isWithdrawn = true;
    // `parked` may have records of other messages, and can be withdrawn only as a whole.
    if (parked.records.every((record) => holders[record]!.isWithdrawn)) parked.withdraw();
    return parked.records.filter((record) => holders[record] === held);
  }

  /** The position, from 0, of a record of the batch among the records of its message. */
  placeOf(record: number): number {
    return isMany(this.#held) ? 0 : this.#recordsBefore + record;
  }

  #holdersOf({ records }: ParkedRecords): readonly HeldMessage<M>[] {
    const held = this.#held;
    return isMany(held) ? records.map((record) => held[record]!) : [held];
  }
}

function isMany<M>(held: HeldMessage<M> | readonly HeldMessage<M>[]): held is readonly HeldMessage<M>[] {
  return Array.isArray(held);
}

/**
 * Gives up the records of a message that wait for their origin, except records whose rows are already being built. Returns the positions of
 * the given-up records among the records of the message, from 0, in order.
 */
export function withdrawRecords<M>(held: HeldMessage<M>): readonly number[] {
  const places: number[] = [];
  for (const [parked, tracker] of held.parked ?? []) {
    const own = tracker.withdraw(parked, held);
    for (const record of own) places.push(tracker.placeOf(record));
  }
  held.open -= places.length;
  return places.toSorted((a, b) => a - b);
}
