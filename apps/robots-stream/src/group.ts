// Located batches in, output rows out as soon as their robots.txt is there: the stage between reading and writing.
import { Transform, type TransformCallback } from "node:stream";
import type { LocatedBatch } from "./locate.ts";
import type { OriginState } from "./origins.ts";
import { Rows } from "./rows.ts";

/** Where records wait for their robots.txt: park.ts lets the others pass, order.ts keeps them in line. */
export interface WaitingRoom {
  /** Roughly the memory of what waits. */
  readonly waitingBytes: number;
  /** Whether nothing waits, and nothing is left to take. */
  readonly isEmpty: boolean;
  /** Takes a batch; writes the rows that can go out at once. */
  add(batch: LocatedBatch, rows: Rows): void;
  /** Says that an origin is ready. */
  release(state: OriginState): void;
  /** Writes some of the rows that can go out now; false when there are none. */
  take(rows: Rows): boolean;
  /** Drops and counts what is not ready, now and from now on. */
  dropWaiting(): void;
}

/** Bytes of rows that are taken at once: a writer likes large pieces, memory likes small ones. */
export const pieceBytes: number = 512 * 1_024;

/** Rows wait no longer than this for others to be written with. */
const mostDelayMs = 10;

/** The stage. Reading pauses while more than `maxWaitingBytes` wait, and while nobody takes the rows. */
export class GroupStage extends Transform {
  readonly #room: WaitingRoom;
  readonly #rows = new Rows();
  #soon: NodeJS.Timeout | undefined;
  readonly #maxWaitingBytes: number;
  /** Whether rows that become ready by themselves may be pushed. */
  #isWanted = true;
  #goOn: TransformCallback | undefined;
  #finish: TransformCallback | undefined;

  constructor(room: WaitingRoom, maxWaitingBytes: number) {
    super({ objectMode: true, writableHighWaterMark: 1, readableHighWaterMark: 2 });
    this.#room = room;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  /** An origin became ready. */
  release(state: OriginState): void {
    this.#room.release(state);
    this.#pump();
  }

  /** Lets go of what waits: the rows that are ready still come, the rest is dropped. */
  stop(): void {
    this.#room.dropWaiting();
    this.#pump();
  }

  override _transform(batch: LocatedBatch, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#room.add(batch, this.#rows);
    this.#pushRows();
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

  /** Pushes the rows so far: at once when they are many, otherwise soon, with those that come until then. */
  #pushRows(): void {
    if (this.#rows.bytes >= pieceBytes) this.#pushNow();
    else if (this.#rows.bytes > 0) this.#soon ??= setTimeout(() => this.#pushNow(), mostDelayMs);
  }

  #pushNow(): void {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    for (const piece of this.#rows.take()) this.#isWanted = this.push(piece);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#soon);
    callback(error);
  }

  #pump(): void {
    while (this.#isWanted) {
      if (!this.#room.take(this.#rows)) break;
      this.#pushRows();
    }
    if (this.#goOn !== undefined && this.#isWanted && this.#room.waitingBytes <= this.#maxWaitingBytes) {
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
