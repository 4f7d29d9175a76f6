// Heads and tails in, the bytes of output rows out, in large pieces: what the stages hand to one another instead of rows.
import { RowMemory, pieceBytes } from "./row-memory.ts";
import { Turn } from "./turn.ts";
import { hasLowFirst, viewOf } from "./words.ts";

/** A buffer with less room than this is given up for a new one. */
const leastRoom = 16 * 1_024;

/** What an answer without a row counts for. */
const leftOutBytes = 64;

/** Longer heads are copied by the platform: a call of it takes as long as copying this many bytes by words. */
const longestByWords = 128;

const none = Buffer.alloc(0);

/** What rows are made with. */
export interface RowsOptions {
  readonly memory?: RowMemory | undefined;
  readonly turn?: Turn | undefined;
}

/** Rows that are being written. */
export class Rows {
  /** The time that the decisions about them take of the event loop's turn. */
  readonly turn: Turn;
  readonly #memory: RowMemory;
  /** The buffer that is written to. The rows that are in no piece yet stand in it from #start to #end. */
  #buffer: Buffer = none;
  #bufferView = viewOf(none);
  #start = 0;
  #end = 0;
  /** The buffer that heads were copied from last. */
  #head: Buffer = none;
  #headView = this.#bufferView;
  /** Pieces that wait to be taken. */
  #full: Buffer[] = [];
  #fullBytes = 0;
  #takenBytes = 0;
  #leftOut = 0;

  constructor({ memory = new RowMemory(), turn = new Turn() }: RowsOptions = {}) {
    this.#memory = memory;
    this.turn = turn;
  }

  /** Bytes of all rows that were ever added. */
  get allBytes(): number {
    return this.#takenBytes + this.bytes;
  }

  /** Bytes that wait to be taken. */
  get bytes(): number {
    return this.#fullBytes + this.#end - this.#start;
  }

  /** Whether so many wait, or took so long, that they are to be taken before others are made. */
  get isFull(): boolean {
    return this.turn.isOver || this.bytes + this.#leftOut >= pieceBytes;
  }

  /** Whether several pieces wait: rows that were to be made together are too long for that. */
  get isOverfull(): boolean {
    return this.#fullBytes > pieceBytes;
  }

  /** Says that an answer gives no row: it counts for what can be made at once, as it takes time like others. */
  leaveOut(): void {
    this.#leftOut += leftOutBytes;
  }

  /** Adds a row: the head is the bytes from `start` to `end`. */
  add(head: Buffer, start: number, end: number, tail: Buffer): void {
    const headSize = end - start;
    const size = headSize + tail.length;
    if (this.#end + size > this.#buffer.length) this.#renew(size);
    const buffer = this.#buffer;
    const at = this.#end;
    if (headSize > longestByWords || end + 4 > head.length || tail.length < 4) head.copy(buffer, at, start, end);
    else this.#copyWords(head, start, end, at);
    tail.copy(buffer, at + headSize);
    this.#end = at + size;
  }

  /** The same, with a tail of `tailBytes` bytes that begins at a word of some memory. */
  addWords(head: Buffer, start: number, end: number, words: Int32Array, from: number, tailBytes: number): void {
    const headSize = end - start;
    const size = headSize + tailBytes;
    // What is written past the end is written over by the next row.
    if (this.#end + size + 4 > this.#buffer.length) this.#renew(size + 4);
    const at = this.#end;
    if (headSize > longestByWords || end + 4 > head.length) head.copy(this.#buffer, at, start, end);
    else this.#copyWords(head, start, end, at);
    const out = this.#bufferView;
    const stop = at + size;
    let word = from;
    for (let to = at + headSize; to < stop; to += 4) out.setInt32(to, words[word++]!, hasLowFirst);
    this.#end = stop;
  }

  /** Copies a head four bytes at a time; what is written past its end is written over by the tail. */
  #copyWords(head: Buffer, start: number, end: number, to: number): void {
    if (head !== this.#head) {
      this.#head = head;
      this.#headView = viewOf(head);
    }
    const from = this.#headView;
    const out = this.#bufferView;
    for (let at = start, outAt = to; at < end; at += 4, outAt += 4) out.setInt32(outAt, from.getInt32(at));
  }

  /** Gives the rows so far, in pieces of the row memory. */
  take(): Buffer[] {
    this.#cut();
    const full = this.#full;
    this.#takenBytes += this.#fullBytes;
    this.#full = [];
    this.#fullBytes = 0;
    this.#leftOut = 0;
    if (this.#buffer.length - this.#end < leastRoom) this.#use(none);
    return full;
  }

  #renew(size: number): void {
    this.#cut();
    this.#use(this.#memory.open(size));
  }

  /** Writes to another buffer from now on. */
  #use(buffer: Buffer): void {
    this.#memory.close(this.#buffer);
    this.#buffer = buffer;
    this.#bufferView = viewOf(buffer);
    this.#start = this.#end = 0;
  }

  /** Makes a piece of the rows that are in none. */
  #cut(): void {
    if (this.#end === this.#start) return;
    this.#full.push(this.#memory.cut(this.#buffer, this.#start, this.#end));
    this.#fullBytes += this.#end - this.#start;
    this.#start = this.#end;
  }
}
