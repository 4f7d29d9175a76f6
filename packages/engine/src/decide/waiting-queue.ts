// Decides a record at once if its robots.txt is loaded, and keeps all other records: in memory up to a limit, then in a file, so that
// reading continues and more origins are requested meanwhile. Rows come as soon as possible, or in the order of the input.
import { Fifo } from "../common/fifo.ts";
import { type LocatedBatch, firstOf, targetOf } from "../locate/locate.ts";
import { type OriginState, keyOf } from "../origins/origin-state.ts";
import { headEndAt, headStartAt, spanSize } from "../records/packed.ts";
import type { Rows } from "../records/rows.ts";
import type { Spill, SpilledRecord } from "../records/spill.ts";
import { ParkedByState, type ParkedOptions } from "./parked-by-state.ts";

/**
 * The result of `take`. "taken": it built rows or made progress; call it again. "waiting": all records wait for their robots.txt. "later":
 * records are ready, but taking them later costs less. "empty": there is no record.
 */
export type Taken = "taken" | "waiting" | "later" | "empty";

/** The settings of a queue. */
export interface WaitingQueueOptions extends ParkedOptions {
  /**
   * Whether rows keep the order of the input: behind the first record whose robots.txt is not loaded, all records wait in the spill.
   * Otherwise ready records overtake waiting ones, which wait by state in memory, and beyond `maxBytes` in the spill.
   */
  readonly isOrdered: boolean;
  /** Memory limit for waiting records, in bytes. */
  readonly maxBytes: number;
  /** Keeps up to `maxBytes` bytes in memory in an ordered queue, and nothing in another one. */
  readonly spill: Spill;
}

/** The source of the next rows. */
type Source = "batch" | "parked" | "spilled";

/** Maximum number of spilled records that one call of `take` processes. */
const recordsTakenAtOnce = 4_096;

/** Minimum pause between two passes over the file. The pause after a pass also lasts at least twice as long as the pass. */
const leastPauseMs = 100;

/** The origin number of a spilled record to which no robots.txt applies; only in an ordered queue. */
const noOrigin = 0xffffffff;

/** An ordered batch with records in the spill. */
interface SpilledBatch {
  /** Value of `#spilledEver` after the batch's last record was spilled. */
  readonly end: number;
  readonly onDecided: NonNullable<LocatedBatch["onDecided"]>;
}

/** What the group stage uses of a queue. */
export type RecordQueue = Pick<WaitingQueue, "add" | "take" | "dropWaiting" | "dropAll">;

/** A queue of records that wait for their robots.txt. */
export class WaitingQueue {
  readonly #options: WaitingQueueOptions;
  readonly #parked: ParkedByState;
  /**
   * `#batch`: the last added batch, until all its records are taken or spilled. `#record`: the index of its next record. `#until`: the end
   * of its records that are to be decided.
   */
  #batch: LocatedBatch | undefined;
  #record = 0;
  #until = 0;
  /** The source of a record of which only some rows are built. Rows of other records have to wait until this record is complete. */
  #begun: Source | undefined;
  #dropping = false;
  #droppingAll = false;
  /** Number of records in the spill whose origin is ready; 0 in an ordered queue. */
  #spilledReady = 0;
  /** Number of records that were ever spilled. */
  #spilledEver = 0;
  readonly #spilledBatches = new Fifo<SpilledBatch>();
  /**
   * The state of a pass, which reads the whole file although few of its records are ready. `#passLeft`: the number of records left in the
   * pass. `#passBegan`: the time of its start. `#nextPassAt`: the earliest time of the next pass. The times are in milliseconds.
   */
  #passLeft = 0;
  #passBegan = 0;
  #nextPassAt = 0;

  constructor(options: WaitingQueueOptions) {
    this.#options = options;
    this.#parked = new ParkedByState(options);
  }

  /** Memory of the waiting records, in bytes. */
  get waitingBytes(): number {
    return this.#options.isOrdered ? this.#options.spill.heldBytes : this.#parked.bytes;
  }

