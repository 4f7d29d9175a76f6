// Batches in, their rows out in the order of the input: as long as the robots.txt of the first record that waits is not there,
// all behind it wait too, in memory and then in a file, while reading goes on and their origins are loaded.
import type { Decider } from "./decide.ts";
import { type RoomOptions, type WaitingRoom, pieceBytes } from "./group.ts";
import { type LocatedBatch, targetOf } from "./locate.ts";
import { keyOf } from "./origin-state.ts";
import type { OriginTable } from "./origins.ts";
import type { Rows } from "./rows.ts";
import type { SpilledRecord, Spill } from "./spill.ts";
import type { Tally } from "./tally.ts";

/** The origin's number of records that have none. */
const noOrigin = 0xffffffff;

/** A batch with records in the queue. */
interface WaitingBatch {
  /** Which of all records that were ever in the queue comes behind its last one. */
  readonly end: number;
  readonly onDecided: LocatedBatch["onDecided"];
}

/** Keeps the input's order: a queue of records, each of which comes out when it is the first and its robots.txt is there. */
export class OrderedRoom implements WaitingRoom {
  readonly #decider: Decider;
  readonly #tally: Tally;
  readonly #origins: Pick<OriginTable, "currentOf" | "stateAt">;
  readonly #spill: Spill;
  /** Records that were put into the queue, and taken from it, since the beginning. */
  #queued = 0;
  #taken = 0;
  #batches: WaitingBatch[] = [];
  #batchesAt = 0;
  #dropping = false;

  constructor({ decider, tally, origins, spill }: RoomOptions) {
    this.#decider = decider;
    this.#tally = tally;
    this.#origins = origins;
    this.#spill = spill;
  }

  get waitingBytes(): number {
    return this.#spill.heldBytes;
  }

  get isBehind(): boolean {
    return false;
  }

  get isEmpty(): boolean {
    return this.#spill.count === 0;
  }

  add(batch: LocatedBatch, rows: Rows): void {
    const { count, heads, spans, states } = batch;
    let record = 0;
    if (this.isEmpty) {
      // Without records that wait all can be decided at once, but for those that have to be asked one by one.
      const left = states.every((state) => state?.isReady !== false) ? this.#decider.decideAll(batch, rows) : undefined;
      if (left?.length === 0) record = count;
      while (record < count && this.#decideNow(batch, record, rows)) record++;
    }
    for (; record < count; record++) {
      const state = states[record];
      const start = spans[record * 4]!;
      const end = spans[record * 4 + 1]!;
      this.#queued++;
      this.#spill.push(state?.number ?? noOrigin, state?.first ?? 0, heads, start, end, targetOf(batch, record));
    }
    batch.recycle?.();
    if (this.isEmpty) batch.onDecided?.(rows.allBytes);
    else if (batch.onDecided !== undefined) this.#batches.push({ end: this.#queued, onDecided: batch.onDecided });
  }

  /** Who waits is looked up when it is the first. */
  release(): void {
    // Nothing is kept by origin.
  }

  take(rows: Rows): boolean {
    let taken = 0;
    while (rows.bytes < pieceBytes) {
      const record = this.#spill.peek();
      if (record === undefined || !this.#decideSpilled(record, rows)) break;
      this.#spill.drop(record);
      taken++;
      this.#taken++;
      this.#tellDecided(rows);
    }
    this.#spill.trim();
    return taken > 0;
  }

  dropWaiting(): void {
    this.#dropping = true;
  }

  /** Tells of the batches whose last record was just taken. */
  #tellDecided(rows: Rows): void {
    for (let first = this.#batches[this.#batchesAt]; first?.end === this.#taken;) {
      first.onDecided?.(rows.allBytes);
      first = this.#batches[++this.#batchesAt];
      if (this.#batchesAt > 64 && this.#batchesAt * 2 > this.#batches.length) {
        this.#batches = this.#batches.slice(this.#batchesAt);
        this.#batchesAt = 0;
      }
    }
  }

  /** Decides a record or drops it; false when it has to wait. */
  #decideNow(batch: LocatedBatch, record: number, rows: Rows): boolean {
    if (this.#decider.decide(batch, record, rows)) return true;
    const state = (batch.states[record] = this.#origins.currentOf(batch.states[record]!));
    return !state.isReady ? this.#drops() : this.#decider.decide(batch, record, rows);
  }

  #decideSpilled({ bytes, origin, first, headStart, headEnd, targetEnd }: SpilledRecord, rows: Rows): boolean {
    if (origin === noOrigin) {
      this.#decider.addProblem(bytes, headStart, headEnd, bytes.toString("latin1", headEnd, targetEnd), rows);
      return true;
    }
    const state = this.#origins.stateAt(keyOf(origin, first));
    if (!state.isReady) return this.#drops();
    this.#decider.addRows(bytes, headStart, headEnd, state, bytes, headEnd, targetEnd, rows);
    return true;
  }

  #drops(): boolean {
    if (this.#dropping) this.#tally.dropped++;
    return this.#dropping;
  }
}
