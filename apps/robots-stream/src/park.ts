// Records whose robots.txt is not there yet in, set aside by origin, their rows out in one go once it is; all others pass.
// What memory has no room for goes into a file, so that reading goes on and more origins are asked meanwhile.
import type { Decider } from "./decide.ts";
import { type RoomOptions, type WaitingRoom, pieceBytes } from "./group.ts";
import { type LocatedBatch, targetOf } from "./locate.ts";
import { type OriginState, keyOf } from "./origin-state.ts";
import type { OriginTable } from "./origins.ts";
import type { Rows } from "./rows.ts";
import type { Spill } from "./spill.ts";
import type { Tally } from "./tally.ts";

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
  /** Parcels already taken of the first of #released. */
  #takenParcels = 0;
  #dropping = false;
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
    return this.#parked.size === 0 && this.#spill.count === 0;
  }

  get isBehind(): boolean {
    return this.#spilledReady > 0;
  }

  add(batch: LocatedBatch, rows: Rows): void {
    let waiting: Map<OriginState, number[]> | undefined;
    for (const record of this.#decider.decideAll(batch, rows)) {
      if (this.#decider.decide(batch, record, rows)) continue;
      const state = this.#origins.currentOf(batch.states[record]!);
      if (state.isReady) {
        batch.states[record] = state;
        this.#decider.decide(batch, record, rows);
        continue;
      }
      if (this.#dropping) {
        this.#tally.dropped++;
        continue;
      }
      if (this.waitingBytes > this.#maxBytes) {
        const { heads, spans } = batch;
        this.#spillRecord(state, heads, spans[record * 4]!, spans[record * 4 + 1]!, targetOf(batch, record));
        continue;
      }
      waiting ??= new Map();
      const records = waiting.get(state);
      if (records === undefined) waiting.set(state, [record]);
      else records.push(record);
    }
    for (const [state, records] of waiting ?? []) this.#park(state.key, parcelOf(batch, records));
    batch.recycle?.();
  }

  release(state: OriginState): void {
    const parked = this.#parked.get(state.key);
    if (parked !== undefined) {
      parked.isReady = true;
      this.#released.push(state.key);
    }
    this.#spilledReady += state.spilled;
  }

  take(rows: Rows): boolean {
    const key = this.#released[this.#releasedAt];
    const parcels = key === undefined ? undefined : this.#parked.get(key)?.parcels;
    if (key === undefined || parcels === undefined) return this.#takeSpilled(rows);
    const state = this.#origins.stateAt(key);
    while (rows.bytes < pieceBytes) {
      const parcel = parcels[this.#takenParcels++];
      if (parcel === undefined) {
        this.#parked.delete(key);
        this.#takenParcels = 0;
        this.#releasedAt++;
        if (this.#releasedAt === this.#released.length) {
          this.#released = [];
          this.#releasedAt = 0;
        }
        break;
      }
      this.waitingBytes -= bytesOf(parcel);
      this.#decide(parcel, state, rows);
    }
    return true;
  }

  dropWaiting(): void {
    this.#dropping = true;
    for (const [key, { parcels, isReady }] of this.#parked) {
      if (isReady) continue;
      for (const parcel of parcels) {
        this.#tally.dropped += parcel.ends.length / 2;
        this.waitingBytes -= bytesOf(parcel);
      }
      this.#parked.delete(key);
    }
  }

  #spillRecord(state: OriginState, heads: Buffer, start: number, end: number, target: string): void {
    state.spilled++;
    this.#spill.push(state.number, state.first, heads, start, end, target);
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
    for (let taken = 0; taken < most && rows.bytes < pieceBytes && isWorth(); taken++) {
      const { bytes, origin, first, headStart, headEnd, targetEnd } = spill.shift()!;
      const state = this.#origins.stateAt(keyOf(origin, first));
      state.spilled--;
      if (this.#passLeft > 0 && --this.#passLeft === 0) {
        const now = performance.now();
        this.#nextPassAt = now + Math.max(leastPauseMs, (now - this.#passBegan) * 2);
      }
      if (state.isReady) {
        this.#spilledReady--;
        this.#decider.addRows(bytes, headStart, headEnd, state, bytes, headEnd, targetEnd, rows);
      } else if (this.#dropping) this.#tally.dropped++;
      else if (this.waitingBytes > this.#maxBytes) {
        const target = bytes.toString("latin1", headEnd, targetEnd);
        this.#spillRecord(state, bytes, headStart, headEnd, target);
      } else {
        const own = Buffer.from(bytes.subarray(headStart, targetEnd));
        this.#park(state.key, { bytes: own, ends: Int32Array.of(headEnd - headStart, targetEnd - headStart) });
      }
    }
    spill.trim();
    return true;
  }

  #park(key: number, parcel: Parcel): void {
    this.waitingBytes += bytesOf(parcel);
    const parked = this.#parked.get(key);
    if (parked === undefined) this.#parked.set(key, { parcels: [parcel], isReady: false });
    else parked.parcels.push(parcel);
  }

  #decide({ bytes, ends }: Parcel, state: OriginState, rows: Rows): void {
    let start = 0;
    for (let at = 0; at < ends.length; at += 2) {
      const headEnd = ends[at]!;
      const targetEnd = ends[at + 1]!;
      this.#decider.addRows(bytes, start, headEnd, state, bytes, headEnd, targetEnd, rows);
      start = targetEnd;
    }
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