  /**
   * Adds a batch, whose rows `take` builds. The next batch may be added after `take` has returned a result other than "taken". With
   * `isBehind`, rows of another queue come first, so the next batch may be added before `take` is called; only for ordered queues.
   */
  add(batch: LocatedBatch, isBehind = false): void {
    this.#batch = batch;
    this.#record = 0;
    this.#until = batch.count;
    if (this.#droppingAll) this.#dropFrom(0);
    else if (isBehind || (this.#options.isOrdered && this.#options.spill.count > 0)) this.#spillRest(batch);
  }

  /** Call when a state becomes ready. */
  release(state: OriginState): void {
    this.#parked.release(state);
    this.#spilledReady += state.spilled;
  }

  /** Builds some of the rows that can be written now, until the rows are full. */
  take(rows: Rows): Taken {
    const source = this.#begun ?? this.#source();
    const hasTaken = source !== undefined && this.#takeFrom(source, rows);
    this.#begun = this.#options.decider.hasBegun ? source : undefined;
    // After `dropAll`, batches may be complete although their records were not decided.
    this.#tellDecided(rows);
    if (hasTaken) return "taken";
    if (this.#spilledReady > 0 && this.#options.spill.count > 0) return "later";
    return this.#source() === undefined && this.#parked.isEmpty ? "empty" : "waiting";
  }

  /** Gives up all records whose robots.txt is not loaded, including later ones, and counts them as not decided. */
  dropWaiting(): void {
    this.#dropping = true;
    this.#parked.dropWaiting();
  }

  /**
   * Gives up all records, including later ones, and counts them as not decided. A record that has some of its rows still gets the others.
   */
  dropAll(): void {
    this.dropWaiting();
    this.#droppingAll = true;
    if (this.#batch !== undefined) this.#dropFrom(this.#begun === "batch" ? this.#record + 1 : this.#record);
    this.#parked.dropReady(this.#begun === "parked");
    const spilled = this.#options.spill.count;
    this.#options.spill.cut(this.#begun === "spilled");
    this.#spilledReady = this.#options.isOrdered ? 0 : this.#options.spill.count;
    this.#options.tally.notDecided += spilled - this.#options.spill.count;
  }

  /** Gives up the batch's records from `record` on. */
  #dropFrom(record: number): void {
    this.#options.tally.notDecided += this.#until - record;
    this.#until = record;
  }

  /** The source of the next rows; undefined when there is none. */
  #source(): Source | undefined {
    if (this.#parked.hasReady) return "parked";
    if (this.#options.isOrdered && this.#options.spill.count > 0) return "spilled";
    if (this.#batch !== undefined) return "batch";
    return this.#options.spill.count > 0 ? "spilled" : undefined;
  }

  #takeFrom(source: Source, rows: Rows): boolean {
    if (source === "parked") this.#parked.take(rows);
    else if (source === "batch") this.#takeBatch(this.#batch!, rows);
    else return this.#takeSpilled(rows);
    return true;
  }

  /** Builds rows of a batch, and keeps the records that have to wait. */
  #takeBatch(batch: LocatedBatch, rows: Rows): void {
    if (this.#options.isOrdered) {
      this.#record = this.#options.decider.decideFrom(batch, this.#record, this.#until, rows);
      if (this.#record < this.#until && !rows.isFull) {
        // The record waits for its robots.txt.
        if (!this.#dropping) this.#spillRest(batch);
        else {
          this.#options.tally.notDecided++;
          this.#record++;
        }
        return;
      }
    } else {
      const waiting: number[] = [];
      this.#record = this.#options.decider.decideFrom(batch, this.#record, this.#until, rows, waiting);
      // Park now: the origins may become ready before the rest of the batch is taken.
      this.#setAside(batch, waiting);
    }
    if (this.#record < this.#until) return;
    this.#endBatch(batch);
    if (this.#options.isOrdered) batch.onDecided?.(rows.allBytes);
  }

  #endBatch(batch: LocatedBatch): void {
    this.#batch = undefined;
    batch.recycle?.();
  }

  /** Puts the remaining records of an ordered batch into the spill. */
  #spillRest(batch: LocatedBatch): void {
    for (; this.#record < this.#until; this.#record++) {
      const origin = batch.states[this.#record]?.number ?? noOrigin;
      this.#spillFrom(batch, this.#record, origin, firstOf(batch, this.#record));
    }
    this.#endBatch(batch);
    const { onDecided } = batch;
    if (onDecided !== undefined) this.#spilledBatches.push({ end: this.#spilledEver, onDecided });
  }

  /** Parks or spills records of a batch whose origins are not ready. */
  #setAside(batch: LocatedBatch, records: readonly number[]): void {
    const waiting = new Map<OriginState, number[]>();
    for (const record of records) {
      const state = batch.states[record]!;
      if (this.#dropping) this.#options.tally.notDecided++;
      else if (this.#parked.bytes > this.#options.maxBytes && batch.tracker === undefined) {
        state.spilled++;
        this.#spillFrom(batch, record, state.number, state.first);
      } else {
        const before = waiting.get(state);
        if (before === undefined) waiting.set(state, [record]);
        else before.push(record);
      }
    }
    for (const [state, each] of waiting) this.#parked.park(state, batch, each);
  }

  #spillFrom(batch: LocatedBatch, record: number, origin: number, first: number): void {
    const { heads, spans } = batch;
    const at = record * spanSize;
    this.#spilledEver++;
    this.#options.spill.push(
      origin,
      first,
      heads,
      spans[at + headStartAt]!,
      spans[at + headEndAt]!,
      targetOf(batch, record),
    );
  }

  /**
   * Takes some spilled records. Returns false when it takes none now: the first one has to wait in an ordered queue, or so few records are
   * ready that reading the file does not pay yet.
   */
  #takeSpilled(rows: Rows): boolean {
    const spill = this.#options.spill;
    if (!this.#isWorth()) {
      const now = performance.now();
      if (this.#spilledReady === 0 || now < this.#nextPassAt) return false;
      this.#passLeft = spill.count;
      this.#passBegan = now;
    }
    const most = Math.min(spill.count, recordsTakenAtOnce);
    let taken = 0;
    let isWhole: boolean | undefined = true;
    for (; taken < most && isWhole === true && !rows.isFull && this.#isWorth(); taken++) {
      isWhole = this.#takeSpilledRecord(spill.peek()!, rows);
      if (isWhole === true) this.#tellDecided(rows);
    }
    spill.trim();
    return isWhole !== undefined || taken > 1;
  }

  /** Whether reading spilled records pays: those that still wait move into memory while there is room, else to the end of the file. */
  #isWorth(): boolean {
    return (
      this.#options.isOrdered ||
      this.#dropping ||
      this.#passLeft > 0 ||
      this.#parked.bytes < this.#options.maxBytes / 2 ||
      this.#spilledReady * 4 >= this.#options.spill.count
    );
  }

  /**
   * Takes the first spilled record: decides it, gives it up, parks it in memory, or moves it to the end of the file. Returns false when some
   * of its rows remain to be built, undefined when it has to wait where it is.
   */
  #takeSpilledRecord(record: SpilledRecord, rows: Rows): boolean | undefined {
    const { origin, first, targets, targetStart, targetEnd } = record;
    if (origin === noOrigin) {
      const problem = targets.toString("latin1", targetStart, targetEnd);
      if (!this.#options.decider.addProblem(record, first, problem, rows)) return false;
      this.#options.spill.drop(record);
      return true;
    }
    const state = this.#options.origins.stateAt(keyOf(origin, first));
    const { isReady } = state;
    // `stateAt` may have built matchers, which is slow.
    rows.turn.count(true);
    if (isReady && !this.#options.decider.add(record, state, rows)) return false;
    if (!isReady && this.#options.isOrdered && !this.#dropping) return undefined;
    this.#options.spill.drop(record);
    if (!isReady && this.#dropping) this.#options.tally.notDecided++;
    if (!this.#options.isOrdered) this.#moveSpilled(record, state, isReady);
    return true;
  }

  /** Counts a record that has left the file, and keeps it when it still has to wait. */
  #moveSpilled(record: SpilledRecord, state: OriginState, isReady: boolean): void {
    state.spilled--;
    if (this.#passLeft > 0 && --this.#passLeft === 0) {
      const now = performance.now();
      this.#nextPassAt = now + Math.max(leastPauseMs, (now - this.#passBegan) * 2);
    }
    if (isReady) this.#spilledReady--;
    else if (!this.#dropping && this.#parked.bytes <= this.#options.maxBytes) this.#parked.parkOne(state, record);
    else if (!this.#dropping) {
      const { heads, headStart, headEnd, targetEnd } = record;
      state.spilled++;
      this.#options.spill.push(
        state.number,
        state.first,
        heads,
        headStart,
        headEnd,
        heads.toString("latin1", headEnd, targetEnd),
      );
    }
  }

  /** Calls `onDecided` of each ordered batch whose last record has left the spill. */
  #tellDecided(rows: Rows): void {
    const taken = this.#spilledEver - this.#options.spill.count;
    for (
      let { first } = this.#spilledBatches;
      first !== undefined && first.end <= taken;
      { first } = this.#spilledBatches
    ) {
      first.onDecided(rows.allBytes);
      this.#spilledBatches.shift();
    }
  }
}
