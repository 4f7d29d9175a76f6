// Keeps copies of records in memory until the robots.txt of their origin is loaded, and then decides all records of the origin.
import { Fifo } from "../common/fifo.ts";
import { type LocatedBatch, targetOf } from "../locate/locate.ts";
import { headEndAt, headStartAt, spanSize, type RecordRange, createRecordRange } from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";
import type { ParkedRecords } from "../records/batch.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { Tally } from "../origins/tally.ts";
import type { Decider } from "./decide.ts";

/** Copies of records of one batch that wait for the same state. They outlive the batch. */
interface Parcel {
  /** Head and target of the first record, then head and target of the second, and so on. */
  readonly bytes: Buffer;
  /** `endsEach` offsets for each record: the end of its head, then the end of its target. */
  readonly ends: Int32Array;
  /** The object that represents this parcel to the tracker of its records; absent for records without one. */
  told?: ParkedRecords;
}

/** Numbers per record in `Parcel.ends`. */
const endsEach = 2;

/** Bytes per number in `ends`, and bytes that a parcel takes besides its buffers. */
const endBytes = 4;
const parcelOverhead = 850;

/** The parcels of one state, the oldest first. */
interface Parked {
  readonly parcels: Set<Parcel>;
  isReady: boolean;
}

/** What decides and counts the records. */
export interface ParkedOptions {
  readonly decider: Decider;
  readonly tally: Tally;
  readonly origins: Pick<OriginTable, "stateAt">;
}

/** The records that wait in memory. Records that are given up are counted as not decided. */
export class ParkedByState {
  /** Memory of the records. */
  bytes = 0;
  readonly #options: ParkedOptions;
  /** By `OriginState.key`, not by state: the state may be evicted once it is ready. */
  readonly #parked = new Map<number, Parked>();
  /** The keys of ready states that still have parcels to decide. */
  #ready = new Fifo<number>();
  /** Index into `ends` of the next record in the current parcel of the first ready state. */
  #at = 0;
  /** The record at `#at`, as an argument for the decider; reused. */
  readonly #record: RecordRange = createRecordRange();

  constructor(options: ParkedOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#parked.size === 0;
  }

  /** Whether there are records whose state is ready. */
  get hasReady(): boolean {
    return this.#ready.length > 0;
  }

