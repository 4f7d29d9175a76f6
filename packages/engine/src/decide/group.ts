// Located batches in, output rows out as soon as their robots.txt is there: the stage between reading and writing.
import { Transform, type TransformCallback } from "node:stream";
import type { Decider } from "./decide.ts";
import type { LocatedBatch } from "../locate/locate.ts";
import type { OriginState } from "../origins/origin-state.ts";
import type { OriginTable } from "../origins/origins.ts";
import { Rows } from "../records/rows.ts";
import type { Spill } from "../records/spill.ts";
import type { Tally } from "../tally.ts";
import type { Turn } from "../records/turn.ts";

/** Where records wait for their robots.txt: park.ts lets the others pass, order.ts keeps them in line. */
export interface WaitingRoom {
  /** Whether rows that are ready wait for a better time to be taken: `take` is to be asked again soon. */
  readonly isBehind: boolean;
  /** Whether nothing waits, and nothing is left to take. */
  readonly isEmpty: boolean;
  /** Takes a batch, whose rows come with `take`; the next may come when `take` has said that there are none. */
  add(batch: LocatedBatch): void;
  /** Says that an origin is ready. */
  release(state: OriginState): void;
  /** Writes some of the rows that can go out now, until they are full; false when there are none. */
  take(rows: Rows): boolean;
  /** Drops and counts what is not ready, now and from now on. */
  dropWaiting(): void;
  /** Drops and counts all that comes, but for the rest of a record some of whose rows are made. */
  dropAll(): void;
}

/** What a waiting room needs. */
export interface RoomOptions {
  readonly decider: Decider;
  readonly tally: Tally;
  readonly origins: Pick<OriginTable, "currentOf" | "stateAt">;
  /** Memory for what waits. */
  readonly maxBytes: number;
  /** Takes what there is no room for; one for `ParkingRoom` keeps nothing in memory, one for `OrderedRoom` up to `maxBytes`. */
  readonly spill: Spill;
}

/** Rows wait no longer than this for others to be written with. */
const mostDelayMs = 10;

/** When a room that is behind is asked again. */
const laterMs = 100;

/** How long rows that are ready still come when the run is stopped. */
const mostMsOfReady = 800;

/** The stage. Reading pauses while too many origins wait for their turn, and while nobody takes the rows. */
export class GroupStage extends Transform {
  readonly #room: WaitingRoom;
  readonly #origins: Pick<OriginTable, "isCrowded">;
  readonly #rows: Rows;
  #soon: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #ready: NodeJS.Timeout | undefined;
  /** Set from the first rows of a turn of the event loop until the next turn. */
  #turnEnd: NodeJS.Immediate | undefined;
  /** Set while other work of the process has its turn, such as signals: a batch may make rows for minutes. */
  #isResting = false;
  /** Whether rows that become ready by themselves may be pushed. */
  #isWanted = true;
  #goOn: TransformCallback | undefined;
  #finish: TransformCallback | undefined;
  #isStopped = false;

  constructor(room: WaitingRoom, origins: Pick<OriginTable, "isCrowded">, turn?: Turn) {
    super({ objectMode: true, writableHighWaterMark: 1, readableHighWaterMark: 2 });
    this.#room = room;
    this.#origins = origins;
    this.#rows = new Rows(turn);
  }

  /** An origin became ready. */
  release(state: OriginState): void {
    this.#room.release(state);
    this.#pump();
  }

  /** Lets go of what waits: the rows that are ready still come, as far as they come soon, the rest is dropped. */
  stop(): void {
    this.#isStopped = true;
    this.#room.dropWaiting();
    this.#ready ??= setTimeout(() => {
      this.#room.dropAll();
      this.#pump();
    }, mostMsOfReady).unref();
    this.#pump();
  }

  /** Takes back a piece of rows that was written: its memory may then be used again. */
  giveBack(piece: Buffer): void {
    this.#rows.giveBack(piece);
  }

  override _transform(batch: LocatedBatch, _encoding: BufferEncoding, callback: TransformCallback): void {
    try {
      this.#room.add(batch);
    } catch (error) {
      callback(error as Error);
      return;
    }
    this.#goOn = callback;
    this.#pump();
  }

  override _flush(callback: TransformCallback): void {
    this.#finish = callback;
    this.#pump();
  }

  override _read(size: number): void {
    this.#isWanted = true;
    this.#pump();
    super._read(size);
  }

  /** Pushes the rows so far: at once when they are many or took long, otherwise soon, with those that come until then. */
  #pushRows(): void {
    if (this.#rows.isFull) {
      this.#pushNow();
      this.#isResting = true;
    } else if (this.#rows.bytes > 0) this.#soon ??= setTimeout(() => this.#pushNow(), mostDelayMs);
  }

  #pushNow(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    for (const piece of this.#rows.take()) this.#isWanted = this.push(piece);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#soon);
    clearTimeout(this.#later);
    clearTimeout(this.#ready);
    clearImmediate(this.#turnEnd);
    callback(error);
  }

  /** Batches may come one upon the other within one turn of the event loop: its time is theirs together. */
  #beginTurn(): void {
    if (this.#turnEnd !== undefined) return;
    this.#rows.turn.begin();
    this.#turnEnd = setImmediate(() => {
      this.#turnEnd = undefined;
      if (!this.#isResting) return;
      this.#isResting = false;
      this.#pump();
    });
  }

  #pump(): void {
    this.#beginTurn();
    while (this.#isWanted && !this.#isResting) {
      try {
        if (!this.#room.take(this.#rows) && !this.#rows.isFull) break;
      } catch (error) {
        this.destroy(error as Error);
        return;
      }
      this.#pushRows();
    }
    if (this.#room.isBehind) {
      this.#later ??= setTimeout(() => {
        this.#later = undefined;
        this.#pump();
      }, laterMs);
    }
    if (this.#isResting) return;
    // A run that was stopped loads nothing any more: its crowd stays.
    if (this.#goOn !== undefined && this.#isWanted && (this.#isStopped || !this.#origins.isCrowded)) {
      const goOn = this.#goOn;
      this.#goOn = undefined;
      goOn();
    }
    if (this.#finish !== undefined && this.#room.isEmpty) {
      const finish = this.#finish;
      this.#finish = undefined;
      this.#pushNow();
      finish();
    }
  }
}
