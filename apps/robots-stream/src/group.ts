// Located batches in, output rows out as soon as their robots.txt is there: the stage between reading and writing.
import { Transform, type TransformCallback } from "node:stream";
import type { LocatedBatch } from "./locate.ts";
import type { OriginState } from "./origins.ts";

/** Where records wait for their robots.txt: park.ts lets the others pass, order.ts keeps them in line. */
export interface WaitingRoom {
  /** Roughly the memory of what waits. */
  readonly waitingBytes: number;
  /** Whether nothing waits, and nothing is left to take. */
  readonly isEmpty: boolean;
  /** Takes a batch; gives the rows that can go out at once. */
  add(batch: LocatedBatch): string;
  /** Says that an origin is ready. */
  release(state: OriginState): void;
  /** Some of the rows that can go out now; undefined when there are none. */
  take(): string | undefined;
  /** Drops and counts what is not ready, now and from now on. */
  dropWaiting(): void;
}

/** Rows that are taken at once: a writer likes large pieces, memory likes small ones. */
export const pieceLength: number = 512 * 1_024;

/** The stage. Reading pauses while more than `maxWaitingBytes` wait, and while nobody takes the rows. */
export class GroupStage extends Transform {
  readonly #room: WaitingRoom;
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
    const rows = this.#room.add(batch);
    if (rows !== "") this.#isWanted = this.push(rows);
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

  #pump(): void {
    while (this.#isWanted) {
      const rows = this.#room.take();
      if (rows === undefined) break;
      if (rows !== "") this.#isWanted = this.push(rows);
    }
    if (this.#goOn !== undefined && this.#room.waitingBytes <= this.#maxWaitingBytes) {
      const goOn = this.#goOn;
      this.#goOn = undefined;
      goOn();
    }
    if (this.#finish !== undefined && this.#room.isEmpty) {
      const finish = this.#finish;
      this.#finish = undefined;
      finish();
    }
  }
}
