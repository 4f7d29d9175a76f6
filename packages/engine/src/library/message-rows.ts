// Cuts pieces of the engine's output into the rows of each message.
import type { OwnedRecords, RowOwner } from "../records/row-owner.ts";
import { countLineEnds } from "./message-lines.ts";

const newline = 0x0a;

/** A message in progress: it was added, and is not complete. */
export interface HeldMessage<M> {
  readonly message: M;
  /** Whether all records of the message were read. */
  isRead: boolean;
  /** Number of records that were read, but whose rows have not arrived yet. */
  open: number;
  /** Groups of waiting records that include records of this message, each with its batch; undefined before the first group. */
  parked: Map<OwnedRecords, BatchRows<M>> | undefined;
  /** Whether the record of a message of one line was given up. Its row may still arrive, together with rows of other messages. */
  isWithdrawn: boolean;
  /** Number of records that were read, without rejects. */
  records: number;
  /** Numbers of the rejected lines of the message, from 1. */
  readonly rejected: number[];
}

/** Adjacent rows of one batch in the output. */
interface Run<M> {
  readonly batch: BatchRows<M>;
  /** Offset of the end of these rows in the whole output. */
  readonly to: number;
  /** Number of these rows. */
  readonly count: number;
  /** The record of the row at `index`, as an index into the batch. */
  recordAt(index: number): number;
  /** Number of these rows that have arrived. */
  taken: number;
}

/** Receives `count` rows of a message. */
export type TakeRows<M> = (held: HeldMessage<M>, rows: Buffer, count: number) => void;

/** Cuts the output into the rows of messages. */
export class MessageRows<M> {
  readonly #take: TakeRows<M>;
  readonly #runs: Run<M>[] = [];
  #first = 0;
  /** Number of bytes of the output that have arrived. */
  #at = 0;

  constructor(take: TakeRows<M>) {
    this.#take = take;
  }

  /**
   * Creates the owner of a batch, which passes its rows to their messages. `held` is the message of all records, or a list with the message
   * of each record. `recordsBefore` is the number of records of the message in earlier batches.
   */
  ownerOf(held: HeldMessage<M> | readonly HeldMessage<M>[], recordsBefore: number): RowOwner {
    return new BatchRows(this, held, recordsBefore);
  }

  /** Appends the description of the next rows of the output. Called by the owner of a batch. */
  push(run: Run<M>): void {
    this.#runs.push(run);
  }

  /** Takes the next piece of the output, which has whole rows. */
  take(piece: Buffer): void {
    let start = 0;
    while (start < piece.length) {
      const run = this.#runs[this.#first]!;
      const size = Math.min(run.to - this.#at, piece.length - start);
      const rows = start === 0 && size === piece.length ? piece : piece.subarray(start, start + size);
      this.#at += size;
      start += size;
      const isEnd = this.#at === run.to;
      run.batch.give(run, rows, isEnd, this.#take);
      if (isEnd) this.#drop();
    }
  }

  #drop(): void {
    this.#first++;
    if (this.#first < 1_024 || this.#first * 2 < this.#runs.length) return;
    this.#runs.splice(0, this.#first);
    this.#first = 0;
  }
}

class BatchRows<M> implements RowOwner {
  readonly #rows: MessageRows<M>;
  readonly #held: HeldMessage<M> | readonly HeldMessage<M>[];
  readonly recordsBefore: number;

  constructor(rows: MessageRows<M>, held: HeldMessage<M> | readonly HeldMessage<M>[], recordsBefore: number) {
    this.#rows = rows;
    this.#held = held;
    this.recordsBefore = recordsBefore;
  }

  onRows(first: number, end: number, waiting: readonly number[], to: number): void {
    const count = end - first - waiting.length;
    if (count === 0) return;
    if (waiting.length === 0) {
      this.#rows.push({ batch: this, to, count, recordAt: (index) => first + index, taken: 0 });
      return;
    }
    const records: number[] = [];
    for (let record = first, at = 0; record < end; record++) {
      if (waiting[at] === record) at++;
      else records.push(record);
    }
    this.#rows.push({ batch: this, to, count, recordAt: (index) => records[index]!, taken: 0 });
  }

  onParked(parked: OwnedRecords): void {
    for (const held of this.#holdersOf(parked))
      (held.parked ??= new Map<OwnedRecords, BatchRows<M>>()).set(parked, this);
  }

  onParkedRows(parked: OwnedRecords, first: number, end: number, to: number): void {
    const { records } = parked;
    this.#rows.push({ batch: this, to, count: end - first, recordAt: (index) => records[first + index]!, taken: 0 });
    if (end === records.length) for (const held of this.#holdersOf(parked)) held.parked?.delete(parked);
  }

  /** Divides `rows`, the next rows of `run`, by message, and passes them to `take`. `isEnd`: they include the last row of `run`. */
  give(run: Run<M>, rows: Buffer, isEnd: boolean, take: TakeRows<M>): void {
    const held = this.#held;
    if (!isMany(held)) {
      const count = isEnd ? run.count - run.taken : countLineEnds(rows);
      run.taken += count;
      take(held, rows, count);
      return;
    }
    for (let start = 0; start < rows.length;) {
      const end = rows.indexOf(newline, start) + 1;
      take(held[run.recordAt(run.taken++)]!, rows.subarray(start, end), 1);
      start = end;
    }
  }

  /**
   * Gives up the records in `parked` that belong to a message. Returns them as indices into the batch; none if rows are already being
   * built.
   */
  withdraw(parked: OwnedRecords, held: HeldMessage<M>): readonly number[] {
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
    return isMany(this.#held) ? 0 : this.recordsBefore + record;
  }

  #holdersOf({ records }: OwnedRecords): readonly HeldMessage<M>[] {
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
  for (const [parked, batch] of held.parked ?? []) {
    const own = batch.withdraw(parked, held);
    for (const record of own) places.push(batch.placeOf(record));
  }
  held.open -= places.length;
  return places.toSorted((a, b) => a - b);
}
