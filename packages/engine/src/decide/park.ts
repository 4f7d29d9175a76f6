// Records whose robots.txt is not there yet in, set aside by origin, their rows out in one go once it is; all others pass.
// What memory has no room for goes into a file, so that reading goes on and more origins are asked meanwhile.
import type { Decider } from "./decide.ts";
import type { RoomOptions, WaitingRoom } from "./group.ts";
import { type LocatedBatch, targetOf } from "../locate/locate.ts";
import { type OriginState, keyOf } from "../origins/origin-state.ts";
import type { OriginTable } from "../origins/origins.ts";
import type { Rows } from "../records/rows.ts";
import type { Spill, SpilledRecord } from "../records/spill.ts";
import type { Tally } from "../tally.ts";

/** Records of one origin that came in one batch, their heads and targets one after another. */
interface Parcel {
  readonly bytes: Buffer;
  /** Two numbers a record: where its head ends, and its target. */
  readonly ends: Int32Array;
}

/** What an origin waits with. */
interface Parked {
  readonly parcels: Parcel[];
  isReady: boolean;
}

/** Where rows come from. */
type Source = "batch" | "parked" | "spilled";

/** Memory of a parked record besides its bytes, and of a parcel. */
const recordOverhead = 8;
const parcelOverhead = 850;

/** Records of the file that are gone over before others have their turn. */
const recordsTakenAtOnce = 4_096;

/** Between passes over the file; a third of the time is the most that they take. */
const leastPauseMs = 100;

/** Lets records pass one another: rows come in the order in which they can be decided. */
export class ParkingRoom implements WaitingRoom {
  waitingBytes = 0;
  readonly #decider: Decider;
  readonly #tally: Tally;
  readonly #origins: Pick<OriginTable, "currentOf" | "stateAt">;
  /** What each origin waits with, by its key: a state may be forgotten once it is ready. */
  readonly #parked = new Map<number, Parked>();
  /** Keys of origins that became ready, and whose parcels are not all taken yet, from #releasedAt on. */
  #released: number[] = [];
  #releasedAt = 0;
  /** Where the next record stands in the ends of the first parcel of the first of #released. */
  #at = 0;
  /** The batch that was taken last, until it is done with; its next record, and where those end that are to be decided. */
  #batch: LocatedBatch | undefined;
  #record = 0;
  #until = 0;
  /** Where the record comes from of which only some rows are made: those of others must not come between them. */
  #begun: Source | undefined;
  #dropping = false;
  #droppingAll = false;
  readonly #maxBytes: number;
  readonly #spill: Spill;
  /** Records in the file whose origin is ready. */
  #spilledReady = 0;
  /** A pass over the whole file for the sake of few that are ready: what is left of it, when it began, when the next may. */
  #passLeft = 0;
  #passBegan = 0;
  #nextPassAt = 0;

  /** Holds about `maxBytes` in memory, and the rest in `spill`. */
  constructor({ decider, tally, origins, maxBytes, spill }: RoomOptions) {
    this.#decider = decider;
    this.#tally = tally;
    this.#origins = origins;
    this.#maxBytes = maxBytes;
    this.#spill = spill;
  }

  get isEmpty(): boolean {
    return this.#batch === undefined && this.#parked.size === 0 && this.#spill.count === 0;
  }

