// Decides a record at once if its robots.txt is loaded. Parks all other records by origin, and decides the records of an origin together
// when its robots.txt is loaded. Parked records beyond the memory limit go into a file, so that reading continues and more origins are
// requested meanwhile.
import type { Decider } from "./decide.ts";
import type { Taken, WaitingQueue, WaitingQueueOptions } from "./waiting-queue.ts";
import { type LocatedBatch, targetOf } from "../locate/located-batch.ts";
import { type OriginState, keyOf } from "../origins/origin-state.ts";
import { headEndAt, headStartAt, spanSize } from "../records/packed.ts";
import { type Parcel, endsEach, parcelOf, sizeOf } from "./parcel.ts";
import type { ParkedRecords, Sink } from "../records/sink.ts";
import { type RecordRange, createRecordRange } from "../records/record-range.ts";
import type { Rows } from "../records/rows.ts";
import type { Spill, SpilledRecord } from "../records/spill.ts";
import type { Tally } from "../origins/tally.ts";

/** The parked records of one state. */
interface Parked {
  parcels: Parcel[];
  isReady: boolean;
  /** Number of parcels in `parcels` whose records were withdrawn. */
  withdrawn: number;
}

const noBytes = Buffer.alloc(0);
const noEnds = new Int32Array(0);

/** The source of the next rows. */
type Source = "batch" | "parked" | "spilled";

/** Maximum number of spilled records that one call of `take` processes. */
const recordsTakenAtOnce = 4_096;

/** Minimum pause between two passes over the file. The pause after a pass also lasts at least twice as long as the pass. */
const leastPauseMs = 100;

/** Does not keep the input order: rows come as soon as their records can be decided. */
export class ParkingQueue implements WaitingQueue {
  waitingBytes = 0;
  readonly #decider: Decider;
  readonly #tally: Tally;
  readonly #origins: WaitingQueueOptions["origins"];
  /** By `OriginState.key`, not by state: the state may be evicted once it is ready. */
  readonly #parked = new Map<number, Parked>();
  /** From index `#releasedAt` on: the keys of ready states that still have parcels to decide. */
  #released: number[] = [];
  #releasedAt = 0;
  /** Index into `ends` of the next record in the current parcel of the first released origin. */
  #at = 0;
  /** The record at `#at`, as an argument for the decider; reused. */
  readonly #parkedRecord: RecordRange = createRecordRange();
  /**
   * `#batch`: the last added batch, until all its records are taken. `#record`: the index of its next record. `#until`: the end of its
   * records that are to be decided.
   */
  #batch: LocatedBatch | undefined;
  #record = 0;
  #until = 0;
  /** The source of a record of which only some rows are built. Rows of other records have to wait until this record is complete. */
  #begun: Source | undefined;
  #dropping = false;
  #droppingAll = false;
  readonly #maxBytes: number;
  readonly #spill: Spill;
  /** Number of records in the file whose origin is ready. */
  #spilledReady = 0;
  /**
   * The state of a pass, which reads the whole file although few of its records are ready. `#passLeft`: the number of records left in the
   * pass. `#passBegan`: the time of its start. `#nextPassAt`: the earliest time of the next pass. The times are in milliseconds.
   */
  #passLeft = 0;
  #passBegan = 0;
  #nextPassAt = 0;

  /** Keeps about `maxBytes` bytes of records in memory, and the other records in `spill`. */
  constructor({ decider, tally, origins, maxBytes, spill }: WaitingQueueOptions) {
    this.#decider = decider;
    this.#tally = tally;
    this.#origins = origins;
    this.#maxBytes = maxBytes;
    this.#spill = spill;
  }