  /**
   * Copies the batch's records with these indices, which wait for a state. A slice of the batch's buffer would keep the whole buffer in
   * memory.
   */
  park(state: OriginState, batch: LocatedBatch, records: readonly number[]): void {
    const { heads, spans, tracker } = batch;
    const targets = records.map((record) => targetOf(batch, record));
    let size = 0;
    for (const [index, record] of records.entries()) {
      const at = record * spanSize;
      size += spans[at + headEndAt]! - spans[at + headStartAt]! + targets[index]!.length;
    }
    const bytes = Buffer.allocUnsafeSlow(size);
    const ends = new Int32Array(records.length * endsEach);
    let end = 0;
    for (const [index, record] of records.entries()) {
      const at = record * spanSize;
      end += heads.copy(bytes, end, spans[at + headStartAt], spans[at + headEndAt]);
      ends[index * endsEach] = end;
      end += bytes.write(targets[index]!, end, "latin1");
      ends[index * endsEach + 1] = end;
    }
    const parcel: Parcel = { bytes, ends };
    this.#add(state.key, parcel);
    if (tracker === undefined) return;
    parcel.told = { tracker, records, isBegun: false, withdraw: () => this.#withdraw(state.key, parcel) };
    tracker.park(parcel.told);
  }

  /** Copies one record, which waits for a state. */
  parkOne(state: OriginState, { heads, headStart, headEnd, targets, targetStart, targetEnd }: RecordRange): void {
    const bytes = Buffer.concat([heads.subarray(headStart, headEnd), targets.subarray(targetStart, targetEnd)]);
    this.#add(state.key, { bytes, ends: Int32Array.of(headEnd - headStart, bytes.length) });
  }

  /** Call when a state becomes ready. */
  release({ key }: OriginState): void {
    const parked = this.#parked.get(key);
    if (parked === undefined) return;
    parked.isReady = true;
    this.#ready.push(key);
  }

  /** Decides the records of the first ready state, until the rows are full. */
  take(rows: Rows): void {
    const key = this.#ready.first!;
    const { parcels } = this.#parked.get(key)!;
    const state = this.#options.origins.stateAt(key);
    // `stateAt` may have built matchers, which is slow.
    rows.turn.count(true);
    for (const parcel of parcels) {
      if (!this.#decide(parcel, state, rows)) return;
      parcels.delete(parcel);
      this.#at = 0;
      this.bytes -= sizeOf(parcel);
    }
    this.#parked.delete(key);
    this.#ready.shift();
  }

  /** Gives up the records whose state is not ready. */
  dropWaiting(): void {
    for (const [key, { isReady }] of this.#parked) if (!isReady) this.#drop(key);
  }

  /** Gives up the records whose state is ready. `keepsBegun`: keeps the record at `#at`, which has only some of its rows. */
  dropReady(keepsBegun: boolean): void {
    const ready = this.#ready;
    const { first } = ready;
    if (first === undefined) return;
    this.#ready = new Fifo();
    // The records before `#at` were decided, and are not counted as given up.
    const [parcel] = this.#parked.get(first)!.parcels;
    this.#options.tally.notDecided -= this.#at / endsEach + (keepsBegun ? 1 : 0);
    for (let key = ready.shift(); key !== undefined; key = ready.shift()) this.#drop(key);
    if (!keepsBegun) {
      this.#at = 0;
      return;
    }
    this.#add(first, { ...parcel!, ends: parcel!.ends.subarray(0, this.#at + endsEach) });
    this.#parked.get(first)!.isReady = true;
    this.#ready.push(first);
  }

  #add(key: number, parcel: Parcel): void {
    this.bytes += sizeOf(parcel);
    const parked = this.#parked.get(key);
    if (parked === undefined) this.#parked.set(key, { parcels: new Set([parcel]), isReady: false });
    else parked.parcels.add(parcel);
  }

  #drop(key: number): void {
    for (const parcel of this.#parked.get(key)!.parcels) {
      this.#options.tally.notDecided += parcel.ends.length / endsEach;
      this.bytes -= sizeOf(parcel);
    }
    this.#parked.delete(key);
  }

  /** Builds rows of a parcel from `#at` on. Returns whether all its rows are built. */
  #decide({ bytes, ends, told }: Parcel, state: OriginState, rows: Rows): boolean {
    if (told !== undefined) told.isBegun = true;
    const record = this.#record;
    record.heads = record.targets = bytes;
    for (; this.#at < ends.length; this.#at += endsEach) {
      record.headStart = this.#at === 0 ? 0 : ends[this.#at - 1]!;
      record.headEnd = record.targetStart = ends[this.#at]!;
      record.targetEnd = ends[this.#at + 1]!;
      if (rows.isFull || !this.#options.decider.add(record, state, rows)) return false;
      told?.tracker.take(told.records[this.#at / endsEach]!, rows.allBytes);
    }
    told?.tracker.release(told);
    return true;
  }

  /** Gives up the records of a parcel, for their tracker. Returns false if their rows are already being built, or were. */
  #withdraw(key: number, parcel: Parcel): boolean {
    const parked = this.#parked.get(key);
    if (parcel.told!.isBegun || parked?.parcels.delete(parcel) !== true) return false;
    this.bytes -= sizeOf(parcel);
    this.#options.tally.notDecided += parcel.ends.length / endsEach;
    if (parked.parcels.size === 0 && !parked.isReady) this.#parked.delete(key);
    return true;
  }
}

/** The memory that a parcel takes, in bytes. */
function sizeOf({ bytes, ends }: Parcel): number {
  return bytes.length + ends.length * endBytes + parcelOverhead;
}
