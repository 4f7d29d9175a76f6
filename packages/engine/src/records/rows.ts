// Heads and tails in, the bytes of output rows out, in large pieces: stages pass these pieces on instead of single rows.
import { RowMemory, pieceBytes } from "./row-memory.ts";
import { Turn } from "./turn.ts";
import { hasLowFirst, viewOf } from "./words.ts";

/** A buffer with less room than this is replaced by a new one. */
const leastRoom = 16 * 1_024;

/** The number of bytes that an answer without a row counts as. */
const leftOutBytes = 64;

/** Heads longer than this are copied by a platform call, whose fixed cost equals copying this many bytes word by word. */
const longestByWords = 128;

const none = Buffer.alloc(0);

/** The settings of building rows. */
export interface RowsOptions {
  readonly memory?: RowMemory | undefined;
  readonly turn?: Turn | undefined;
}

/** The rows that are being built. */
export class Rows {
  /** Time that deciding these rows has taken in the current turn of the event loop. */
  readonly turn: Turn;
  readonly #memory: RowMemory;
  /** The buffer that is written to. Rows that are not in a piece yet are at [#start, #end). */
  #buffer: Buffer = none;
  #bufferView = viewOf(none);
  #start = 0;
  #end = 0;
  /** The buffer that the last head was copied from. */
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

  /** Whether the waiting rows are so many, or took so long, that they have to be taken before more rows are built. */
  get isFull(): boolean {
    return this.turn.isOver || this.bytes + this.#leftOut >= pieceBytes;
  }

  /** Whether several pieces wait: then rows of one group are too long to be built together. */
  get isOverfull(): boolean {
    return this.#fullBytes > pieceBytes;
  }

  /** Counts an answer without a row: it takes time like others, so it counts towards the limit. */
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

  /** Adds a row whose tail is `tailBytes` bytes at a word offset of `tails`. */
  addWords(head: Buffer, start: number, end: number, words: Int32Array, from: number, tailBytes: number): void {
    const headSize = end - start;
    const size = headSize + tailBytes;
    // The next row overwrites bytes that are written past the end.
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

  /** Copies a head four bytes at a time; the tail overwrites bytes that are written past the head's end. */
  #copyWords(head: Buffer, start: number, end: number, to: number): void {
    if (head !== this.#head) {
      this.#head = head;
      this.#headView = viewOf(head);
    }
    const from = this.#headView;
    const out = this.#bufferView;
    for (let at = start, outAt = to; at < end; at += 4, outAt += 4) out.setInt32(outAt, from.getInt32(at));
  }

  /** Passes on the rows so far, in pieces of the row memory. */
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

  /** Makes a piece of the rows that are not in a piece yet. */
  #cut(): void {
    if (this.#end === this.#start) return;
    this.#full.push(this.#memory.cut(this.#buffer, this.#start, this.#end));
    this.#fullBytes += this.#end - this.#start;
    this.#start = this.#end;
  }
}
