// Sends pieces of rows as messages. The bytes are in a slot of shared memory, or in the message if they are longer than a slot. A piece is
// split only at the end of a unit; at most one message per slot is in flight.
import { Writable } from "node:stream";
import type { RowMemory } from "../records/row-memory.ts";
import type { SentRows } from "./messages.ts";

export interface RowSenderOptions {
  readonly slots: readonly SharedArrayBuffer[];
  /**
   * Sends one message. The slot in the message is in use until `taken` is called with this slot, even if the bytes are in the message
   * itself.
   */
  send(rows: SentRows): void;
  /** Called when all rows of a unit were sent. */
  done(): void;
}

/** Sends the rows of one worker. */
export class RowSender {
  readonly #options: RowSenderOptions;
  readonly #free: number[];
  readonly #memory: readonly Buffer[];
  /** Bytes of rows sent so far. */
  #sent = 0;
  /** Ends of the units whose rows are not all sent yet, as offsets in the bytes of all rows. */
  readonly #ends: number[] = [];
  /** The piece that is being sent; `#piece[0, #at)` has been sent. */
  #piece: Buffer = Buffer.alloc(0);
  #at = 0;
  #callback: (() => void) | undefined;

  constructor(options: RowSenderOptions) {
    this.#options = options;
    this.#memory = options.slots.map((slot) => Buffer.from(slot));
    this.#free = options.slots.map((_slot, at) => at);
  }

  /** The last stage of a worker's pipeline: sends pieces and returns them to `memory`. */
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

  /** Sends a piece of whole rows; calls `callback` when the next piece may be pushed. */
  push(piece: Buffer, callback: () => void): void {
    this.#piece = piece;
    this.#at = 0;
    this.#callback = callback;
    this.#pump();
  }

  /** Marks the end of a unit's rows: the offset `rowBytes` in the bytes of all rows. */
  endUnit(rowBytes: number): void {
    this.#ends.push(rowBytes);
    this.#endUnits();
  }

  /** Marks a slot as free. */
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
        // copy() instead of set(), which copies into shared memory one word at a time.
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
