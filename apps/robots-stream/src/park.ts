// Records whose robots.txt is not there yet in, set aside by origin, their rows out in one go once it is; all others pass.
import type { Decider } from "./decide.ts";
import { type WaitingRoom, pieceBytes } from "./group.ts";
import { type LocatedBatch, targetOf } from "./locate.ts";
import type { OriginState } from "./origins.ts";
import type { Rows } from "./rows.ts";
import type { Tally } from "./tally.ts";

/** Records of one origin that came in one batch, their heads and targets one after another. */
interface Parcel {
  readonly bytes: Buffer;
  /** Two numbers a record: where its head ends, and its target. */
  readonly ends: Int32Array;
}

/** Memory of a parked record besides its bytes, and of a parcel. */
const recordOverhead = 8;
const parcelOverhead = 300;

/** Lets records pass one another: rows come in the order in which they can be decided. */
export class ParkingRoom implements WaitingRoom {
  waitingBytes = 0;
  readonly #decider: Decider;
  readonly #tally: Tally;
  /** What each origin waits with. */
  readonly #parked = new Map<OriginState, Parcel[]>();
  /** Origins that became ready, and whose parcels are not all taken yet, from #releasedAt on. */
  #released: OriginState[] = [];
  #releasedAt = 0;
  /** Parcels already taken of the first of #released. */
  #takenParcels = 0;
  #dropping = false;

  constructor(decider: Decider, tally: Tally) {
    this.#decider = decider;
    this.#tally = tally;
  }

  get isEmpty(): boolean {
    return this.#parked.size === 0;
  }

  add(batch: LocatedBatch, rows: Rows): void {
    let waiting: Map<OriginState, number[]> | undefined;
    for (let record = 0; record < batch.count; record++) {
      if (this.#decider.decide(batch, record, rows)) continue;
      if (this.#dropping) {
        this.#tally.dropped++;
        continue;
      }
      waiting ??= new Map();
      const state = batch.states[record]!;
      const records = waiting.get(state);
      if (records === undefined) waiting.set(state, [record]);
      else records.push(record);
    }
    for (const [state, records] of waiting ?? []) this.#park(state, parcelOf(batch, records));
  }

  release(state: OriginState): void {
    if (this.#parked.has(state)) this.#released.push(state);
  }

  take(rows: Rows): boolean {
    const state = this.#released[this.#releasedAt];
    const parcels = state === undefined ? undefined : this.#parked.get(state);
    if (state === undefined || parcels === undefined) return false;
    while (rows.bytes < pieceBytes) {
      const parcel = parcels[this.#takenParcels++];
      if (parcel === undefined) {
        this.#parked.delete(state);
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
    for (const [state, parcels] of this.#parked) {
      if (state.matchers !== undefined) continue;
      for (const parcel of parcels) {
        this.#tally.dropped += parcel.ends.length / 2;
        this.waitingBytes -= bytesOf(parcel);
      }
      this.#parked.delete(state);
    }
  }

  #park(state: OriginState, parcel: Parcel): void {
    this.waitingBytes += bytesOf(parcel);
    const parcels = this.#parked.get(state);
    if (parcels === undefined) this.#parked.set(state, [parcel]);
    else parcels.push(parcel);
  }

  #decide({ bytes, ends }: Parcel, state: OriginState, rows: Rows): void {
    let start = 0;
    for (let at = 0; at < ends.length; at += 2) {
      const headEnd = ends[at]!;
      const targetEnd = ends[at + 1]!;
      this.#decider.addRows(bytes, start, headEnd, state, bytes.toString("latin1", headEnd, targetEnd), rows);
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