  add(batch: LocatedBatch): void {
    this.#batch = batch;
    this.#record = 0;
    this.#until = batch.count;
    if (this.#droppingAll) this.#dropFrom(0);
  }

  release(state: OriginState): void {
    const parked = this.#parked.get(state.key);
    if (parked !== undefined) {
      parked.isReady = true;
      // `#takeParked` pops parcels from the end, which frees their memory at once. In the reversed list, the oldest parcel is the last one.
      parked.parcels.reverse();
      this.#released.push(state.key);
    }
    this.#spilledReady += state.spilled;
  }

  take(rows: Rows): Taken {
    const source = this.#begun ?? this.#source();
    const hasTaken = source !== undefined && this.#takeFrom(source, rows);
    this.#begun = this.#decider.hasBegun ? source : undefined;
    if (hasTaken) return "taken";
    if (this.#spilledReady > 0 && this.#spill.count > 0) return "later";
    return this.#batch === undefined && this.#parked.size === 0 && this.#spill.count === 0 ? "empty" : "waiting";
  }

  dropWaiting(): void {
    this.#dropping = true;
    for (const [key, { isReady }] of this.#parked) if (!isReady) this.#dropParked(key);
  }

  dropAll(): void {
    this.dropWaiting();
    this.#droppingAll = true;
    if (this.#batch !== undefined) this.#dropFrom(this.#begun === "batch" ? this.#record + 1 : this.#record);
    this.#dropReleased(this.#begun === "parked");
    const spilled = this.#spill.count;
    this.#spill.cut(this.#begun === "spilled");
    this.#spilledReady = this.#spill.count;
    this.#tally.notDecided += spilled - this.#spill.count;
  }

  /** Gives up the batch's records from `record` on. */
  #dropFrom(record: number): void {
    this.#tally.notDecided += this.#until - record;
    this.#until = record;
  }

  #dropParked(key: number): void {
    for (const parcel of this.#parked.get(key)!.parcels) {
      this.#tally.notDecided += parcel.ends.length / endsEach;
      this.waitingBytes -= sizeOf(parcel);
    }
    this.#parked.delete(key);
  }

  /** Gives up all parked records of ready states. `keepsBegun`: keeps the record at `#at`, which has only some of its rows. */
  #dropReleased(keepsBegun: boolean): void {
    const keys = this.#released.slice(this.#releasedAt);
    this.#released = [];
    this.#releasedAt = 0;
    const [first] = keys;
    if (first === undefined) return;
    // The records before `#at` were decided, and are not counted as given up.
    const parcel = this.#parked.get(first)!.parcels.at(-1)!;
    this.#tally.notDecided -= this.#at / endsEach + (keepsBegun ? 1 : 0);
    for (const key of keys) this.#dropParked(key);
    if (!keepsBegun) {
      this.#at = 0;
      return;
    }
    this.#park(first, { ...parcel, ends: parcel.ends.subarray(0, this.#at + endsEach) });
    this.#parked.get(first)!.isReady = true;
    this.#released.push(first);
  }

  /** The source of the next rows; undefined when there is none. */
  #source(): Source | undefined {
    if (this.#releasedAt < this.#released.length) return "parked";
    if (this.#batch !== undefined) return "batch";
    return this.#spill.count > 0 ? "spilled" : undefined;
  }

  #takeFrom(source: Source, rows: Rows): boolean {
    if (source === "parked") this.#takeParked(rows);
    else if (source === "batch") this.#takeBatch(this.#batch!, rows);
    else return this.#takeSpilled(rows);
    return true;
  }

  /**
   * Takes some records of the file. Returns false when it takes none now: the file is empty, or so few records are ready that reading it
   * does not pay yet.
   */
  #takeSpilled(rows: Rows): boolean {
    const spill = this.#spill;
    if (spill.count === 0) return false;
    // Records that still wait move into memory while there is room, otherwise to the end of the file.
    const isWorth = (): boolean =>
      this.#dropping ||
      this.#passLeft > 0 ||
      this.waitingBytes < this.#maxBytes / 2 ||
      this.#spilledReady * 4 >= spill.count;
    if (!isWorth()) {
      const now = performance.now();
      if (this.#spilledReady === 0 || now < this.#nextPassAt) return false;
      this.#passLeft = spill.count;
      this.#passBegan = now;
    }
    const most = Math.min(spill.count, recordsTakenAtOnce);
    for (let taken = 0; taken < most && !rows.isFull && isWorth(); taken++) {
      if (!this.#takeSpilledRecord(spill.peek()!, rows)) break;
    }
    spill.trim();
    return true;
  }

  /**
   * Takes the first record of the file: decides it, gives it up, parks it in memory, or moves it to the end of the file. Returns false when
   * some of its rows remain to be built.
   */
  #takeSpilledRecord(record: SpilledRecord, rows: Rows): boolean {
    const { heads, origin, first, headStart, headEnd, targetEnd } = record;
    const state = this.#origins.stateAt(keyOf(origin, first));
    const { isReady } = state;
    // `stateAt` may have built matchers, which is slow.
    rows.turn.count(true);
    if (isReady && !this.#decider.decideWaiting(record, state, rows)) return false;
    this.#spill.drop(record);
    state.spilled--;
    if (this.#passLeft > 0 && --this.#passLeft === 0) {
      const now = performance.now();
      this.#nextPassAt = now + Math.max(leastPauseMs, (now - this.#passBegan) * 2);
    }
    if (isReady) this.#spilledReady--;
    else if (this.#dropping) this.#tally.notDecided++;
    else if (this.waitingBytes > this.#maxBytes) {
      this.#spillRecord(state, heads, headStart, headEnd, heads.toString("latin1", headEnd, targetEnd));
    } else {
      const own = Buffer.from(heads.subarray(headStart, targetEnd));
      this.#park(state.key, { bytes: own, ends: Int32Array.of(headEnd - headStart, targetEnd - headStart) });
    }
    return true;
  }

  #spillRecord(state: OriginState, heads: Buffer, start: number, end: number, target: string): void {
    state.spilled++;
    this.#spill.push(state.number, state.first, heads, start, end, target);
  }

  #park(key: number, parcel: Parcel): void {
    this.waitingBytes += sizeOf(parcel);
    const parked = this.#parked.get(key);
    if (parked === undefined) this.#parked.set(key, { parcels: [parcel], isReady: false, withdrawn: 0 });
    else parked.parcels.push(parcel);
  }

  /** Decides the parcels of the first released state, until the rows are full. */
  #takeParked(rows: Rows): void {
    const key = this.#released[this.#releasedAt]!;
    const { parcels } = this.#parked.get(key)!;
    const state = this.#origins.stateAt(key);
    rows.turn.count(true);
    for (let parcel = parcels.at(-1); parcel !== undefined; parcel = parcels.at(-1)) {
      if (!this.#decideParcel(parcel, state, rows)) return;
      parcels.pop();
      this.#at = 0;
      this.waitingBytes -= sizeOf(parcel);
    }
    this.#parked.delete(key);
    this.#releasedAt++;
    if (this.#releasedAt < this.#released.length) return;
    this.#released = [];
    this.#releasedAt = 0;
  }

  /** Builds rows of a parcel from `#at` on. Returns whether all its rows are built. */
  #decideParcel({ bytes, ends, parked }: Parcel, state: OriginState, rows: Rows): boolean {
    if (parked !== undefined) parked.isBegun = true;
    const record = this.#parkedRecord;
    record.heads = record.targets = bytes;
    for (; this.#at < ends.length; this.#at += endsEach) {
      record.headStart = this.#at === 0 ? 0 : ends[this.#at - 1]!;
      record.headEnd = record.targetStart = ends[this.#at]!;
      record.targetEnd = ends[this.#at + 1]!;
      if (rows.isFull || !this.#decider.decideWaiting(record, state, rows)) return false;
      parked?.sink.take(parked.records[this.#at / endsEach]!, rows.allBytes);
    }
    parked?.sink.release(parked);
    return true;
  }

  /**
   * Makes the object that represents a parcel to the sink of its records, and tells the sink. `records`: the indices of the records in the
   * batch. `key`: the key of the state for which the records wait.
   */
  #tell(parcel: Parcel, sink: Sink, records: readonly number[], key: number): void {
    const told: ParkedRecords = {
      sink,
      records,
      isBegun: false,
      withdraw: () => {
        if (told.isBegun || parcel.ends.length === 0) return false;
        this.waitingBytes -= sizeOf(parcel);
        this.#tally.notDecided += records.length;
        parcel.bytes = noBytes;
        parcel.ends = noEnds;
        this.waitingBytes += sizeOf(parcel);
        const parked = this.#parked.get(key);
        if (parked !== undefined && !parked.isReady && ++parked.withdrawn * 2 > parked.parcels.length) {
          this.#compact(key, parked);
        }
        return true;
      },
    };
    parcel.parked = told;
    sink.park(told);
  }

  /** Removes the withdrawn parcels of a state: while its load takes long, any number of records may be parked and withdrawn. */
  #compact(key: number, parked: Parked): void {
    const kept: Parcel[] = [];
    for (const parcel of parked.parcels) {
      if (parcel.ends.length > 0) kept.push(parcel);
      else this.waitingBytes -= sizeOf(parcel);
    }
    parked.parcels = kept;
    parked.withdrawn = 0;
    if (kept.length === 0) this.#parked.delete(key);
  }

  #takeBatch(batch: LocatedBatch, rows: Rows): void {
    const waiting: number[] = [];
    this.#record = this.#decider.decideFrom(batch, this.#record, this.#until, rows, waiting);
    // Park now: the origins may become ready before the rest of the batch is taken.
    this.#setAside(batch, waiting);
    if (this.#record < this.#until) return;
    this.#batch = undefined;
    batch.recycle?.();
  }

  /** Parks or spills records of a batch whose origins are not ready. */
  #setAside(batch: LocatedBatch, records: readonly number[]): void {
    const waiting = new Map<OriginState, number[]>();
    const { heads, spans, states } = batch;
    for (const record of records) {
      const state = states[record]!;
      if (this.#dropping) this.#tally.notDecided++;
      else if (this.waitingBytes > this.#maxBytes && batch.sink === undefined) {
        const at = record * spanSize;
        this.#spillRecord(state, heads, spans[at + headStartAt]!, spans[at + headEndAt]!, targetOf(batch, record));
      } else {
        const before = waiting.get(state);
        if (before === undefined) waiting.set(state, [record]);
        else before.push(record);
      }
    }
    for (const [state, each] of waiting) {
      const parcel = parcelOf(batch, each);
      this.#park(state.key, parcel);
      if (batch.sink !== undefined) this.#tell(parcel, batch.sink, each, state.key);
    }
  }
}
