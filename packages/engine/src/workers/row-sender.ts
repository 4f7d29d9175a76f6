// Pieces of rows in, the same in shared memory out, cut only where the rows of a unit end; no more than there are slots.
import { Writable } from "node:stream";
import type { RowMemory } from "../records/row-memory.ts";
import type { SentRows } from "./messages.ts";

/** Where the rows go. */
export interface RowSenderOptions {
  readonly slots: readonly SharedArrayBuffer[];
  /** Says that there are rows in a slot. */
  send(rows: SentRows): void;
  /** Says that all rows of a unit were sent. */
  done(): void;
}

/** Sends the rows of one worker. */
export class RowSender {
  readonly #options: RowSenderOptions;
  readonly #free: number[];
  readonly #memory: readonly Buffer[];
  /** Bytes of all rows that were sent. */
  #sent = 0;
  /** Where units end that have not ended yet, in bytes of all rows. */
  readonly #ends: number[] = [];
  /** What is being sent. */
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  #callback: (() => void) | undefined;

  constructor(options: RowSenderOptions) {
    this.#options = options;
    this.#memory = options.slots.map((slot) => Buffer.from(slot));
    this.#free = options.slots.map((_slot, at) => at);
  }

  /** The last stage of a worker's pipeline: sends pieces, which go back to `memory` then. */
  createStage(memory: RowMemory): Writable {
    return new Writable({
      objectMode: true,
      highWaterMark: 1,
      write: (piece: Buffer, _encoding, callback) =>
        this.push(piece, () => {
          memory.giveBack(piece);
          callback();
        }),
    });
  }

  /** Sends a piece, which is whole rows; calls back when the next one may come. */
  push(piece: Buffer, callback: () => void): void {
    this.#piece = piece;
    this.#at = 0;
    this.#callback = callback;
    this.#pump();
  }

  /** Says where the rows of a unit end, in bytes of all rows so far. */
  endUnit(rowBytes: number): void {
    this.#ends.push(rowBytes);
    this.#endUnits();
  }

  /** Takes a slot back. */
  taken(slot: number): void {
    this.#free.push(slot);
    this.#pump();
  }

  #pump(): void {
    while (this.#at < this.#piece.length) {
      const slot = this.#free.pop();
      if (slot === undefined) return;
      const memory = this.#memory[slot]!;
      const left = (this.#ends[0] ?? Infinity) - this.#sent;
      const length = Math.min(this.#piece.length - this.#at, left);
      const end = this.#at + length;
      if (length > memory.length) {
        this.#options.send({ slot, length, long: new Uint8Array(this.#piece.subarray(this.#at, end)) });
      } else {
        // Not by set(), which copies into shared memory a word at a time.
        this.#piece.copy(memory, 0, this.#at, end);
        this.#options.send({ slot, length });
      }
      this.#at += length;
      this.#sent += length;
      this.#endUnits();
    }
    const callback = this.#callback;
    this.#callback = undefined;
    callback?.();
  }

  #endUnits(): void {
    while (this.#ends[0] === this.#sent) {
      this.#ends.shift();
      this.#options.done();
    }
  }
}
