// Records whose robots.txt is not there yet in, set aside by origin, their rows out in one go once it is; all others pass.
import type { Decider } from "./decide.ts";
import { type WaitingRoom, pieceLength } from "./group.ts";
import type { LocatedBatch } from "./locate.ts";
import type { OriginState } from "./origins.ts";
import type { Tally } from "./tally.ts";
import type { UrlProblem } from "@robots-stream/url";

/** Records of one origin that came in one batch: their heads in one string, their targets in another. */
interface Parcel {
  readonly heads: string;
  readonly targets: string;
  readonly headLengths: readonly number[];
  readonly targetLengths: readonly number[];
}

/** Memory of a parked record besides its bytes. */
const recordOverhead = 24;

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

  add({ heads, states, targets }: LocatedBatch): string {
    let rows = "";
    let waiting: Map<OriginState, number[]> | undefined;
    for (let index = 0; index < heads.length; index++) {
      const head = heads[index]!;
      const state = states[index];
      const target = targets[index]!;
      if (state === undefined) rows += this.#decider.rowsOfProblem(head, target as UrlProblem);
      else if (state.matchers !== undefined) rows += this.#decider.rowsOf(head, state, target);
      else if (this.#dropping) this.#tally.dropped++;
      else {
        waiting ??= new Map();
        const indexes = waiting.get(state);
        if (indexes === undefined) waiting.set(state, [index]);
        else indexes.push(index);
      }
    }
    for (const [state, indexes] of waiting ?? []) this.#park(state, parcelOf(heads, targets, indexes));
    return rows;
  }

  release(state: OriginState): void {
    if (this.#parked.has(state)) this.#released.push(state);
  }

  take(): string | undefined {
    const state = this.#released[this.#releasedAt];
    const parcels = state === undefined ? undefined : this.#parked.get(state);
    if (state === undefined || parcels === undefined) return undefined;
    let rows = "";
    while (rows.length < pieceLength) {
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
      rows += this.#rowsOf(parcel, state);
    }
    return rows;
  }

  dropWaiting(): void {
    this.#dropping = true;
    for (const [state, parcels] of this.#parked) {
      if (state.matchers !== undefined) continue;
      for (const parcel of parcels) {
        this.#tally.dropped += parcel.headLengths.length;
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

  #rowsOf({ heads, targets, headLengths, targetLengths }: Parcel, state: OriginState): string {
    let rows = "";
    let headAt = 0;
    let targetAt = 0;
    for (let index = 0; index < headLengths.length; index++) {
      const headEnd = headAt + headLengths[index]!;
      const targetEnd = targetAt + targetLengths[index]!;
      rows += this.#decider.rowsOf(heads.slice(headAt, headEnd), state, targets.slice(targetAt, targetEnd));
      headAt = headEnd;
      targetAt = targetEnd;
    }
    return rows;
  }
}

/** A copy of its own: a piece of a chunk's string would keep the whole chunk in memory. */
function parcelOf(heads: readonly string[], targets: readonly string[], indexes: readonly number[]): Parcel {
  const ownHeads = indexes.map((index) => heads[index]!);
  const ownTargets = indexes.map((index) => targets[index]!);
  return {
    heads: copyOf(ownHeads),
    targets: copyOf(ownTargets),
    headLengths: ownHeads.map((head) => head.length),
    targetLengths: ownTargets.map((target) => target.length),
  };
}

/** The strings joined, in memory of their own. */
function copyOf(strings: readonly string[]): string {
  return Buffer.from(strings.length === 1 ? (strings[0] ?? "") : strings.join(""), "latin1").toString("latin1");
}

function bytesOf({ heads, targets, headLengths }: Parcel): number {
  return heads.length + targets.length + headLengths.length * recordOverhead + 200;
}