  get isBehind(): boolean {
    return this.#spilledReady > 0 && this.#spill.count > 0;
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
      // Taken from the end: what is taken is gone from memory.
      parked.parcels.reverse();
      this.#released.push(state.key);
    }
    this.#spilledReady += state.spilled;
  }

  take(rows: Rows): boolean {
    const source = this.#begun ?? this.#source();
    if (source === undefined) return false;
    const hasTaken = this.#takeFrom(source, rows);
    this.#begun = this.#decider.hasBegun ? source : undefined;
    return hasTaken;
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
    this.#tally.dropped += spilled - this.#spill.count;
  }

  /** Drops the records of the batch from this one on. */
  #dropFrom(record: number): void {
    this.#tally.dropped += this.#until - record;
    this.#until = record;
  }

  #dropParked(key: number): void {
    for (const parcel of this.#parked.get(key)!.parcels) {
      this.#tally.dropped += parcel.ends.length / 2;
      this.waitingBytes -= bytesOf(parcel);
    }
    this.#parked.delete(key);
  }

  /** Drops all parcels of origins that are ready, but for a record of the first that is begun. */
  #dropReleased(keepsBegun: boolean): void {
    const keys = this.#released.slice(this.#releasedAt);
    this.#released = [];
    this.#releasedAt = 0;
    const [first] = keys;
    if (first === undefined) return;
    // Its records before #at are taken.
    const { bytes, ends } = this.#parked.get(first)!.parcels.at(-1)!;
    this.#tally.dropped -= this.#at / 2 + (keepsBegun ? 1 : 0);
    for (const key of keys) this.#dropParked(key);
    if (!keepsBegun) {
      this.#at = 0;
      return;
    }
    this.#park(first, { bytes, ends: ends.subarray(0, this.#at + 2) });
    this.#parked.get(first)!.isReady = true;
    this.#released.push(first);
  }

  /** Where the next rows come from. */
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

  /** Goes over a piece of the file; false when that would help nobody. */
  #takeSpilled(rows: Rows): boolean {
    const spill = this.#spill;
    if (spill.count === 0) return false;
    // Records of the file that still wait go into memory as long as there is room, else behind all others.
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

  /** Takes the first record of the file; false when that waits for the rest of its rows. */
  #takeSpilledRecord(record: SpilledRecord, rows: Rows): boolean {
    const { bytes, origin, first, headStart, headEnd, targetEnd } = record;
    const state = this.#origins.stateAt(keyOf(origin, first));
    const { isReady } = state;
    // It may have been made again.
    rows.turn.count(true);
    if (isReady && !this.#decider.addRows(bytes, headStart, headEnd, state, bytes, headEnd, targetEnd, rows))
      return false;
    this.#spill.drop(record);
    state.spilled--;
    if (this.#passLeft > 0 && --this.#passLeft === 0) {
      const now = performance.now();
      this.#nextPassAt = now + Math.max(leastPauseMs, (now - this.#passBegan) * 2);
    }
    if (isReady) this.#spilledReady--;
    else if (this.#dropping) this.#tally.dropped++;
    else if (this.waitingBytes > this.#maxBytes) {
      this.#spillRecord(state, bytes, headStart, headEnd, bytes.toString("latin1", headEnd, targetEnd));
    } else {
      const own = Buffer.from(bytes.subarray(headStart, targetEnd));
      this.#park(state.key, { bytes: own, ends: Int32Array.of(headEnd - headStart, targetEnd - headStart) });
    }
    return true;
  }

  #spillRecord(state: OriginState, heads: Buffer, start: number, end: number, target: string): void {
    state.spilled++;
    this.#spill.push(state.number, state.first, heads, start, end, target);
  }

  #park(key: number, parcel: Parcel): void {
    this.waitingBytes += bytesOf(parcel);
    const parked = this.#parked.get(key);
    if (parked === undefined) this.#parked.set(key, { parcels: [parcel], isReady: false });
    else parked.parcels.push(parcel);
  }

  /** Takes the parcels of the first origin that is ready. */
  #takeParked(rows: Rows): void {
    const key = this.#released[this.#releasedAt]!;
    const { parcels } = this.#parked.get(key)!;
    const state = this.#origins.stateAt(key);
    rows.turn.count(true);
    for (let parcel = parcels.at(-1); parcel !== undefined; parcel = parcels.at(-1)) {
      if (!this.#decideParcel(parcel, state, rows)) return;
      parcels.pop();
      this.#at = 0;
      this.waitingBytes -= bytesOf(parcel);
    }
    this.#parked.delete(key);
    this.#releasedAt++;
    if (this.#releasedAt < this.#released.length) return;
    this.#released = [];
    this.#releasedAt = 0;
  }

  /** Writes rows of a parcel from #at on; false when there are more. */
  #decideParcel({ bytes, ends }: Parcel, state: OriginState, rows: Rows): boolean {
    while (this.#at < ends.length) {
      const start = this.#at === 0 ? 0 : ends[this.#at - 1]!;
      const headEnd = ends[this.#at]!;
      const targetEnd = ends[this.#at + 1]!;
      if (rows.isFull) return false;
      if (!this.#decider.addRows(bytes, start, headEnd, state, bytes, headEnd, targetEnd, rows)) return false;
      this.#at += 2;
    }
    return true;
  }

  #takeBatch(batch: LocatedBatch, rows: Rows): void {
    const waiting: number[] = [];
    this.#record = this.#decider.decideFrom(batch, this.#record, this.#until, rows, waiting);
    // At once: who waits may become ready before the rest of the batch has its turn.
    this.#setAside(batch, waiting);
    if (this.#record < this.#until) return;
    this.#batch = undefined;
    batch.recycle?.();
  }

  /** Takes the records of a batch whose origins are not ready. */
  #setAside(batch: LocatedBatch, records: readonly number[]): void {
    const waiting = new Map<OriginState, number[]>();
    const { heads, spans, states } = batch;
    for (const record of records) {
      const state = states[record]!;
      if (this.#dropping) this.#tally.dropped++;
      else if (this.waitingBytes > this.#maxBytes) {
        this.#spillRecord(state, heads, spans[record * 4]!, spans[record * 4 + 1]!, targetOf(batch, record));
      } else {
        const before = waiting.get(state);
        if (before === undefined) waiting.set(state, [record]);
        else before.push(record);
      }
    }
    for (const [state, each] of waiting) this.#park(state.key, parcelOf(batch, each));
  }
}

/** A copy of its own: a piece of a block would keep the whole block in memory. */
function parcelOf(batch: LocatedBatch, records: readonly number[]): Parcel {
  const { heads, spans } = batch;
  const targets = records.map((record) => targetOf(batch, record));
  let size = 0;
  for (const [at, record] of records.entries())
    size += spans[record * 4 + 1]! - spans[record * 4]! + targets[at]!.length;
  const bytes = Buffer.allocUnsafeSlow(size);
  const ends = new Int32Array(records.length * 2);
  let end = 0;
  for (const [at, record] of records.entries()) {
    end += heads.copy(bytes, end, spans[record * 4], spans[record * 4 + 1]);
    ends[at * 2] = end;
    end += bytes.write(targets[at]!, end, "latin1");
    ends[at * 2 + 1] = end;
  }
  return { bytes, ends };
}

function bytesOf({ bytes, ends }: Parcel): number {
  return bytes.length + ends.length * (recordOverhead / 2) + parcelOverhead;
}
